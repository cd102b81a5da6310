//! The deserializer compared with `serde_json` and `serde_path_to_error`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::json::{Json, Step};

#[derive(Debug, PartialEq, Deserialize)]
struct Everything {
    unit: (),
    flag: Option<bool>,
    small: i8,
    large: u128,
    ratio: f32,
    name: String,
    letter: char,
    pair: (u8, String),
    list: Vec<i64>,
    by_number: BTreeMap<i16, Unit>,
    by_unit: BTreeMap<Unit, u8>,
    by_name: BTreeMap<String, Variants>,
    #[serde(flatten)]
    rest: BTreeMap<String, Number>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum Unit {
    A,
    B,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Variants {
    Unit,
    Newtype(Option<u8>),
    Tuple(u8, u8),
    Struct { field: f64 },
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(untagged)]
enum Number {
    Whole(u64),
    Broken(f64),
}

const TEXT: &str = r#"{"unit": null, "flag": true, "small": -3, "large": 340282366920938463463374607431768211455, "ratio": 0.5,
        "name": "\u00e9", "letter": "x", "pair": [1, "b"], "list": [-1, 9007199254740993], "by_number": {"-7": "A", "8": {"B": null}},
        "by_unit": {"A": 1, "B": 2}, "by_name": {"A": {"Newtype": null}, "B": {"Struct": {"field": 1}}}, "whole": 7, "broken": 7.5}"#;

/// With `arbitrary_precision`, only our deserializer decodes the flattened float. Without that feature, the results are compared with
/// those of `serde_json`.
#[test]
fn values_agree_with_serde_json() -> Result<(), Box<dyn std::error::Error>> {
    let value = Everything::deserialize(&Json::parse(TEXT)?)?;
    assert_eq!(value.rest["broken"], Number::Broken(7.5));
    if serde_json::from_str::<serde_json::Value>("1e400").is_err() {
        assert_eq!(value, serde_json::from_str(TEXT)?);
    }
    for (text, expected) in [(r#""Unit""#, Variants::Unit), (r#"{"Tuple": [1, 2]}"#, Variants::Tuple(1, 2))] {
        assert_eq!(Variants::deserialize(&Json::parse(text)?)?, expected);
    }
    Ok(())
}

#[test]
fn an_error_has_the_location_that_serde_path_to_error_finds() -> Result<(), Box<dyn std::error::Error>> {
    let faults = [
        (r#""flag": true"#, r#""flag": 1"#),
        (r#""small": -3"#, r#""small": 300"#),
        (r#""letter": "x""#, r#""letter": "xy""#),
        (r#"[1, "b"]"#, "[1, 2]"),
        (r#"[1, "b"]"#, "[1]"),
        ("[-1, 9007199254740993]", "[-1, 0.5]"),
        (r#""8": {"B": null}"#, r#""8": "C""#),
        (r#"{"A": 1"#, r#"{"C": 1"#),
        (r#""8": {"B": null}"#, r#""eight": "B""#),
        (r#"{"Newtype": null}"#, r#"{"Newtype": "x"}"#),
        (r#"{"Newtype": null}"#, r#"{"Tuple": [1, "x"]}"#),
        (r#"{"field": 1}"#, r#"{"field": "x"}"#),
        (r#"{"field": 1}"#, "{}"),
        (r#""unit": null, "#, ""),
        (r#""name": "\u00e9""#, r#""name": ["x"]"#),
    ];
    for (good, bad) in faults {
        let text = TEXT.replacen(good, bad, 1);
        assert_ne!(text, TEXT, "{good}");
        let theirs = serde_path_to_error::deserialize::<_, Everything>(&mut serde_json::Deserializer::from_str(&text));
        // A rejected key is a step without a name there, and no step here.
        let theirs = theirs.err().ok_or(bad)?.path().to_string().replace(".?", "");
        let ours = Everything::deserialize(&Json::parse(&text)?).err().ok_or(bad)?;
        let ours = ours.steps().fold(String::new(), |path, step| match step {
            Step::Index(index) => format!("{path}[{index}]"),
            Step::Key(key) if path.is_empty() => key.clone(),
            Step::Key(key) => format!("{path}.{key}"),
        });
        assert_eq!(if ours.is_empty() { "." } else { &ours }, theirs, "{bad}");
    }
    Ok(())
}

#[test]
fn values_that_serde_json_rejects_are_rejected() -> Result<(), crate::json::SyntaxError> {
    for text in
        ["3", r#""Tuple""#, "{}", r#"{"Unit": 1}"#, r#"{"Unit": null, "Tuple": [1, 2]}"#, r#"{"Tuple": [1, 2, 3]}"#]
    {
        assert!(serde_json::from_str::<Variants>(text).is_err(), "{text}");
        assert!(Variants::deserialize(&Json::parse(text)?).is_err(), "{text}");
    }
    Ok(())
}
