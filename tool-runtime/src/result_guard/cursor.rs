//! The argument that requests another part of a tool's result: [`cursor`].

use super::repeated_path_parts::last_word;
use crate::shape::{Kind, Object, Shape, Text};

/// The tool that returned the result.
pub(crate) struct Subject<'t> {
    pub(crate) tool: &'t str,
    /// The argument that requests another part of the result.
    pub(crate) cursor: Option<&'t str>,
}

/// Last words in the names of arguments that specify where a part begins, as in `page` and `pageCursor`.
const WORDS: [&str; 4] = ["cursor", "offset", "page", "skip"];
/// Complete names of such arguments, in lower case without separators.
const NAMES: [&str; 8] = [
    "pagetoken",
    "nextpagetoken",
    "nexttoken",
    "continuationtoken",
    "pagenumber",
    "startline",
    "startindex",
    "startingafter",
];

/// Returns the name of the first argument in the schema that specifies where a part of the result begins.
pub(crate) fn cursor(input: &Shape) -> Option<Text> {
    let Kind::Object(Object { fields, .. }) = &input.kind else { return None };
    let field = fields.iter().find(|field| !field.flatten && !field.hidden && is_cursor(&field.name));
    field.map(|field| field.name.clone())
}

fn is_cursor(name: &str) -> bool {
    let last = last_word(name);
    if WORDS.iter().any(|word| word.eq_ignore_ascii_case(last)) {
        return true;
    }
    let letters = || name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase());
    NAMES.iter().any(|known| letters().eq(known.bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_are_recognized_by_their_names() {
        for name in ["cursor", "page", "offset", "pageCursor", "next_page_token", "pageToken", "start_line", "SKIP"] {
            assert!(is_cursor(name), "{name}");
        }
        for name in ["pages", "page_size", "limit", "start", "token", "from", "offsets", "homepage", "skip_tests"] {
            assert!(!is_cursor(name), "{name}");
        }
    }
}
