//! A call has the same answer alone, in a batch with other calls of its tool, compared with a paused call, and after approval by a hook.

use proptest::prelude::*;
use serde_json::{Map, Value};
use tool_dynamic::DynamicTool;
use tool_runtime::Arguments;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::tool::{AnswerOrFuture, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CallContext, Outcome, Session, Toolbox, TypedTool, tool};

/// Dims lights.
#[tool]
fn dim(
    /// Which lights.
    lights: Vec<String>,
    /// Brightness in percent.
    #[tool(range(max = 100), default = 50)]
    level: u8,
) -> String {
    format!("{lights:?} {level}")
}

/// A tool without a Rust type, which runs arguments that its schema rejects.
struct Lax(ToolSpec);

impl Tool for Lax {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Ok(Payload::Text(arguments.to_text().into_owned())))
    }
}

const SCHEMA: &str = r#"{
    "properties": {"lights": {"type": "array", "items": {"type": "string"}}, "level": {"type": "integer", "maximum": 100}},
    "required": ["lights"]
}"#;

fn toolbox() -> ToolboxBuilder {
    let echo = |arguments: Map<String, Value>, _: &CallContext| Ok::<_, String>(Value::from(arguments).to_string());
    let dynamic = DynamicTool::builder("dynamic", "Dims lights.", SCHEMA).sync_handler(echo).expect("a schema");
    let lax = Lax(ToolSpec::new("lax", "Dims lights.", DimTool::SPEC.input.clone()));
    Toolbox::builder().clock(SimulatedClock::new()).tool(DimTool).tool(lax).tool(dynamic)
}

/// Returns all that a host and a model learn about a call.
fn seen(outcome: &Outcome) -> (String, Vec<String>, Option<String>) {
    let repairs = outcome.repairs().iter().map(ToString::to_string).collect();
    (outcome.to_text().into_owned(), repairs, outcome.repaired_arguments().map(str::to_owned))
}

/// Returns the number of calls that the throttle has counted.
fn counted(session: &Session) -> u64 {
    session.statistics().total_calls_last_60s
}

const KEYS: [&str; 4] = ["lights", "level", "Level", "other"];

fn value() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "40",
        "\"40\"",
        "140",
        "\"x\"",
        "null",
        "[]",
        "[\"hall\"]",
        "\"hall\"",
        "[\"hall\", 3]",
        "{}",
        "true",
        "4.0",
        "'a'",
    ])
}

fn arguments() -> impl Strategy<Value = String> {
    let key = prop::sample::select(&KEYS[..]);
    let pairs = prop::collection::vec((key, value()), 0..4);
    (pairs, prop::sample::select(vec!["}", ",}", "", "} done"])).prop_map(|(pairs, end)| {
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
        format!("{{{}{end}", pairs.join(", "))
    })
}

proptest! {
    #[test]
    fn a_call_has_the_same_answer_on_every_path(
        name in prop::sample::select(vec!["dim", "lax", "dynamic"]),
        arguments in arguments(),
    ) {
        const OTHER: &str = r#"{"lights": ["attic"], "level": 7}"#;
        let built = |builder: ToolboxBuilder| builder.build().expect("three tools").session();
        let call = |session: &Session| pollster::block_on(session.call("call_1", name, arguments.as_str()));
        let alone = seen(&call(&built(toolbox())));

        let together = built(toolbox());
        let batch = pollster::block_on(together.call_batch([("call_0", name, OTHER), ("call_1", name, &*arguments)]));
        prop_assert_eq!(&seen(&batch.outcomes()[1]), &alone, "in a batch");
        prop_assert_eq!(counted(&together), 2, "in a batch");

        let paused = built(toolbox());
        let repeated = (0..10).filter(|_| pollster::block_on(paused.call("call_0", name, OTHER)).is_ok()).count();
        prop_assert!(repeated < 10, "the throttle pauses the call before");
        prop_assert_eq!(&seen(&call(&paused)), &alone, "compared with a paused call");
        prop_assert_eq!(counted(&paused), 11, "compared with a paused call");

        // The hook is called only for arguments that match the schema, and receives a repeated key once.
        let is_repeated = |key: &&str| arguments.matches(&format!("\"{key}\":")).count() > 1;
        if name != "lax" && !KEYS.iter().any(is_repeated) {
            let asked = built(toolbox().before_call(|_: &ProposedCall<'_>| Verdict::Run));
            prop_assert_eq!(&seen(&call(&asked)), &alone, "with a hook");
            prop_assert_eq!(counted(&asked), 1, "with a hook");
        }
    }
}
