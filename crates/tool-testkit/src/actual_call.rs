//! The calls that were made, [`ActualCall`], and their redaction, [`Screen`].
//!
//! Invariants: the arguments are those that the tool received, after repair. If any tool has sensitive fields, the arguments of calls of
//! unknown tools are hidden.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::private::bounded;
use crate::private::check::sends_sensitive_field;
use crate::private::feedback::{hides, redact_arguments};
use crate::private::internal;
use crate::private::issue::{Path, REDACTED};
use crate::private::shape::{Ref, Shape, has_secrets};
use serde_json::Value;
use tool_chat::transcript::Call;
use tool_runtime::Arguments;
use tool_runtime::session::{Outcome, Session};
use tool_runtime::tool_schema::json::{Json, Node};

use super::compare::wider;
use super::hide_secrets::Secrets;
use super::path_parser::{look, put};

/// The maximum number of bytes of a call's arguments that a report shows.
const SHOWN: usize = 400;

/// A call that was made.
#[derive(Clone, Debug)]
pub(super) struct ActualCall {
    turn: usize,
    /// The number of the step. Parallel calls have the same step.
    step: usize,
    /// The arguments; `None` if they are not valid JSON.
    pub(super) arguments: Option<Json<'static>>,
    /// The arguments as text, as the tool received them.
    text: String,
    pub(super) outcome: Arc<Outcome>,
}

impl ActualCall {
    pub(super) fn new(call: &Call) -> Self {
        let (turn, step, outcome) = (call.turn, call.step, Arc::clone(&call.outcome));
        let text = outcome.repaired_arguments().unwrap_or(&call.arguments).to_owned();
        let arguments = Arguments::from(text.as_str()).to_json().ok().map(Json::into_owned);
        Self { turn, step, arguments, text, outcome }
    }

    /// Returns the advertised name of the called tool, or the name in the call if there is no such tool.
    pub(super) fn name(&self) -> &str {
        self.outcome.tool_name()
    }

    /// Returns the value at a path of the arguments.
    pub(super) fn at(&self, path: &Path) -> Option<&Json<'static>> {
        look(self.arguments.as_ref()?, path)
    }

    /// Returns the arguments as text, as the tool received them.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns `true` if the call was answered with a failure. A deferred call has no failure yet.
    pub(super) fn has_failed(&self) -> bool {
        !(self.outcome.is_ok() || self.outcome.is_deferred())
    }

    /// Returns the turn and the step as a time. Parallel calls have the same time.
    pub(super) const fn time(&self) -> (usize, usize) {
        (self.turn, self.step)
    }

    /// Returns the turn and the step in words, counted from 1: `turn 1, step 2`.
    pub(super) fn place(&self) -> String {
        format!("turn {}, step {}", self.turn + 1, self.step + 1)
    }
}

/// The redaction for the calls of one session.
#[derive(Debug)]
pub(super) struct Screen {
    inputs: HashMap<String, Ref>,
    /// `true` if any tool has sensitive fields.
    is_guarded: bool,
    /// The values that were sent in sensitive fields.
    secrets: Secrets,
}

impl Screen {
    pub(super) fn of(session: &Session, made: &[ActualCall]) -> Self {
        let inputs = internal::inputs(session);
        let is_guarded = inputs.values().any(|input| has_secrets(&input.shape()));
        let mut secrets = Secrets::default();
        for made in made.iter().filter(|_| is_guarded) {
            if let (Some(input), Some(json)) = (inputs.get(made.name()), &made.arguments) {
                secrets = secrets.and(&input.shape(), json);
            }
        }
        Self { inputs, is_guarded, secrets }
    }

    /// Replaces values of sensitive fields in a text that comes from a tool, a model or a test.
    pub(super) fn hide(&self, text: String) -> String {
        match self.secrets.hide(&text) {
            Cow::Owned(hidden) => hidden,
            Cow::Borrowed(_) => text,
        }
    }

    /// Returns the result of a call. If the call sent a secret, returns `<redacted>`, because the result may contain the secret in any
    /// form.
    pub(super) fn result<'j>(&self, made: &ActualCall, json: Json<'j>) -> Json<'j> {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let may_repeat = match (input.as_deref(), &made.arguments) {
            // The tool returns a part of an earlier result, which may repeat the secrets of the earlier call.
            _ if self.is_guarded && internal::reads_results(made.name()) => true,
            (Some(shape), Some(arguments)) => sends_sensitive_field(shape, arguments),
            (Some(shape), None) => has_secrets(shape),
            (None, _) => self.is_guarded,
        };
        if may_repeat { Json::from_node(Node::String(Cow::Borrowed(REDACTED))) } else { json }
    }

    /// Returns `true` if an expected value would be redacted, in whole or in part, at this path of a call.
    pub(super) fn has_secrets(&self, made: &ActualCall, path: &Path, value: &Value) -> bool {
        let (Some(json), Some(input)) = (&made.arguments, self.inputs.get(made.name())) else { return false };
        let (shape, value) = (input.shape(), wider(value));
        has_secrets(&shape) && {
            let would_be = put(json, path.segments(), &value);
            would_be.is_none_or(|json| look(&redact_arguments(&shape, &json), path) != Some(&value))
        }
    }

    fn may_show(&self, shape: Option<&Shape>) -> bool {
        shape.map_or(!self.is_guarded, |shape| !has_secrets(shape))
    }

    /// Returns the redacted arguments of a call.
    pub(super) fn arguments(&self, made: &ActualCall) -> String {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let text = match (&made.arguments, input.as_deref()) {
            (Some(json), Some(shape)) => Cow::Owned(redact_arguments(shape, json).to_text()),
            (Some(json), None) if !self.is_guarded => Cow::Owned(json.to_text()),
            (None, shape) if self.may_show(shape) => Cow::Borrowed(made.text.as_str()),
            _ => Cow::Borrowed(REDACTED),
        };
        bounded::text(&text, SHOWN).into_owned()
    }

    /// Returns `true` if the value at this path of a call must not be shown.
    pub(super) fn hides(&self, made: &ActualCall, path: &Path) -> bool {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        match (&made.arguments, input.as_deref()) {
            (Some(json), Some(shape)) => hides(shape, json, path.segments()),
            (_, shape) => !self.may_show(shape),
        }
    }

    /// Returns the redacted value at a path of a call, or `None` if the path is absent.
    pub(super) fn at(&self, made: &ActualCall, path: &Path) -> Option<Json<'static>> {
        let arguments = made.arguments.as_ref()?;
        look(arguments, path)?;
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let shown = match input.as_deref() {
            Some(shape) => look(&redact_arguments(shape, arguments), path).cloned(),
            None => look(arguments, path).filter(|_| !self.is_guarded).cloned(),
        };
        // If the path leads nowhere after redaction, the value is inside a redacted value.
        Some(shown.unwrap_or_else(|| Json::from_node(Node::String(Cow::Borrowed(REDACTED)))))
    }
}
