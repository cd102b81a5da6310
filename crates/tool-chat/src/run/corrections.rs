//! Rejected calls and their corrections: [`Corrections`].
//!
//! Invariants: the count of a tool grows by at most one per step. A success of a tool resets its count. Unknown names share one count,
//! because a model may invent a new name each time; a success of any tool resets this count. A call that the throttle stops as a
//! repetition is a mistake of the model. A call that the throttle stops because it came too early is a mistake only if an earlier call of
//! the tool was rejected and has not succeeded since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tool_runtime::Issue;
use tool_runtime::failure::{FailureKind, Recovery, ThrottleRule};
use tool_runtime::session::Outcome;

use super::TurnEnd;

/// The rejections of a turn, by tool, since the last success of the tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Corrections {
    open: BTreeMap<String, Open>,
    /// The tool whose call was rejected in the last step, if the model can correct the call. `None` once the model was forced to do so.
    latest: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Open {
    attempts: usize,
    issues: Vec<Issue>,
    was_forced: bool,
}

/// The decision on how a turn continues.
pub(super) enum Verdict {
    Go,
    /// The model answers without further calls, because a failure asks for that.
    Finish,
    Exhausted(TurnEnd),
}

/// The key of the count for unknown names.
const NAMELESS: &str = "";

/// Returns the name under which a rejection counts, or `None` if it is not a mistake of the model.
fn counted(outcome: &Outcome) -> Option<&str> {
    use ThrottleRule::{AlternatingCalls, ConsecutiveFailures, IdenticalCall, SameError, UnknownTools};
    let failure = outcome.failure()?;
    let is_mistake = match failure.throttle_rule() {
        Some(UnknownTools) => return Some(NAMELESS),
        Some(rule) => matches!(rule, AlternatingCalls | ConsecutiveFailures | IdenticalCall | SameError),
        None if matches!(failure.error_type(), "unknown_tool" | "ambiguous_tool") => return Some(NAMELESS),
        None => failure.recovery() == Recovery::CorrectCall,
    };
    is_mistake.then(|| outcome.tool_name())
}

/// Returns `true` if the throttle stopped the call because of earlier calls, so the answer says nothing about its arguments.
fn is_paused(outcome: &Outcome) -> bool {
    outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::Throttled)
}

impl Corrections {
    /// Counts the outcomes of one step. Calls `rejected` with the tool of each rejection, and with the number of its rejections in a row.
    pub(super) fn count<'o>(
        &mut self,
        outcomes: impl Iterator<Item = &'o Outcome> + Clone,
        most: usize,
        mut rejected: impl FnMut(&str, usize),
    ) -> Verdict {
        self.latest = None;
        let mut verdict = Verdict::Go;
        let mut seen: Vec<&str> = Vec::new();
        for outcome in outcomes.clone() {
            let Err(failure) = outcome.as_result() else { continue };
            if failure.recovery() == Recovery::Finish && matches!(verdict, Verdict::Go) {
                verdict = Verdict::Finish;
            }
            let too_soon =
                (is_paused(outcome) && self.open.contains_key(outcome.tool_name())).then(|| outcome.tool_name());
            let Some(name) = counted(outcome).or(too_soon) else { continue };
            let open = self.open.entry(name.to_owned()).or_default();
            if !is_paused(outcome) {
                open.issues = failure.issues().to_vec();
            }
            if failure.recovery() == Recovery::CorrectCall {
                self.latest = Some(name.to_owned());
            }
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            open.attempts = open.attempts.saturating_add(1);
            rejected(outcome.tool_name(), open.attempts);
            if open.attempts > most {
                verdict = Verdict::Exhausted(TurnEnd::Exhausted {
                    tool: outcome.tool_name().to_owned(),
                    attempts: open.attempts,
                    issues: open.issues.clone(),
                });
            }
        }
        for outcome in outcomes.filter(|outcome| outcome.is_ok() && !seen.contains(&outcome.tool_name())) {
            self.open.remove(outcome.tool_name());
            if !seen.contains(&NAMELESS) {
                self.open.remove(NAMELESS);
            }
        }
        verdict
    }

    /// Returns the tool that a model has to call if it answers with prose now. A tool is returned at most once per turn.
    pub(super) fn next(&self) -> Option<&str> {
        let name = self.latest.as_deref()?;
        self.open.get(name).is_some_and(|open| !open.was_forced).then_some(name)
    }

    /// Returns the same tool as [`next`](Self::next), and marks it as forced.
    pub(super) fn force(&mut self) -> Option<String> {
        let name = self.latest.take()?;
        let open = self.open.get_mut(&name).filter(|open| !open.was_forced)?;
        open.was_forced = true;
        Some(name)
    }
}
