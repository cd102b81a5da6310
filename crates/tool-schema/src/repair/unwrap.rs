//! Removes wrappers around arguments: an additional object, or a string.
//!
//! A tool may really have a parameter `arguments`, so the caller decides which keys are known. Invariant: a known key is never treated as a
//! wrapper, and at most five layers are removed.

use super::{Repair, RepairRule, RepairedText, repair_text};
use crate::json::{Json, Node};
use crate::wrapped_arguments::{WrappedArguments, may_hold_arguments};

/// The maximum number of layers that are removed.
const MOST_LAYERS: usize = 5;

/// Removes up to five layers around arguments: strings that contain an object, and objects that are certainly a wrapper, such as
/// `{"parameters": {…}}` or `{"name": "get_weather", "arguments": {…}}` with the name of this `tool`.
///
/// `lists` returns `true` for the keys that the tool lists; the member with the arguments is never one of them. If the tool lists a key
/// beside the arguments (a tool may have a parameter `name`), the object must name the tool, and contain nothing but the name, a type and
/// the arguments.
///
/// Returns the inner value with one [`Repair`] for each layer, or the unchanged value without repairs. Strings are parsed like any other
/// text; repairs inside a string are visible as the difference between `before` and `after`.
///
/// ```
/// use tool_schema::json::Json;
/// use tool_schema::repair::unwrap_arguments;
///
/// let sent = Json::parse(r#"{"arguments": "{\"city\": \"Paris\"}"}"#)?;
/// let (arguments, repairs) = unwrap_arguments("get_weather", sent.clone(), |key| key == "city");
/// assert_eq!((arguments.to_text().as_str(), repairs.len()), (r#"{"city":"Paris"}"#, 2));
///
/// let (arguments, repairs) = unwrap_arguments("get_weather", sent, |key| key == "arguments"); // a parameter of the tool
/// assert!(repairs.is_empty() && arguments.get("arguments").is_some());
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn unwrap_arguments<'a>(tool: &str, value: Json<'a>, lists: impl Fn(&str) -> bool) -> (Json<'a>, Vec<Repair>) {
    let (mut inner, mut repairs) = (None::<Json<'a>>, Vec::new());
    // Layers are only removed if there is an object inside them; a text in additional quotes stays a text.
    let mut object = None;
    while repairs.len() < MOST_LAYERS {
        let outer = inner.as_ref().unwrap_or(&value);
        let Some((next, rule)) = layer(tool, outer, &lists) else { break };
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
fn layer<'a>(tool: &str, value: &Json<'a>, lists: &impl Fn(&str) -> bool) -> Option<(Json<'a>, RepairRule)> {
    match &value.node {
        Node::String(text) => {
            // Only a text that looks like an object or another layer of quotes is parsed.
            if !may_hold_arguments(value) {
                return None;
            }
            let inner = match repair_text(text.trim_start()) {
                RepairedText::Clean(inner) | RepairedText::Repaired { value: inner, .. } => inner.into_owned(),
                RepairedText::Incomplete { .. } | RepairedText::Rejected { .. } => return None,
            };
            (may_hold_arguments(&inner) && !inner.has_repeated_key()).then_some((inner, RepairRule::Stringified))
        }
        Node::Object(_) => {
            let wrapper =
                WrappedArguments::find(tool, value, lists).filter(|wrapper| wrapper.is_certain(tool, lists))?;
            if wrapper.content.value.has_repeated_key() {
                return None;
            }
            Some((wrapper.content.value.clone(), RepairRule::Wrapper))
        }
        _ => None,
    }
}
