//! Lines for calls of a session: what was sent, and how the call ended.
//!
//! Invariant: no member of a line contains a secret, also while the call has not ended.

use serde_json::value::to_raw_value;
use tool_runtime::failure::{Failure, FailureKind};
use tool_runtime::tool_schema::repair::RepairRule;
use tool_runtime::{Arguments, Outcome};

use crate::line::{self, ByteCounts, CallEndKind, CallVerdict, RecordedLine, RepairLine, is_rejection};
use crate::private::issue::REDACTED;
use crate::private::{bounded, internal};
use crate::redaction::Redaction;

/// A call that has not ended.
pub(crate) struct SentCall {
    pub(crate) line: RecordedLine,
    /// `true` if the answer may contain a secret.
    is_secret: bool,
}

impl SentCall {
    /// Creates the line of a call. Without a redaction, all arguments are hidden.
    pub(crate) fn new(call_id: &str, name: &str, arguments: &Arguments<'_>, redaction: Option<&Redaction>) -> Self {
        // A line of the recording has no line breaks.
        let json = arguments.to_json().ok();
        let text = json.map_or_else(|| arguments.to_text().into_owned(), |json| json.to_text());
        let shown = match redaction {
            Some(redaction) => redaction.redact_arguments(name, &text),
            None if arguments.is_empty() => text.as_str().into(),
            None => REDACTED.into(),
        };
        let is_redacted = *shown != *text;
        let takes_secrets = redaction.is_none_or(Redaction::takes_secrets);
        let line = RecordedLine {
            id: to_raw_value(call_id).ok(),
            tool: Some(name.to_owned()),
            arguments: line::arguments_to_json(&shown),
            redacted: is_redacted,
            verdict: Some(CallVerdict::Ok),
            bytes: Some(ByteCounts { call: arguments.to_text().len() as u64, answer: 0 }),
            ..RecordedLine::default()
        };
        Self { line, is_secret: is_redacted || takes_secrets && internal::reads_results(name) }
    }

    pub(crate) fn repaired(&mut self, repair: RepairLine) {
        self.line.verdict = Some(CallVerdict::Repaired);
        self.line.repairs.push(repair);
    }

    /// Adds a failure. Returns the kind of the end; `None` if the tool did not get the call.
    pub(crate) fn failed(&mut self, failure: &Failure) -> Option<CallEndKind> {
        let line = &mut self.line;
        line.note_failure(failure);
        match failure.kind() {
            _ if is_rejection(failure) => {
                line.verdict = Some(CallVerdict::Rejected);
                None
            }
            FailureKind::Throttled => {
                line.verdict = Some(CallVerdict::Throttled);
                None
            }
            _ if failure.error_type() == "denied" => {
                line.approval = Some("denied".to_owned());
                None
            }
            FailureKind::Deferred => Some(CallEndKind::Open),
            FailureKind::Cancelled => Some(CallEndKind::Cancelled),
            FailureKind::Timeout => Some(CallEndKind::Timeout),
            FailureKind::EffectUnknown => Some(CallEndKind::Lost),
            FailureKind::Internal | FailureKind::MalformedResult | FailureKind::HostInput => Some(CallEndKind::Error),
            _ => Some(CallEndKind::Failure),
        }
    }

    /// Returns the line of the ended call. The answer is kept up to a number of bytes, if there is a limit.
    pub(crate) fn end(
        mut self,
        result: Option<CallEndKind>,
        answer: &str,
        limit: Option<usize>,
        redaction: &Redaction,
    ) -> RecordedLine {
        let line = &mut self.line;
        line.result = result;
        if let Some(bytes) = &mut line.bytes {
            bytes.answer = answer.len() as u64;
        }
        line.answer = limit.filter(|_| !answer.is_empty()).map(|limit| {
            let text = if self.is_secret { REDACTED.into() } else { redaction.redact_json(answer) };
            bounded::exact_text(&text, limit).into_owned()
        });
        if line.redacted {
            line.hide_repair_and_issue_details();
        }
        self.line
    }
}

impl RecordedLine {
    /// Returns the line of a prompt of the user.
    pub fn from_prompt(text: &str, redaction: &Redaction) -> Self {
        Self { prompt: Some(redaction.redact_message(text).into_owned()), ..Self::default() }
    }

    /// Returns the line of a text of the model.
    pub fn from_model_text(text: &str, redaction: &Redaction) -> Self {
        Self { text: Some(redaction.redact_message(text).into_owned()), ..Self::default() }
    }

    /// Returns the line of the answer to a text that was not a value of the type that was asked for.
    pub fn from_rejected_answer(text: &str, redaction: &Redaction) -> Self {
        Self { rejected: Some(redaction.redact_json(text).into_owned()), ..Self::default() }
    }

    /// Returns the line of a call with its outcome, with at most `limit` bytes of its answer. The redaction has to know the tools.
    pub fn from_call(name: &str, arguments: &str, outcome: &Outcome, limit: usize, redaction: &Redaction) -> Self {
        let mut call = SentCall::new(outcome.call_id(), name, &Arguments::from(arguments), Some(redaction));
        for repair in outcome.repairs() {
            call.repaired(repair.into());
        }
        let expansion = outcome.repairs().iter().find(|repair| repair.rule == RepairRule::Expansion);
        call.line.expands = match expansion {
            _ if internal::is_expansion(outcome) => Some(outcome.tool_name().to_owned()),
            repair => repair.map(|repair| repair.after.to_string()),
        };
        let result = match outcome.failure() {
            None => Some(CallEndKind::Result),
            Some(failure) => call.failed(failure),
        };
        call.end(result, &outcome.to_text(), Some(limit), redaction)
    }
}
