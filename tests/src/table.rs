//! `docs/agreement.md` as data: its tables are the only differences that are allowed.
//!
//! In comes the document; out go the rows of a table, each with its id and its verdicts. A table is found by its heading, its verdict
//! columns by `yes` and `no`.

use std::path::Path;

/// One difference that is allowed.
#[derive(Clone, Debug)]
pub struct Exception {
    /// Its name, for which there is a predicate in the test.
    pub id: String,
    /// What each judge says, in the order of the columns.
    pub verdict: Vec<bool>,
    /// Whether `serde_json` reads numbers now as the row presupposes: with or without its feature `arbitrary_precision`.
    pub applies: bool,
}

/// The rows of the table under a heading.
///
/// # Panics
///
/// Where the document cannot be read or has no such table.
pub fn exceptions(heading: &str) -> Vec<Exception> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agreement.md");
    let text = std::fs::read_to_string(path).expect("docs/agreement.md is there");
    let (_, section) = text.split_once(&format!("## {heading}\n")).expect("the document has the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    section.lines().filter(|line| line.starts_with("| `")).map(row).collect()
}

fn row(line: &str) -> Exception {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let id = cells[0].trim_matches('`').to_owned();
    let verdict = cells[2..cells.len() - 1]
        .iter()
        .map(|cell| match *cell {
            "yes" => true,
            "no" => false,
            other => panic!("{id}: {other:?} is neither `yes` nor `no`"),
        })
        .collect();
    let applies = match cells[1] {
        place if place.ends_with("(only with `arbitrary_precision`)") => keeps_all_digits(),
        place if place.ends_with("(not with `arbitrary_precision`)") => !keeps_all_digits(),
        _ => true,
    };
    Exception { id, verdict, applies }
}

/// Whether somebody has turned `serde_json`'s feature `arbitrary_precision` on, which changes what it accepts.
#[must_use]
pub fn keeps_all_digits() -> bool {
    serde_json::from_str::<serde_json::Value>("1e400").is_ok()
}
