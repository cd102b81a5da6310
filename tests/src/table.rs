//! The tables of `docs/agreement.md`, which list all allowed differences.
//!
//! Each row has an id and verdicts. A table is found by its heading, and its verdict columns contain `yes` and `no`.

use std::path::Path;

/// An allowed difference.
#[derive(Clone, Debug)]
pub struct Exception {
    /// The id, for which the test has a predicate.
    pub id: String,
    /// The verdicts, in the order of the columns.
    pub verdict: Vec<bool>,
    /// Set if the row applies to the current build: some rows require the feature `arbitrary_precision` of `serde_json`, others its
    /// absence.
    pub applies: bool,
}

/// Returns the rows of the table under a heading.
///
/// # Panics
///
/// Panics if the page cannot be read or has no such table.
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

/// Returns `true` if the feature `arbitrary_precision` of `serde_json` is on, which changes the accepted numbers.
#[must_use]
pub fn keeps_all_digits() -> bool {
    serde_json::from_str::<serde_json::Value>("1e400").is_ok()
}
