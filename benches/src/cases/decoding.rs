//! A valid call, from text to typed and validated arguments.
//!
//! The alternatives are serde alone, which validates nothing, and the usual way with a schema: parse, validate, decode.

use std::hint::black_box;

use jsonschema::Validator;
use serde_json::Value;
use tool_runtime::ToolInput;
use tool_runtime::tool_schema::decode::decode;
use tool_runtime::tool_schema::json::Json;

use super::{Comparison, comparison};
use crate::payloads::{LARGE, MEDIUM, ORDER_SCHEMA, Order, SMALL, TRIP, Trip, WEATHER_SCHEMA, Weather};

/// Limit: 10 % slower than serde alone.
const BESIDE_SERDE: Option<f64> = Some(1.10);
/// Limit: 35 % of a schema validator. The goal is a third of its time; in instructions, three fields take slightly more.
const BESIDE_SCHEMA: Option<f64> = Some(0.35);
/// Limit for an order of five items: 42 % of a schema validator. serde alone takes more than a third of its instructions.
const BESIDE_SCHEMA_TAGGED: Option<f64> = Some(0.42);
/// Limit: 30 % slower than `serde_json::Value`, which keeps neither the order of keys nor positions.
const BESIDE_VALUE: Option<f64> = Some(1.30);

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("decode/small", BESIDE_SERDE, "decode + validate" => ours::<Weather>(SMALL), "serde alone" => serde::<Weather>(SMALL)),
        comparison!("decode/medium", BESIDE_SERDE, "decode + validate" => ours::<Order>(MEDIUM), "serde alone" => serde::<Order>(MEDIUM)),
        comparison!("decode/large", BESIDE_SERDE, "decode + validate" => ours::<Order>(LARGE), "serde alone" => serde::<Order>(LARGE)),
        comparison!("decode/patterns+formats", None, "decode + validate" => ours::<Trip>(TRIP), "serde alone" => serde::<Trip>(TRIP)),
        comparison!("validate/small", BESIDE_SCHEMA, "decode + validate" => ours::<Weather>(SMALL), "parse + jsonschema + decode" => by_schema::<Weather>(WEATHER_SCHEMA, SMALL)),
        comparison!("validate/medium", BESIDE_SCHEMA_TAGGED, "decode + validate" => ours::<Order>(MEDIUM), "parse + jsonschema + decode" => by_schema::<Order>(ORDER_SCHEMA, MEDIUM)),
        comparison!("validate/large", BESIDE_SCHEMA, "decode + validate" => ours::<Order>(LARGE), "parse + jsonschema + decode" => by_schema::<Order>(ORDER_SCHEMA, LARGE)),
        comparison!("parse/medium", BESIDE_VALUE, "Json" => tree(MEDIUM), "serde_json::Value" => value(MEDIUM)),
        comparison!("parse/large", BESIDE_VALUE, "Json" => tree(LARGE), "serde_json::Value" => value(LARGE)),
    ]
}

fn ours<T: ToolInput>(text: &'static str) -> impl Fn() {
    move || assert!(black_box(decode::<T>(&black_box(text).into())).is_ok())
}

fn serde<T: ToolInput>(text: &'static str) -> impl Fn() {
    move || assert!(black_box(serde_json::from_str::<T>(black_box(text))).is_ok())
}

fn by_schema<T: ToolInput>(schema: &str, text: &'static str) -> impl Fn() {
    let validator = validator(schema);
    move || {
        let value: Value = serde_json::from_str(black_box(text)).expect("the payload is JSON");
        assert!(validator.is_valid(&value));
        assert!(black_box(serde_json::from_value::<T>(value)).is_ok());
    }
}

fn tree(text: &'static str) -> impl Fn() {
    move || assert!(black_box(Json::parse(black_box(text))).is_ok())
}

fn value(text: &'static str) -> impl Fn() {
    move || assert!(black_box(serde_json::from_str::<Value>(black_box(text))).is_ok())
}

/// Returns a validator that is compiled once, as its documentation recommends.
pub(super) fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}
