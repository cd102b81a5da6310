//! A valid call of a tool whose schema is only known at run time, from text to the handler's answer.
//!
//! The alternative parses the text and runs the same validator, but does not call a handler.

use std::hint::black_box;

use serde_json::Value;
use tool_dynamic::DynamicTool;
use tool_runtime::CallContext;
use tool_runtime::tool::{AnswerOrFuture, Tool};

use super::decoding::validator;
use super::{Comparison, comparison};
use crate::payloads::{LARGE, MEDIUM, ORDER_SCHEMA, SMALL, WEATHER_SCHEMA};

/// Limit: 20 % slower than parsing and validating.
const LIMIT: Option<f64> = Some(1.2);

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("dynamic/small", LIMIT, "DynamicTool" => ours(WEATHER_SCHEMA, SMALL), "parse + jsonschema" => theirs(WEATHER_SCHEMA, SMALL)),
        comparison!("dynamic/medium", LIMIT, "DynamicTool" => ours(ORDER_SCHEMA, MEDIUM), "parse + jsonschema" => theirs(ORDER_SCHEMA, MEDIUM)),
        comparison!("dynamic/large", LIMIT, "DynamicTool" => ours(ORDER_SCHEMA, LARGE), "parse + jsonschema" => theirs(ORDER_SCHEMA, LARGE)),
    ]
}

fn ours(schema: &str, text: &'static str) -> impl Fn() {
    let builder = DynamicTool::builder("measured", "Does nothing.", schema);
    let tool = builder.sync_handler(|arguments, _| {
        black_box(arguments);
        Ok::<_, String>(())
    });
    let (tool, cx) = (tool.expect("the schema is a schema"), CallContext::for_test());
    move || assert!(matches!(tool.call(black_box(text).into(), &cx), AnswerOrFuture::Ready(Ok(_))))
}

fn theirs(schema: &str, text: &'static str) -> impl Fn() {
    let validator = validator(schema);
    move || {
        let value: Value = serde_json::from_str(black_box(text)).expect("the payload is JSON");
        assert!(validator.is_valid(black_box(&value)));
    }
}
