//! Calls that must not run in another form than the one that was meant: repairs and hints that would make another call of them.

mod envelopes;
mod left_out;
mod markup;
mod nothing;
mod renames;
mod thousands;
mod units;

use pollster::block_on;
use serde_json::{Map, Value};
use tool_dynamic::DynamicTool;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CallContext, Outcome, RepairPolicy, Session, Toolbox};

/// Returns a session with one tool, which returns its arguments.
fn session(tool: &str, schema: &Value, policy: RepairPolicy) -> Session {
    let echo = |arguments: Map<String, Value>, _: &CallContext| Ok::<_, String>(Value::Object(arguments));
    let tool =
        DynamicTool::builder(tool.to_owned(), "Returns its arguments.", schema.to_string().as_str()).sync_handler(echo);
    let tool = tool.unwrap_or_else(|error| panic!("{schema}: {error}"));
    Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .repair(policy)
        .no_throttle()
        .tool(tool)
        .build()
        .expect("one tool has no clashes")
        .session()
}

fn call(session: &Session, tool: &str, arguments: &str) -> Outcome {
    block_on(session.call("call_1", tool, arguments))
}

/// Returns the arguments with which the tool ran; `None` if the call was rejected.
fn ran(session: &Session, tool: &str, arguments: &str) -> Option<Value> {
    call(session, tool, arguments).value()
}
