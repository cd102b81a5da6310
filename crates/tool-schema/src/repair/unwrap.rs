//! Removes wrappers around arguments: an additional object, or a string.
//!
//! A tool may really have a parameter `arguments`, so the caller decides which keys are known. Invariant: a known key is never treated as a
//! wrapper, and at most five layers are removed.

use super::{Reading, Repair, RepairRule, read};
use crate::json::{Json, Node};

/// Keys that models put around arguments, from the APIs of providers: `arguments` and `parameters` (`OpenAI`), `input` (Anthropic), `args`
/// (Gemini).
const WRAPPERS: [&str; 6] = ["arguments", "parameters", "input", "args", "params", "tool_input"];

/// The maximum number of layers that are removed.
const MOST_LAYERS: usize = 5;

/// Removes up to five layers around arguments: objects with a single key such as `{"parameters": {…}}`, and strings that contain an object.
/// A key that the tool `knows` is never such a layer.
///
/// Returns the inner value with one [`Repair`] for each layer, or the unchanged value without repairs. Strings are parsed like any other
/// text; repairs inside a string are visible as the difference between `before` and `after`.
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
    // Layers are only removed if there is an object inside them; a text in additional quotes stays a text.
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

/// Returns the content of one layer; `None` if the value is not a layer.
fn layer<'a>(value: &Json<'a>, knows: &impl Fn(&str) -> bool) -> Option<(Json<'a>, RepairRule)> {
    match &value.node {
        Node::String(text) => {
            let text = text.trim_start();
            // Only a text that looks like an object or another layer of quotes is parsed.
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

/// Returns `true` if the value may contain arguments.
fn is_wrapped(value: &Json<'_>) -> bool {
    match &value.node {
        Node::Object(_) => true,
        Node::String(text) => text.trim_start().starts_with(['{', '"']),
        _ => false,
    }
}
