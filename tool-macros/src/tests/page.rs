//! Compares the tables in `attributes.md` and `tool-attributes.md` of `tool-runtime/docs` with the table of keys; `UPDATE_GOLDEN=1` writes
//! the pages.

use std::collections::BTreeSet;
use std::path::Path;

use crate::parse::{KEYS, Key, Place};

/// A table: its name in `keys.txt`, the heading above it, and the names of its columns.
type Section = (&'static str, &'static str, &'static [&'static str]);

/// The pages, each with its tables.
const PAGES: [(&str, &[Section]); 2] = [
    (
        "attributes.md",
        &[
            ("Rules", "Rules", &["key", "on", "schema", "check", "hint", "rejected"]),
            ("Values", "Meaning and presentation", &["key", "on", "schema", "check", "hint", "default and rejections"]),
        ],
    ),
    (
        "tool-attributes.md",
        &[
            (
                "Functions",
                "Parameters and functions",
                &["key", "on", "schema", "check", "hint", "default and rejections"],
            ),
            ("Containers", "Containers", &["key", "on", "schema", "check", "hint", "default and rejections"]),
            ("Errors", "Errors of tools", &["key", "on", "the call is answered with"]),
        ],
    ),
];

/// Returns the page's word for a kind of item.
fn word(place: Place) -> &'static str {
    match place {
        Place::Container => "type",
        Place::Variant => "variant",
        Place::Field => "field",
        Place::Parameter => "parameter",
        Place::Inner => "items",
        Place::Function => "function",
        Place::Block => "block",
        Place::Error => "error",
        Place::Case => "variant of an error",
    }
}

fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A row of a table: the key, the table, and the cells from `parse/keys.txt`.
struct Row {
    key: &'static Key,
    table: &'static str,
    cells: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let blocks = include_str!("../parse/keys.txt").split("\n\n").skip(1);
    let blocks: Vec<Vec<&str>> = blocks.map(|block| block.lines().collect()).collect();
    assert_eq!(blocks.len(), KEYS.len(), "`keys.txt` needs a block for each key");
    let row = |(key, block): (&'static Key, Vec<&'static str>)| {
        let (name, of) = block[0].split_once(' ').expect("a block begins with the key and its table");
        assert_eq!(name, key.name, "the order of `keys.txt`");
        Row { key, table: of, cells: block[1..].iter().map(|cell| cell.trim_start()).collect() }
    };
    KEYS.iter().zip(blocks).map(row).collect()
}

fn written(table: &str, columns: &[&str]) -> String {
    let rows = rows().into_iter().filter(|row| row.table == table).map(|Row { key, cells, .. }| {
        let places: Vec<&str> = key.places.iter().map(|place| word(*place)).collect();
        let [first, rest @ ..] = &cells[..] else { panic!("`{}` has no row", key.name) };
        assert_eq!(rest.len() + 2, columns.len(), "the row of `{}` has the wrong number of cells", key.name);
        assert!(first.contains(&format!("`{}", key.name)), "the row of `{}` does not start with its key", key.name);
        row(&[&[*first, &places.join(", ")], rest].concat())
    });
    [row(columns), row(&vec!["---"; columns.len()])].into_iter().chain(rows).collect()
}

/// Returns the page with each of its tables generated again.
fn rewritten(page: &str, sections: &[Section]) -> String {
    sections.iter().fold(page.to_owned(), |page, (table, heading, columns)| {
        let section = page.find(&format!("\n## {heading}\n")).expect("the page has the section");
        let begin = section + page[section..].find("\n|").expect("the section has a table") + 1;
        let end = begin + page[begin..].find("\n\n").expect("a table ends") + 1;
        format!("{}{}{}", &page[..begin], written(table, columns), &page[end..])
    })
}

#[test]
fn the_pages_match_the_table_of_keys() {
    for (name, sections) in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/docs").join(name);
        // The packaged crate has no pages.
        let Ok(page) = std::fs::read_to_string(&path) else { return };
        let expected = rewritten(&page, sections);
        if page != expected && std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, expected).expect("the page can be written");
            continue;
        }
        let difference = page.lines().zip(expected.lines()).find(|(page, expected)| page != expected);
        assert!(
            page == expected,
            "tool-runtime/docs/{name} differs from the table of keys (UPDATE_GOLDEN=1 writes it): {difference:#?}"
        );
    }
}

/// Checks that every table of keys is on exactly one page.
#[test]
fn every_table_is_on_a_page() {
    let shown =
        |table: &str| PAGES.iter().flat_map(|(_, sections)| *sections).filter(|section| section.0 == table).count();
    for Row { key, table, .. } in rows() {
        assert_eq!(shown(table), 1, "the table of `{}`", key.name);
    }
}

/// If a key had a second row for the same kind of item, that row would never be used.
#[test]
fn a_key_has_one_row_for_each_kind_of_item() {
    let mut seen = BTreeSet::new();
    for (key, place) in KEYS.iter().flat_map(|key| key.places.iter().map(move |place| (key.name, *place))) {
        assert!(seen.insert((key, word(place))), "`{key}` has two rows for {place}");
    }
    assert!(seen.len() > 90, "only {} rows", seen.len());
}
