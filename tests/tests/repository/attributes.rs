//! Checks that `tool-runtime/docs/attributes.md` has a row for every attribute of serde that the macros read, and no others. The sources of
//! the macros are searched as text. A unit test of `tool-macros` compares the rows of our own keys.

use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../../../tool-runtime/docs/attributes.md");

/// The files that read the attributes of serde.
const READERS: [&str; 6] = [
    include_str!("../../../tool-macros/src/derive.rs"),
    include_str!("../../../tool-macros/src/check/field.rs"),
    include_str!("../../../tool-macros/src/check/input.rs"),
    include_str!("../../../tool-macros/src/check/payload.rs"),
    include_str!("../../../tool-macros/src/check/variant.rs"),
    include_str!("../../../tool-macros/src/parse/input.rs"),
];

/// The questions to serde's parser, and the attributes that decide each answer.
const ANSWERS: [(&str, &[&str]); 14] = [
    ("name", &["rename", "rename_all", "rename_all_fields"]),
    ("aliases", &["alias"]),
    ("default", &["default"]),
    ("skip_deserializing", &["skip", "skip_deserializing"]),
    ("flatten", &["flatten"]),
    ("deny_unknown_fields", &["deny_unknown_fields"]),
    ("transparent", &["transparent"]),
    ("type_from", &["from"]),
    ("type_try_from", &["try_from"]),
    ("tag", &["tag", "content", "untagged"]),
    ("untagged", &["untagged"]),
    ("other", &["other"]),
    ("deserialize_with", &["with", "deserialize_with", "borrow"]),
    ("remote", &["remote"]),
];

/// Questions that other attributes decide, and the reason.
const MORE_ANSWERS: [(&str, &[&str]); 2] =
    [("identifier", &["field_identifier", "variant_identifier"]), ("is_packed", &[])];

/// Returns the key of an attribute: `length` for `` `length(min = 1)` ``.
fn key(code: &str) -> &str {
    let end = code.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(code.len());
    &code[..end]
}

#[test]
fn every_serde_attribute_that_the_macros_read_has_a_row() {
    let answers: BTreeMap<&str, &[&str]> = ANSWERS.into_iter().chain(MORE_ANSWERS).collect();
    let asked: BTreeSet<&str> = READERS
        .iter()
        .flat_map(|source| source.split("attrs.").skip(1))
        .map(key)
        .filter(|asked| !asked.is_empty())
        .collect();
    let read: BTreeSet<&str> = asked
        .into_iter()
        .filter_map(|asked| {
            answers.get(asked).copied().or_else(|| {
                (!asked.starts_with(char::is_uppercase))
                    .then(|| panic!("the page has no row for the answers of `{asked}`"))
            })
        })
        .flatten()
        .copied()
        .collect();
    let (_, serdes) = PAGE.split_once("## Attributes of serde").expect("the page has a part about serde");
    let rows = serdes.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let described: BTreeSet<&str> = rows.flat_map(|first| first.split('`').step_by(2)).collect();
    assert_eq!(described, read);
}
