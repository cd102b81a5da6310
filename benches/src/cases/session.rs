//! A whole call through a session, and the registration of many tools.
//!
//! The call is compared with hand-written code that decodes, calls and encodes, without a tool name, validation, or an answer for failures.
//! The registration is compared with the usual way: creating a schema for each tool when it is registered.

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::tool_schema::decode::decode;
use tool_runtime::tool_schema::shape::Ref;
use tool_runtime::{Arguments, CallContext, Failure, ToolInput, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetWeatherTool, Order, REJECTED, SMALL, Trip, Weather, get_weather};

/// The number of tools that are registered in one round.
const TOOLS: usize = 1_000;

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("session/call", Some(1.5), "session.call" => call(), "decode + call + encode" => by_hand),
        comparison!("reject/wire", Some(1.5), "wire text" => wire, "parse + jsonschema + messages" => super::rejecting::messages(REJECTED.to_owned(), 7)),
        comparison!("register/1000", None, "Toolbox" => register, "schemars" => schemas),
    ]
}

fn call() -> impl Fn() {
    let toolbox = Toolbox::builder().no_throttle().tool(GetWeatherTool).build().expect("one tool has no clashes");
    let session = toolbox.session();
    move || {
        let call = pin!(session.call("call_1", "get_weather", black_box(SMALL)));
        let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("a sync tool is done at the first poll")
        };
        assert!(outcome.is_ok() && !black_box(outcome.to_text()).is_empty());
    }
}

fn by_hand() {
    let arguments: Weather = serde_json::from_str(black_box(SMALL)).expect("the payload is good");
    let report = get_weather(arguments.location, arguments.unit, arguments.days);
    assert!(!black_box(serde_json::to_string(&report).expect("a report is JSON")).is_empty());
}

fn wire() {
    let Err(error) = decode::<Order>(&black_box(REJECTED).into()) else { panic!("the payload is accepted") };
    assert!(black_box(Failure::validation("place_order", error).to_json()).len() > 100);
}

/// A tool with patterns and formats, with any name.
struct Named(ToolSpec);

impl Tool for Named {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        unreachable!("it is only registered")
    }
}

fn register() {
    let named = |number| Named(ToolSpec::new(format!("book_{number}"), "Books a trip.", Ref::Static(Trip::SHAPE)));
    let builder = (0..TOOLS).fold(Toolbox::builder(), |builder, number| builder.tool(named(number)));
    assert!(black_box(builder.build()).is_ok());
}

fn schemas() {
    let tools: Vec<_> = (0..TOOLS).map(|number| (format!("book_{number}"), schemars::schema_for!(Trip))).collect();
    assert_eq!(black_box(tools).len(), TOOLS);
}
