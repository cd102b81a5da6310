//! A call with issues, from its text to the list of all issues and the text for the model.
//!
//! The alternative parses the text and collects all errors of a validator, with the validator's own messages, which a program would send to
//! the model.

use std::fmt::Write as _;
use std::hint::black_box;

use serde_json::Value;
use tool_runtime::tool_schema::decode::decode;
use tool_runtime::{Failure, ToolInput};

use super::decoding::validator;
use super::{Comparison, comparison};
use crate::payloads::{Numbers, ORDER_SCHEMA, Order, REJECTED};

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("reject/issues", Some(1.0), "every issue" => issues::<Order>(REJECTED.to_owned(), 7), "parse + jsonschema + messages" => messages(REJECTED.to_owned(), 7)),
    ]
}

fn issues<T: ToolInput>(text: String, faults: usize) -> impl Fn() {
    move || {
        let Err(error) = decode::<T>(&black_box(&text).into()) else { panic!("the payload is accepted") };
        assert_eq!(black_box(error).issues().len(), faults);
    }
}

/// Returns a job that rejects a list of invalid numbers and renders the failure as JSON.
pub(super) fn many(faults: usize) -> impl Fn() {
    let text = format!(r#"{{"numbers":[{}]}}"#, vec!["0"; faults].join(","));
    move || {
        let Err(error) = decode::<Numbers>(&black_box(&text).into()) else { panic!("every number has a fault") };
        assert_eq!(error.issues().len(), faults);
        black_box(Failure::validation("sum", error).to_json());
    }
}

/// Returns a job that writes one line per issue: the location and the validator's message.
pub(super) fn messages(text: String, faults: usize) -> impl Fn() {
    let validator = validator(ORDER_SCHEMA);
    move || {
        let value: Value = serde_json::from_str(black_box(&text)).expect("the payload is JSON");
        let (mut message, mut found) = (String::new(), 0);
        for error in validator.iter_errors(&value) {
            found += 1;
            writeln!(message, "{}: {error}", error.instance_path()).expect("a string takes everything");
        }
        assert_eq!(found, faults, "{}", black_box(message));
    }
}
