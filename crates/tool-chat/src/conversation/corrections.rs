//! Refused calls and what became of them: [`Corrections`].
//!
//! In: the outcomes of each step. Out: whether the model may go on. What always holds: of one step a tool counts once; a success of a tool
//! ends its count; names that mean no tool share one count, because each may be invented anew, and any success ends it. A call that the
//! throttle refuses because it repeats itself is a mistake like any other; one that only came too soon is none, unless one is open.

use std::collections::HashMap;

use tool_runtime::Issue;
use tool_runtime::failure::{FailureKind, Recovery, ThrottleRule};
use tool_runtime::session::{Outcome, Session};

use super::End;

/// The refusals of a turn that no success has followed yet.
#[derive(Default)]
pub(super) struct Corrections {
    open: HashMap<String, Open>,
    /// What was refused last, where it may be corrected and was not asked for already.
    latest: Option<String>,
}

#[derive(Default)]
struct Open {
    attempts: usize,
    issues: Vec<Issue>,
    was_forced: bool,
}

/// Whether a turn goes on.
pub(super) enum Verdict {
    Go,
    /// The session wants no more calls.
    Finish,
    Exhausted(End),
}

/// The count of names that mean no tool.
const NAMELESS: &str = "";

/// Under which name a refusal counts; `None` where it is no mistake of the model's.
fn counted(outcome: &Outcome) -> Option<&str> {
    use ThrottleRule::{AlternatingCalls, ConsecutiveFailures, IdenticalCall, SameError, UnknownTools};
    let failure = outcome.failure()?;
    let is_mistake = match failure.throttle_rule() {
        Some(UnknownTools) => return Some(NAMELESS),
        Some(rule) => matches!(rule, AlternatingCalls | ConsecutiveFailures | IdenticalCall | SameError),
        None if matches!(failure.error_type(), "unknown_tool" | "ambiguous_tool") => return Some(NAMELESS),
        None => failure.recovery() == Recovery::CorrectCall,
    };
    is_mistake.then(|| outcome.tool())
}

/// Whether a call was refused for those before it, so that its answer says nothing of its arguments.
fn is_paused(outcome: &Outcome) -> bool {
    outcome.failure().is_some_and(|failure| failure.kind() == FailureKind::Throttled)
}

impl Corrections {
    /// Counts the outcomes of one step; tells each refusal with its number in a row.
    pub(super) fn count<'o>(
        &mut self,
        outcomes: impl Iterator<Item = &'o Outcome> + Clone,
        most: usize,
        mut refused: impl FnMut(&str, usize),
    ) -> Verdict {
        self.latest = None;
        let mut verdict = Verdict::Go;
        let mut seen: Vec<&str> = Vec::new();
        for outcome in outcomes.clone() {
            let Err(failure) = outcome.as_result() else { continue };
            if failure.recovery() == Recovery::Finish && matches!(verdict, Verdict::Go) {
                verdict = Verdict::Finish;
            }
            let too_soon = (is_paused(outcome) && self.open.contains_key(outcome.tool())).then(|| outcome.tool());
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
            open.attempts += 1;
            refused(outcome.tool(), open.attempts);
            if open.attempts > most {
                verdict = Verdict::Exhausted(End::Exhausted {
                    tool: outcome.tool().to_owned(),
                    attempts: open.attempts,
                    issues: open.issues.clone(),
                });
            }
        }
        for outcome in outcomes.filter(|outcome| outcome.is_ok() && !seen.contains(&outcome.tool())) {
            self.open.remove(outcome.tool());
            if !seen.contains(&NAMELESS) {
                self.open.remove(NAMELESS);
            }
        }
        verdict
    }

    /// The tool that a model which answers with prose has to call; each refused tool once in a turn.
    pub(super) fn force(&mut self, session: &Session) -> Option<String> {
        let name = self.latest.take()?;
        let open = self.open.get_mut(&name).filter(|open| !open.was_forced)?;
        open.was_forced = true;
        // A provider refuses a choice that is not among the definitions.
        session.tools().iter().any(|tool| tool.name() == name).then_some(name)
    }
}
