//! The texts of containers: their descriptions, and the answers to expansions (see `docs/wire.md`).

use std::borrow::Cow;

use crate::bounded::{self, DESCRIPTION};
use crate::failure::Names;
use crate::json::{Number, Writer};
use crate::shape::Text;
use crate::visible::VISIBLE_WHITESPACE;

/// The maximum number of members in a description.
const DESCRIBED: usize = 10;
/// The maximum number of members in the answer to an expansion.
const EXPANDED: usize = 20;
/// The maximum number of similar names in the answer to an expansion.
const NEAR: usize = 3;
/// The maximum number of bytes of the instructions.
const INSTRUCTIONS: usize = 2_000;

/// Returns the description of a collapsed container for the model, at most 1,024 characters.
///
/// The description is `doc` with the names of at most ten members. If it is too long, fewer members are named, but at least one. If it is
/// still too long, `doc` is truncated.
pub fn description_with_members<'n>(doc: &str, members: impl IntoIterator<Item = &'n str>) -> String {
    let mut members = Names::new(members, DESCRIBED);
    let mut contents = contents(&members);
    let doc = doc.trim_end();
    let separator = match doc.chars().next_back() {
        None => "",
        Some('.' | '!' | '?') => " ",
        Some(_) => ". ",
    };
    let length = |text: &str| text.chars().count();
    let is_long = |contents: &str| length(doc) + separator.len() + length(contents) > DESCRIPTION;
    // The list of names is shortened first, so that the author's text stays complete if there is room for it and one name.
    while is_long(&contents) && members.shown.len() > 1 {
        members.shown.pop();
        members.omitted += 1;
        contents = self::contents(&members);
    }
    if is_long(&contents) {
        let doc: String = doc.chars().take(DESCRIPTION.saturating_sub(length(&contents) + 2)).collect();
        return format!("{doc}… {contents}");
    }
    format!("{doc}{separator}{contents}")
}

/// Returns, for example, `Contains 7 functions: add, abs, … and 5 more`.
fn contents(members: &Names) -> String {
    match members.shown.len() + members.omitted {
        0 => "Contains no functions".to_owned(),
        1 => format!("Contains 1 function: {}", listed(members)),
        count => format!("Contains {count} functions: {}", listed(members)),
    }
}

/// Returns the answer to a call that expanded a container: its functions, and the author's instructions if there are any.
pub fn expansion_text<'n>(
    name: &str,
    functions: impl IntoIterator<Item = &'n str>,
    instructions: Option<&str>,
) -> String {
    expansion(name, functions, [], instructions, None)
}

/// Returns the answer to an expansion. `near` are the members with names similar to a called name that does not exist. If the members are
/// called through another tool, the answer contains the name of that tool, and the definitions of the members as a JSON array.
pub(crate) fn expansion<'n>(
    name: &str,
    functions: impl IntoIterator<Item = &'n str>,
    near: impl IntoIterator<Item = &'n str>,
    instructions: Option<&str>,
    through: Option<(&str, &str)>,
) -> String {
    let functions = Names::new(functions, EXPANDED);
    let mut text = String::new();
    Writer::new(&mut text).object(|object| {
        object.string("expanded", name);
        object.array("functions", &functions.shown, |item, name| item.string(name));
        if functions.omitted > 0 {
            object.number("omitted", Number::Integer(functions.omitted as i128));
        }
        let near = Names::new(near, NEAR);
        if !near.shown.is_empty() {
            object.array("did_you_mean", &near.shown, |item, name| item.string(name));
        }
        let how = through.map_or_else(|| "directly".to_owned(), |(tool, _)| format!("through {tool}"));
        let message = format!("{name} expanded. Functions: {}. Call them {how}.", listed(&functions));
        object.string("message", &message);
        if let Some(instructions) = instructions {
            // The instructions become one line; the writer escapes other characters.
            let line = instructions.replace(VISIBLE_WHITESPACE, " ");
            object.string("instructions", &bounded::exact_text(&line, INSTRUCTIONS));
        }
        if let Some((_, definitions)) = through {
            object.json_text("definitions", definitions);
        }
    });
    text
}

/// Returns the answer to a search: the found tools, the number of found tools that are not shown, and the instructions of their containers.
/// If the tools are called through another tool, the answer contains the name of that tool, and the definitions as a JSON array.
pub(crate) fn found_text(
    found: &[&Text],
    omitted: usize,
    instructions: &[(&str, Cow<'_, str>)],
    through: Option<(&str, &str)>,
) -> String {
    let mut text = String::new();
    Writer::new(&mut text).object(|object| {
        object.array("found", found, |item, name| item.string(name));
        if omitted > 0 {
            object.number("omitted", Number::Integer(omitted as i128));
        }
        let how = through.map_or_else(|| "directly".to_owned(), |(tool, _)| format!("through {tool}"));
        let listed = found.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
        let message = match found.len() {
            0 => "No tool was found. Describe in other words what the tool should do.".to_owned(),
            1 => format!("Found 1 tool: {listed}. Call it {how}."),
            count => format!("Found {count} tools: {listed}. Call them {how}."),
        };
        object.string("message", &message);
        if !instructions.is_empty() {
            let most = INSTRUCTIONS / instructions.len();
            object.known("instructions").object(|object| {
                for (container, instructions) in instructions {
                    let line = instructions.replace(VISIBLE_WHITESPACE, " ");
                    object.string(container, &bounded::exact_text(&line, most));
                }
            });
        }
        if let Some((_, definitions)) = through {
            object.json_text("definitions", definitions);
        }
    });
    text
}

/// Returns, for example, `add, abs, … and 2 more`.
fn listed(names: &Names) -> String {
    names.listed(|omitted| format!("… and {omitted} more"))
}
