//! Conversations about a task: the model calls, reads the answer of a side, and calls again.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tool_chat::model::{ChatModel, Message, ModelError, Options, Request, Response};
use tool_runtime::RepairPolicy;

use crate::sides::{Bench, End, Side};
use crate::tasks::{Task, is_same};

/// Text with at most one JSON object, after which the answer ends. Without it, small models repeat their call many times.
pub const GRAMMAR: &str = r#"root ::= [^{]* object?
object ::= "{" space ( pair ( "," space pair )* )? "}"
pair ::= string space ":" space value space
array ::= "[" space ( value space ( "," space value space )* )? "]"
value ::= object | array | string | number | "true" | "false" | "null"
string ::= "\"" ( [^"\\\n] | "\\" ["\\/bfnrtu] )* "\""
number ::= "-"? [0-9]+ ( "." [0-9]+ )?
space ::= [ \n\t]{0,16}
"#;

/// The most tokens of one answer of the model.
const MOST_TOKENS: u32 = 140;

/// The conversation about one task with one side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    pub model: String,
    /// `true` if the first call is the typical wrong one, and `false` if the model makes it.
    pub planted: bool,
    pub task: String,
    pub side: String,
    /// The number of bytes of the first answer, or 0 if there was none.
    pub bytes: usize,
    pub turns: Vec<Turn>,
    /// The logarithm of the probability of the right call after the first answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<f64>,
}

/// One answer of the model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Turn {
    pub text: String,
    pub end: Verdict,
    /// `true` if the call ran because a repair changed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repaired: bool,
    /// `true` if the call ran with a wrong value that the model copied from the answer before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copied: bool,
    pub tokens_in: u64,
    pub tokens_out: u64,
}

/// The outcome of one answer of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The tool ran with the right arguments.
    Right,
    /// A tool ran, but not as the task asks.
    Wrong,
    /// The call was rejected.
    Rejected,
    /// The model did not call a tool.
    NoCall,
}

/// A call as models of the Hermes format write it.
#[derive(Deserialize)]
struct Call<'a> {
    name: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// Reads the call in a text: its name and its arguments.
#[must_use]
pub fn call_in(text: &str) -> Option<(String, &str)> {
    let json = &text[text.find('{')?..];
    let Call { name, arguments } = serde_json::Deserializer::from_str(json).into_iter().next()?.ok()?;
    Some((name, arguments.get()))
}

/// Writes the beginning of a call, up to its arguments.
#[must_use]
pub fn start(name: &str) -> String {
    format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": ")
}

/// Writes a call.
#[must_use]
pub fn written(name: &str, arguments: &str) -> String {
    format!("{}{arguments}}}\n</tool_call>", start(name))
}

/// The tools, the side and the number of corrections of a conversation.
pub struct Talk<'a> {
    pub bench: &'a Bench,
    pub side: Side,
    pub planted: bool,
    pub corrections: usize,
}

impl Talk<'_> {
    /// Returns the messages before the model's first answer, and the number of bytes of the answer to the planted call.
    #[must_use]
    pub fn begin(&self, task: &Task) -> (Vec<Message>, usize) {
        // These are the words of the template of Qwen 2.5 for tools.
        let system = format!(
            "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.\n\n# Tools\n\nYou may call one or more functions to assist \
             with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n{}\n</tools>\n\nFor \
             each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n\
             {{\"name\": <function-name>, \"arguments\": <args-json-object>}}\n</tool_call>",
            self.bench.definitions()
        );
        let mut messages = vec![Message::System(system), Message::User(task.prompt.clone())];
        if !self.planted {
            return (messages, 0);
        }
        // Without repairs, every wrong call gets an answer.
        let text = match self.bench.call(self.side, RepairPolicy::Strict, &task.tool, &task.wrong) {
            End::Rejected(text) => text,
            End::Ran(..) => return (messages, 0),
        };
        messages.push(Response::from_text(written(&task.tool, &task.wrong)).into());
        messages.push(response(&text));
        (messages, text.len())
    }

    /// Lets the model answer until a tool runs or no correction is left.
    ///
    /// # Errors
    ///
    /// Fails if the model cannot be reached.
    pub async fn talk(&self, model: &dyn ChatModel, task: &Task) -> Result<(usize, Vec<Turn>), ModelError> {
        let (mut messages, mut bytes) = self.begin(task);
        let mut options = Options::default();
        (options.temperature, options.seed, options.max_tokens) = (Some(0.0), Some(1), Some(MOST_TOKENS));
        let tools = Default::default();
        let mut turns = Vec::new();
        let first = usize::from(self.planted);
        for _ in first..=self.corrections {
            let answer = model.complete(Request::new(&messages, &tools, &options)).await?;
            let before = messages.last().map(Message::text).filter(|_| messages.len() > 2).unwrap_or_default();
            let (mut turn, rejected) = self.run_call(task, &answer.text, before);
            (turn.tokens_in, turn.tokens_out) = (answer.usage.input_tokens, answer.usage.output_tokens);
            turns.push(turn);
            let Some(rejected) = rejected else { break };
            bytes = if bytes == 0 { rejected.len() } else { bytes };
            messages.push(Response::from_text(answer.text).into());
            messages.push(response(&rejected));
        }
        Ok((bytes, turns))
    }

    /// Runs the call in an answer of the model. Returns the text of its rejection, if it was rejected.
    #[must_use]
    pub fn run_call(&self, task: &Task, text: &str, before: &str) -> (Turn, Option<String>) {
        let mut turn = Turn {
            text: text.to_owned(),
            end: Verdict::NoCall,
            repaired: false,
            copied: false,
            tokens_in: 0,
            tokens_out: 0,
        };
        let Some((name, arguments)) = call_in(text) else { return (turn, None) };
        match self.bench.call(self.side, RepairPolicy::Lossless, &name, arguments) {
            End::Rejected(text) => {
                turn.end = Verdict::Rejected;
                (turn, Some(text))
            }
            End::Ran(arguments, repaired) => {
                let is_right = name == task.tool && is_same(&arguments, &task.right());
                turn.end = if is_right { Verdict::Right } else { Verdict::Wrong };
                turn.repaired = repaired;
                turn.copied = !is_right && is_copied(&arguments, task, before);
                (turn, None)
            }
        }
    }
}

fn response(text: &str) -> Message {
    Message::User(format!("<tool_response>\n{text}\n</tool_response>"))
}

/// Returns `true` if a wrong value stands in the answer before the call, but neither in the prompt nor in the first wrong call.
fn is_copied(arguments: &Value, task: &Task, before: &str) -> bool {
    let right = task.right().to_string();
    let mut wrong = Vec::new();
    leaves(arguments, &mut wrong);
    wrong.iter().any(|value| {
        !right.contains(value.as_str())
            && before.contains(value.as_str())
            && !task.prompt.contains(value.as_str())
            && !task.wrong.contains(value.as_str())
    })
}

/// Collects the texts of all texts and numbers inside a value.
fn leaves(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.values().for_each(|value| leaves(value, found)),
        Value::Array(items) => items.iter().for_each(|value| leaves(value, found)),
        Value::String(text) if !text.is_empty() => found.push(text.clone()),
        Value::Number(number) => found.push(number.to_string()),
        _ => {}
    }
}

/// Returns messages as a server reads them.
#[must_use]
pub fn as_json(messages: &[Message]) -> Value {
    let role = |message: &Message| match message {
        Message::System(_) => "system",
        Message::Assistant { .. } => "assistant",
        _ => "user",
    };
    messages.iter().map(|message| json!({"role": role(message), "content": message.text()})).collect()
}
