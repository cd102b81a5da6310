//! Retries a tool that is temporarily unable to answer.
//!
//! In: an idempotent tool and its call. Out: its first answer that is not a temporary failure, or its last answer.
//! Invariants: the number of attempts is bounded. If the requested pause exceeds the cap or the remaining time, the tool is not called
//! again, and the model reads the length of the pause. A cancelled call stops waiting. Each further attempt is reported to the observer.

use std::time::Duration;

use super::run_interruptible::{Interruption, Race};
use super::run_single_attempt::{Invoked, Waiting, run_single_attempt};
use super::session_with_toolbox::SessionView;
use crate::context::CallContext;
use crate::decode;
use crate::event::EventKind;
use crate::failure::ToolError;
use crate::input::Arguments;
use crate::tool::{Answer, CallError, Retry};
use crate::toolbox::{Entry, TimeLimitAndRetries};

/// Runs a tool with retries. From here on, the call can be cancelled by its id, even between two attempts.
pub(super) fn repeat<'a>(
    view: &'a SessionView,
    entry: &'a Entry,
    watch: &'a TimeLimitAndRetries,
    retry: &'a Retry,
    cx: &'a CallContext,
    arguments: &'a Arguments<'_>,
) -> Invoked<'a> {
    let registration = view.shared.running.register(cx);
    let attempts = Box::pin(attempts(view, entry, watch.time_limit, retry, cx, arguments));
    Invoked::Waiting(Waiting::Repeated(Race::new(registration, cx, attempts)))
}

async fn attempts(
    view: &SessionView,
    entry: &Entry,
    limit: Option<Duration>,
    retry: &Retry,
    cx: &CallContext,
    arguments: &Arguments<'_>,
) -> Result<Answer, Interruption> {
    let clock = &view.toolbox.parts().settings.clock;
    let until = limit.map(|limit| clock.now().saturating_add(limit));
    let mut failed = 0_u32;
    loop {
        let answer = match run_single_attempt(view, entry, cx, arguments) {
            Invoked::Answered(answer) => answer?,
            Invoked::Rejected(rejected) => return Ok(Err(decode::carried(*rejected).into())),
            Invoked::Waiting(waiting) => waiting.await?,
        };
        failed += 1;
        let Some(pause) = asked_for(&answer).and_then(|asked| pause(asked, retry, failed)) else {
            return Ok(answer);
        };
        if until.is_some_and(|until| clock.now().saturating_add(pause) >= until) {
            return Ok(answer);
        }
        drop(answer);
        clock.sleep(pause).await;
        let attempt = failed + 1;
        view.observe(cx.call_id(), || EventKind::Retried { tool: &entry.name, attempt, wait: pause });
    }
}

/// Returns the pause that a temporary failure asks for; `None` for any other answer.
fn asked_for(answer: &Answer) -> Option<Duration> {
    match answer {
        Err(CallError::Tool(error)) => error.retry_pause(),
        Err(CallError::Failed(error)) => ToolError::retry_pause_of(&**error),
        Ok(_) | Err(CallError::Invalid(_) | CallError::Malformed(_)) => None,
    }
}

/// Returns the pause before the next attempt, if there is one.
fn pause(asked: Duration, retry: &Retry, failed: u32) -> Option<Duration> {
    (failed < retry.attempts && asked <= retry.cap).then(|| retry.pause(failed).max(asked))
}
