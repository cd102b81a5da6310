//! A repaired text keeps every letter and digit.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tests::private::repair::coerce;
use tests::replay::replay_values;
use tool_runtime::RepairPolicy;
use tool_runtime::ToolInput;
use tool_schema::json::{Json, Node};
use tool_schema::shape::Shape;

use crate::repair::coerce::certain::{ListOrCount, Order, Topic};

/// Returns `true` for letters and digits. Zeros do not count, because `5.` and `.5` are completed to `5.0` and `0.5`.
#[allow(clippy::trivially_copy_pass_by_ref)] // `filter` passes references.
fn counts(next: &char) -> bool {
    next.is_alphanumeric() && *next != '0'
}

/// Returns `true` if a text has these letters in this order, perhaps with others between them.
fn has_in_order(text: &str, letters: &str) -> bool {
    let mut rest = text.chars();
    letters.chars().all(|letter| rest.any(|next| next == letter))
}

/// Appends the letters and digits of all texts, keys and numbers, in order.
fn letters(json: &Json<'_>, into: &mut String) {
    match &json.node {
        Node::Array(items) => items.iter().for_each(|item| letters(item, into)),
        Node::Object(members) => {
            for member in members {
                into.extend(member.key.chars().filter(counts));
                letters(&member.value, into);
            }
        }
        Node::String(text) => into.extend(text.chars().filter(counts)),
        _ => into.extend(json.to_text().chars().filter(counts)),
    }
}

/// Texts that resemble lists, numbers and names.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "[",
        "]",
        "{",
        "}",
        ",",
        ", ",
        ":",
        "'",
        "\"",
        "“",
        "”",
        "`",
        "```",
        "```json\n",
        "\n",
        " ",
        "-",
        "- ",
        "_",
        ".",
        "/",
        "+",
        "#",
        "//",
        "/* a */",
        "...",
        "…",
        "etc",
        "rust",
        "Date",
        "level",
        "1",
        "5",
        "15",
        "0.1",
        "True",
        "null",
        "é",
        ";",
        "\\x41",
        "(",
        ")",
        "Paris",
        "'Paris'",
        "\"Rome\"",
        "['a', ",
        "'b']",
        "degrees",
        "celsius",
        "id: 1",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Shapes to which a text can be coerced.
fn shapes() -> [&'static Shape; 11] {
    [
        <Vec<String>>::SHAPE,
        <Vec<Option<f64>>>::SHAPE,
        <Vec<Topic>>::SHAPE,
        Topic::SHAPE,
        <Vec<bool>>::SHAPE,
        Order::SHAPE,
        <BTreeMap<String, String>>::SHAPE,
        <Vec<serde_json::Value>>::SHAPE,
        ListOrCount::SHAPE,
        f64::SHAPE,
        <Vec<i64>>::SHAPE,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(2_048), ..ProptestConfig::default() })]

    /// Coercing a text to another value keeps every letter and digit, in order.
    #[test]
    fn every_letter_of_a_text_is_kept(sent in texts()) {
        let value = Json::from_node(Node::String(sent.clone().into()));
        for shape in shapes() {
            let coerced = coerce(shape, value.clone(), RepairPolicy::Lossless);
            let replayed = replay_values(value.clone(), &coerced.repairs);
            prop_assert_eq!(replayed.as_ref(), Some(&coerced.value));
            if coerced.repairs.is_empty() || !coerced.issues.is_empty() {
                continue;
            }
            // `1` becomes `true`.
            if coerced.repairs.iter().any(|repair| repair.rule.name() == "as_boolean") {
                continue;
            }
            let mut read = String::new();
            letters(&coerced.value, &mut read);
            let kept: String = sent.to_lowercase().chars().filter(counts).collect();
            let read = read.to_lowercase();
            // The language of a fence is not content (`lists.rs` tests which words are languages), and nothing is ever added.
            let is_fenced = sent.contains("```");
            prop_assert!(read == kept || is_fenced && has_in_order(&kept, &read), "{:?} {:?} {:?}", sent, read, coerced.repairs);
        }
    }
}
