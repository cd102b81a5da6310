//! Replaces texts of the throttle with the host's own.
//!
//! In: a warning or a rejection of the throttle. Out: the same warning or rejection with the host's text, if the host supplies one.
//! Invariants: the host's text has the same length limit as the built-in text. A blank text is ignored. A panic of the host's function does
//! not change the outcome. No lock is held while that function runs.

use super::run_interruptible::guarded;
use super::session_with_toolbox::SessionView;
use crate::bounded;
use crate::failure::Failure;
use crate::throttle::{ReplaceableThrottleText, ThrottleTextKind, ThrottledCall, Warning};

/// The maximum length of a warning in bytes. The sentences of a rejection have the same limit.
const WARNING: usize = 600;

/// Returns the warning, with the host's text if there is one.
pub(super) fn warning(view: &SessionView, tool: &str, mut warning: Warning) -> Warning {
    let Warning { rule, count, .. } = warning;
    let text = ReplaceableThrottleText {
        kind: ThrottleTextKind::Warning,
        tool,
        rule,
        count,
        retry_after: None,
        text: &warning.text,
    };
    if let Some(own) = own_text(view, &text) {
        warning.text = bounded::owned_sentence(own, WARNING).into();
    }
    warning
}

/// Returns the rejection as a failure, with the host's text if there is one.
pub(super) fn failure(view: &SessionView, rejection: ThrottledCall) -> Failure {
    let ThrottledCall { rule, count, retry_after, .. } = rejection;
    let tool = rejection.tool.clone();
    let text = |kind, text: &str| {
        own_text(view, &ReplaceableThrottleText { kind, tool: &tool, rule, count, retry_after, text })
    };
    let message = text(ThrottleTextKind::Message, &rejection.message);
    let failure = Failure::from(ThrottledCall { message: message.unwrap_or(rejection.message), ..rejection });
    if view.toolbox.parts().settings.throttle_texts.is_none() {
        return failure;
    }
    match text(ThrottleTextKind::Guidance, &failure.guidance()) {
        Some(guidance) => failure.with_guidance(&guidance),
        None => failure,
    }
}

fn own_text(view: &SessionView, text: &ReplaceableThrottleText<'_>) -> Option<String> {
    let own = view.toolbox.parts().settings.throttle_texts.as_ref()?;
    guarded(|| own(text)).ok().flatten().filter(|own| !own.trim().is_empty())
}
