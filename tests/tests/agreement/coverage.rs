//! Checks that every attribute that the macros read has a row. The attributes are found in the source of the macros, and compared with the
//! source of the rows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tests::rows::{outside, rows};

/// The questions of the macros to serde's parser of attributes, and the keys that decide each answer. A question without keys leads to an
/// error, or is about the type and not about its attributes.
const ANSWERS: &[(&str, &[&str])] = &[
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
    ("other", &["other"]),
    ("untagged", &["untagged"]),
    ("deserialize_with", &["deserialize_with"]),
    ("de_bound", &["bound"]),
    ("custom_serde_path", &["crate"]),
    ("remote", &[]),
    ("identifier", &[]),
    ("is_packed", &[]),
];

/// The attributes of a variant or its fields, for each representation of serde. serde rejects `other` without a tag.
const IN_ENUMS: &[&str] =
    &["rename", "rename_all", "rename_all_fields", "alias", "default", "skip", "flatten", "deny_unknown_fields"];

fn macro_sources() -> Vec<String> {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the macro's source is there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() { collect(&path, files) } else { files.push(path) }
        }
    }
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-macros/src"), &mut files);
    files.iter().map(|file| fs::read_to_string(file).expect("source is text")).collect()
}

/// Returns the names after each occurrence of a word in a text.
fn names_after<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(word).map(move |(index, _)| {
        let rest = &text[index + word.len()..];
        &rest[..rest.find(|other: char| !(other.is_alphanumeric() || other == '_')).unwrap_or(rest.len())]
    })
}

/// Returns the keys of `#[serde(…)]` or `#[tool(…)]` in the source of a type.
fn keys(source: &str, attribute: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for (index, _) in source.match_indices(attribute) {
        let mut rest = source[index + attribute.len()..].trim_start();
        let Some(inside) = rest.strip_prefix('(') else { continue };
        rest = inside;
        let (mut depth, mut quoted, mut at_key) = (0, false, true);
        for (at, character) in rest.char_indices() {
            match character {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => {
                    depth += 1;
                    at_key = true;
                }
                ')' if depth == 0 => break,
                ')' | ']' | '}' => depth -= 1,
                ',' => at_key = true,
                first if at_key && (first.is_alphabetic() || first == '_') => {
                    let key = rest[at..].split(|other: char| !(other.is_alphanumeric() || other == '_')).next();
                    keys.extend(key.map(str::to_owned));
                    at_key = false;
                }
                _ => {}
            }
        }
    }
    keys
}

#[test]
fn every_serde_attribute_that_the_macro_reads_has_a_row() {
    let sources = macro_sources();
    // In other files, `attrs` are the attributes of a syntax tree.
    let reads_serde = |source: &&String| source.contains("serde_derive_internals");
    let asked: BTreeSet<&str> =
        sources.iter().filter(reads_serde).flat_map(|source| names_after(source, ".attrs.")).collect();
    assert!(asked.contains("flatten"), "the macro asks serde_derive_internals: {asked:?}");
    let written: BTreeSet<String> = rows().iter().chain(&outside()).flat_map(|row| keys(row.source, "serde")).collect();
    for question in asked {
        let answer = ANSWERS.iter().find(|(known, _)| *known == question);
        let (_, keys) =
            answer.unwrap_or_else(|| panic!("the macro asks serde for `{question}`: name its keys in `ANSWERS`"));
        let missing: Vec<_> = keys.iter().filter(|key| !written.contains(**key)).collect();
        assert!(missing.is_empty(), "no row has `#[serde({missing:?})]`");
    }
}

#[test]
fn every_tool_attribute_of_a_type_has_a_row() {
    let sources = macro_sources();
    let table = sources.iter().find_map(|source| source.split_once("const KEYS:")).expect("the table of keys").1;
    let table = table.split("\n];").next().unwrap_or_default();
    let of_a_type = |row: &&str| {
        let places = row.split_once("places: &[").and_then(|(_, rest)| rest.split(']').next()).unwrap_or_default();
        ["Field", "Variant", "Container", "Inner"].iter().any(|place| places.contains(place))
    };
    let rows_of_keys = table.split("Key {").skip(1).filter(of_a_type);
    let known: BTreeSet<&str> = rows_of_keys.flat_map(|row| names_after(row, "name: \"").take(1)).collect();
    assert!(known.contains("length") && known.len() >= 20, "the keys were found: {known:?}");
    let written: BTreeSet<String> = rows().iter().chain(&outside()).flat_map(|row| keys(row.source, "tool")).collect();
    let missing: Vec<_> = known.into_iter().filter(|key| !written.contains(*key)).collect();
    assert!(missing.is_empty(), "no row has `#[tool({missing:?})]`");
}

#[test]
fn every_attribute_of_variants_has_a_row_in_every_representation() {
    // The compiler prints the source with different line breaks.
    let representation = |source: &str| {
        let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((head, _)) = source.split_once("enum ") else { return "struct" };
        match (head.contains("tag ="), head.contains("content =")) {
            (true, true) => "adjacent",
            (true, false) => "internal",
            (false, _) if head.contains("untagged") => "untagged",
            (false, _) => "external",
        }
    };
    let rows = rows();
    for wanted in ["external", "internal", "adjacent", "untagged"] {
        let of_it = rows.iter().filter(|row| representation(row.source) == wanted);
        let written: BTreeSet<String> = of_it.flat_map(|row| keys(row.source, "serde")).collect();
        let also: &[&str] = if wanted == "untagged" { &[] } else { &["other", "untagged"] };
        let missing: Vec<_> = IN_ENUMS.iter().chain(also).filter(|key| !written.contains(**key)).collect();
        assert!(missing.is_empty(), "no {wanted} enum has `#[serde({missing:?})]`");
    }
}
