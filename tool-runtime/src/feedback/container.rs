//! What a container says of itself: before it is expanded, and once it is (WIRE §3).

use crate::bounded::{self, DESCRIPTION};
use crate::failure::Names;
use crate::json::{Number, Writer};
use crate::visible::BREAKS;

/// How many members a description and an expansion name.
const DESCRIBED: usize = 10;
const EXPANDED: usize = 20;
/// The number of similar names that an expansion suggests.
const NEAR: usize = 3;
const INSTRUCTIONS: usize = 2_000;

/// The description of a container as the model sees it before expansion, at most 1,024 characters.
///
/// It names ten members, fewer where there is no room beside `doc`, and always one; then `doc` itself is truncated.
pub fn container_description<'n>(doc: &str, members: impl IntoIterator<Item = &'n str>) -> String {
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
    // The list is shortened before the author's words, which stay whole where one name fits beside them.
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

/// `Contains 7 functions: add, abs, … and 5 more`
fn contents(members: &Names) -> String {
    match members.shown.len() + members.omitted {
        0 => "Contains no functions".to_owned(),
        1 => format!("Contains 1 function: {}", listed(members)),
        count => format!("Contains {count} functions: {}", listed(members)),
    }
}

/// The answer to a call that expanded a container: which functions there are now, and the author's instructions where there are some.
pub fn expansion_text<'n>(
    name: &str,
    functions: impl IntoIterator<Item = &'n str>,
    instructions: Option<&str>,
) -> String {
    expansion(name, functions, [], instructions, None)
}

/// Returns the expansion with the names that are `near` to a called name that no member has. If the members are called through another tool, it
/// contains the name of that tool, and the definitions of the members as a JSON array.
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
            // One line; the writer escapes the rest.
            let line = instructions.replace(BREAKS, " ");
            object.string("instructions", &bounded::exact_text(&line, INSTRUCTIONS));
        }
        if let Some((_, definitions)) = through {
            object.raw("definitions", definitions);
        }
    });
    text
}

/// `add, abs, … and 2 more`
fn listed(names: &Names) -> String {
    names.listed(|omitted| format!("… and {omitted} more"))
}
