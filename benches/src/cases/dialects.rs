//! Definitions in a provider's strict form, and calls that a model makes with them.
//!
//! A strict definition is compared with the plain definition of the same tool. Parsing a text and applying the inverse is compared with
//! only parsing it, so the part of the ratio above 1 is the cost of the inverse. A call in a toolbox for a provider is compared with the
//! same call without a provider.

use std::hint::black_box;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::tool_schema::dialect::EffectiveStrictness;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::Strictness;
use tool_runtime::{Arguments, CallContext, Dialect, Session, ToolInput, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{CountStockTool, Order, Stock, Trip, Weather};

/// The number of tools of a request.
const TOOLS: usize = 100;

/// Limit: strict definitions cost at most twice as much as plain ones.
const DEFINITIONS: Option<f64> = Some(2.0);
/// Limit: the inverse of a call costs at most as much as parsing its text.
const RESTORED: Option<f64> = Some(2.0);

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("dialect/openai-strict", DEFINITIONS, "1,000 strict definitions" => strict(Dialect::OPENAI_STRICT), "plain" => plain(Dialect::OPENAI)),
        comparison!("dialect/anthropic-strict", DEFINITIONS, "1,000 strict definitions" => strict(Dialect::ANTHROPIC_STRICT), "plain" => plain(Dialect::ANTHROPIC)),
        comparison!("dialect/session", DEFINITIONS, "build + definitions, openai-strict" => advertised(Dialect::OPENAI_STRICT), "openai" => advertised(Dialect::OPENAI)),
        comparison!("dialect/restore-null", RESTORED, "parse + restore" => restore(NULL), "parse" => parse(NULL)),
        comparison!("dialect/restore-map", RESTORED, "parse + restore" => restore(MAP), "parse" => parse(MAP)),
        comparison!("dialect/restore-maps", RESTORED, "parse + restore" => restore(&maps()), "parse" => parse(&maps())),
        comparison!("dialect/call-plain", Some(1.01), "for_provider, plain" => calls(provided(Strictness::Plain), OWN), "without a provider" => calls(alone(), OWN)),
        comparison!("dialect/call-strict", None, "for_provider, strict" => calls(provided(Strictness::Strict), MAP), "without a provider" => calls(alone(), OWN)),
    ]
}

/// Tools of three different inputs, one after the other.
fn specs() -> Vec<ToolSpec> {
    let shapes: [&'static Shape; 4] = [Weather::SHAPE, Order::SHAPE, Trip::SHAPE, Stock::SHAPE];
    let spec = |number| ToolSpec::new(format!("tool_{number}"), "Does it.", Ref::Static(shapes[number % shapes.len()]));
    (0..TOOLS).map(spec).collect()
}

fn strict(dialect: Dialect) -> impl Fn() {
    let specs = specs();
    move || {
        // Each tool gets a request of its own, because Anthropic accepts only twenty strict tools in one request.
        let definitions: Vec<_> = specs.iter().map(|spec| spec.definition(dialect)).collect();
        assert!(
            black_box(&definitions).iter().all(|definition| definition.strictness() == EffectiveStrictness::Strict)
        );
    }
}

fn plain(dialect: Dialect) -> impl Fn() {
    let specs = specs();
    move || {
        let definitions: Vec<_> = specs.iter().map(|spec| spec.definition(dialect)).collect();
        assert_eq!(black_box(definitions).len(), TOOLS);
    }
}

/// A tool that is only advertised.
struct Advertised(ToolSpec);

impl Tool for Advertised {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        unreachable!("it is only advertised")
    }
}

fn advertised(dialect: Dialect) -> impl Fn() {
    let specs = specs();
    move || {
        let builder = specs.iter().fold(Toolbox::builder(), |builder, spec| builder.tool(Advertised(spec.clone())));
        let session = builder.for_provider(dialect).build().expect("the names are different").session();
        assert_eq!(black_box(session.definitions()).len(), TOOLS);
    }
}

/// A stock as a model sends it under `openai-strict`. The inverse only changes one `null`.
const NULL: &str = r#"{"warehouse": "north", "shelves": [], "limit": null}"#;

/// A stock with one shelf, whose map the inverse restores.
const MAP: &str = r#"{"warehouse": "north", "shelves": [{"name": "first", "counts": [{"key": "bolts", "value": 12}, {"key": "nuts", "value": 7}], "height": 3}], "limit": 500}"#;

/// Returns a stock with fifty shelves.
fn maps() -> String {
    let counts = r#"[{"key": "bolts", "value": 12}, {"key": "nuts", "value": 7}, {"key": "pins", "value": 40}]"#;
    let shelf = |number| format!(r#"{{"name": "shelf {number}", "counts": {counts}, "height": null}}"#);
    let shelves: Vec<_> = (0..50).map(shelf).collect();
    format!(r#"{{"warehouse": "north", "shelves": [{}], "limit": null}}"#, shelves.join(", "))
}

fn restore(sent: &str) -> impl Fn() + use<> {
    let spec = ToolSpec::new("measured", "Does it.", Ref::Static(Stock::SHAPE));
    let definition = spec.definition(Dialect::OPENAI_STRICT);
    let inverse = Arc::clone(definition.inverse().expect("values are rewritten"));
    let sent = sent.to_owned();
    move || {
        let tree = Json::parse(black_box(&sent)).expect("the payload is JSON");
        assert!(black_box(inverse.restore(tree)).is_ok());
    }
}

fn parse(sent: &str) -> impl Fn() + use<> {
    let sent = sent.to_owned();
    move || assert!(black_box(Json::parse(black_box(&sent))).is_ok())
}

/// The arguments in the tool's own form to which `MAP` is restored.
const OWN: &str = r#"{"warehouse": "north", "shelves": [{"name": "first", "counts": {"bolts": 12, "nuts": 7}, "height": 3}], "limit": 500}"#;

fn provided(strictness: Strictness) -> Session {
    let builder = Toolbox::builder().no_throttle().tool(CountStockTool).for_provider(Dialect::OPENAI);
    let session = builder.definition_strictness(strictness).build().expect("the tool can be strict").session();
    drop(session.definitions());
    session
}

fn alone() -> Session {
    Toolbox::builder().no_throttle().tool(CountStockTool).build().expect("one tool has no clashes").session()
}

fn calls(session: Session, arguments: &'static str) -> impl Fn() {
    move || {
        let call = pin!(session.call("call_1", "count_stock", black_box(arguments)));
        let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("a sync tool is done at the first poll")
        };
        assert!(outcome.is_ok() && !black_box(outcome.to_text()).is_empty());
    }
}
