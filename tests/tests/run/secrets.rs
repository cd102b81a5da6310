//! The content of a stored run: what the provider gets, and no details that only the observer may read.

use tool_chat::model::Response;
use tool_chat::model::ToolCall;
use tool_chat::run::{Record, Run};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::{Toolbox, tool};

use super::scripts::stored;

/// Logs the user in.
#[tool]
fn log_in(
    /// Name of the user.
    user: String,
    /// The number that only the user knows.
    #[tool(sensitive)]
    pin: String,
    /// The key of the service.
    #[tool(host)]
    key: String,
) -> String {
    assert!(pin != "broken", "the connection with {key} broke for {user}");
    format!("{user} is in")
}

fn stored_after(arguments: &str) -> String {
    let supply = |_: &ProposedCall<'_>| Verdict::RunWith(HostArguments::new().with("key", "host-81726"));
    let toolbox = Toolbox::builder().tool(LogInTool).before_call(supply).build().expect("one tool");
    let mut run = Run::new();
    let apply = |run: &mut Run, record| run.apply_record(record).expect("it fits");
    apply(&mut run, Record::from_prompt("Log in."));
    apply(&mut run, Record::from_model_answer(Response::from_calls([ToolCall::new("a", "log_in", arguments)])));
    apply(&mut run, Record::from_call_end(0, pollster::block_on(toolbox.session().call("a", "log_in", arguments))));
    stored(&run)
}

#[test]
fn a_stored_run_contains_what_the_provider_gets() {
    let text = stored_after(r#"{"user": "ann", "pin": "73914"}"#);
    assert!(text.contains("ann is in"), "{text}");
    // The model sent it and reads it again with every request.
    assert_eq!(text.matches("73914").count(), 1, "{text}");
}

#[test]
fn a_stored_run_contains_no_details_of_failures_and_no_values_of_the_host() {
    for arguments in [r#"{"user": "ann", "pin": "broken"}"#, r#"{"user": "ann", "pin": 73914}"#, r#"{"user": "ann"}"#] {
        let text = stored_after(arguments);
        assert!(!text.contains("host-81726") && !text.contains("the connection with"), "{text}");
    }
}
