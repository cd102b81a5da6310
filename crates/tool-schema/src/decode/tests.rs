//! Compares decoding with serde: it accepts the same values, and explains the others.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde_json::{Value, json};

use super::exponential_types::shape_is_explosive;
use super::{checked_first, decode, needs_no_care, typed_first};
use crate::__private::{AcceptsRange, FieldInit, ShapeInit, VariantInit, identity, object, range, union};
use crate::input::{Arguments, ToolInput};
use crate::issue::{Issue, ValidationError};
use crate::json::Number;
use crate::shape::{Field, Kind, Range, Ref, Shape, Tagging, UnknownKeys};

/// A type whose `Deserialize` has a rule that no shape can express.
#[derive(Debug, PartialEq)]
struct Even(u8);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if number % 2 == 0 { Ok(Self(number)) } else { Err(D::Error::custom("crate::Even is odd")) }
    }
}

impl ToolInput for Even {
    const SHAPE: &'static Shape = u8::SHAPE;

    fn guard(&self) -> bool {
        true
    }
}

const DAYS: Range = Range::inclusive(Number::Integer(1), Number::Integer(14));

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Trip {
    #[serde(default)]
    days: Option<u8>,
    #[serde(default)]
    stops: Vec<BTreeMap<String, Even>>,
    #[serde(default)]
    pin: Option<Even>,
}

impl ToolInput for Trip {
    const SHAPE: &'static Shape = &ShapeInit { name: "Trip", identity: Some(identity::<Self>()), ..ShapeInit::DEFAULT }
        .shape(object(
            const {
                &[
                    FieldInit {
                        name: "days",
                        shape: <Option<u8>>::SHAPE,
                        rules: const { &[range(<Option<u8> as AcceptsRange>::in_range, DAYS)] },
                        ..FieldInit::DEFAULT
                    }
                    .field(),
                    FieldInit { name: "stops", shape: <Vec<BTreeMap<String, Even>>>::SHAPE, ..FieldInit::DEFAULT }
                        .field(),
                    FieldInit { name: "pin", shape: <Option<Even>>::SHAPE, sensitive: true, ..FieldInit::DEFAULT }
                        .field(),
                ]
            },
            UnknownKeys::Rejected,
        ));

    fn guard(&self) -> bool {
        self.days.in_range(&DAYS)
    }
}

fn rejections(arguments: impl Into<Arguments<'static>>) -> Vec<(String, &'static str)> {
    let error = decode::<Trip>(&arguments.into()).unwrap_err();
    error.issues().iter().map(|issue| (issue.path.to_string(), issue.constraint.keyword())).collect()
}

#[test]
fn empty_arguments_are_an_empty_object() -> Result<(), ValidationError> {
    for text in ["", " \n\t\r", "null", " null ", "{}", " { } "] {
        assert_eq!(decode::<Trip>(&text.into())?, Trip::default(), "{text:?}");
        assert_eq!(decode::<Trip>(&text.as_bytes().into())?, Trip::default(), "{text:?} as bytes");
    }
    assert_eq!(decode::<Trip>(&Value::Null.into())?, Trip::default());
    assert_eq!(decode::<Trip>(&serde_json::Map::new().into())?, Trip::default());
    Ok(())
}

#[test]
fn every_form_of_arguments_gives_the_same_value() -> Result<(), ValidationError> {
    let text = r#" {"days": 3, "stops": [{"a": 2}]}"#;
    let value: Value = json!({"days": 3, "stops": [{"a": 2}]});
    let map = value.as_object().cloned().unwrap_or_default();
    let expected = decode::<Trip>(&text.into())?;
    assert_eq!((expected.days, expected.stops.len()), (Some(3), 1));
    for arguments in [
        Arguments::from(text.to_owned()),
        Arguments::from(&text.to_owned()),
        Arguments::from(text.as_bytes()),
        Arguments::from(text.as_bytes().to_vec()),
        Arguments::from(&value),
        Arguments::from(value.clone()),
        Arguments::from(&map),
        Arguments::from(map.clone()),
        Arguments::from(Value::String(text.to_owned())),
    ] {
        assert_eq!(decode::<Trip>(&arguments)?, expected, "{arguments:?}");
    }
    Ok(())
}

#[test]
fn every_issue_is_reported_at_its_own_path() {
    assert_eq!(
        rejections(r#"{"stops": [{"a": 300}, 5], "days": 30, "color": 1}"#),
        [
            ("days".to_owned(), "maximum"),
            ("stops[0].a".to_owned(), "maximum"),
            ("stops[1]".to_owned(), "type"),
            // The tool has a sensitive field, so the key may be a secret.
            ("[\"<redacted>\"]".to_owned(), "additionalProperties"),
        ]
    );
}

#[test]
fn rules_are_also_checked_on_the_typed_value() {
    assert_eq!(rejections(json!({"days": 0})), [("days".to_owned(), "minimum")]);
}

#[test]
fn arguments_must_be_an_object() {
    for text in ["[]", "[1, [], null]", "\"days\"", "3", "true"] {
        assert_eq!(rejections(text), [("$".to_owned(), "type")], "{text}");
    }
    let error = decode::<Vec<u8>>(&"[1]".into()).unwrap_err();
    assert_eq!(error.issues()[0].constraint.keyword(), "type", "also for a type that is an array");
}

#[test]
fn text_that_is_not_valid_json_is_one_issue() {
    let deep = format!("{{\"stops\": {}", "[".repeat(100_000));
    for (text, keyword) in [
        ("{\"days\": 3,}", "syntax"),
        ("days", "syntax"),
        ("{\"days\": 3", "incomplete"),
        ("{} {}", "multipleDocuments"),
        (deep.as_str(), "depth"),
    ] {
        let text = text.to_owned();
        assert_eq!(rejections(text.clone()), [("$".to_owned(), keyword)], "{text:.20}");
    }
    assert_eq!(rejections(b"{\"days\": \"\xFF\"}".to_vec()), [("$".to_owned(), "syntax")]);
}

#[test]
fn a_rejection_by_serde_alone_is_one_issue_without_serdes_message() {
    let error = decode::<Trip>(&r#"{"stops": [{}, {"a": 2, "b": 3}]}"#.into()).unwrap_err();
    let [issue] = error.issues() else { panic!("one issue, not {error:?}") };
    assert_eq!((issue.path.to_string().as_str(), issue.constraint.keyword()), ("stops[1].b", "custom"));
    assert!(!error.to_string().contains("Even"), "{error}");
    assert!(error.serde_error_text().is_some_and(|sentence| sentence.contains("crate::Even is odd")));
}

#[test]
fn a_secret_stays_hidden_in_a_rejection_by_serde_alone() {
    let error = decode::<Trip>(&r#"{"pin": 177}"#.into()).unwrap_err();
    let [issue] = error.issues() else { panic!("one issue, not {error:?}") };
    assert_eq!(issue.path.to_string(), "pin");
    assert!(!format!("{:?}", issue.got).contains("177"), "{:?}", issue.got);
}

/// serde tries `And`, then `Not`, on the same value at each level.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Expression {
    Both { left: Box<Self>, right: Box<Self> },
    Not { left: Box<Self> },
    Number(u8),
}

const fn expression(name: &'static str) -> Field {
    FieldInit { name, shape: <Box<Expression>>::SHAPE, required: true, ..FieldInit::DEFAULT }.field()
}

impl ToolInput for Expression {
    const SHAPE: &'static Shape =
        &ShapeInit { name: "Expression", identity: Some(identity::<Self>()), ..ShapeInit::DEFAULT }.shape(union(
            Tagging::Untagged,
            const {
                &[
                    VariantInit {
                        name: "Both",
                        payload: Some(
                            const {
                                &ShapeInit::DEFAULT.shape(object(
                                    const { &[expression("left"), expression("right")] },
                                    UnknownKeys::Ignored,
                                ))
                            },
                        ),
                        ..VariantInit::DEFAULT
                    }
                    .variant(),
                    VariantInit {
                        name: "Not",
                        payload: Some(
                            const {
                                &ShapeInit::DEFAULT.shape(object(const { &[expression("left")] }, UnknownKeys::Ignored))
                            },
                        ),
                        ..VariantInit::DEFAULT
                    }
                    .variant(),
                    VariantInit { name: "Number", payload: Some(u8::SHAPE), ..VariantInit::DEFAULT }.variant(),
                ]
            },
            UnknownKeys::Ignored,
        ));

    fn guard(&self) -> bool {
        true
    }
}

fn nested(levels: usize, innermost: &str) -> String {
    format!("{}{innermost}{}", r#"{"left": "#.repeat(levels), r#", "right": 1}"#.repeat(levels))
}

#[test]
fn a_recursive_untagged_union_is_explosive() {
    assert!(shape_is_explosive(Expression::SHAPE));
    assert!(shape_is_explosive(<Vec<Option<Expression>>>::SHAPE));
    assert!(!shape_is_explosive(Trip::SHAPE));
    // A recursive list has only one way to be decoded.
    let list = ShapeInit { name: "List", identity: Some(identity::<u8>()), ..ShapeInit::DEFAULT };
    let once = list.shape(Kind::Array(Ref::Static(std::net::IpAddr::SHAPE)));
    assert!(!shape_is_explosive(&once));
}

#[test]
fn a_shape_without_lazy_edges_is_not_explosive() {
    assert!(needs_no_care(<Option<(u8, [std::net::IpAddr; 2])>>::SHAPE));
    assert!(!needs_no_care(Trip::SHAPE));
    assert!(!needs_no_care(Expression::SHAPE));
}

#[test]
fn an_explosive_type_is_rejected_in_bounded_time() {
    // serde alone would make 2^60 attempts.
    let error = decode::<Expression>(&nested(60, "\"x\"").into()).unwrap_err();
    let messages: Vec<_> = error.issues().iter().map(Issue::message).collect();
    assert_eq!(messages, [format!("{}… must be an integer or an object", "left.".repeat(32))]);
}

#[test]
fn a_deep_value_of_an_explosive_type_is_decoded_if_serde_needs_few_attempts() -> Result<(), ValidationError> {
    for levels in [1, 10, 60] {
        let text = nested(levels, "7");
        let expected: Option<Expression> = serde_json::from_str(&text).ok();
        assert_eq!(Some(decode::<Expression>(&text.as_str().into())?), expected, "{levels} levels");
    }
    Ok(())
}

/// The shorter variant comes first and rejects unknown fields: serde decodes the content of `left` before it meets `right`.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
#[allow(dead_code)] // The test only decodes it.
enum Backwards {
    Not { left: Box<Self> },
    Both { left: Box<Self>, right: Box<Self> },
    Number(u8),
}

const fn backwards(name: &'static str) -> Field {
    FieldInit { name, shape: <Box<Backwards>>::SHAPE, required: true, ..FieldInit::DEFAULT }.field()
}

impl ToolInput for Backwards {
    const SHAPE: &'static Shape =
        &ShapeInit { name: "Backwards", identity: Some(identity::<Self>()), ..ShapeInit::DEFAULT }.shape(union(
            Tagging::Untagged,
            const {
                &[
                    VariantInit {
                        payload: Some(
                            const {
                                &ShapeInit::DEFAULT.shape(object(const { &[backwards("left")] }, UnknownKeys::Rejected))
                            },
                        ),
                        ..VariantInit::DEFAULT
                    }
                    .variant(),
                    VariantInit {
                        payload: Some(
                            const {
                                &ShapeInit::DEFAULT.shape(object(
                                    const { &[backwards("left"), backwards("right")] },
                                    UnknownKeys::Rejected,
                                ))
                            },
                        ),
                        ..VariantInit::DEFAULT
                    }
                    .variant(),
                    VariantInit { payload: Some(u8::SHAPE), ..VariantInit::DEFAULT }.variant(),
                ]
            },
            UnknownKeys::Ignored,
        ));

    fn guard(&self) -> bool {
        true
    }
}

#[test]
fn a_valid_value_that_needs_exponentially_many_attempts_is_rejected() {
    assert!(checked_first::<Backwards>(&nested(8, "7").as_str().into()).is_ok());
    let deep = nested(40, "7");
    let error = checked_first::<Backwards>(&deep.as_str().into()).unwrap_err();
    assert_eq!(error.error().issues()[0].constraint.keyword(), "custom");
}

#[test]
fn decoding_first_and_checking_first_give_the_same_result() {
    for text in ["{}", r#"{"days": 3}"#, r#"{"days": 30}"#, r#"{"pin": 3}"#, "[]", "{"] {
        let typed = typed_first::<Trip>(&text.into(), || Trip::SHAPE.has_secrets())
            .map_err(|rejected| rejected.error.to_string());
        let checked = checked_first::<Trip>(&text.into()).map_err(|rejected| rejected.error.to_string());
        assert_eq!(typed, checked, "{text}");
    }
}
