//! `Shape` → JSON Schema and definitions for providers.
//!
//! In come derived types; the judges are the `jsonschema` crate (is it a schema at all, what does it accept) and `schemars` (what does its
//! schema of the same type accept). What always holds: the text is compared to the byte only where order and form are the point.

mod bounds;
mod definitions;
mod foreign;
mod keywords;
mod objects;
mod providers;
mod recursion;
mod unions;

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::Value;
use tool_runtime::ToolInput;
use tool_schema::schema::schema_text;
use tool_schema::shape::Shape;

/// The schema of a shape, which must be one by the meta-schema of 2020-12.
#[track_caller]
fn schema(shape: &Shape) -> Value {
    let text = schema_text(shape);
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    assert!(jsonschema::draft202012::meta::is_valid(&schema), "{text}");
    schema
}

#[track_caller]
fn validator(schema: &Value) -> Validator {
    let built = jsonschema::draft202012::options().should_validate_formats(true).build(schema);
    built.unwrap_or_else(|error| panic!("{error} in {schema}"))
}

/// Asserts what our schema accepts and refuses.
#[track_caller]
fn judge<T: ToolInput>(accepted: &[&str], refused: &[&str]) {
    judge_schema(&schema(T::SHAPE), accepted, refused);
}

/// The same, and that the schema of `schemars` for the type says so too.
#[track_caller]
fn judge_both<T: ToolInput + JsonSchema>(accepted: &[&str], refused: &[&str]) {
    judge::<T>(accepted, refused);
    judge_schema(schemars::schema_for!(T).as_value(), accepted, refused);
}

#[track_caller]
fn judge_schema(schema: &Value, accepted: &[&str], refused: &[&str]) {
    let validator = validator(schema);
    for (texts, verdict) in [(accepted, true), (refused, false)] {
        for text in texts {
            let value = serde_json::from_str(text).expect("the test writes JSON");
            assert_eq!(validator.is_valid(&value), verdict, "{text} under {schema}");
        }
    }
}
