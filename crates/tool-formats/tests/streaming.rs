//! The pieces in which an answer arrives do not matter.

use proptest::prelude::*;
use tool_formats::{AnswerPart, CallFormat, CallReader};

use crate::tools::{auto, read, read_in_pieces, tools};

const MARKS: [&str; 34] = [
    "<tool_call>",
    "</tool_call>",
    "<function=now>",
    "<function=",
    "</function>",
    "<parameter=a>",
    "</parameter>",
    "<think>",
    "</think>",
    "```",
    "```json",
    "`",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "now",
    "any",
    "\n",
    "\n\n",
    " ",
    "Look. ",
    "word",
    ";",
    ",",
    "<",
    "<|",
    "[TOOL_CALLS]",
    "<invoke name=\"now\">",
    "</invoke>",
];

fn answers() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        2 => proptest::sample::select(&MARKS[..]).prop_map(str::to_owned),
        2 => proptest::sample::select(CallFormat::ALL).prop_map(|format| format.example().to_owned()),
        1 => (proptest::sample::select(CallFormat::ALL), 0_usize..300).prop_map(|(format, cut)| {
            let end = (0..=cut.min(format.example().len())).rev().find(|end| format.example().is_char_boundary(*end)).unwrap_or(0);
            format.example()[..end].to_owned()
        }),
        1 => "[a-z<>|é｜. \n]{0,12}",
    ];
    proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_do_not_matter(text in answers(), size in 1_usize..12, only in proptest::option::of(proptest::sample::select(CallFormat::ALL))) {
        let reader = || match only {
            Some(format) => CallReader::new(&[format], tools),
            None => auto(),
        };
        let whole = read_in_pieces(reader(), &text, text.len().max(1));
        prop_assert_eq!(&read_in_pieces(reader(), &text, size), &whole);
        prop_assert_eq!(&read_in_pieces(reader(), &text, 1), &whole);
        // Everything is text, except the calls and the marks around them.
        let length: usize = whole.iter().map(|part| if let AnswerPart::Text(text) = part { text.len() } else { 0 }).sum();
        prop_assert!(length <= text.len());
        if !whole.iter().any(|part| matches!(part, AnswerPart::Call(_))) {
            prop_assert_eq!(length, text.len());
        }
    }

    #[test]
    fn text_without_marks_is_not_changed(text in "[^<\\[{`~f]{0,60}") {
        let found = read(&text);
        prop_assert!(found.calls.is_empty());
        prop_assert_eq!(found.text, text);
    }

    #[test]
    fn any_text_is_kept_if_no_tool_exists(text in answers()) {
        let found = CallReader::new(CallFormat::ALL, |_| None).read(&text);
        prop_assert!(found.calls.is_empty());
        prop_assert_eq!(found.text, text);
    }

    #[test]
    fn what_the_model_has_seen_runs_nothing(text in answers(), before in answers()) {
        let found = auto().ignore_echoes_of([format!("{before}{text}")]).read(&text);
        prop_assert!(found.calls.is_empty(), "{:?}", found.calls);
        prop_assert_eq!(found.text, text);
    }
}

#[test]
fn a_call_is_returned_with_its_last_byte_and_markup_is_never_text() {
    for format in CallFormat::ALL {
        if [CallFormat::LLAMA3_JSON, CallFormat::PYTHONIC].contains(format) {
            continue;
        }
        let mut reader = CallReader::new(&[*format], tools);
        let text = format!("Look.\n\n{}", format.example());
        let (mut shown, mut end) = (String::new(), None);
        for (at, char) in text.char_indices() {
            for part in reader.push(char.encode_utf8(&mut [0; 4])) {
                match part {
                    AnswerPart::Text(part) => shown.push_str(&part),
                    AnswerPart::Call(call) => end = Some((call, at + char.len_utf8())),
                }
            }
        }
        let (call, end) = end.unwrap_or_else(|| panic!("{format:?}"));
        assert_eq!(call.span.end, end, "{format:?}");
        assert_eq!(shown, "Look.\n\n", "{format:?}");
    }
}

#[test]
fn a_second_list_is_text_in_pieces_too() {
    let text = format!("[now()][.{}", CallFormat::HERMES.example());
    assert_eq!(read_in_pieces(auto(), &text, 1), read_in_pieces(auto(), &text, text.len()));
}

#[test]
fn text_is_returned_at_once() {
    let mut reader = auto();
    for piece in ["The price", " is < 3", " [see", " above]", " and {", "x}", " `f`", "\n"] {
        assert_eq!(reader.push(piece), [AnswerPart::Text(piece.to_owned())], "{piece}");
    }
}

#[test]
fn a_long_call_is_read_from_single_bytes() {
    let value = "line < with </parameter> and \"quotes\" {\n".repeat(25_000);
    for text in [
        format!("<function=any>\n<parameter=a>\n{value}\n</parameter>\n</function>"),
        format!(
            "<tool_call>{{\"name\": \"any\", \"arguments\": {{\"a\": {}}}}}</tool_call>",
            serde_json::to_string(&value).unwrap()
        ),
    ] {
        let parts = read_in_pieces(auto(), &text, 1);
        let [AnswerPart::Call(call)] = &parts[..] else { panic!("{} parts", parts.len()) };
        assert_eq!(serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap()["a"], *value);
    }
}

#[test]
fn hostile_answers_take_linear_time() {
    for text in [
        "<tool_call>",
        "<tool_call>{",
        "<tool_call>{\"",
        "</function>",
        "<function=any></parameter>",
        "<function=now></function >",
        "<",
        "[",
        "[[",
        "{",
        "```\n",
        "```json\n",
        "`",
        "\"",
        "<think>",
        "<think></think>",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]a",
        "<tool_call>a\n",
        "<|",
        " ",
        "\n",
        "[now(",
        "[now(),",
        "{\"name\":",
        "<invoke name=\"now\"></invoke>",
        "<tool_call>now</tool_call>",
        "\\",
        "&amp;",
        "\u{feff}",
        "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>",
        "<function=any>\n<parameter=a>",
        "</arg_value>",
        "<arg_key>a</arg_key>",
    ] {
        let long = text.repeat(50_000 / text.len());
        let whole = read_in_pieces(auto().ignore_echoes_of([long.as_str()]), &long, long.len());
        assert!(whole.iter().all(|part| matches!(part, AnswerPart::Text(_))), "{text}");
        let pieces = read_in_pieces(auto(), &long, 1);
        assert_eq!(pieces, read_in_pieces(auto(), &long, 1_000), "{text}");
    }
}
