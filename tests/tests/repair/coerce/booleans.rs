//! Numbers and words where only a boolean is allowed.

use proptest::prelude::*;
use serde::Deserialize;
use tool_runtime::{RepairPolicy, ToolInput};
use tool_schema::json::Json;

use crate::repair::coerce::{coerced, left, read};

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Switches {
    lamp: bool,
    fan: Option<bool>,
    others: Vec<bool>,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
#[serde(untagged)]
#[tool(undocumented)]
enum FlagOrCount {
    Flag(bool),
    Part(Part),
    List(Vec<u8>),
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[tool(undocumented)]
struct Part {
    is_open: bool,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
#[allow(dead_code)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[tool(undocumented)]
enum Tagged {
    Door { is_open: bool },
    Wall,
}

const NUMBERS: [(&str, bool); 10] = [
    ("1", true),
    ("0", false),
    ("1.0", true),
    ("0.0", false),
    ("-0", false),
    ("1e0", true),
    (r#""1""#, true),
    (r#""0""#, false),
    (r#"" 1 ""#, true),
    (r#""0\n""#, false),
];

const WORDS: [(&str, bool); 12] = [
    ("yes", true),
    ("no", false),
    ("on", true),
    ("off", false),
    ("y", true),
    ("n", false),
    ("t", true),
    ("f", false),
    ("YES", true),
    ("Off", false),
    (" on ", true),
    ("tRuE", true),
];

fn repaired(policy: RepairPolicy, sent: &str) -> Option<String> {
    let coerced = coerced(bool::SHAPE, sent, policy);
    coerced.issues.is_empty().then(|| coerced.value.to_text())
}

#[test]
fn one_and_zero_are_booleans_where_nothing_else_is_allowed() {
    for (sent, value) in NUMBERS {
        assert_eq!(repaired(RepairPolicy::Lossless, sent), Some(value.to_string()), "{sent}");
        assert_eq!(repaired(RepairPolicy::Strict, sent), None, "{sent}");
    }
    read(
        Switches::SHAPE,
        r#"{"lamp":1,"fan":"0","others":[1,"1",0,true]}"#,
        r#"{"lamp":true,"fan":false,"others":[true,true,false,true]}"#,
        &[
            ("lamp", "as_boolean"),
            ("fan", "as_boolean"),
            ("others[0]", "as_boolean"),
            ("others[1]", "as_boolean"),
            ("others[2]", "as_boolean"),
        ],
    );
    for sent in [
        "2",
        "-1",
        "0.5",
        "10",
        r#""2""#,
        r#""01""#,
        r#""1.0""#,
        r#""1.000""#,
        r#""+1""#,
        r#""one""#,
        r#""""#,
        "null",
        "[1]",
        "{}",
    ] {
        left(bool::SHAPE, sent);
    }
}

#[test]
fn words_are_booleans_only_on_request() {
    for (word, value) in WORDS {
        let sent = format!("{word:?}");
        for policy in [RepairPolicy::Strict, RepairPolicy::Lossless] {
            assert_eq!(repaired(policy, &sent), None, "{sent}");
        }
        for policy in [RepairPolicy::Words, RepairPolicy::Assisted] {
            assert_eq!(repaired(policy, &sent), Some(value.to_string()), "{sent}");
        }
    }
    for word in ["yeah", "nope", "yes please", "ok", "none", "null", "enabled", "oui", "да", "", "yes,no", "y/n"] {
        assert_eq!(repaired(RepairPolicy::Assisted, &format!("{word:?}")), None, "{word}");
    }
}

#[test]
fn a_union_with_a_tag_has_one_meaning() {
    read(
        Tagged::SHAPE,
        r#"{"kind":"door","is_open":1}"#,
        r#"{"kind":"door","is_open":true}"#,
        &[("is_open", "as_boolean")],
    );
}

proptest! {
    /// Under every policy, a value inside a union without a tag is not read as a boolean, and a repair leads to the boolean that a lax
    /// reader of `true`, `1`, `t`, `y`, `on` and their counterparts would choose.
    #[test]
    fn no_other_value_becomes_a_boolean(
        word in prop_oneof!["[a-zA-Z]{0,5}", "-?[0-2]{1,2}(\\.[05]{1,3})?", prop::sample::select(WORDS.map(|(word, _)| word.to_owned()).to_vec())],
        quoted: bool,
        policy in prop::sample::select(vec![RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Words, RepairPolicy::Assisted]),
    ) {
        let text = if quoted { format!("{word:?}") } else { word };
        prop_assume!(Json::parse(&text).is_ok());
        let known = |text: &str| {
            let text = text.trim_matches('"').trim().to_lowercase();
            match &*text {
                "1" | "1.0" | "1.00" | "1.000" | "true" | "t" | "y" | "yes" | "on" => Some(true),
                "0" | "-0" | "0.0" | "0.00" | "0.000" | "-0.0" | "-0.00" | "-0.000" | "00" | "false" | "f" | "n" | "no" | "off" => Some(false),
                _ => None,
            }
        };
        if let Some(value) = repaired(policy, &text) {
            prop_assert_eq!(Some(value), known(&text).map(|value| value.to_string()), "{}", text);
        }
        let is_boolean = matches!(&*text, "true" | "false" | "\"true\"" | "\"false\"" | "\"True\"" | "\"False\"" | "\"TRUE\"" | "\"FALSE\"");
        for sent in [text.clone(), format!(r#"{{"is_open":{text}}}"#)] {
            let coerced = coerced(FlagOrCount::SHAPE, &sent, policy);
            let names: Vec<_> = coerced.repairs.iter().map(|repair| repair.rule.name()).collect();
            prop_assert!(!names.contains(&"as_boolean") || is_boolean, "{} {:?}", sent, names);
        }
    }
}
