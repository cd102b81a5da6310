//! Fuzz target: any text for the lenient parser. There is no panic, parsing at once and in pieces gives the same result, and replaying the
//! ledger gives the value.

#![no_main]

#[path = "../../tests/src/replay.rs"]
mod replay;

use libfuzzer_sys::fuzz_target;
use replay::replay;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{
    RepairedText, Stream, repair_text, strip_control_tokens_from_name, unwrap_arguments,
};

fuzz_target!(|text: &str| {
    let reading = repair_text(text);
    assert_eq!(matches!(reading, RepairedText::Clean(_)), Json::parse(text).is_ok());
    if let Some(value) = reading.value() {
        let replayed = replay(text, reading.repairs()).expect("the ledger belongs to the text");
        assert_eq!(&Json::parse(&replayed).expect("the ledger gives strict JSON"), value);
        let (_, repairs) = unwrap_arguments("tool", value.clone(), |key| key.len() == 1);
        assert!(repairs.len() <= 5);
    }
    let mut stream = Stream::new();
    let size = text.len() % 7 + 1;
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        stream.push(&rest[..end]);
        rest = &rest[end..];
    }
    let streamed = stream.finish();
    assert_eq!(streamed.status(), reading.status());
    if streamed.status() != "rejected" {
        assert_eq!(streamed, reading);
    }
    let _ = strip_control_tokens_from_name(text);
});
