//! JSON Schemas of `Shape`s, and definitions for providers.
//!
//! The inputs are derived types. The `jsonschema` crate checks that the output is a schema and which values it accepts; `schemars` provides
//! a second schema of the same type. Texts are compared byte for byte only where order and form matter.

mod bounds;
mod definitions;
mod foreign;
mod keywords;
mod objects;
mod providers;
mod recursion;
mod types_page;
mod unions;

use jsonschema::Validator;
use schemars::JsonSchema;
use serde_json::Value;
use tool_runtime::ToolInput;
use tool_schema::schema::schema_text;
use tool_schema::shape::Shape;

/// Returns the schema of a shape after validating it against the meta-schema of 2020-12.
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

/// Asserts which values the schema of the type accepts and rejects.
#[track_caller]
fn judge<T: ToolInput>(accepted: &[&str], rejected: &[&str]) {
    judge_schema(&schema(T::SHAPE), accepted, rejected);
}

/// Asserts the same for our schema and for the schema of `schemars`.
#[track_caller]
fn judge_both<T: ToolInput + JsonSchema>(accepted: &[&str], rejected: &[&str]) {
    judge::<T>(accepted, rejected);
    judge_schema(schemars::schema_for!(T).as_value(), accepted, rejected);
}

#[track_caller]
fn judge_schema(schema: &Value, accepted: &[&str], rejected: &[&str]) {
    let validator = validator(schema);
    for (texts, verdict) in [(accepted, true), (rejected, false)] {
        for text in texts {
            let value = serde_json::from_str(text).expect("the test writes JSON");
            assert_eq!(validator.is_valid(&value), verdict, "{text} under {schema}");
        }
    }
}
