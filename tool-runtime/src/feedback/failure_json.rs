//! Renders a [`Failure`] as JSON of at most 4,096 bytes (see `docs/wire.md`).
//!
//! Invariants: the first issue of the hint is among the issues shown; issues that are not shown are counted; every text that a model, a
//! tool or a host supplied is shortened before it is rendered.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::message_and_guidance;
use super::shown_issues::{self, ShownIssue, UnknownValues, shown};
use crate::bounded;
use crate::failure::{Failure, Names, Row};
use crate::hint::{RetryHint, hint_json, without_fields};
use crate::issue::{Constraint, Got};
use crate::json::{Json, JsonType, Number, ObjectWriter, Writer};

/// The maximum number of bytes of a rejection.
const BUDGET: usize = 4_096;
/// The maximum number of bytes of a text within one issue.
const TEXT: usize = 200;

/// The text between the other members and the JSON of the escalation.
const ESCALATION: &str = r#","escalation":"#;

impl Failure {
    /// Returns the answer for the model as compact JSON of at most 4,096 bytes.
    ///
    /// ```
    /// use tool_runtime::failure::{Failure, ToolError};
    ///
    /// let failure = Failure::tool_error("read_file", &ToolError::new("There is no such file."));
    /// assert_eq!(
    ///     failure.to_json(),
    ///     concat!(
    ///         r#"{"error_type":"tool_error","tool":"read_file","error_message":"There is no such file.","#,
    ///         r#""retry_guidance":"Do not repeat this call as it is. Use other arguments, another tool, or answer with what you have.","#,
    ///         r#""recovery":"replan"}"#,
    ///     ),
    /// );
    /// ```
    pub fn to_json(&self) -> String {
        let hint = self.retry_hint();
        let mut words = self.room_for_words();
        let first = shown(self.issues(), hint.as_ref(), UnknownValues::Elsewhere, &mut words);
        let mut errors = first.len();
        let escalation = self.escalation().map_or(0, |escalation| escalation.as_json().len() + ESCALATION.len());
        loop {
            let text = self.render(&first, errors, hint.as_ref());
            if text.len() + escalation <= BUDGET || errors < 2 {
                return self.escalate(text);
            }
            errors -= 1;
        }
    }

    /// Returns the answer as a value. Its keys are sorted unless the feature `preserve_order` of `serde_json` is on.
    pub fn to_value(&self) -> serde_json::Value {
        // The text is valid JSON, because our own writer wrote it. If it were not, the text itself would be returned.
        serde_json::from_str(&self.to_json()).unwrap_or_else(|_| self.to_json().into())
    }

    /// Returns the hint for the next attempt, if this kind of failure has one. [`to_json`](Self::to_json) includes the hint only if the
    /// failure has [issues](Self::issues); otherwise, the hint would only repeat `error_type`.
    pub fn retry_hint(&self) -> Option<RetryHint> {
        let reason = self.hint_reason()?;
        Some(match self.issues() {
            [] => without_fields(self.tool_name(), reason),
            issues => RetryHint::from_issues(self.tool_name(), issues),
        })
    }

    /// Returns the failure as one sentence.
    pub fn message(&self) -> String {
        self.message_with(UnknownValues::Elsewhere)
    }

    /// Returns the failure as one sentence, with or without the values of unknown fields.
    pub(super) fn message_with(&self, values: UnknownValues) -> String {
        let (hint, mut words) = (self.retry_hint(), self.room_for_words());
        message_and_guidance::message(self, &shown(self.issues(), hint.as_ref(), values, &mut words))
    }

    /// Returns a few sentences about the next step, for a failure that is not about arguments.
    pub(crate) fn guidance(&self) -> String {
        message_and_guidance::guidance(self, &[], None)
    }

    /// Returns the sentences about the next step after a rejected call.
    pub(super) fn next_step(&self) -> String {
        let (hint, mut words) = (self.retry_hint(), self.room_for_words());
        let first = shown(self.issues(), hint.as_ref(), UnknownValues::Elsewhere, &mut words);
        message_and_guidance::guidance(self, &first, hint.as_ref())
    }

    /// Returns a buffer for the texts of the issues.
    fn room_for_words(&self) -> String {
        if self.issues().is_empty() { String::new() } else { String::with_capacity(shown_issues::USUAL) }
    }

    /// Adds the escalation to the answer: the complete form, or the brief form if only that fits.
    fn escalate(&self, mut answer: String) -> String {
        let Some(escalation) = self.escalation() else { return answer };
        let fitting = [escalation.as_json(), escalation.brief()];
        let fits = |escalation: &&str| answer.len() + ESCALATION.len() + escalation.len() <= BUDGET;
        if let Some(escalation) = fitting.into_iter().find(fits)
            && answer.pop().is_some()
        {
            answer += ESCALATION;
            answer += escalation;
            answer.push('}');
        }
        answer
    }

    fn render(&self, first: &[ShownIssue<'_>], errors: usize, hint: Option<&RetryHint>) -> String {
        let mut text = String::with_capacity(BUDGET);
        Writer::new(&mut text).object(|object| {
            object.known("error_type").unescaped_string(self.error_type());
            self.write_facts(object);
            object.known("error_message").string(&message_and_guidance::message(self, first));
            if errors > 0 {
                object.known("errors").array(first.iter().take(errors), |item, shown| write_error(item, shown));
                omitted(object, self.issues().len() - errors);
            }
            if let Row::MalformedResponse { payload } = self.row() {
                object.known("payload").string(payload);
            }
            object.known("retry_guidance").string(&message_and_guidance::guidance(self, first, hint));
            if let Some(pause) = self.retry_after() {
                object.known("retry_after_ms").number(Number::Integer(milliseconds(pause)));
            }
            object.known("recovery").unescaped_string(self.recovery().as_str());
            if let Some(hint) = hint.filter(|_| !self.issues().is_empty()) {
                object.known("retry_hint").escaped_json_text(hint_json(hint));
            }
        });
        text
    }

    /// Writes the tool and the data of the failure.
    fn write_facts(&self, object: &mut ObjectWriter<'_>) {
        match self.row() {
            Row::ContainerInvocation { attempted, functions, did_you_mean } => {
                object.known("container_name").string(self.tool_name());
                object.known("attempted_parameters").json_text(attempted);
                names(object, "available_functions", functions);
                omitted(object, functions.omitted);
                names(object, "did_you_mean", did_you_mean);
                return;
            }
            _ => object.known("tool").string(self.tool_name()),
        }
        match self.row() {
            Row::ContainerNotExpanded { container } => object.known("container_name").string(container),
            Row::AmbiguousTool { candidates } => {
                names(object, "candidates", candidates);
                omitted(object, candidates.omitted);
            }
            Row::UnknownTool { did_you_mean, available } | Row::ToolRemoved { did_you_mean, available } => {
                names(object, "did_you_mean", did_you_mean);
                names(object, "available_tools", available);
                omitted(object, available.omitted);
            }
            Row::EffectUnknown { readers } => {
                names(object, "read_only_tools", readers);
                omitted(object, readers.omitted);
            }
            Row::Throttled { rule, .. } => object.known("rule").unescaped_string(rule.as_str()),
            _ => {}
        }
    }
}

impl fmt::Display for Failure {
    /// Writes the [message](Failure::message), which the model may read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl Error for Failure {}

/// Writes one issue.
fn write_error(place: Writer<'_>, shown: &ShownIssue<'_>) {
    let issue = shown.issue;
    place.object(|object| {
        object.known("property").string(shown.path);
        attempted_value(object.known("attempted_value"), &issue.got);
        object.known("error_message").string(&shown.message(TEXT));
        match &issue.constraint {
            // These constraints carry a code or keyword of their own.
            constraint @ (Constraint::Custom(_) | Constraint::Keyword { .. }) => {
                object.known("error_code").string(&bounded::name(constraint.code()));
                object.known("constraint").string(constraint.keyword());
            }
            constraint => {
                object.known("error_code").unescaped_string(constraint.code());
                object.known("constraint").unescaped_string(constraint.keyword());
            }
        }
        if !shown.expected.is_empty() {
            object.known("expected").string(shown.expected);
        }
        if let Some(suggestion) = &issue.suggestion {
            object.known("suggestion").string(&bounded::truncated_name(suggestion));
        }
    });
}

/// Writes the value that was sent. A short value is written unchanged, a long value as a text with its beginning, and a missing value as
/// `null`.
fn attempted_value(place: Writer<'_>, got: &Got) {
    match (&got.json, got.json_type) {
        (Some(json), _) => place.json_text(json),
        // Text that is not valid JSON, or no value.
        (None, None) if got.bytes > 0 => place.string(&bounded::exact_text(&got.preview, TEXT)),
        (None, None) => place.null(),
        (None, Some(JsonType::String)) => place.string(&bounded::exact_text(&unquoted(&got.preview), TEXT)),
        (None, Some(_)) => place.string(&bounded::text(&got.preview, TEXT)),
    }
}

/// Returns the text in the preview of a long string, without the opening quote and with escapes resolved.
fn unquoted(preview: &str) -> Cow<'_, str> {
    let Some(begun) = preview.strip_suffix('…').filter(|begun| begun.starts_with('"')) else { return preview.into() };
    // The preview may end inside an escape, which has up to twelve characters (a surrogate pair).
    let closed =
        (0..=12).filter_map(|cut| begun.get(..begun.len().checked_sub(cut)?)).map(|begun| format!("{begun}\""));
    let mut texts = closed.filter_map(|closed| Some(Json::parse(&closed).ok()?.as_str()?.to_owned()));
    texts.next().map_or(preview.into(), |text| Cow::Owned(text + "…"))
}

fn names(object: &mut ObjectWriter<'_>, key: &'static str, names: &Names) {
    if !names.shown.is_empty() {
        object.known(key).array(&names.shown, |item, name| item.string(name));
    }
}

fn omitted(object: &mut ObjectWriter<'_>, omitted: usize) {
    if omitted > 0 {
        object.known("omitted").number(Number::Integer(omitted as i128));
    }
}

fn milliseconds(pause: Duration) -> i128 {
    i128::try_from(pause.as_millis()).unwrap_or(i128::MAX)
}
