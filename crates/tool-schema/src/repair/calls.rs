//! Tool calls that a model wrote into its text.
//!
//! In comes the text and a question, whether a name is advertised; out go the calls with the stretch of text that each stands in. Read are
//! `<tool_call>…</tool_call>` and its kin, code fences, and a text that is nothing but calls. What always holds: a name that is not advertised is
//! never called, and neither is what was cut off, nor JSON that a sentence quotes.

use super::{Repair, RepairRule, read, tool_name, unwrap};
use crate::json::{Json, Node, Span};

/// The tags in which templates put a call: Hermes and Qwen, Granite, and the words of providers.
const TAGS: [&str; 4] = ["tool_call", "function_call", "tool_use", "invoke"];
/// Keys for the name of the tool.
const NAMES: [&str; 5] = ["name", "tool", "function", "tool_name", "function_name"];
/// Keys for the arguments.
const ARGUMENTS: [&str; 6] = ["arguments", "parameters", "input", "args", "params", "tool_input"];

/// A call that was written as text.
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
    /// The arguments, which are an object.
    pub arguments: Json<'static>,
    /// The stretch of the text, tags or fence included, that the call stands in. Calls of one list share it.
    pub span: Span,
    /// Why it is a call, then what was mended in it, with spans in the whole text.
    pub repairs: Vec<Repair>,
}

impl TextCall {
    /// Hides what the ledger repeats of arguments that may hold a secret.
    pub(crate) fn redact(&mut self) {
        self.repairs.iter_mut().for_each(Repair::redact);
    }
}

/// The calls that a text holds, of advertised tools only, in the order of the text.
///
/// A call is an object with a name (`name`, `tool`, `function`) and arguments (`arguments`, `parameters`, `input`, …), or `OpenAI`'s `{"function": {…}}`, or a list of them. Where
/// there are tags, only what stands in tags counts; else fences; else the whole text. Each of these must hold nothing but calls: JSON in a sentence
/// or in inline code is quoted, not called.
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
        // JSON that a sentence quotes is no call.
        let Some(value) = reading.value_alone() else { continue };
        let items = if let Node::Array(items) = &value.node { items.as_slice() } else { std::slice::from_ref(value) };
        // Each line of the ledger belongs to the item that ends behind it, so that a long list does not repeat it.
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

/// A stretch with its marks, and what is between them.
type Region = (usize, usize, usize, usize);

/// What stands in tags. A tag that is not closed holds the beginning of a call.
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
        // Inline code and quotes name the tag.
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

/// What stands in fences of three backticks or tildes or more, each on a line of its own.
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
            // A fence inside of a fence of the other kind.
            Some(_) => {}
        }
    }
    regions
}

/// How many members of an object have one of these keys.
fn count(value: &Json<'_>, keys: &[&str]) -> usize {
    value.members().iter().filter(|member| keys.contains(&&*member.key)).count()
}

/// Whether an object describes a tool, or its parameters by a JSON Schema, rather than a call of it.
fn is_definition(value: &Json<'_>) -> bool {
    let is_object = |value: &Json<'_>, key: &str| matches!(value.get(key), Some(Json { node: Node::Object(_), .. }));
    let is_schema = |value: &Json<'_>| {
        value.get("type").is_some_and(|kind| kind.as_str() == Some("object")) && is_object(value, "properties")
    };
    let arguments = ARGUMENTS.iter().find_map(|key| value.get(key));
    value.get("description").is_some() || arguments.is_some_and(is_schema)
}

/// One call, taken out of the object that says it.
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
    // Of two names, or arguments that are given twice, nobody can tell which is meant.
    if count(value, &NAMES) != 1 || count(value, &ARGUMENTS) != 1 || is_definition(value) {
        return None;
    }
    let sent = NAMES.iter().find_map(|key| value.get(key)?.as_str())?;
    let (name, renamed) =
        if is_advertised(sent) { (sent, None) } else { tool_name(sent).map(|(name, repair)| (name, Some(repair)))? };
    let arguments = ARGUMENTS.iter().find_map(|key| value.get(key))?.clone();
    // Only a string can be a layer here: a single key `input` may be the tool's own.
    let (arguments, mut repairs) = unwrap(arguments, |_| true);
    repairs.extend(renamed);
    let is_call = is_advertised(name) && matches!(arguments.node, Node::Object(_));
    is_call.then(|| Called { name: name.to_owned(), arguments: arguments.into_owned(), repairs })
}
