//! The throttle settings of a tool, which override the settings of the session.

use proc_macro2::Span;

/// The throttle settings of a tool.
#[derive(Default)]
pub(crate) struct Throttle {
    /// The rules that are set; each rule occurs once.
    pub(crate) rules: Vec<(ThrottleRule, Setting)>,
    pub(crate) polling: bool,
    pub(crate) unlimited: bool,
    /// The members of the result that differ from call to call even if nothing changed.
    pub(crate) volatile: Vec<String>,
}

impl Throttle {
    /// Returns `true` if there are no settings.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && !self.polling && !self.unlimited && self.volatile.is_empty()
    }
}

/// A throttle rule that applies to one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThrottleRule {
    ConsecutiveFailures,
    SameError,
    IdenticalCall,
    AlternatingCalls,
    SameToolRate,
}

impl ThrottleRule {
    /// Every rule with its name in attributes.
    pub(crate) const NAMES: &'static [(&'static str, Self)] = &[
        ("consecutive_failures", Self::ConsecutiveFailures),
        ("same_error", Self::SameError),
        ("identical_call", Self::IdenticalCall),
        ("alternating_calls", Self::AlternatingCalls),
        ("same_tool_rate", Self::SameToolRate),
    ];
}

/// The setting of a rule.
pub(crate) enum Setting {
    Off,
    /// The counts of consecutive calls or failures, and the pauses in seconds. The runtime has a default for each number, and compares the
    /// numbers with each other.
    Streak {
        warn: Option<Count>,
        limit: Option<Count>,
        first: Option<Count>,
        factor: Option<Count>,
        cap: Option<Count>,
    },
    Rate {
        calls: u32,
        seconds: u32,
    },
}

/// A number with its span.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    pub(crate) value: u32,
    pub(crate) span: Span,
}
