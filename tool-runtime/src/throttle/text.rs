//! A text of the throttle, for a host that has its own words: [`ThrottleText`].

use std::time::Duration;

use crate::failure::ThrottleRule;

/// A text of the throttle before the model reads it; see
/// [`throttle_texts`](crate::toolbox::ToolboxBuilder::throttle_texts).
///
/// ```
/// use tool_runtime::Toolbox;
/// use tool_runtime::throttle::{ThrottleText, ThrottleTextKind};
///
/// let quiet = |text: &ThrottleText<'_>| (text.kind == ThrottleTextKind::Warning).then(|| "This may be a loop.".to_owned());
/// assert!(Toolbox::builder().throttle_texts(quiet).build().is_ok());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ThrottleText<'t> {
    /// The kind of text: a warning, a message or guidance.
    pub kind: ThrottleTextKind,
    /// The name that was called.
    pub tool: &'t str,
    /// The rule that warns or refuses.
    pub rule: ThrottleRule,
    /// The count of the rule: failures, calls, rounds, or invented names.
    pub count: u32,
    /// When a call may pass again, for a refusal and its guidance; `None` where time does not help.
    pub retry_after: Option<Duration>,
    /// The text that is used unless the host returns another.
    pub text: &'t str,
}

/// The purpose of a text of the throttle.
///
/// ```
/// use tool_runtime::throttle::ThrottleTextKind;
///
/// assert_ne!(ThrottleTextKind::Refusal, ThrottleTextKind::Guidance);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThrottleTextKind {
    /// A warning beside the answer to a call that ran.
    Warning,
    /// The `error_message` of a refusal.
    Refusal,
    /// The `retry_guidance` of a refusal.
    Guidance,
}
