//! `docs/attributes.md` has a row for every key that the macros know, at just the places where they take it, and no other row.
//!
//! In come the page and the sources of the macros, as text; what always holds: neither can gain or lose a key without the other.

use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../../docs/attributes.md");
const KEYS: &str = include_str!("../../tool-macros/src/parse/key.rs");

/// Where what serde knows of a type is read.
const READERS: [&str; 6] = [
    include_str!("../../tool-macros/src/derive.rs"),
    include_str!("../../tool-macros/src/check/field.rs"),
    include_str!("../../tool-macros/src/check/input.rs"),
    include_str!("../../tool-macros/src/check/payload.rs"),
    include_str!("../../tool-macros/src/check/variant.rs"),
    include_str!("../../tool-macros/src/parse/input.rs"),
];

/// What serde's own reader answers, and the attributes that it answers for.
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

/// Answers whose attributes stand elsewhere, and what for.
const MORE_ANSWERS: [(&str, &[&str]); 2] =
    [("identifier", &["field_identifier", "variant_identifier"]), ("is_packed", &[])];

/// The rows of the page: what stands in backticks in the first cell, and the places of the second. `of_serde` says of which table.
fn rows(of_serde: bool) -> impl Iterator<Item = (&'static str, BTreeSet<&'static str>)> {
    let (ours, serdes) = PAGE.split_once("## Attributes of serde").expect("the page has a part about serde");
    let lines = if of_serde { serdes } else { ours }.lines().filter(|line| line.starts_with("| `"));
    lines.map(|line| {
        let mut cells = line.trim_matches('|').split(" | ");
        let first = cells.next().expect("a row has a first cell");
        (first, cells.next().expect("a row has places").split(", ").map(str::trim).collect())
    })
}

/// `length` of `` `length(min = 1)` ``.
fn key(code: &str) -> &str {
    let end = code.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(code.len());
    &code[..end]
}

#[test]
fn each_key_has_a_row_with_its_places() {
    let table =
        KEYS.split_once("const KEYS").and_then(|(_, rest)| rest.split_once("];")).expect("there is a table of keys").0;
    let entries = table.lines().filter_map(|line| line.trim().strip_prefix("(\""));
    let known: BTreeMap<&str, BTreeSet<&str>> = entries
        .map(|entry| {
            let (key, places) = entry.split_once("\", &[").expect("a key has places");
            let places = places.trim_end_matches("]),").split(", ").map(|place| match place {
                "Container" => "type",
                "Variant" => "variant",
                "Field" => "field",
                "Parameter" => "parameter",
                "Function" => "function",
                "Block" => "block",
                "Inner" => "items",
                other => panic!("the page has no word for {other}"),
            });
            (key, places.collect())
        })
        .collect();
    assert!(known.len() > 30, "only {} keys were read", known.len());
    let described: Vec<_> =
        rows(false).map(|(first, places)| (key(first.trim().trim_start_matches('`')), places)).collect();
    assert_eq!(
        described.len(),
        described.iter().map(|(key, _)| key).collect::<BTreeSet<_>>().len(),
        "a key has two rows"
    );
    assert_eq!(described.into_iter().collect::<BTreeMap<_, _>>(), known);
}

#[test]
fn each_attribute_of_serde_that_is_read_has_a_row() {
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
                    .then(|| panic!("the page says nothing of what `{asked}` answers for"))
            })
        })
        .flatten()
        .copied()
        .collect();
    let described: BTreeSet<&str> = rows(true).flat_map(|(first, _)| first.split('`').skip(1).step_by(2)).collect();
    assert_eq!(described, read);
}
