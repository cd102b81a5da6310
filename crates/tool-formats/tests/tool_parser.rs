//! An independent check: the calls in the inputs of the tests of another parser.

use serde_json::{Map, Value};
use std::sync::Arc;
use tool_formats::{CallFormat, CallReader};
use tool_schema::__private_0_1_0::shape::plain_field;
use tool_schema::shape::{Kind, Object, Precision, Ref, Shape, SharedSlice, Text, UnknownKeys};

/// The inputs, with the calls that the other parser finds. See `data/README.md`.
const INPUTS: &str = include_str!("data/tool-parser.jsonl");

/// Returns a shape that accepts a value.
fn shape(value: &Value) -> Ref {
    let kind = match value {
        Value::Null => Kind::Nullable(Ref::Static(Shape::ANY)),
        Value::Bool(_) => Kind::Boolean,
        Value::Number(number) if number.is_f64() => Kind::Number(Precision::Double),
        Value::Number(_) => Kind::Integer,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array(Ref::Static(Shape::ANY)),
        Value::Object(members) => Kind::Object(object(members)),
    };
    Ref::Shared(Arc::new(Shape::new(kind)))
}

fn object(members: &Map<String, Value>) -> Object {
    let field =
        |(key, value): (&String, &Value)| plain_field(Text::from(key.clone()), Text::EMPTY, shape(value), false);
    Object { fields: SharedSlice::from(members.iter().map(field).collect::<Vec<_>>()), unknown: UnknownKeys::Ignored }
}

#[test]
fn every_complete_call_is_found() {
    let mut wrong = Vec::new();
    let (mut inputs, mut found_calls) = (0, 0);
    for line in INPUTS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let wanted = row["calls"].as_array().unwrap();
        let tools = |name: &str| {
            let mut of_tool = wanted.iter().filter(|call| call["name"] == name).peekable();
            of_tool.peek()?;
            let all = of_tool.filter_map(|call| call["arguments"].as_object()).flatten();
            Some(shape(&Value::Object(all.map(|(key, value)| (key.clone(), value.clone())).collect())))
        };
        let text = row["text"].as_str().unwrap();
        let found = CallReader::new(CallFormat::AUTO, tools).read(text);
        let found: Vec<Value> = found
            .calls
            .into_iter()
            .map(|call| {
                let arguments =
                    tool_schema::repair::repair_text(&call.arguments).value().map(tool_schema::json::Json::to_value);
                serde_json::json!({"name": call.name, "arguments": arguments.unwrap_or(Value::String(call.arguments))})
            })
            .collect();
        let is_equal = found == *wanted;
        if is_equal != row["excluded"].is_null() {
            wrong.push(format!("{}\n  wanted {}\n  found {}", line, row["calls"], Value::Array(found.clone())));
        }
        if is_equal {
            inputs += 1;
            found_calls += found.len();
        }
    }
    assert!(
        wrong.is_empty(),
        "{} inputs and {} calls as wanted, {} not:\n{}",
        inputs,
        found_calls,
        wrong.len(),
        wrong.join("\n")
    );
}
