//! The calls that were made, as expectations see them: [`Made`], and what of them may be shown: [`Screen`].
//!
//! In: calls with their outcomes, and the shapes of the session's tools. Out: arguments as a tree, and the same with `<redacted>` for what
//! nobody may read. What always holds: the arguments are those that the tool was given, so a repaired call counts as what it was read as;
//! nothing is shown of a call whose tool is not known as soon as any tool takes secrets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::private::bounded;
use crate::private::check::sends_secret;
use crate::private::feedback::{hides, without_secrets};
use crate::private::issue::{Path, REDACTED};
use crate::private::shape::{Ref, Shape, has_secrets};
use crate::private::siblings;
use serde_json::Value;
use tool_chat::transcript::Call;
use tool_runtime::Arguments;
use tool_runtime::session::{Outcome, Session};
use tool_runtime::tool_schema::json::{Json, Node};

use super::compare::wider;
use super::place::{look, put};
use super::sent::Secrets;

/// How much of one call's arguments a report shows.
const SHOWN: usize = 400;

/// A call that was made.
#[derive(Clone, Debug)]
pub(super) struct Made {
    turn: usize,
    /// Calls of one step were made side by side.
    step: usize,
    /// The arguments, unless they are not valid JSON.
    pub(super) arguments: Option<Json<'static>>,
    /// The arguments as text, as the tool was given them.
    text: String,
    pub(super) outcome: Arc<Outcome>,
}

impl Made {
    pub(super) fn new(call: &Call) -> Self {
        let (turn, step, outcome) = (call.turn, call.step, Arc::clone(&call.outcome));
        let text = outcome.arguments().unwrap_or(&call.arguments).to_owned();
        let arguments = Arguments::from(text.as_str()).to_json().ok().map(Json::into_owned);
        Self { turn, step, arguments, text, outcome }
    }

    /// The advertised name of what was called; the name as it was called where there is no such tool.
    pub(super) fn name(&self) -> &str {
        self.outcome.tool()
    }

    /// What stands at a place of the arguments.
    pub(super) fn at(&self, path: &Path) -> Option<&Json<'static>> {
        look(self.arguments.as_ref()?, path)
    }

    /// The arguments as text, as the tool was given them.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it was answered with a failure; one that waits for the host has none.
    pub(super) fn has_failed(&self) -> bool {
        !(self.outcome.is_ok() || self.outcome.is_deferred())
    }

    /// When it was made; calls that were made side by side have one time.
    pub(super) const fn time(&self) -> (usize, usize) {
        (self.turn, self.step)
    }

    /// `turn 1, step 2`, counted from 1.
    pub(super) fn place(&self) -> String {
        format!("turn {}, step {}", self.turn + 1, self.step + 1)
    }
}

/// What may be shown of the calls of one session.
#[derive(Debug)]
pub(super) struct Screen {
    inputs: HashMap<String, Ref>,
    /// Whether any tool takes secrets.
    is_guarded: bool,
    /// What was sent in sensitive fields.
    secrets: Secrets,
}

impl Screen {
    pub(super) fn of(session: &Session, made: &[Made]) -> Self {
        let inputs = siblings::inputs(session);
        let is_guarded = inputs.values().any(|input| has_secrets(&input.shape()));
        let mut secrets = Secrets::default();
        for made in made.iter().filter(|_| is_guarded) {
            if let (Some(input), Some(json)) = (inputs.get(made.name()), &made.arguments) {
                secrets = secrets.and(&input.shape(), json);
            }
        }
        Self { inputs, is_guarded, secrets }
    }

    /// A text of a tool, of a model or of a test, without what was sent in sensitive fields.
    pub(super) fn hide(&self, text: String) -> String {
        match self.secrets.hide(&text) {
            Cow::Owned(hidden) => hidden,
            Cow::Borrowed(_) => text,
        }
    }

    /// The result of a call: nothing of it where the call sent a secret, which it may repeat in any form.
    pub(super) fn result<'j>(&self, made: &Made, json: Json<'j>) -> Json<'j> {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let may_repeat = match (input.as_deref(), &made.arguments) {
            // A part of an earlier result, which may repeat what was sent then.
            _ if self.is_guarded && siblings::reads_results(made.name()) => true,
            (Some(shape), Some(arguments)) => sends_secret(shape, arguments),
            (Some(shape), None) => has_secrets(shape),
            (None, _) => self.is_guarded,
        };
        if may_repeat { Json::new(Node::String(Cow::Borrowed(REDACTED))) } else { json }
    }

    /// Whether a value that should stand at a place of a call has something in it that would be hidden there.
    pub(super) fn has_secrets(&self, made: &Made, path: &Path, value: &Value) -> bool {
        let (Some(json), Some(input)) = (&made.arguments, self.inputs.get(made.name())) else { return false };
        let (shape, value) = (input.shape(), wider(value));
        has_secrets(&shape) && {
            let would_be = put(json, path.segments(), &value);
            would_be.is_none_or(|json| look(&without_secrets(&shape, &json), path) != Some(&value))
        }
    }

    fn may_show(&self, shape: Option<&Shape>) -> bool {
        shape.map_or(!self.is_guarded, |shape| !has_secrets(shape))
    }

    /// The arguments of a call.
    pub(super) fn arguments(&self, made: &Made) -> String {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let text = match (&made.arguments, input.as_deref()) {
            (Some(json), Some(shape)) => Cow::Owned(without_secrets(shape, json).to_text()),
            (Some(json), None) if !self.is_guarded => Cow::Owned(json.to_text()),
            (None, shape) if self.may_show(shape) => Cow::Borrowed(made.text.as_str()),
            _ => Cow::Borrowed(REDACTED),
        };
        bounded::text(&text, SHOWN).into_owned()
    }

    /// Whether what should stand at a place of a call must not be shown.
    pub(super) fn hides(&self, made: &Made, path: &Path) -> bool {
        let input = self.inputs.get(made.name()).map(Ref::shape);
        match (&made.arguments, input.as_deref()) {
            (Some(json), Some(shape)) => hides(shape, json, path.segments()),
            (_, shape) => !self.may_show(shape),
        }
    }

    /// What stands at a place of a call, as far as it may be shown; `None` where nothing does.
    pub(super) fn at(&self, made: &Made, path: &Path) -> Option<Json<'static>> {
        let arguments = made.arguments.as_ref()?;
        look(arguments, path)?;
        let input = self.inputs.get(made.name()).map(Ref::shape);
        let shown = match input.as_deref() {
            Some(shape) => look(&without_secrets(shape, arguments), path).cloned(),
            None => look(arguments, path).filter(|_| !self.is_guarded).cloned(),
        };
        // What cannot be reached lies inside of something that is hidden.
        Some(shown.unwrap_or_else(|| Json::new(Node::String(Cow::Borrowed(REDACTED)))))
    }
}
