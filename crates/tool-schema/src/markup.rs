//! Finds parameters that a model wrote as markup inside the text of another parameter: [`swallowed`].
//!
//! If a server loses the end of a parameter in the markup of Claude, Qwen or GLM, the parameters after it become part of its text:
//! `{"content": "See you.</content>\n<parameter name=\"metadata\">…"}`.

use crate::json::Json;

/// The beginnings and ends of the markup around the name of a parameter: Claude, Qwen, GLM.
const MARKS: [(&str, &str); 3] = [("<parameter name=\"", "\""), ("<parameter=", ">"), ("<arg_key>", "</arg_key>")];

/// The maximum length of a name.
const LONGEST: usize = 64;

/// Returns `true` if a text may contain the markup of a parameter. This is a cheap test.
pub fn may_have(text: &str) -> bool {
    text.contains("<parameter") || text.contains("<arg_key>")
}

/// Returns the parameters whose markup is inside the text of another one, each as the name of that other parameter and its own.
/// `is_absent` returns `true` for names of parameters that were not sent.
pub fn swallowed<'j>(arguments: &'j Json<'_>, is_absent: impl Fn(&str) -> bool) -> Vec<(&'j str, &'j str)> {
    let mut found = Vec::new();
    for member in arguments.members() {
        let Some(text) = member.value.as_str().filter(|text| may_have(text)) else { continue };
        for (begin, end) in MARKS {
            let names = text.split(begin).skip(1).filter_map(|rest| {
                let longest = rest.char_indices().nth(LONGEST).map_or(rest, |(index, _)| &rest[..index]);
                longest.split_once(end).map(|(name, _)| name)
            });
            for name in names.filter(|name| is_absent(name)) {
                if !found.iter().any(|(_, known)| *known == name) {
                    found.push((&*member.key, name));
                }
            }
        }
    }
    found
}
