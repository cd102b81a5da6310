//! Properties of lenient parsing that hold for every text.

use proptest::prelude::*;
use serde_json::Value;
use tests::replay::replay;
use tool_schema::json::Json;
use tool_schema::repair::RepairRule;
use tool_schema::repair::{Progress, RepairedText, Stream, repair_text};

/// Any small JSON value.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(Value::from),
        "[ -~éß“’\n\"'\\\\]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-z\"'\\\\ ]{0,6}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A valid document, compact or indented.
fn documents() -> impl Strategy<Value = String> {
    (values(), any::<bool>()).prop_map(|(value, pretty)| if pretty { format!("{value:#}") } else { value.to_string() })
}

/// Pieces of broken JSON.
fn broken() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "'",
        "“",
        "”",
        "’",
        "`",
        "```",
        "```json\n",
        "~~~",
        "a",
        "key",
        "\"k\"",
        "'v'",
        "true",
        "True",
        "None",
        "nul",
        "undefined",
        "1",
        "-",
        ".5",
        "1.",
        "0x1F",
        "1_0",
        "007",
        "NaN",
        "e5",
        "//",
        "/*",
        "*/",
        "#",
        "\n",
        " ",
        "\t",
        "\\",
        "\\u",
        "\\u00",
        "\\ud83d",
        "\\ude00",
        "\\x4",
        "\\d",
        "\\'",
        "...",
        "…",
        "\u{a0}",
        "\u{feff}",
        "é",
        "💥",
        "\0",
        "prose",
        "(",
        ")",
        ";",
        "<|im_end|>",
        "{\"a\": 1",
        "\"a\": [1, 2",
        "it's",
        "${x}",
        "u: 6",
        "n = 5",
        " and 6",
        "// and so on\n",
        "/* rest */",
        "# five\n",
        "\n- Rome",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// A valid document with one or two typical changes of models.
fn nearly_valid() -> impl Strategy<Value = String> {
    let changes = prop::sample::select(vec![
        (",", ",,"),
        (",", " "),
        ("}", ",}"),
        ("]", ",]"),
        ("\"", "'"),
        ("true", "True"),
        ("null", "None"),
        (":", ": /* c */ "),
        (":", ":\\n"),
        ("\"", "<|\"|>"),
        ("\"", "\\\""),
        ("}", "}{}"),
        ("{", "```json\n{"),
        ("}", "]"),
        ("]", "}"),
        ("]", ""),
        ("{", "\u{a0}{"),
        ("\\n", "\n"),
        ("\\\\", "\\"),
        ("\"", "”"),
        ("-", "+"),
        ("0.", "."),
    ]);
    (documents(), prop::collection::vec((changes, any::<prop::sample::Index>()), 1..3)).prop_map(
        |(mut text, changes)| {
            for ((from, to), which) in changes {
                let places: Vec<_> = text.match_indices(from).map(|(at, _)| at).collect();
                if !places.is_empty() {
                    let at = places[which.index(places.len())];
                    text.replace_range(at..at + from.len(), to);
                }
            }
            text
        },
    )
}

/// A document that is escaped once too often, repeated, or behind a block of reasoning.
fn disguised() -> impl Strategy<Value = String> {
    let disguises = prop::sample::select(vec![escaped, twice, thought, pretty]);
    (documents(), disguises, documents()).prop_map(|(text, disguise, other)| disguise(&text, &other))
}

fn escaped(text: &str, _: &str) -> String {
    let quoted = serde_json::to_string(text).expect("a text is JSON");
    quoted[1..quoted.len() - 1].to_owned()
}

fn twice(text: &str, other: &str) -> String {
    [text, other, text].concat()
}

fn thought(text: &str, other: &str) -> String {
    format!("<think>{other} <|\"|></think>\n{text}")
}

/// Outside of strings, each line break is written as two characters.
fn pretty(text: &str, _: &str) -> String {
    let value: Value = serde_json::from_str(text).expect("it is JSON");
    serde_json::to_string_pretty(&value).expect("it is JSON").replace('\n', "\\n")
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![broken(), nearly_valid(), "\\PC{0,40}", documents(), disguised()]
}

/// Streams a text in pieces of these sizes, and returns the progress after each piece.
fn streamed(text: &str, sizes: &[usize]) -> (Stream, Vec<Progress>) {
    let (mut stream, mut progress, mut at) = (Stream::new(), Vec::new(), 0);
    for size in sizes.iter().copied().cycle() {
        if at == text.len() {
            break;
        }
        let mut end = (at + size.max(1)).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        progress.push(stream.push(&text[at..end]));
        at = end;
    }
    (stream, progress)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(1_024), ..ProptestConfig::default() })]

    /// Repair is the identity on valid input.
    #[test]
    fn valid_json_needs_no_repair(text in documents()) {
        let reading = repair_text(&text);
        prop_assert!(matches!(reading, RepairedText::Clean(_)));
        let value: Value = serde_json::from_str(&text)?;
        prop_assert_eq!(reading.value().map(Json::to_value), Some(value));
    }

    /// An independent parser reads a clean text too, with the same result.
    #[test]
    fn a_text_without_repairs_parses_like_with_serde(text in texts()) {
        let strict = serde_json::from_str::<Value>(&text).ok();
        let reading = repair_text(&text);
        prop_assert_eq!(matches!(reading, RepairedText::Clean(_)), strict.is_some());
    }

    /// Applying the ledger to the text gives strict JSON with the same value.
    #[test]
    fn replaying_the_ledger_gives_the_value(text in texts()) {
        let reading = repair_text(&text);
        if let Some(value) = reading.value() {
            let replayed = replay(&text, reading.repairs());
            let parsed = replayed.as_deref().map(Json::parse);
            prop_assert!(matches!(&parsed, Some(Ok(parsed)) if parsed == value), "{:?} for {}", replayed, value.to_text());
            prop_assert!(reading.repairs().iter().all(|repair| repair.before.chars().count() <= 64));
        }
    }

    /// Letters and digits are only left out in the tag of a fence and in prose.
    #[test]
    fn only_prose_is_removed(text in texts()) {
        let reading = repair_text(&text);
        if reading.value().is_none() {
            return Ok(());
        }
        let letters = |text: &str| text.chars().filter(|next| next.is_alphanumeric()).collect::<String>();
        for repair in reading.repairs() {
            let span = repair.span.map(|span| span.start as usize..span.end as usize).unwrap_or_default();
            let before = &text[span];
            match repair.rule {
                RepairRule::SurroundingText if before.starts_with("<think>") => prop_assert!(before.ends_with("</think>")),
                RepairRule::SurroundingText if adds_nothing(before, &reading, &text) => {}
                RepairRule::WhiteSpace => prop_assert!(letters(before).chars().all(|letter| "nrt".contains(letter)), "{:?}", before),
                RepairRule::Comment | RepairRule::SurroundingText => prop_assert!(is_prose(before), "{:?} of {:?}", before, text),
                RepairRule::CodeFence => prop_assert!(before.starts_with(['`', '~']), "{:?}", before),
                RepairRule::Constant | RepairRule::Number | RepairRule::ControlCharacter | RepairRule::Stringified => {}
                _ => prop_assert_eq!(letters(before), letters(&repair.after)),
            }
        }
    }

    /// An object that was escaped once too often has the same value, and so has one with escaped line breaks between its tokens.
    #[test]
    fn a_disguised_object_has_its_value(value in values(), other in documents()) {
        let value = serde_json::json!({"a": value});
        let text = value.to_string();
        for disguise in [escaped, thought, pretty] {
            let disguised = disguise(&text, &other);
            let reading = repair_text(&disguised);
            if disguised.contains("</think>") && other.contains("</think>") {
                continue;
            }
            prop_assert!(matches!(reading, RepairedText::Repaired { .. }), "{}: {:?}", disguised, reading.errors());
            prop_assert_eq!(reading.value().map(Json::to_value), Some(value.clone()));
        }
    }

    /// A prefix of a valid document is not accepted as a whole, unless it is valid itself.
    #[test]
    fn a_prefix_is_incomplete(text in documents(), cut in any::<prop::sample::Index>()) {
        let mut end = cut.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let prefix = &text[..end];
        let is_whole = serde_json::from_str::<Value>(prefix).is_ok();
        prop_assert_eq!(repair_text(prefix).status(), if is_whole { "clean" } else { "incomplete" });
    }

    /// The preview of a truncated text contains only values of the whole text, or their beginnings.
    #[test]
    fn a_preview_invents_nothing(text in documents(), cut in any::<prop::sample::Index>()) {
        let mut end = cut.index(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let (whole, part) = (Json::parse(&text), repair_text(&text[..end]));
        let begins = part.partial().is_none_or(|part| whole.as_ref().is_ok_and(|whole| is_beginning(part, whole)));
        prop_assert!(begins, "{:?}", part);
    }

    /// A text in pieces of any size gives the same result as the whole text.
    #[test]
    fn a_stream_gives_the_same_result_as_the_whole_text(text in texts(), sizes in prop::collection::vec(1..9usize, 1..5)) {
        let (stream, progress) = streamed(&text, &sizes);
        let at_once = repair_text(&text).into_owned();
        prop_assert_eq!(stream.text().len() == text.len(), !matches!(progress.iter().rev().nth(1), Some(Progress::Unreadable)));
        match at_once {
            // A stream stops at the first issue, so it may report fewer issues.
            RepairedText::Rejected { .. } => prop_assert_eq!(stream.finish().status(), "rejected"),
            at_once => prop_assert_eq!(stream.finish(), at_once),
        }
    }

    /// An incomplete text is never reported as complete, and a complete one stays complete until more text arrives.
    #[test]
    fn an_incomplete_stream_is_not_complete(text in documents()) {
        let (stream, progress) = streamed(&text, &[1]);
        let last = progress.last().copied();
        let is_open_ended = text.ends_with(|last: char| last.is_alphanumeric());
        prop_assert_eq!(last, Some(if is_open_ended { Progress::Open } else { Progress::Complete }));
        let early = progress.iter().take(progress.len() - 1).all(|progress| *progress == Progress::Open);
        prop_assert!(early, "{:?}", progress);
        prop_assert_eq!(stream.finish().status(), "clean");
    }
}

/// Returns `true` for an empty value, and for the text of the value itself.
fn adds_nothing(before: &str, reading: &RepairedText<'_>, text: &str) -> bool {
    let span = reading.value().map(|value| value.span.start as usize..value.span.end as usize).unwrap_or_default();
    let mut rest = before;
    while let Some(left) =
        ["{}", "[]", "\"\"", "null", &text[span.clone()]].iter().find_map(|empty| rest.strip_prefix(empty))
    {
        rest = left;
    }
    rest.is_empty()
}

/// Returns `true` if a text contains nothing that looks like a value, a member or an omission.
fn is_prose(text: &str) -> bool {
    let mut pairs = text.chars().zip(text.chars().skip(1));
    let is_quote = |next: char| matches!(next, '"' | '`' | '“' | '”');
    let begins_value = |(next, after): (char, char)| is_quote(next) && after.is_alphanumeric();
    let label = text.find([':', '=']).map_or("", |at| &text[at..]);
    !text.contains(['{', '}', '[', ']', '…'])
        && !text.contains("...")
        && !pairs.any(begins_value)
        && !label.contains(char::is_alphanumeric)
        && !["so on", "rest", "etc", "omitted"].iter().any(|cut| text.contains(cut))
}

/// Returns `true` if a value is the beginning of another one.
fn is_beginning(part: &Json<'_>, whole: &Json<'_>) -> bool {
    use tool_schema::json::Node;
    match (&part.node, &whole.node) {
        (Node::Array(part), Node::Array(whole)) => {
            part.len() <= whole.len() && part.iter().zip(whole).all(|(part, whole)| is_beginning(part, whole))
        }
        (Node::Object(part), Node::Object(whole)) => {
            part.len() <= whole.len()
                && part
                    .iter()
                    .zip(whole)
                    .all(|(part, whole)| part.key == whole.key && is_beginning(&part.value, &whole.value))
        }
        (Node::String(part), Node::String(whole)) => whole.starts_with(&**part),
        (Node::Number(part), Node::Number(whole)) => whole.starts_with(part.trim_end_matches(".0")),
        _ => part == whole,
    }
}
