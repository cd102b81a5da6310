//! Fuzz target: any answer for the reader of calls as text. There is no panic, pieces of any size give the same text and the same calls, an
//! answer without known tools is only text, and an answer that the model has seen before contains no call.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tool_formats::{AnswerPart, CallFormat, CallReader, FoundCall};
use tool_runtime::tool_schema::shape::{Ref, Shape};

/// Reads an answer in pieces. Returns the text before each call, and the calls.
fn read(mut reader: CallReader<'_>, text: &str, size: usize) -> (Vec<String>, Vec<FoundCall>) {
    let (mut texts, mut calls) = (vec![String::new()], Vec::new());
    let mut add = |parts: Vec<AnswerPart>| {
        for part in parts {
            match part {
                AnswerPart::Text(text) => texts.last_mut().expect("there is one").push_str(&text),
                AnswerPart::Call(call) => {
                    calls.push(call);
                    texts.push(String::new());
                }
            }
        }
    };
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        add(reader.push(&rest[..end]));
        rest = &rest[end..];
    }
    add(reader.finish());
    (texts, calls)
}

fuzz_target!(|text: &str| {
    let reader = || CallReader::new(CallFormat::ALL, |name| (name.len() < 12).then_some(Ref::Static(Shape::ANY)));
    let whole = read(reader(), text, usize::MAX);
    assert_eq!(read(reader(), text, 1), whole);
    assert_eq!(read(reader(), text, text.len() % 7 + 2), whole);
    let unknown = CallReader::new(CallFormat::ALL, |_| None).read(text);
    assert!(unknown.calls.is_empty() && unknown.text == text);
    assert!(reader().ignore_echoes_of([text]).read(text).calls.is_empty());
    // Every format alone.
    for format in CallFormat::ALL {
        let reader = || CallReader::new(&[*format], |_| Some(Ref::Static(Shape::ANY)));
        assert_eq!(read(reader(), text, 1), read(reader(), text, usize::MAX));
    }
});
