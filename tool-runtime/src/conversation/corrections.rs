//! Refused calls and what became of them: [`Corrections`].
//!
//! In: the outcomes of each step. Out: whether the model may go on. What always holds: of one step a tool counts once; a success of a tool
//! ends its count; names that no tool has share one count, because each may be invented anew.

use std::collections::HashMap;

use super::End;
use crate::failure::{Failure, FailureKind, Recovery};
use crate::issue::Issue;
use crate::session::{Outcome, Session};

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

/// Under which name a refusal counts; `None` where it is no mistake of the model's.
pub(super) fn counted(outcome: &Outcome) -> Option<&str> {
    let failure = outcome.result().err()?;
    if is_unknown(failure) {
        return Some("");
    }
    let is_mistake = failure.kind() == FailureKind::InvalidCall || failure.recovery() == Recovery::CorrectCall;
    is_mistake.then(|| outcome.tool())
}

fn is_unknown(failure: &Failure) -> bool {
    failure.error_type() == "unknown_tool"
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
            let Err(failure) = outcome.result() else { continue };
            if failure.recovery() == Recovery::Finish && matches!(verdict, Verdict::Go) {
                verdict = Verdict::Finish;
            }
            // A pause that the throttle makes because of refusals is one of them.
            let paused = (failure.kind() == FailureKind::Throttled && self.open.contains_key(outcome.tool()))
                .then(|| outcome.tool());
            let Some(name) = counted(outcome).or(paused) else { continue };
            let open = self.open.entry(name.to_owned()).or_default();
            if paused.is_none() {
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
