//! Checks the examples of `tool-runtime/docs/broken-json.md`: each text is followed by its parsed value. `UPDATE_GOLDEN=1` updates the
//! page.
//!
//! A line `<!-- read -->` precedes two blocks between `~~~~`: the text and its report.

use std::fmt::Write;
use std::path::Path;

use tool_schema::json::Json;
use tool_schema::repair::{RepairedText, repair_text};

const MARK: &str = "<!-- read -->\n~~~~text\n";

/// Returns the report on a reading, as the guide shows it.
fn report(text: &str) -> String {
    let reading = repair_text(text);
    let value = reading.partial().map(Json::to_text).unwrap_or_default();
    let mut report = format!("{}: {value}", reading.status()).trim_end().to_owned();
    for repair in reading.repairs() {
        let _ = write!(report, "\n{repair}");
    }
    for error in reading.errors() {
        let _ = write!(report, "\nAt byte {}: {}.", error.offset, error.message);
    }
    report
}

#[test]
fn the_guide_shows_real_repairs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/docs/broken-json.md");
    let page = std::fs::read_to_string(&path).expect("the guide can be read");
    let mut parts = page.split(MARK);
    let mut real = parts.next().unwrap_or_default().to_owned();
    let mut statuses = std::collections::BTreeSet::new();
    for part in parts {
        let (text, rest) = part.split_once("\n~~~~\n").expect("the text ends");
        let (between, rest) = rest.split_once("~~~~text\n").expect("a report follows");
        let (_, rest) = rest.split_once("~~~~\n").expect("the report ends");
        statuses.insert(repair_text(text).status());
        real.extend([MARK, text, "\n~~~~\n", between, "~~~~text\n", &report(text), "\n~~~~\n", rest]);
    }
    assert_eq!(statuses.len(), 4, "every class is shown");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &real).expect("the guide can be written");
    }
    assert!(
        page == real || std::env::var_os("UPDATE_GOLDEN").is_some(),
        "the guide shows something else than:\n{real}"
    );
}

/// Checks a text with all kinds of changes; a clean text only reports itself.
#[test]
fn a_report_names_every_change() {
    let text = "{'a': 1,}";
    let RepairedText::Repaired { repairs, .. } = repair_text(text) else { panic!("{text} is not repaired") };
    assert_eq!(report(text).lines().count(), 1 + repairs.len());
}
