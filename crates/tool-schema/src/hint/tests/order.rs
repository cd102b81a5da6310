//! A nested input with a field for every kind of defect, built at run time.

use serde_json::{Value, json};
use std::sync::{Arc, LazyLock};

use crate::__private::{FieldInit, VariantInit};
use crate::json::Number;
use crate::shape::{
    Field, Kind, Length, Measure, Object, Pattern, PatternMatcher, Precision, Range, Ref, Rule, Shape, StringFormat,
    Tagging, Union, UnknownKeys, Variant,
};

/// The shape of the arguments of `create_order`.
pub(super) static SHAPE: LazyLock<Shape> = LazyLock::new(order);

/// Returns acceptable arguments.
pub(super) fn valid() -> Value {
    json!({
        "customer": {"name": "Ada", "code": "AB-12", "email": "ada@example.org"},
        "address": {"street": "Rue 1", "city": "Paris", "since": "2025-01-31"},
        "items": [
            {"sku": "a", "quantity": 1, "colour": "red", "parts": [{"size": 1}, {"size": 2}]},
            {"sku": "b", "quantity": 2, "colour": "blue"},
        ],
        "currency": "EUR",
        "speed": "express",
        "payment": {"method": "card", "number": "4711"},
        "discount": 0.5, "weight": 1.5, "note": "", "tags": ["a", "b"], "codes": [1, 2], "gift": true,
        "shape": {"circle": {"radius": 1}}, "when": 7, "labels": {"a": true}, "ranks": [],
    })
}

fn order() -> Shape {
    let customer = object(vec![
        required("name", Kind::String, vec![length(Measure::Characters, 1, Some(40))]),
        Field {
            example: Some(r#""AB-12""#.into()),
            ..required(
                "code",
                Kind::String,
                vec![Rule::Pattern(Pattern {
                    source: "^[A-Z]{2}-[0-9]{2}$".into(),
                    matcher: PatternMatcher::Static(|text| text.len() == 5 && text.as_bytes()[2] == b'-'),
                    sample: "".into(),
                })],
            )
        },
        required("email", Kind::String, vec![Rule::Format(StringFormat::Email)]),
    ]);
    let address = object(vec![
        required("street", Kind::String, vec![]),
        required("city", Kind::String, vec![]),
        required("since", Kind::String, vec![Rule::Format(StringFormat::Date)]),
    ]);
    let part = object(vec![required("size", Kind::Integer, vec![])]);
    let item = object(vec![
        Field { required: false, ..required("parts", Kind::Array(edge(part)), vec![]) },
        required("sku", Kind::String, vec![]),
        required(
            "quantity",
            Kind::Integer,
            vec![Rule::Range(Range::inclusive(Number::Integer(1), Number::Integer(99)))],
        ),
        required("colour", choice(&["red", "green", "blue"]), vec![]),
    ]);
    let payment = Kind::Union(union(
        Tagging::Internal { tag: "method".into() },
        vec![
            variant("card", Some(object(vec![required("number", Kind::String, vec![])]))),
            variant("transfer", Some(object(vec![required("iban", Kind::String, vec![])]))),
        ],
    ));
    let shape = Kind::Union(union(
        Tagging::External,
        vec![
            variant("circle", Some(object(vec![required("radius", Kind::Integer, vec![])]))),
            variant("square", Some(object(vec![required("side", Kind::Integer, vec![])]))),
        ],
    ));
    let when = Kind::Union(union(
        Tagging::Untagged,
        vec![
            variant("days", Some(Kind::Integer)),
            variant("date", Some(object(vec![required("date", Kind::String, vec![])]))),
        ],
    ));
    let labels = Kind::Map { keys: edge(Kind::String), values: edge(Kind::Boolean) };
    let above_zero = Range { exclusive_min: Some(Number::Integer(0)), ..Range::UNBOUNDED };
    Shape::new(object(vec![
        required("customer", customer, vec![]),
        required("address", address, vec![]),
        required("items", Kind::Array(edge(item)), vec![length(Measure::Items, 1, None)]),
        required("currency", choice(&["EUR", "USD"]), vec![]),
        required("speed", choice(&["standard", "express"]), vec![]),
        required("payment", payment, vec![]),
        required("discount", Kind::Number(Precision::Double), vec![Rule::Range(above_zero)]),
        required("weight", Kind::Number(Precision::Double), vec![Rule::MultipleOf(Number::Float(0.5))]),
        required("note", Kind::String, vec![length(Measure::Characters, 0, Some(20))]),
        required("tags", Kind::Array(edge(Kind::String)), vec![length(Measure::Items, 2, Some(4))]),
        required("codes", Kind::Array(edge(Kind::Integer)), vec![Rule::UniqueItems]),
        required("gift", Kind::Boolean, vec![]),
        required("shape", shape, vec![]),
        required("when", when, vec![]),
        required("labels", labels, vec![length(Measure::Properties, 1, Some(2))]),
        required("ranks", Kind::Array(edge(Kind::Integer)), vec![length(Measure::Items, 0, Some(3))]),
    ]))
}

fn required(name: &'static str, kind: Kind, rules: Vec<Rule>) -> Field {
    Field { shape: edge(kind), rules: rules.into(), required: true, ..FieldInit { name, ..FieldInit::DEFAULT }.field() }
}

fn length(measure: Measure, min: u64, max: Option<u64>) -> Rule {
    Rule::Length(Length { measure, min, max })
}

fn object(fields: Vec<Field>) -> Kind {
    Kind::Object(Object { fields: fields.into(), unknown: UnknownKeys::Rejected })
}

fn choice(names: &[&'static str]) -> Kind {
    Kind::Union(union(Tagging::External, names.iter().map(|name| variant(name, None)).collect()))
}

fn union(tagging: Tagging, variants: Vec<Variant>) -> Union {
    Union { tagging, variants: variants.into(), unknown: UnknownKeys::Rejected }
}

fn variant(name: &'static str, payload: Option<Kind>) -> Variant {
    Variant { payload: payload.map(edge), ..VariantInit { name, ..VariantInit::DEFAULT }.variant() }
}

fn edge(kind: Kind) -> Ref {
    Ref::Shared(Arc::new(Shape::new(kind)))
}
