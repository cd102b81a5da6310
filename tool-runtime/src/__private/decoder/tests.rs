//! Compares the decoder with the code of serde's derive for the same struct.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
#[expect(clippy::option_option, reason = "a `null` that was sent is not an absent key")]
struct Derived {
    city: String,
    days: Option<u8>,
    #[serde(alias = "unit", default, deserialize_with = "given")]
    units: Option<Option<bool>>,
    #[serde(rename = "type")]
    kind: Value,
    #[serde(default, deserialize_with = "given")]
    note: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closed {
    city: Option<u8>,
    #[serde(alias = "unit", alias = "measure")]
    units: bool,
}

fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

struct OfDerived;

impl Parameter<0> for OfDerived {
    type Type = String;
}
impl Parameter<1> for OfDerived {
    type Type = Option<u8>;
}
impl Parameter<2> for OfDerived {
    type Type = Option<bool>;
}
impl ForeignParameter<3> for OfDerived {
    type Type = Value;
    const DISTINCT_NULL: bool = false;
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Type, D::Error> {
        Deserialize::deserialize(deserializer)
    }
}
impl ForeignParameter<4> for OfDerived {
    type Type = String;
    const DISTINCT_NULL: bool = false;
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Type, D::Error> {
        Deserialize::deserialize(deserializer)
    }
}

impl Parameters for OfDerived {
    type Tree = (
        ((Required<Self, 0>, Required<Self, 1>), Defaulted<Self, 2>),
        (ForeignRequired<Self, 3>, ForeignDefaulted<Self, 4>),
    );
    const NAMES: &'static [&'static str] = &["city", "days", "units", "type", "note"];
    const ALIASES: &'static [(&'static str, usize)] = &[("unit", 2)];
    const CLOSED: bool = false;
}

struct OfClosed;

impl Parameter<0> for OfClosed {
    type Type = Option<u8>;
}
impl Parameter<1> for OfClosed {
    type Type = bool;
}

impl Parameters for OfClosed {
    type Tree = (Required<Self, 0>, Required<Self, 1>);
    const NAMES: &'static [&'static str] = &["city", "units"];
    const ALIASES: &'static [(&'static str, usize)] = &[("measure", 1), ("unit", 1)];
}

/// Removes the two expected differences of messages: for an unknown key, serde's derive also lists aliases; and it describes an
/// unacceptable value in other words.
fn comparable<T>(result: serde_json::Result<T>) -> Result<T, String> {
    result.map_err(|error| {
        let text = error.to_string();
        text.split(", expected").next().unwrap_or_default().to_owned()
    })
}

fn open(text: &str) -> serde_json::Result<Derived> {
    let values = decode_parameters::<OfDerived, _>(&mut serde_json::Deserializer::from_str(text));
    values.map(|(((city, days), units), (kind, note))| Derived { city, days, units, kind, note })
}

fn closed(text: &str) -> serde_json::Result<Closed> {
    let values = decode_parameters::<OfClosed, _>(&mut serde_json::Deserializer::from_str(text));
    values.map(|(city, units)| Closed { city, units })
}

fn objects() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "city",
        "days",
        "units",
        "unit",
        "measure",
        "type",
        "note",
        "Type",
        "",
        "c\\u0069ty",
    ]);
    let value = prop::sample::select(vec!["null", "true", "7", "700", "\"a\"", "[1]", "{}", "{\"city\": 1}"]);
    prop::collection::vec((key, value), 0..7).prop_map(|members| {
        let members: Vec<_> = members.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}}}", members.join(", "))
    })
}

proptest! {
    #[test]
    fn objects_are_decoded_as_the_derive_of_serde_decodes_them(text in objects()) {
        prop_assert_eq!(comparable(open(&text)), comparable(serde_json::from_str::<Derived>(&text)));
        prop_assert_eq!(comparable(closed(&text)), comparable(serde_json::from_str::<Closed>(&text)));
    }

    #[test]
    fn a_value_tree_is_decoded_like_its_text(text in objects()) {
        let tree: Value = serde_json::from_str(&text)?;
        let of_tree = decode_parameters::<OfClosed, _>(&tree).map(|(city, units)| Closed { city, units });
        prop_assert_eq!(comparable(of_tree), comparable(Closed::deserialize(&tree)));
    }
}

#[test]
fn every_part_of_an_object_is_covered_by_the_property_test() {
    let full = r#"{"type": [1], "unit": null, "days": null, "extra": {}, "city": "Paris", "note": "a"}"#;
    let derived = Derived {
        city: "Paris".to_owned(),
        days: None,
        units: Some(None),
        kind: serde_json::json!([1]),
        note: Some("a".to_owned()),
    };
    assert_eq!(open(full).ok(), Some(derived));
    let absent = open(r#"{"city": "Paris", "type": null}"#).map(|derived| (derived.days, derived.units, derived.note));
    assert_eq!(absent.ok(), Some((None, None, None)));
    for (text, rejection) in [
        (r#"{"units": true, "unit": true}"#, "duplicate field `units`"),
        (r#"{"city": 1}"#, "missing field `units`"),
        (r#"{"units": true, "days": 1}"#, "unknown field `days`, expected `city` or `units`"),
        ("[1, true]", "invalid type: sequence, expected an object of arguments"),
    ] {
        assert!(closed(text).is_err_and(|error| error.to_string().starts_with(rejection)), "{text}");
    }
}

#[test]
fn a_tool_without_parameters_rejects_or_ignores_every_key() {
    let decode = |text: &str| {
        let open = decode_parameters::<NoParameters<false>, _>(&mut serde_json::Deserializer::from_str(text));
        let closed = decode_parameters::<NoParameters<true>, _>(&mut serde_json::Deserializer::from_str(text));
        (open.is_ok(), closed.is_ok())
    };
    assert_eq!([decode("{}"), decode(r#"{"a": {"b": 1}}"#)], [(true, true), (true, false)]);
}
