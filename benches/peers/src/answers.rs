//! The tables about the answers to bad calls: the number of further calls, and the texts word for word.

use std::fmt::Write as _;

use crate::calls::BAD;
use crate::correct::{End, correct};
use crate::sides::ANSWERING;

/// Returns the table of the numbers of further calls, in Markdown.
#[must_use]
pub fn rounds() -> String {
    let names: Vec<_> = ANSWERING.iter().map(|side| side().name()).collect();
    let mut table = format!("| fault | {} |\n| --- |{}\n", names.join(" | "), " --- |".repeat(names.len()));
    let mut sums = vec![(0, 0); names.len()];
    for call in &BAD {
        let _ = write!(table, "| {} |", call.fault);
        for (side, (further, stopped)) in ANSWERING.iter().zip(&mut sums) {
            let cell = match correct(&*side(), call).0 {
                End::Ran(rounds) => {
                    *further += rounds;
                    rounds.to_string()
                }
                End::Misunderstood(result) => {
                    *stopped += 1;
                    format!("**ran: `{result}`**")
                }
                End::Stuck => {
                    *stopped += 1;
                    "not corrected".to_owned()
                }
            };
            let _ = write!(table, " {cell} |");
        }
        table.push('\n');
    }
    table.push_str("| all: further calls |");
    for (further, _) in &sums {
        let _ = write!(table, " {further} |");
    }
    table.push_str("\n| all: wrong or without an end |");
    for (_, stopped) in &sums {
        let _ = write!(table, " {stopped} |");
    }
    table.push('\n');
    table
}

/// Returns the first answer of each side to each call, word for word, in Markdown.
#[must_use]
pub fn texts() -> String {
    let mut page = String::new();
    for call in &BAD {
        let _ = write!(page, "### {}\n\n`{}` with `{}`\n\n", capital(call.fault), call.name, call.arguments);
        for side in &ANSWERING {
            let side = side();
            let answer = match side.call(call.name, call.arguments) {
                Ok(result) => format!("ran: {result}"),
                Err(text) => text,
            };
            let fence = if answer.contains("```") { "````" } else { "```" };
            let _ = write!(
                page,
                "- {}, {} bytes:\n\n  {fence}text\n  {}\n  {fence}\n",
                side.name(),
                answer.len(),
                answer.replace('\n', "\n  ")
            );
        }
        page.push('\n');
    }
    page
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
