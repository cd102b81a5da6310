//! Ends a call: reports events, writes the text of a failure, creates the outcome, and counts the call.
//!
//! In: a call, and its result or failure. Out: its outcome. Invariants: every call ends in [`Generation::settle`], or in
//! [`Generation::settle_result`] if its tool returned a result. Each call has exactly one `Executed`, `Rejected`, `Deferred` or `Expanded`
//! event. If a call sent a secret, the model reads only those texts of the tool that are marked as public.

use super::Outcome;
use super::attempt::{Attempt, Changed, End};
use super::generation::Generation;
use super::invoke::{Interruption, guarded};
use super::outcome::Beside;
use super::sent::Sent;
use crate::check::sends_secret;
use crate::context::CallId;
use crate::decode::{knows_location, sent_at};
use crate::event::Decision;
use crate::failure::{Failure, ToolError};
use crate::input::Arguments;
use crate::issue::{Path, has_sent};
use crate::throttle::{Exit, Warning};
use crate::tool::{Answer, CallError, Payload};
use crate::toolbox::{Entry, Item};

impl Generation {
    /// Reports and counts the result that a tool returned at once for a call that [`start_unasked`](Self::start_unasked) has started. Does
    /// the same as [`settle_result`](Self::settle_result), without an attempt.
    #[expect(clippy::inline_always, reason = "few instructions, for nearly every call")]
    #[inline(always)]
    pub(super) fn count_success(
        &self,
        entry: &Entry,
        call_id: &str,
        arguments: &Arguments<'_>,
        began: u64,
        payload: &Payload,
    ) -> Option<Box<Warning>> {
        self.shared.refused.succeeded(&entry.name);
        if self.is_observed() {
            self.observe(call_id, || Decision::Executed { tool: &entry.name, payload });
        }
        let throttle = self.throttle.as_ref()?;
        let tool = self.subject(Item::Tool(entry.position));
        throttle.succeeded(tool, began, arguments, payload.as_str())
    }

    /// Creates the outcome of a counted call that may have warnings.
    #[cold]
    #[inline(never)]
    pub(super) fn succeed_with_warnings(
        &self,
        entry: &Entry,
        call_id: CallId,
        arguments: &Arguments<'_>,
        payload: Payload,
        warning: Option<Box<Warning>>,
    ) -> Outcome {
        let mut outcome = Outcome::new(call_id, &entry.name, Ok(payload), None);
        if let Some(warning) = warning {
            self.warn(&mut outcome, *warning);
        }
        self.inspect(entry, arguments, &mut outcome);
        outcome
    }

    /// Ends a call with the result of its tool: reports it to the observer, and counts it.
    #[inline]
    pub(super) fn settle_result(&self, entry: &Entry, attempt: &mut Attempt<'_>, payload: Payload) -> Outcome {
        self.succeeded(attempt.call_id, entry, &payload);
        self.conclude(attempt, attempt.call_id.into(), Ok(payload), None)
    }

    /// Ends a call in any other way: reports it to the observer, writes the text of its failure, and counts it.
    #[cold]
    pub(super) fn settle(&self, mut attempt: Attempt<'_>, end: End<'_>) -> Outcome {
        let call_id = attempt.call_id;
        let mut exit = None;
        let failure = match end {
            End::Answered { entry, answer, tree } => {
                let mut sent = Sent::parsed(attempt.arguments(), tree);
                sent.is_cut_off = attempt.is_cut_off;
                match self.answered(call_id, entry, answer, &sent) {
                    Ok(payload) => return self.conclude(&mut attempt, call_id.into(), Ok(payload), None),
                    Err(failure) => failure,
                }
            }
            End::Undecided { entry, interruption } => {
                // A panic of a hook is not counted as a failure of the tool.
                exit = Some(Exit::Cancelled);
                self.interrupted(call_id, entry, interruption.before_tool(), &Sent::new(attempt.arguments()))
            }
            End::Throttled(refusal) => {
                let (tool, rule, retry_after) = (attempt.name, refusal.rule, refusal.retry_after);
                self.observe(call_id, || Decision::Throttled { tool, rule, retry_after });
                self.reject(call_id, tool, self.throttled(refusal))
            }
            End::Refused(failure) => self.reject(call_id, attempt.name, failure),
            End::Given(payload) => {
                self.shared.refused.succeeded(attempt.name);
                self.observe(call_id, || Decision::Executed { tool: attempt.name, payload: &payload });
                return self.conclude(&mut attempt, call_id.into(), Ok(payload), None);
            }
            End::Deferred => {
                self.observe(call_id, || Decision::Deferred { tool: attempt.name });
                Failure::deferred(attempt.name)
            }
            End::Expanded(container, near) => {
                let payload = self.expansion(container, &near);
                let mut outcome = self.conclude(&mut attempt, call_id.into(), Ok(payload), None);
                outcome.mark_expansion();
                return outcome;
            }
        };
        self.conclude(&mut attempt, call_id.into(), Err(Box::new(failure)), exit)
    }

    /// Creates the outcome and reports it to the throttle. The throttle receives the original result, because two different results may
    /// look the same after a guard has shortened or marked them.
    #[inline]
    fn conclude(
        &self,
        attempt: &mut Attempt<'_>,
        call_id: CallId,
        result: Result<Payload, Box<Failure>>,
        exit: Option<Exit<'_>>,
    ) -> Outcome {
        let arguments = attempt.arguments();
        // Used in place, because an attempt is large.
        let &mut Attempt { name, sent, changed, ref mut ledger, ref mut ticket, .. } = attempt;
        let repaired = match changed {
            Some(Changed::Repaired(arguments) | Changed::Restored { arguments, is_repaired: true }) => {
                Some(arguments.to_text().into())
            }
            _ => None,
        };
        let beside = Beside::of(std::mem::take(ledger), repaired);
        let mut outcome = Outcome::new(call_id, name, result, beside);
        if !outcome.repairs().is_empty() && !self.is_read_only(name) {
            outcome.remark_on_left_out();
        }
        let Some(ticket) = ticket else { return outcome };
        let identity;
        let exit = match (exit, outcome.as_result()) {
            (Some(exit), _) => exit,
            // The description is not enough, because two different images may have the same description.
            (None, Ok(Payload::Parts(parts))) => {
                identity = parts.identity();
                Exit::Succeeded { result: &identity, repairs: outcome.repairs().len() }
            }
            (None, Ok(payload)) => Exit::Succeeded { result: payload.as_str(), repairs: outcome.repairs().len() },
            (None, Err(failure)) => Exit::of(failure),
        };
        let warning = match changed {
            None => ticket.end(sent, exit),
            // The throttle compares calls by the arguments that ran.
            Some(_) => ticket.end_changed(arguments, sent.to_text().len(), exit),
        };
        if let Some(warning) = warning {
            self.warn(&mut outcome, *warning);
        }
        outcome
    }

    /// Returns `true` if a tool changes nothing.
    fn is_read_only(&self, tool: &str) -> bool {
        let entry = self.catalog().find_tool(tool);
        entry.is_some_and(|entry| entry.tool.spec().settings.annotations.read_only == Some(true))
    }

    /// Adds a warning of the throttle to an outcome.
    #[cold]
    pub(super) fn warn(&self, outcome: &mut Outcome, warning: Warning) {
        let (call_id, tool) = (outcome.call_id(), outcome.tool());
        let warning = self.in_own_words(tool, warning);
        self.observe(call_id, || Decision::Warned { tool, warning: &warning.text });
        outcome.warn(warning.text);
    }

    /// Reports a result to the observer, and forgets the earlier refusals of the tool.
    #[inline]
    fn succeeded(&self, call_id: &str, entry: &Entry, payload: &Payload) {
        self.shared.refused.succeeded(&entry.name);
        self.observe(call_id, || Decision::Executed { tool: &entry.name, payload });
    }

    /// Converts the answer of a tool into a result or a failure.
    fn answered(
        &self,
        call_id: &str,
        entry: &Entry,
        answer: Result<Answer, Interruption>,
        sent: &Sent<'_>,
    ) -> Result<Payload, Failure> {
        match answer {
            Ok(Ok(payload)) => {
                self.succeeded(call_id, entry, &payload);
                Ok(payload)
            }
            Ok(Err(error)) => Err(self.fail(call_id, entry, error, sent)),
            Err(interruption) => Err(self.interrupted(call_id, entry, interruption, sent)),
        }
    }

    fn interrupted(&self, call_id: &str, entry: &Entry, interruption: Interruption, sent: &Sent<'_>) -> Failure {
        let failure = interruption.into_failure(&entry.name);
        let failure = failure.with_secret_details(conceals_words(entry, sent));
        self.reject(call_id, &entry.name, failure)
    }

    fn fail(&self, call_id: &str, entry: &Entry, error: CallError, sent: &Sent<'_>) -> Failure {
        let tool = &entry.name;
        // Adds information to the failure that the error itself does not contain.
        let having_sent = |failure: Failure| match failure.issues() {
            [] => failure,
            _ => failure.having_sent(sent.tree().is_none_or(|json| !json.members().is_empty())),
        };
        let shown = || entry.tool.spec().settings.show_errors.unwrap_or(self.toolbox.parts().settings.show_errors);
        // A refusal of arguments does not contain text of the tool.
        let conceals = !matches!(error, CallError::Invalid(_)) && conceals_words(entry, sent);
        let concealed = |error: ToolError| if conceals { error.concealed() } else { error };
        let of_tool = |error: &ToolError| {
            let input = &self.input(entry);
            let sent_at = |path: &Path| sent_at(input, sent.tree()?, path);
            // A tool may copy a secret into the path.
            let is_told =
                |path: &Path| !conceals || sent.tree().is_some_and(|arguments| knows_location(input, arguments, path));
            having_sent(Failure::tool_error(tool, error).about(is_told, sent_at))
        };
        let failure = match error {
            CallError::Invalid(error) if has_sent(&error).is_some() => Failure::validation(tool, error),
            CallError::Invalid(error) => having_sent(Failure::validation(tool, error)),
            CallError::Tool(error) => said(tool, || concealed(error), of_tool),
            CallError::Failed(error) => said(tool, || concealed(ToolError::from_error(error, shown())), of_tool),
            CallError::Malformed(payload) => Failure::malformed_response(tool, &payload),
        };
        // Messages of serde also quote values, and these may come from any field.
        let has_secret_details = conceals || failure.is_about_arguments() && entry.takes_secrets;
        let failure = failure.with_secret_details(has_secret_details).cut_off(sent.is_cut_off);
        let failure = match self.rewritten(entry) {
            Some(advertisement) if failure.is_about_arguments() || !failure.issues().is_empty() => {
                self.render_shown(entry, failure, &advertisement, sent)
            }
            _ => self.render(entry, failure, &self.input(entry), sent),
        };
        self.reject(call_id, tool, failure)
    }

    fn reject(&self, call_id: &str, tool: &str, failure: Failure) -> Failure {
        self.observe(call_id, || Decision::Rejected { tool, failure: &failure });
        failure
    }
}

/// Returns `true` if the tool's own texts must be hidden, because the call contains a value of a sensitive field. Arguments that cannot be
/// parsed count as sensitive.
pub(super) fn conceals_words(entry: &Entry, sent: &Sent<'_>) -> bool {
    let sends = || sent.tree().is_none_or(|arguments| sends_secret(&entry.tool.spec().input.shape(), arguments));
    // If the tool has secret host parameters, their values are assumed to be present, because they are rarely missing.
    entry.host_has_secrets || entry.takes_secrets && sends()
}

/// Creates a failure from a tool's own error type, whose `Display` and `Drop` may panic.
fn said(tool: &str, error: impl FnOnce() -> ToolError, failure: impl FnOnce(&ToolError) -> Failure) -> Failure {
    let mut told = None;
    let panic = guarded(|| told = Some(failure(&error())));
    match (told, panic) {
        (Some(failure), _) => failure,
        (None, Err(panic)) => panic.into_failure(tool),
        (None, Ok(())) => Failure::internal(tool, "an error without words"),
    }
}
