//! The texts that a model reads after a rejected call.

use serde_json::Value;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{RepairPolicy, Session, Toolbox};

use crate::tools::{Tool, tools};

/// A way to answer calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// serde's message, and the first error of `jsonschema` for a rule that serde does not know.
    ByHand,
    /// The text of rmcp's router around serde's message.
    Rmcp,
    /// The text of rig around serde's message.
    Rig,
    /// All errors of `jsonschema`.
    List,
    /// Ours, in a form.
    Ours(FeedbackForm),
}

impl Side {
    /// The sides, with their names in tables and results.
    pub const ALL: [(&'static str, Self); 7] = [
        ("by-hand", Self::ByHand),
        ("rmcp", Self::Rmcp),
        ("rig", Self::Rig),
        ("list", Self::List),
        ("json", Self::Ours(FeedbackForm::Json)),
        ("markdown", Self::Ours(FeedbackForm::Markdown)),
        ("sentences", Self::Ours(FeedbackForm::Sentences)),
    ];
}

/// The end of one call.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The tool ran with these arguments; `true` if a repair changed them.
    Ran(Value, bool),
    /// The model reads this text.
    Rejected(String),
}

/// All tools, and our sessions with them.
pub struct Bench {
    pub tools: Vec<Tool>,
}

impl Default for Bench {
    fn default() -> Self {
        Self { tools: tools() }
    }
}

impl Bench {
    /// Returns the text of the definitions, one on each line, as models of the Hermes format read them.
    #[must_use]
    pub fn definitions(&self) -> String {
        let session = self.session(FeedbackForm::Json, RepairPolicy::Lossless);
        let definitions = session.definitions();
        definitions.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    fn session(&self, form: FeedbackForm, policy: RepairPolicy) -> Session {
        let add = |toolbox: tool_runtime::toolbox::ToolboxBuilder, tool: &Tool| toolbox.tool(tool.ours());
        let toolbox = self.tools.iter().fold(Toolbox::builder(), add);
        toolbox.feedback(form).repair(policy).no_throttle().build().expect("the toolbox is valid").session()
    }

    /// Answers a call.
    #[must_use]
    pub fn call(&self, side: Side, policy: RepairPolicy, name: &str, arguments: &str) -> End {
        if let Side::Ours(form) = side {
            let outcome = pollster::block_on(self.session(form, policy).call("call_1", name, arguments));
            if !outcome.is_ok() {
                return End::Rejected(outcome.into_text());
            }
            let is_repaired = !outcome.repairs().is_empty();
            let text = outcome.into_text();
            // A remark may follow the result.
            let mut values = serde_json::Deserializer::from_str(&text).into_iter();
            return match values.next() {
                Some(Ok(arguments)) => End::Ran(arguments, is_repaired),
                _ => End::Rejected(text),
            };
        }
        let Some(tool) = self.tools.iter().find(|tool| tool.name == name) else {
            return End::Rejected(format!("unknown tool {name}"));
        };
        let value = match serde_json::from_str::<Value>(arguments) {
            Ok(value) => value,
            Err(error) => return End::Rejected(around(side, &error.to_string())),
        };
        if side == Side::List {
            let errors: Vec<_> = tool.validator.iter_errors(&value).map(|error| line(&error)).collect();
            return if errors.is_empty() { End::Ran(value, false) } else { End::Rejected(errors.join("\n")) };
        }
        let decoded = if side == Side::Rmcp { (tool.by_value)(value.clone()) } else { (tool.by_hand)(arguments) };
        if let Err(message) = decoded {
            return End::Rejected(around(side, &message));
        }
        let first = tool.validator.iter_errors(&value).next().map(|error| line(&error));
        first.map_or(End::Ran(value, false), End::Rejected)
    }
}

/// Returns the path and the message of an error.
fn line(error: &jsonschema::ValidationError<'_>) -> String {
    let path = error.instance_path().to_string();
    if path.is_empty() { error.to_string() } else { format!("{path}: {error}") }
}

/// Adds the words of a side to a message of serde. `docs/compare.md` shows the texts that these crates return.
fn around(side: Side, message: &str) -> String {
    match side {
        Side::Rmcp => format!("failed to deserialize parameters: {message}"),
        Side::Rig => format!("failed to parse tool arguments: {message}"),
        _ => format!("invalid arguments: {message}"),
    }
}
