//! Ends a call: reports events, writes the text of a failure, creates the outcome, and counts the call.
//!
//! In: a call, and its result or the way in which it ended. Out: its outcome. Invariants: every call with an `Attempt` ends in
//! [`SessionView::settle`]. A call that reaches a tool has one `Executed`, `Rejected` or `Deferred` event; a deferred call has another one when
//! it is answered. If a call sent a secret, the model reads only those texts of the tool that are marked as public.

use super::Outcome;
use super::attempt::{Attempt, End};
use super::expand;
use super::inspect_result::inspect_result;
use super::outcome::{Loaded, OutcomeDetails};
use super::render::{render, render_shown};
use super::replace_throttle_texts;
use super::run_interruptible::{Interruption, guarded};
use super::sent_arguments::SentArguments;
use super::session_with_toolbox::SessionView;
use super::show_found::show_found;
use crate::decode::{is_path_in_shape, sent_at};
use crate::event::EventKind;
use crate::failure::{Failure, ToolError};
use crate::issue::{Path, has_sent};
use crate::throttle::{CallEnd, Warning};
use crate::tool::{CallError, Payload};
use crate::toolbox::Entry;

impl SessionView {
    /// Ends a call: reports it to the observer, writes the text of its failure, counts it, and inspects its result.
    pub(super) fn settle(&self, call: &mut Attempt<'_>, result: Result<Payload, End<'_>>) -> Outcome {
        let arguments = call.arguments();
        let (mut outcome, has_answer) = match result {
            Ok(payload) => {
                self.shared.rejected.succeeded(&call.name);
                let is_search = call.entry.is_some_and(|entry| entry.is_search);
                let (payload, loaded) =
                    if is_search { show_found(self, call.call_id, payload) } else { (payload, Loaded::default()) };
                self.observe(call.call_id, || EventKind::Executed { tool: &call.name, payload: &payload });
                // The answer of a search is bounded, and guards must not cut the definitions in it.
                let mut outcome = self.conclude(call, Ok(payload), None);
                self.load(&mut outcome, loaded);
                (outcome, !is_search)
            }
            Err(end) => {
                let has_answer = matches!(end, End::Failed { .. } | End::Interrupted(_));
                (self.settle_end(call, end), has_answer)
            }
        };
        // The results of a removed tool are not inspected.
        if let (true, Some(entry)) = (has_answer, call.entry) {
            inspect_result(self, entry, arguments, &mut outcome);
        }
        if let Some(permit) = call.permit.take() {
            permit.report(&outcome);
        }
        if let Some(warning) = call.warning.take() {
            self.warn(&mut outcome, *warning);
        }
        outcome
    }

    /// Marks the tools that the provider has to load with an answer, and reports them.
    #[inline]
    fn load(&self, outcome: &mut Outcome, loaded: Loaded) {
        if !loaded.tools.is_empty() {
            self.observe(outcome.call_id(), || EventKind::Loaded { tools: &loaded.tools });
            outcome.mark_loaded(loaded);
        }
    }

    /// Ends a call without a result of its tool.
    #[cold]
    fn settle_end(&self, call: &mut Attempt<'_>, end: End<'_>) -> Outcome {
        let call_id = call.call_id;
        let mut exit = None;
        let failure = match end {
            End::Failed { error, tree } => {
                let mut sent = SentArguments::parsed(call.arguments(), tree);
                sent.is_cut_off = call.is_cut_off;
                self.fail(call, error, &sent)
            }
            End::Interrupted(interruption) => self.interrupted(call, interruption),
            End::Undecided(interruption) => {
                // A panic of a hook is not counted as a failure of the tool.
                exit = Some(CallEnd::Cancelled);
                self.interrupted(call, interruption.before_tool())
            }
            End::Throttled(rejection) => {
                let (tool, rule, retry_after) = (&*call.name, rejection.rule, rejection.retry_after);
                self.observe(call_id, || EventKind::Throttled { tool, rule, retry_after });
                self.reject(call, replace_throttle_texts::failure(self, rejection))
            }
            End::Denied(failure) => self.reject(call, failure),
            End::Deferred { needs_approval } => {
                self.observe(call_id, || EventKind::Deferred { tool: &call.name, needs_approval });
                Failure::deferred(&call.name)
            }
            End::Expanded(container, near) => {
                let payload = expand::answer(self, container, &near);
                let mut outcome = self.conclude(call, Ok(payload), None);
                outcome.mark_expansion();
                self.load(&mut outcome, expand::loaded(self, container));
                return outcome;
            }
        };
        self.conclude(call, Err(Box::new(failure)), exit)
    }

    /// Creates the outcome and reports it to the throttle. The throttle receives the original result, because two different results may
    /// look the same after a guard has shortened or marked them.
    #[inline]
    fn conclude(
        &self,
        call: &mut Attempt<'_>,
        result: Result<Payload, Box<Failure>>,
        exit: Option<CallEnd<'_>>,
    ) -> Outcome {
        let arguments = call.arguments();
        let repaired = call.is_repaired().then(|| arguments.to_text().into());
        let details = OutcomeDetails::from_repairs(std::mem::take(&mut call.ledger), repaired);
        let mut outcome = Outcome::new(call.call_id.into(), &call.name, result, details);
        if !outcome.repairs().is_empty() && !self.is_read_only(&call.name) {
            outcome.remark_on_left_out();
        }
        let is_changed = call.change_made().is_some();
        let Some(ticket) = &mut call.ticket else { return outcome };
        let identity;
        let exit = match (exit, outcome.as_result()) {
            (Some(exit), _) => exit,
            // The description is not enough, because two different images may have the same description.
            (None, Ok(Payload::Parts(parts))) => {
                identity = parts.identity();
                CallEnd::Succeeded { result: &identity, repairs: outcome.repairs().len() }
            }
            (None, Ok(payload)) => CallEnd::Succeeded { result: payload.as_str(), repairs: outcome.repairs().len() },
            (None, Err(failure)) => CallEnd::from_failure(failure),
        };
        // The throttle compares calls by the arguments that ran.
        let warning = if is_changed {
            ticket.end_changed(arguments, call.sent.to_text().len(), exit)
        } else {
            ticket.end(arguments, exit)
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
        let (call_id, tool) = (outcome.call_id(), outcome.tool_name());
        let warning = replace_throttle_texts::warning(self, tool, warning);
        self.observe(call_id, || EventKind::Warned { tool, warning: &warning.text });
        outcome.warn(warning.text);
    }

    fn interrupted(&self, call: &Attempt<'_>, interruption: Interruption) -> Failure {
        let failure = interruption.into_failure(&call.name);
        let conceals = call.entry.is_some_and(|entry| SentArguments::new(call.arguments()).conceals(entry));
        self.reject(call, failure.with_secret_details(conceals))
    }

    /// Creates the failure of a call whose tool failed or rejected the arguments.
    fn fail(&self, call: &Attempt<'_>, error: CallError, sent: &SentArguments<'_>) -> Failure {
        let failure = match (call.entry, error) {
            (Some(entry), error) => self.failure_of(entry, error, sent),
            // The removed tool may have had sensitive parameters, and the message of the host may repeat their values.
            (None, CallError::Tool(error)) => Failure::tool_error(&call.name, &error.without_message()),
            (None, _) => Failure::internal(&call.name, "the tool is no longer available"),
        };
        self.reject(call, failure)
    }

    fn failure_of(&self, entry: &Entry, error: CallError, sent: &SentArguments<'_>) -> Failure {
        let tool = &entry.name;
        // Adds information to the failure that the error itself does not contain.
        let having_sent = |failure: Failure| match failure.issues() {
            [] => failure,
            _ => failure.having_sent(sent.tree().is_none_or(|json| !json.members().is_empty())),
        };
        let shown = || entry.tool.spec().settings.show_errors.unwrap_or(self.toolbox.parts().settings.show_errors);
        // A rejection of arguments does not contain text of the tool.
        let conceals = !matches!(error, CallError::Invalid(_)) && sent.conceals(entry);
        let without_message = |error: ToolError| if conceals { error.without_message() } else { error };
        let of_tool = |error: &ToolError| {
            let input = &self.input(entry);
            let sent_at = |path: &Path| sent_at(input, sent.tree()?, path);
            // A tool may copy a secret into the path.
            let is_shown = |path: &Path| {
                !conceals || sent.tree().is_some_and(|arguments| is_path_in_shape(input, arguments, path))
            };
            having_sent(Failure::tool_error(tool, error).about(is_shown, sent_at))
        };
        let failure = match error {
            CallError::Invalid(error) if has_sent(&error).is_some() => Failure::validation(tool, error),
            CallError::Invalid(error) => having_sent(Failure::validation(tool, error)),
            CallError::Tool(error) => failure_of_error(tool, || without_message(error), of_tool),
            CallError::Failed(error) => {
                failure_of_error(tool, || without_message(ToolError::from_error(error, shown())), of_tool)
            }
            CallError::Malformed(payload) => Failure::malformed_response(tool, &payload),
        };
        // Messages of serde also quote values, and these may come from any field.
        let has_secret_details = conceals || failure.is_about_arguments() && entry.takes_secrets;
        let failure = failure.with_secret_details(has_secret_details).cut_off(sent.is_cut_off);
        match self.rewritten(entry) {
            Some(advertisement) if failure.is_about_arguments() || !failure.issues().is_empty() => {
                render_shown(self, entry, failure, &advertisement, sent)
            }
            _ => render(self, entry, failure, &self.input(entry), sent),
        }
    }

    fn reject(&self, call: &Attempt<'_>, failure: Failure) -> Failure {
        self.observe(call.call_id, || EventKind::Rejected { tool: &call.name, failure: &failure });
        failure
    }
}

/// Creates a failure from a tool's own error type, whose `Display` and `Drop` may panic.
fn failure_of_error(
    tool: &str,
    error: impl FnOnce() -> ToolError,
    failure: impl FnOnce(&ToolError) -> Failure,
) -> Failure {
    let mut created = None;
    let panic = guarded(|| created = Some(failure(&error())));
    match (created, panic) {
        (Some(failure), _) => failure,
        (None, Err(panic)) => panic.into_failure(tool),
        (None, Ok(())) => Failure::internal(tool, "an error without words"),
    }
}
