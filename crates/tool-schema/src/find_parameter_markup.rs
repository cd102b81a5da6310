//! Finds parameters that a model wrote as markup inside the text of another parameter: [`swallowed`].
//!
//! If a server loses the end of a parameter in the markup of Claude, Qwen or GLM, the parameters after it become part of its text:
//! `{"content": "See you.</content>\n<parameter name=\"metadata\">…"}`.

use std::collections::HashSet;

use crate::json::Json;

/// The maximum length of a tag.
const LONGEST: usize = 200;

/// The maximum length of a namespace before the name of a tag.
const LONGEST_PREFIX: usize = 24;

/// Returns `true` if a text may contain the markup of a parameter. This is a cheap test.
pub fn may_contain_parameter_markup(text: &str) -> bool {
    text.contains('<') && (text.contains("parameter") || text.contains("arg_key>"))
}

/// Returns the parameters whose markup is inside the text of another one, at any depth, each as the name of that other parameter and its
/// own. `is_absent` returns `true` for names of parameters that were not sent. Markup in a closed code fence does not count.
pub fn swallowed<'j>(arguments: &'j Json<'_>, is_absent: impl Fn(&str) -> bool) -> Vec<(&'j str, &'j str)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut open: Vec<_> = arguments.members().iter().rev().map(|member| (&*member.key, &member.value)).collect();
    while let Some((field, value)) = open.pop() {
        open.extend(value.members().iter().rev().map(|member| (field, &member.value)));
        open.extend(value.items().iter().rev().map(|item| (field, item)));
        let Some(text) = value.as_str().filter(|text| may_contain_parameter_markup(text)) else { continue };
        for part in outside_of_fences(text) {
            let tags = part.split('<').skip(1).filter_map(tag);
            found.extend(tags.filter(|name| is_absent(name) && seen.insert(*name)).map(|name| (field, name)));
        }
    }
    found
}

/// Returns the parts of a text that are not in a closed code fence.
fn outside_of_fences(text: &str) -> impl Iterator<Item = &str> {
    let last = text.matches("```").count();
    text.split("```").enumerate().filter(move |(index, _)| index % 2 == 0 || *index == last).map(|(_, part)| part)
}

/// Returns the name of the parameter that a tag opens: `parameter name="…">` (Claude), `parameter=…>` (Qwen), `arg_key>…<` (GLM). The name
/// of the tag may have a namespace before it. `after` is the text from the beginning of the tag to the next one.
fn tag(after: &str) -> Option<&str> {
    if let Some(name) = after.trim_start().strip_prefix("arg_key>") {
        return Some(name.trim());
    }
    let (namespace, inner) = after.split_once("parameter")?;
    let namespace = namespace.trim();
    if namespace.len() > LONGEST_PREFIX || !(namespace.is_empty() || namespace.ends_with([':', '|', '｜'])) {
        return None;
    }
    let longest = inner.char_indices().nth(LONGEST).map_or(inner, |(index, _)| &inner[..index]);
    let attributes = longest.split_once('>').map_or(longest, |(attributes, _)| attributes);
    if let Some(name) = attributes.trim_start().strip_prefix('=') {
        return Some(name.trim());
    }
    attributes.match_indices("name").find_map(|(at, name)| {
        let is_apart = attributes[..at].ends_with(char::is_whitespace);
        let value = attributes[at + name.len()..].trim_start().strip_prefix('=').filter(|_| is_apart)?.trim_start();
        match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split_once(quote).map(|(name, _)| name),
            _ => value.split_whitespace().next(),
        }
    })
}
