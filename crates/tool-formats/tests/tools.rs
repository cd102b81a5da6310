//! The tools of the tests, and short ways to read an answer.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_formats::{AnswerPart, CallFormat, CallReader, TextAnswer};
use tool_schema::ToolInput;
use tool_schema::shape::{Ref, Shape};

/// The arguments of `get_weather`.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
pub(crate) struct Weather {
    city: String,
    days: Option<u8>,
    hourly: Option<bool>,
    units: Option<Vec<String>>,
    options: Option<BTreeMap<String, u32>>,
    note: Option<String>,
}

/// Finds the tools `get_weather`, `now` and `any`.
pub(crate) fn tools(name: &str) -> Option<Ref> {
    match name {
        "get_weather" => Some(Ref::Static(Weather::SHAPE)),
        "now" | "any" => Some(Ref::Static(Shape::ANY)),
        _ => None,
    }
}

pub(crate) fn auto<'t>() -> CallReader<'t> {
    CallReader::new(CallFormat::AUTO, tools)
}

/// Reads an answer in any format.
pub(crate) fn read(text: &str) -> TextAnswer {
    auto().read(text)
}

/// Returns the calls of an answer in any format, each with its name and arguments.
pub(crate) fn calls(text: &str) -> Vec<(String, String)> {
    read(text).calls.into_iter().map(|call| (call.name, call.arguments)).collect()
}

/// Reads an answer in pieces of this size. Returns the text up to each call, and the calls.
pub(crate) fn read_in_pieces(mut reader: CallReader<'_>, text: &str, size: usize) -> Vec<AnswerPart> {
    let mut parts: Vec<AnswerPart> = Vec::new();
    let mut add = |found: Vec<AnswerPart>| {
        for part in found {
            match (parts.last_mut(), part) {
                (Some(AnswerPart::Text(before)), AnswerPart::Text(text)) => before.push_str(&text),
                (_, part) => parts.push(part),
            }
        }
    };
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size..rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        add(reader.push(&rest[..end]));
        rest = &rest[end..];
    }
    add(reader.finish());
    parts
}
