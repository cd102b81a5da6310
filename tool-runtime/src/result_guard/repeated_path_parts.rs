//! Finds paths with a repeated part in arguments. They arise if a model joins a directory and a path that already contains this directory.
//!
//! Invariants: the name of an argument decides whether it is a path; `..` and numbers (as in dates) do not count as parts; arguments are
//! only parsed if their text contains a repeated part.

#![allow(clippy::needless_bitwise_bool)] // Without branches, many bytes are compared in one step.

use super::byte_search::any;
use crate::input::Arguments;
use crate::json::{Json, Node};
use crate::shape::{Kind, Object, Shape, UnknownKeys};

/// The last words in the names of arguments that are paths.
const NAMES: [&str; 12] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filenames",
    "filepath",
    "filepaths",
    "dir",
    "directory",
    "folder",
    "dirs",
];

/// The maximum length of a path.
const LONGEST: usize = 4_096;

/// Returns `true` if arguments may contain such a path.
#[inline]
pub(super) fn may_have(arguments: &Arguments<'_>) -> bool {
    match arguments {
        Arguments::Text(text) => is_doubled(text.as_bytes()),
        Arguments::Bytes(bytes) => is_doubled(bytes),
        Arguments::Value(_) | Arguments::Map(_) => doubtful(arguments).is_some(),
    }
}

/// Returns `true` if a part of the text equals one of the two parts before it.
fn is_doubled(text: &[u8]) -> bool {
    if !any(text, |byte| (byte == b'/') | (byte == b'\\')) {
        return false;
    }
    let (mut last, mut before): (&[u8], &[u8]) = (&[], &[]);
    for part in text.split(|byte| matches!(byte, b'/' | b'\\' | b'"')).filter(|part| !part.is_empty()) {
        if part == last || part == before {
            return true;
        }
        (before, last) = (last, part);
    }
    false
}

/// Returns the first path with a repeated part.
pub(super) fn doubtful(arguments: &Arguments<'_>) -> Option<String> {
    let json = arguments.to_json().ok()?;
    let named = json.members().iter().filter(|member| names_path(&member.key));
    named.flat_map(|member| texts(&member.value)).find(|path| has_duplicate(path)).map(ToOwned::to_owned)
}

fn texts<'j>(json: &'j Json<'_>) -> impl Iterator<Item = &'j str> {
    let items = if let Node::Array(items) = &json.node { items.as_slice() } else { std::slice::from_ref(json) };
    items.iter().filter_map(|item| match &item.node {
        Node::String(text) => Some(&**text),
        _ => None,
    })
}

/// Returns `true` if an argument of a tool can be a path, or if the tool accepts unknown arguments.
pub(super) fn may_be_named(input: &Shape) -> bool {
    let Kind::Object(Object { fields, unknown: UnknownKeys::Rejected }) = &input.kind else { return true };
    fields
        .iter()
        .any(|field| field.flatten || names_path(&field.name) || field.aliases.iter().any(|alias| names_path(alias)))
}

/// Returns `true` if the last word of a name is one of [`NAMES`], as in `path`, `output_path`, `outputPath` and `FILE`.
fn names_path(name: &str) -> bool {
    let last = last_word(name);
    NAMES.iter().any(|word| word.eq_ignore_ascii_case(last))
}

/// Returns the last word of a name in any case style.
pub(super) fn last_word(name: &str) -> &str {
    let is_start = |(index, character): (usize, char)| {
        let before = name[..index].chars().next_back();
        character.is_uppercase() && before.is_some_and(char::is_lowercase)
            || matches!(before, Some('_' | '-' | '.' | ' '))
    };
    let last = name.char_indices().rfind(|&at| is_start(at)).map(|(index, _)| index).unwrap_or_default();
    &name[last..]
}

fn has_duplicate(path: &str) -> bool {
    if path.len() > LONGEST || path.contains("://") || !path.contains(['/', '\\']) {
        return false;
    }
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    let is_name = |part: &str| part != ".." && part.chars().any(char::is_alphabetic);
    let twice = parts.windows(2).any(|pair| pair[0] == pair[1] && is_name(pair[0]));
    // Matches `a/b/a/b`.
    let together = |four: &[&str]| four[..2] == four[2..] && four.iter().all(|part| is_name(part));
    twice || parts.windows(4).any(together)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Field, Ref, Text, plain_field};

    #[test]
    fn arguments_are_paths_by_their_last_word() {
        for name in ["path", "file_path", "filePath", "output-dir", "FILE", "Folder", "paths", "a.directory"] {
            assert!(names_path(name), "{name}");
        }
        for name in ["", "profile", "xpath", "path_count", "direction", "url", "filed", "é"] {
            assert!(!names_path(name), "{name}");
        }
    }

    #[test]
    fn a_tool_may_have_a_path_by_the_names_of_its_arguments() {
        let field = |name| plain_field(Text::from_static(name), Text::EMPTY, Ref::Static(Shape::ANY), false);
        let takes = |field: Field, unknown| {
            let shape = Shape::new(Kind::Object(Object { fields: vec![field].into(), unknown }));
            may_be_named(&shape)
        };
        assert!(takes(field("path"), UnknownKeys::Rejected) && takes(field("outputDir"), UnknownKeys::Rejected));
        assert!(takes(Field { aliases: vec!["file".into()].into(), ..field("source") }, UnknownKeys::Rejected));
        assert!(takes(Field { flatten: true, ..field("rest") }, UnknownKeys::Rejected));
        assert!(takes(field("city"), UnknownKeys::Ignored) && may_be_named(Shape::ANY));
        assert!(!takes(field("city"), UnknownKeys::Rejected));
    }

    #[test]
    fn accidental_repetitions_are_found() {
        for path in [
            "src/src/tools",
            "/w/src/src",
            r"C:\src\src\x",
            "app/web/app/web/x.rs",
            "src//src/a",
            "src/./src/a",
            "a2ia/a2ia/tools/filesystem_tools.py",
            "django/django/urls.py",
            "v2/v2/x",
            "données/données/x",
            "a/a/a/a",
        ] {
            assert!(has_duplicate(path), "{path}");
        }
    }

    #[test]
    fn intended_repetitions_are_not_found() {
        for path in [
            "foo/foo.py",
            "foo/Foo",
            "../../a",
            "././a",
            "**/**/x.rs",
            "1/1/2",
            "2024/12/12/notes.md",
            "2024/01/2024/01",
            "https://x/src/src",
            "src/lib/src",
            "src",
            "node_modules/a/node_modules/b",
        ] {
            assert!(!has_duplicate(path), "{path}");
        }
    }

    #[test]
    fn the_quick_check_misses_nothing() {
        for (arguments, expect) in [
            (r#"{"path":"src/src/tools"}"#, true),
            (r#"{"n":1,"paths":["a","app/web/app/web"]}"#, true),
            (r#"{"path":"C:\\src\\src"}"#, true),
            (r#"{"path":"src/tools","dir":"src/tools"}"#, false),
        ] {
            let arguments = Arguments::from(arguments);
            assert_eq!(doubtful(&arguments).is_some(), expect, "{arguments:?}");
            assert!(!expect || may_have(&arguments), "{arguments:?}");
        }
    }
}
