//! Arguments that were wrapped once more: in an object of their own, or in a string.
//!
//! In comes a value and a question about the tool, whether it knows a key; out goes what was inside, and the ledger. A tool may really have a
//! parameter `arguments`, so only the caller can say. What always holds: a key that the tool knows is never taken for a wrapper, and five layers are the most.

use super::{Reading, Repair, RepairRule, read};
use crate::json::{Json, Node};

/// Keys that models put around arguments, after the words of providers: `arguments` and `parameters` (`OpenAI`), `input` (Anthropic), `args` (Gemini).
const WRAPPERS: [&str; 6] = ["arguments", "parameters", "input", "args", "params", "tool_input"];

/// How many layers are taken off.
const MOST_LAYERS: usize = 5;

/// Takes arguments out of what they were wrapped in, for a tool that `knows` only some keys: `{"parameters": {…}}` and its kin where the object has
/// no other key, a string that holds an object, and both up to five deep.
///
/// Out comes the inner value and one [`Repair`] for each layer; the value as it was and no repair where nothing is wrapped.
/// What is in a string is read like any other text: what was mended in there shows as the difference between `before` and `after`.
///
/// ```
/// use tool_schema::json::Json;
/// use tool_schema::repair::unwrap;
///
/// let sent = Json::parse(r#"{"arguments": "{\"city\": \"Paris\"}"}"#)?;
/// let (arguments, repairs) = unwrap(sent.clone(), |key| key == "city");
/// assert_eq!((arguments.to_text().as_str(), repairs.len()), (r#"{"city":"Paris"}"#, 2));
///
/// let (arguments, repairs) = unwrap(sent, |key| key == "arguments"); // a parameter of the tool
/// assert!(repairs.is_empty() && arguments.get("arguments").is_some());
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn unwrap<'a>(value: Json<'a>, knows: impl Fn(&str) -> bool) -> (Json<'a>, Vec<Repair>) {
    let (mut inner, mut repairs) = (None::<Json<'a>>, Vec::new());
    // Layers that end in no object are none: a text in quotes of its own is a text.
    let mut object = None;
    while repairs.len() < MOST_LAYERS {
        let outer = inner.as_ref().unwrap_or(&value);
        let Some((next, rule)) = layer(outer, &knows) else { break };
        repairs.push(Repair::of_whole(rule, outer, &next));
        if matches!(next.node, Node::Object(_)) {
            object = Some((next.clone(), repairs.len()));
        }
        inner = Some(next);
    }
    let (value, layers) = object.unwrap_or((value, 0));
    repairs.truncate(layers);
    (value, repairs)
}

/// What is inside of one layer.
fn layer<'a>(value: &Json<'a>, knows: &impl Fn(&str) -> bool) -> Option<(Json<'a>, RepairRule)> {
    match &value.node {
        Node::String(text) => {
            let text = text.trim_start();
            // Only what looks like an object or another layer of quotes is worth reading.
            if !text.starts_with(['{', '"']) {
                return None;
            }
            let inner = match read(text) {
                Reading::Clean(inner) | Reading::Repaired { value: inner, .. } => inner.into_owned(),
                Reading::Incomplete { .. } | Reading::Refused { .. } => return None,
            };
            is_wrapped(&inner).then_some((inner, RepairRule::Stringified))
        }
        Node::Object(members) => {
            let [member] = members.as_slice() else { return None };
            let is_wrapper = WRAPPERS.contains(&&*member.key) && !knows(&member.key) && is_wrapped(&member.value);
            is_wrapper.then(|| (member.value.clone(), RepairRule::Wrapper))
        }
        _ => None,
    }
}

/// Whether arguments can be in there.
fn is_wrapped(value: &Json<'_>) -> bool {
    match &value.node {
        Node::Object(_) => true,
        Node::String(text) => text.trim_start().starts_with(['{', '"']),
        _ => false,
    }
}
