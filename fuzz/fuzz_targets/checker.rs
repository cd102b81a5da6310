//! Fuzz target: any JSON with a few shapes. There is no panic, `check` and `accepts` agree, and a stream rejects nothing that the checker
//! accepts.

#![no_main]
#![allow(dead_code)] // The decoded values are not read.

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use tool_runtime::__private_0_1_0::check::{accepts, check};
use tool_runtime::ToolInput;
use tool_runtime::tool_schema::repair::{Progress, Stream, repair_text};
use tool_runtime::tool_schema::shape::Ref;

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
struct Order {
    #[tool(length(min = 1, max = 8))]
    id: String,
    items: Vec<Item>,
    unit: Option<Unit>,
    #[serde(alias = "c")]
    count: Option<u8>,
    by_name: Option<BTreeMap<String, f32>>,
    pair: Option<(bool, i64)>,
    next: Option<Box<Order>>,
    any: Option<serde_json::Value>,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[tool(ignore_unknown, undocumented)]
enum Item {
    A { x: i32 },
    B { y: Option<String>, inner: Vec<Item> },
    C,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
#[tool(ignore_unknown, undocumented)]
enum Unit {
    One,
    Two(u8),
    Three { z: bool },
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(ignore_unknown, undocumented)]
enum Formula {
    And { a: Box<Formula>, b: Box<Formula> },
    Not { a: Box<Formula> },
    Number(f64),
}

fuzz_target!(|text: &str| {
    let reading = repair_text(text);
    for shape in [Order::SHAPE, Item::SHAPE, Unit::SHAPE, Formula::SHAPE, <Vec<Option<u8>>>::SHAPE] {
        let Some(json) = reading.partial() else { return };
        let issues = check(shape, json);
        assert_eq!(issues.is_empty(), accepts(shape, json));
        for issue in &issues {
            assert!(!issue.message().is_empty());
        }
        if issues.is_empty() && reading.value().is_some() {
            let mut stream = Stream::for_shape(Ref::Static(shape));
            assert_ne!(stream.push(text), Progress::Rejected);
        }
    }
});
