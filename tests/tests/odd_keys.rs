//! Hints for unusual keys: empty, with dots, brackets, quotes or control characters, or a thousand letters long. The path in a hint must
//! identify the argument, even for a caller who reads nothing but the hint; a path shortens keys of more than 64 characters.
//!
//! The tests send calls with such keys, known and unknown, with issues at the keys and below them, and count the rounds until every issue
//! is corrected.

#![allow(dead_code)] // The decoded values are never read.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tests::cases;
use tests::fixer::fix;
use tool_runtime::Arguments;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_runtime::failure::Failure;
use tool_schema::decode::decode;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Stock {
    #[serde(default)]
    counts: BTreeMap<String, u8>,
    #[serde(default)]
    shelves: BTreeMap<String, Vec<Shelf>>,
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Shelf {
    #[serde(rename = "how many.\"of them\"[0]\\\n\u{7f}\u{202e}")]
    count: u8,
    place: String,
}

const PLACE: &str = "place";
const COUNT: &str = "how many.\"of them\"[0]\\\n\u{7f}\u{202e}";

/// Generates keys; long keys differ in their first characters.
fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        Just("…".to_owned()),
        "[.\\[\\]\"'\\\\$ /~0-9a]{1,9}",
        "[\0-\u{1f}\u{7f}-\u{9f}\u{2028}\u{202e}\u{feff}]{1,9}",
        "\\PC{1,20}",
        ("[a-z ]{4,8}", 9_usize..250).prop_map(|(text, times)| text.clone() + &text.repeat(times)),
    ]
}

/// Generates the number of an issue, which `arguments` inserts at a key.
fn fault() -> impl Strategy<Value = u8> {
    0_u8..5
}

/// Returns arguments with one issue at each key, and the number of issues.
fn arguments(faults: &[(String, u8)]) -> (Value, usize) {
    let (mut whole, mut counts, mut shelves, mut number) = (Map::new(), Map::new(), Map::new(), 0);
    let mut beginnings = BTreeSet::new();
    for (key, fault) in faults {
        // Keys with the same beginning are skipped: their shortened paths would be equal.
        let beginning: String = key.chars().take(60).collect();
        if ["counts", "shelves"].contains(&&**key) || !beginnings.insert(beginning) {
            continue;
        }
        number += 1;
        let key = key.clone();
        match fault {
            0 => drop(whole.insert(key, json!([]))),
            1 => drop(counts.insert(key, json!("x"))),
            2 => drop(counts.insert(key, json!(300))),
            3 => drop(shelves.insert(key, json!([{COUNT: 1, PLACE: "x"}, {PLACE: "x"}]))),
            _ => drop(shelves.insert(key, json!([{COUNT: 1}]))),
        }
    }
    whole.insert("counts".to_owned(), counts.into());
    whole.insert("shelves".to_owned(), shelves.into());
    (whole.into(), number)
}

/// Returns whether the character would break a line.
const fn is_raw(character: char) -> bool {
    character < ' '
}

fn rounds(mut text: String, most: usize) -> Result<usize, String> {
    let mut said = String::new();
    for round in 0..=most {
        let Err(error) = decode::<Stock>(&Arguments::from(&*text)) else { return Ok(round) };
        let hint = RetryHint::from_issues("stock", error.issues()).to_json();
        assert!(hint.len() <= 1_024 && !hint.contains(is_raw), "{hint}");
        let rejection = Failure::validation("stock", error).to_json();
        assert!(rejection.len() <= 4_096 && !rejection.contains(is_raw), "{rejection}");
        said.extend([&*text, "\n  ", &hint, "\n"]);
        text = fix(&hint, &text);
    }
    Err(said)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(128)) })]

    #[test]
    fn a_hint_identifies_the_argument_whatever_its_key(faults in vec((key(), fault()), 1..8)) {
        let (arguments, faults) = arguments(&faults);
        let needed = rounds(arguments.to_string(), faults.div_ceil(3) + 1);
        prop_assert!(needed.is_ok(), "{faults} faults: {}", needed.unwrap_err());
    }
}
