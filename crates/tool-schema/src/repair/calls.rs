//! Finds tool calls in the text of a model.
//!
//! It accepts `<tool_call>…</tool_call>` and similar tags, code fences, and a text that consists only of calls. Invariant: a tool that is
//! not advertised is never called, and calls that were cut off or quoted in a sentence are ignored.

use super::{Repair, RepairRule, read, tool_name, unwrap};
use crate::json::{Json, Node, Span};
use crate::tool_names::{Named, find_tool};

/// The tags around a call, from the templates of Hermes, Qwen and Granite, and from names that providers use.
const TAGS: [&str; 4] = ["tool_call", "function_call", "tool_use", "invoke"];
/// Keys for the name of the tool.
pub const NAMES: [&str; 5] = ["name", "tool", "function", "tool_name", "function_name"];
/// Keys for the arguments.
pub const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "input", "args", "params", "tool_input"];

/// A call that was found in a text.
///
/// ```
/// use tool_schema::repair::calls_in_text;
///
/// let text = "Let me look.\n```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```";
/// let calls = calls_in_text(text, |name| name == "get_weather");
/// assert_eq!((calls[0].name.as_str(), calls[0].span.start), ("get_weather", 13));
/// assert_eq!(calls[0].arguments.to_text(), r#"{"city":"Paris"}"#);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TextCall {
    /// The advertised name.
    pub name: String,
    /// The arguments, always an object.
    pub arguments: Json<'static>,
    /// The range of the text that contains the call, including its tags or fence. All calls of one list have the same range.
    pub span: Span,
    /// The repairs: first the one that interpreted the text as a call, then those of the call's JSON. The spans refer to the whole text.
    pub repairs: Vec<Repair>,
}

impl TextCall {
    /// Hides the parts of the ledger that repeat arguments, which may contain a secret.
    pub(crate) fn redact(&mut self) {
        self.repairs.iter_mut().for_each(Repair::redact);
    }
}

/// Returns the calls of advertised tools in a text, in the order of the text.
///
/// A call is an object with a name (`name`, `tool`, `function`) and arguments (`arguments`, `parameters`, `input`, …), or `OpenAI`'s
/// `{"function": {…}}`, or a list of these. If the text has tags such as `<tool_call>`, only the content of the tags is searched.
/// Otherwise, if it has code fences, only the content of the fences is searched; otherwise, the whole text is. The searched text must
/// consist only of calls, because JSON in a sentence or in inline code is only quoted.
///
/// ```
/// use tool_schema::repair::calls_in_text;
///
/// let text = "<tool_call>{'name': 'now', 'arguments': {}}</tool_call> <tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>";
/// let calls = calls_in_text(text, |name| name == "now");
/// assert_eq!(calls.len(), 1); // `rm` is not advertised
/// assert!(calls_in_text("{\"name\": \"now\", \"argum", |_| true).is_empty()); // cut off
/// assert!(calls_in_text("Send {\"name\": \"now\", \"arguments\": {}}", |_| true).is_empty()); // quoted
/// ```
pub fn calls_in_text(text: &str, is_advertised: impl Fn(&str) -> bool) -> Vec<TextCall> {
    let mut regions = tagged(text);
    if regions.is_empty() {
        regions = fenced(text);
    }
    if regions.is_empty() {
        regions.push((0, text.len(), 0, text.len()));
    }
    let mut calls = Vec::new();
    for (start, end, from, to) in regions {
        let Some(inner) = text.get(from..to) else { continue };
        let reading = read(inner);
        // JSON that a sentence quotes is not a call.
        let Some(value) = reading.value_alone() else { continue };
        let items = if let Node::Array(items) = &value.node { items.as_slice() } else { std::slice::from_ref(value) };
        // Each repair is given only to the first item that ends after it, so that the ledger of a long list is not repeated for each item.
        let mut ledger = reading.repairs().iter().peekable();
        for item in items {
            let belongs = |repair: &&Repair| repair.span.is_none_or(|place| place.start < item.span.end);
            let mended: Vec<_> = std::iter::from_fn(|| ledger.next_if(belongs)).collect();
            let Some(Called { name, arguments, repairs: inner }) = called(item, &is_advertised) else { continue };
            let span = Span::new(start, end);
            let before = text.get(start..end).unwrap_or_default();
            let mut repairs = vec![Repair::of_text(RepairRule::CallAsText, span, before, name.clone().into())];
            repairs.extend(mended.into_iter().cloned().map(|repair| repair.moved(from)));
            repairs.extend(inner);
            calls.push(TextCall { name, arguments, span, repairs });
        }
        if let Some(last) = calls.last_mut().filter(|call| call.span.start as usize == start) {
            last.repairs.extend(ledger.cloned().map(|repair| repair.moved(from)));
        }
    }
    calls
}

/// Two ranges, each as start and end: that of a call with its tags or fence, and that of the content alone.
type Region = (usize, usize, usize, usize);

/// Returns the regions of a text that are inside tags such as `<tool_call>`. The content of a tag that is not closed extends to the end of
/// the text.
fn tagged(text: &str) -> Vec<Region> {
    let mut regions = Vec::new();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        at = open + 1;
        let rest = text.get(at..).unwrap_or_default();
        let tag = TAGS.into_iter().find(|tag| rest.strip_prefix(tag).is_some_and(|rest| rest.starts_with('>')));
        let Some(tag) = tag else { continue };
        let from = at + tag.len() + 1;
        let closer = format!("</{tag}>");
        // A tag in inline code or quotes is a mention, not a call.
        let before = text.get(..open).unwrap_or_default();
        if before.ends_with(['`', '"', '\'', '“', '‘']) && !before.ends_with("```") {
            continue;
        }
        let Some(length) = text.get(from..).and_then(|rest| rest.find(&closer)) else {
            regions.push((open, text.len(), from, text.len()));
            break;
        };
        at = from + length + closer.len();
        regions.push((open, at, from, from + length));
    }
    regions
}

/// Returns the regions of a text that are inside code fences. A fence is a line that begins with three or more backticks or tildes.
fn fenced(text: &str) -> Vec<Region> {
    let mut regions = Vec::new();
    let (mut open, mut at) = (None, 0);
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.len());
        at = end;
        let Some(mark) = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark)) else { continue };
        match open {
            None => open = Some((start, end, mark)),
            Some((before, from, opening)) if opening == mark => {
                regions.push((before, start + line.trim_end().len(), from, start));
                open = None;
            }
            // This is a fence inside a fence of the other kind.
            Some(_) => {}
        }
    }
    regions
}

/// Returns the number of members with one of these keys.
fn count(value: &Json<'_>, keys: &[&str]) -> usize {
    value.members().iter().filter(|member| keys.contains(&&*member.key)).count()
}

/// Returns `true` if an object describes a tool or its parameters instead of calling it.
fn is_definition(value: &Json<'_>) -> bool {
    let is_object = |value: &Json<'_>, key: &str| matches!(value.get(key), Some(Json { node: Node::Object(_), .. }));
    let is_schema = |value: &Json<'_>| {
        value.get("type").is_some_and(|kind| kind.as_str() == Some("object")) && is_object(value, "properties")
    };
    let arguments = ARGUMENTS.iter().find_map(|key| value.get(key));
    value.get("description").is_some() || arguments.is_some_and(is_schema)
}

/// One call, extracted from the object that describes it.
struct Called {
    name: String,
    arguments: Json<'static>,
    repairs: Vec<Repair>,
}

fn called(value: &Json<'_>, is_advertised: &impl Fn(&str) -> bool) -> Option<Called> {
    if count(value, &["function"]) > 1 {
        return None;
    }
    let value = value.get("function").filter(|inner| matches!(inner.node, Node::Object(_))).unwrap_or(value);
    // With two names or two sets of arguments, the meaning is unclear.
    if count(value, &NAMES) != 1 || count(value, &ARGUMENTS) != 1 || is_definition(value) {
        return None;
    }
    let sent = NAMES.iter().find_map(|key| value.get(key)?.as_str())?;
    let advertised = |name: &str| is_advertised(name).then(|| name.to_owned());
    let (name, renamed) =
        match find_tool(sent, advertised, |name| advertised(name).map(|name| (name, ())).into_iter().collect()) {
            Named::Exact(name) => (name, None),
            Named::BeforeToken(name) => (name, tool_name(sent).map(|(_, repair)| repair)),
            Named::Spelled(mut found) if found.len() == 1 => {
                let (name, ()) = found.pop()?;
                let repair = Repair::tool_name(sent, name.clone().into());
                (name, Some(repair))
            }
            Named::Spelled(_) => return None,
        };
    let arguments = ARGUMENTS.iter().find_map(|key| value.get(key))?.clone();
    // Only a string is unwrapped here: a single key `input` may belong to the tool.
    let (arguments, mut repairs) = unwrap("", arguments, |_| true);
    repairs.extend(renamed);
    let is_call = matches!(arguments.node, Node::Object(_));
    is_call.then(|| Called { name, arguments: arguments.into_owned(), repairs })
}
