//! Lenient parsing of broken JSON.
//!
//! The alternative is `serde_json` with the corrected text. Our side first tries to parse the text strictly, and the time of this attempt
//! is included.

use std::hint::black_box;

use serde_json::Value;
use tool_runtime::tool_schema::repair::{RepairedText, Stream, repair_text};

use super::{Comparison, comparison};
use crate::payloads::{LARGE, MEDIUM};

/// Limit: three times the time of `serde_json` with the corrected text.
const BESIDE_MENDED: Option<f64> = Some(3.0);

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("lenient/fenced", BESIDE_MENDED, "read" => repaired(fenced(MEDIUM)), "serde_json::Value" => value(MEDIUM)),
        comparison!("lenient/python", BESIDE_MENDED, "read" => repaired(python(MEDIUM)), "serde_json::Value" => value(MEDIUM)),
        comparison!("lenient/python-large", BESIDE_MENDED, "read" => repaired(python(LARGE)), "serde_json::Value" => value(LARGE)),
        comparison!("lenient/bare-keys", BESIDE_MENDED, "read" => repaired(bare(MEDIUM)), "serde_json::Value" => value(MEDIUM)),
        comparison!("lenient/last-comma", BESIDE_MENDED, "read" => repaired(comma(LARGE)), "serde_json::Value" => value(LARGE)),
        comparison!("lenient/cut", BESIDE_MENDED, "read" => cut(LARGE), "serde_json::Value" => value(LARGE)),
        comparison!("lenient/stream", None, "Stream of 8 bytes each" => streamed(LARGE), "serde_json::Value" => value(LARGE)),
    ]
}

/// Puts the text into a code fence after a sentence.
fn fenced(text: &str) -> String {
    format!("Here it is:\n```json\n{text}\n```\n")
}

/// Returns the text as Python prints it. The payloads must not contain apostrophes, or the assertions would fail.
fn python(text: &str) -> String {
    text.replace('"', "'").replace("true", "True").replace("null", "None")
}

/// Returns the text as a JavaScript object, whose keys have no quotes.
fn bare(text: &str) -> String {
    let mut parts = text.split('"');
    let mut out = parts.next().unwrap_or_default().to_owned();
    // The text between two quotes is a string. If a colon follows, the string is a key.
    while let (Some(inner), Some(after)) = (parts.next(), parts.next()) {
        let quote = if after.trim_start().starts_with(':') { "" } else { "\"" };
        out.extend([quote, inner, quote, after]);
    }
    out
}

/// Adds a comma before the last bracket.
fn comma(text: &str) -> String {
    let end = text.trim_end().len() - 1;
    format!("{},}}", &text[..end])
}

fn repaired(text: String) -> impl Fn() {
    move || assert!(matches!(black_box(repair_text(black_box(&text))), RepairedText::Repaired { .. }))
}

fn cut(text: &'static str) -> impl Fn() {
    let text = &text[..text.trim_end().len() - 1];
    move || assert!(matches!(black_box(repair_text(black_box(text))), RepairedText::Incomplete { .. }))
}

fn streamed(text: &'static str) -> impl Fn() {
    move || {
        let mut stream = Stream::new();
        let mut rest = black_box(text);
        while !rest.is_empty() {
            let end = (8..rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
            stream.push(&rest[..end]);
            rest = &rest[end..];
        }
        assert!(matches!(black_box(stream.finish()), RepairedText::Clean(_)));
    }
}

fn value(text: &'static str) -> impl Fn() {
    move || assert!(black_box(serde_json::from_str::<Value>(black_box(text))).is_ok())
}
