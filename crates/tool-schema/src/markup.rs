//! Finds parameters that a model wrote as markup inside the text of another parameter: [`swallowed`].
//!
//! If a server loses the end of a parameter in the markup of Claude, Qwen or GLM, the parameters after it become part of its text:
//! `{"content": "See you.</content>\n<parameter name=\"metadata\">…"}`.

use std::collections::HashSet;

use crate::json::Json;

/// The maximum length of a tag.
const LONGEST: usize = 200;

/// Returns `true` if a text may contain the markup of a parameter. This is a cheap test.
pub fn may_have(text: &str) -> bool {
    text.contains("<parameter") || text.contains("<arg_key>")
}

/// Returns the parameters whose markup is inside the text of another one, each as the name of that other parameter and its own.
/// `is_absent` returns `true` for names of parameters that were not sent. Markup in a code fence does not count.
pub fn swallowed<'j>(arguments: &'j Json<'_>, is_absent: impl Fn(&str) -> bool) -> Vec<(&'j str, &'j str)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for member in arguments.members() {
        let Some(text) = member.value.as_str().filter(|text| may_have(text)) else { continue };
        // Every second part of the text is in a fence.
        for part in text.split("```").step_by(2) {
            let tags = part.split('<').skip(1).filter_map(tag);
            found.extend(tags.filter(|name| is_absent(name) && seen.insert(*name)).map(|name| (&*member.key, name)));
        }
    }
    found
}

/// Returns the name of the parameter that a tag opens: `parameter name="…">` (Claude), `parameter=…>` (Qwen), `arg_key>…<` (GLM). `after`
/// is the text from the beginning of the tag to the next one.
fn tag(after: &str) -> Option<&str> {
    if let Some(name) = after.strip_prefix("arg_key>") {
        return Some(name.trim());
    }
    let inner = after.strip_prefix("parameter")?;
    let longest = inner.char_indices().nth(LONGEST).map_or(inner, |(index, _)| &inner[..index]);
    let attributes = longest.split_once('>').map_or(longest, |(attributes, _)| attributes);
    if let Some(name) = attributes.strip_prefix('=') {
        return Some(name.trim());
    }
    let (_, value) = attributes.split_once(" name")?;
    let value = value.trim_start().strip_prefix('=')?.trim_start();
    match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split_once(quote).map(|(name, _)| name),
        _ => value.split_whitespace().next(),
    }
}
