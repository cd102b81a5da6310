//! Tests of the checker with manually built shapes: issues, their locations, their order and their text.

mod hostile;
mod kinds;
mod nested_unions;
mod objects;
mod planted;
mod rules;
mod suggestions;
mod unions;
mod wire;

use serde::de::DeserializeOwned;
use tests::private::check::{accepts, check};
use tests::private::{self as init, FieldInit, ShapeInit, VariantInit};
use tool_runtime::Issue;
use tool_schema::issue::Issues;
use tool_schema::json::{Json, Number};
use tool_schema::shape::{Field, Kind, Precision, Range, Ref, Rule, Shape, Tagging, UnknownKeys, Variant};

const STRING: &Shape = &Shape::new(Kind::String);
const BOOLEAN: &Shape = &Shape::new(Kind::Boolean);
const INTEGER: &Shape = &Shape::new(Kind::Integer);
const NUMBER: &Shape = &Shape::new(Kind::Number(Precision::Double));

/// Returns the issues of a text, and asserts that `accepts` agrees.
fn issues(shape: &Shape, text: &str) -> Issues {
    let json = Json::parse(text).expect(text);
    let issues = check(shape, &json);
    assert_eq!(accepts(shape, &json), issues.is_empty(), "accepts and check disagree about {text}");
    issues
}

/// Returns the messages for a text, one for each issue.
fn messages(shape: &Shape, text: &str) -> Vec<String> {
    issues(shape, text).iter().map(Issue::message).collect()
}

/// Checks lines of a text and its messages, joined by `; `. The messages of a valid text are empty.
fn table(shape: &Shape, lines: &[(&str, &str)]) {
    for (text, said) in lines {
        assert_eq!(messages(shape, text).join("; "), *said, "{text}");
    }
}

/// Returns a shape that was built at run time.
fn shape(kind: Kind) -> &'static Shape {
    Box::leak(Box::new(Shape::new(kind)))
}

/// Returns a required field without further settings.
fn field(name: &'static str, shape: &'static Shape) -> FieldInit {
    FieldInit { name, shape, required: true, ..FieldInit::DEFAULT }
}

/// Returns an optional field.
fn optional(name: &'static str, shape: &'static Shape) -> FieldInit {
    FieldInit { required: false, ..field(name, shape) }
}

/// Returns a field whose keys belong to the object around it.
fn flattened(shape: &'static Shape) -> FieldInit {
    FieldInit { flatten: true, ..field("flattened", shape) }
}

fn object(fields: &[FieldInit], unknown: UnknownKeys) -> &'static Shape {
    let fields: Vec<Field> = fields.iter().map(|field| field.field()).collect();
    shape(init::object(Box::leak(fields.into()), unknown))
}

fn nullable(inner: &'static Shape) -> &'static Shape {
    shape(Kind::Nullable(Ref::Static(inner)))
}

fn ruled(kind: Kind, rules: Vec<Rule>) -> &'static Shape {
    Box::leak(Box::new(ShapeInit { rules: Box::leak(rules.into()), ..ShapeInit::DEFAULT }.shape(kind)))
}

fn range(min: i128, max: i128) -> Rule {
    Rule::Range(Range::inclusive(Number::Integer(min), Number::Integer(max)))
}

/// Returns the shape of a `u8`.
fn u8_shape() -> &'static Shape {
    ruled(Kind::Integer, vec![range(0, 255)])
}

fn variant(name: &'static str, payload: Option<&'static Shape>) -> VariantInit {
    VariantInit { name, payload, ..VariantInit::DEFAULT }
}

fn union(tagging: Tagging, variants: &[VariantInit], unknown: UnknownKeys) -> &'static Shape {
    let variants: Vec<Variant> = variants.iter().map(|variant| variant.variant()).collect();
    shape(init::union(tagging, Box::leak(variants.into()), unknown))
}

/// Asserts that serde and the checker accept the same texts, except for those in `differ`.
fn agrees<T: DeserializeOwned>(shape: &Shape, texts: &[&str], differ: &[&str]) {
    for text in texts.iter().chain(differ) {
        let typed = serde_json::from_str::<T>(text);
        let agrees = typed.is_ok() == issues(shape, text).is_empty();
        let messages = messages(shape, text);
        assert_eq!(agrees, !differ.contains(text), "{text}: serde {:?}, checker {messages:?}", typed.err());
    }
}
