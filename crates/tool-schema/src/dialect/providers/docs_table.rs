//! Writes the rules of every dialect as a table of the page `docs/dialects.md`.

use std::path::Path;

use super::super::rules::{Budget, Form, Keys, Rules};
use super::ALL;

const PAGE: &str = "../../docs/dialects.md";
const MARKS: [&str; 2] = ["<!-- rules -->\n", "<!-- end of rules -->"];

fn row(rules: &Rules) -> String {
    let form = rules.strict.unwrap_or(rules.plain);
    let cells = [
        format!("`{}`", rules.name),
        rules.names.to_string(),
        keys(form),
        keywords(form),
        values(form),
        request(rules),
    ];
    format!("| {} |\n", cells.join(" | "))
}

fn keys(form: &Form) -> String {
    match form.keys {
        None => "any".to_owned(),
        Some(Keys { rejects: Some(_), .. }) => "all but some".to_owned(),
        Some(Keys { most, others, .. }) => {
            let others: Vec<String> = others.iter().map(|byte| format!("`{}`", char::from(*byte))).collect();
            format!("1 to {most} of letters, digits, {}", others.join(" "))
        }
    }
}

fn keywords(form: &Form) -> String {
    match form.keywords {
        None => "all".to_owned(),
        Some(keywords) => {
            let keywords: Vec<String> = keywords.iter().map(|keyword| format!("`{keyword}`")).collect();
            let others = if form.keeps_unread { "; the others also in words" } else { "; the others in words" };
            keywords.join(" ") + others
        }
    }
}

fn values(form: &Form) -> String {
    let changes = [
        (form.requires_all, "`null` for an absent key"),
        (form.maps_as_entries, "a map as a list of entries"),
        (form.keys.is_some(), "rejected keys under another name"),
    ];
    let changes: Vec<&str> = changes.into_iter().filter_map(|(is_made, change)| is_made.then_some(change)).collect();
    if changes.is_empty() { "unchanged".to_owned() } else { changes.join("; ") }
}

fn request(rules: &Rules) -> String {
    let tools = rules.tools.map(|most| format!("{most} tools"));
    let Budget { tools: strict, optionals, unions } = rules.budget;
    let budget = (rules.strict.is_some() && rules.budget != Budget::UNLIMITED)
        .then(|| format!("{strict} strict tools, {optionals} optional parameters, {unions} unions"));
    let limits: Vec<String> = tools.into_iter().chain(budget).collect();
    if limits.is_empty() { "–".to_owned() } else { limits.join("; ") }
}

/// Compares the table with the page. `UPDATE_GOLDEN=1` replaces it.
#[test]
fn the_page_has_the_rules_of_every_dialect() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    // The packaged crate has no pages.
    let Ok(page) = std::fs::read_to_string(&path) else { return };
    let head = "\n| dialect | tool names | keys of properties | keywords | values | a request has at most |\n| --- | --- | --- | --- | --- | --- |\n";
    let table = head.to_owned() + &ALL.iter().map(|rules| row(rules)).collect::<String>() + "\n";
    let (before, rest) = page.split_once(MARKS[0]).expect("the page has the mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the page has the end of the mark");
    let written = [before, MARKS[0], &table, MARKS[1], after].concat();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, written).expect("the page can be written");
    } else {
        assert_eq!(written, page, "run with UPDATE_GOLDEN=1 to update the page");
    }
}
