//! A session that is restored with another toolbox than the one with which it was saved.

use std::sync::Arc;

use tool_runtime::Dialect;
use tool_runtime::container::ExpansionSettings;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::{Completion, RestoreError, SessionSetup, SessionState};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, Outcome, Session, ToolError, Toolbox, tool};

use super::world::{Echo, ask_user};

fn build<S>(builder: ToolboxBuilder<S>) -> Toolbox<S> {
    builder.build().expect("the toolbox is valid")
}

fn call(session: &Session, name: &str, arguments: &str) -> Outcome {
    pollster::block_on(session.call("call_1", name, arguments))
}

fn kind(outcome: &Outcome) -> &str {
    outcome.failure().map_or("ok", tool_runtime::Failure::error_type)
}

fn move_to(session: &Session, toolbox: &Toolbox) -> Session {
    let text = serde_json::to_string(&session.snapshot().expect("it can be saved")).expect("a state is JSON");
    let state: SessionState = serde_json::from_str(&text).expect("it is a state");
    toolbox.restore(state, SessionSetup::new()).expect("it can be restored")
}

fn names(session: &Session) -> Vec<String> {
    session.tools().iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn tools_that_stay_keep_their_order_and_calls_of_removed_tools_are_answered() {
    let web = |members: &[&'static str]| {
        members.iter().fold(Container::new("Web", "A group."), |web, member| web.tool(Echo::new(member)))
    };
    let builder = || Toolbox::builder().tool(Echo::new("a")).container(web(&["x", "y"])).tool(Echo::new("b"));
    let session = build(builder()).session();
    drop(call(&session, "Web", ""));
    assert_eq!(names(&session), ["a", "Web", "b", "x", "y"]);
    let revision = session.revision();
    let next = Toolbox::builder().tool(Echo::new("new")).container(web(&["z", "y"])).tool(Echo::new("a"));
    let next = move_to(&session, &build(next));
    assert_eq!(names(&next), ["a", "Web", "y", "new", "z"]);
    assert!(next.is_expanded("Web"));
    assert_ne!(next.revision(), revision);
    assert_eq!(kind(&call(&next, "b", "{}")), "tool_removed");
    assert_eq!(kind(&call(&next, "c", "{}")), "unknown_tool");
    // The tool is back, as after a server was restarted, and its calls are in the statistics.
    let last = move_to(&next, &build(builder()));
    assert_eq!(kind(&call(&last, "b", "{}")), "ok");
    let statistics = last.statistics();
    assert_eq!(
        statistics.tools.iter().map(|tool| (&*tool.name, tool.calls)).collect::<Vec<_>>(),
        [("b", 2), ("Web", 1)]
    );
}

#[test]
fn pauses_stay_with_their_tool_when_its_position_changes() {
    /// Fails.
    #[tool]
    fn broken(
        /// A number.
        n: u8,
    ) -> Result<(), ToolError> {
        Err(ToolError::new(format!("It is broken{}", if n > 9 { "!" } else { "." })))
    }
    let session = build(Toolbox::builder().tool(Echo::new("a")).tool(BrokenTool)).session();
    for number in 0..3 {
        drop(call(&session, "broken", &format!(r#"{{"n": {number}}}"#)));
    }
    let moved =
        move_to(&session, &build(Toolbox::builder().tool(BrokenTool).tool(Echo::new("b")).tool(Echo::new("a"))));
    assert_eq!(kind(&call(&moved, "broken", r#"{"n": 5}"#)), "throttled");
    assert_eq!((kind(&call(&moved, "a", "{}")), kind(&call(&moved, "b", "{}"))), ("ok", "ok"));
    // A toolbox without a throttle forgets the counts, and still has the names.
    let free = move_to(&session, &build(Toolbox::builder().tool(Echo::new("a")).no_throttle()));
    assert_eq!(kind(&call(&free, "broken", "{}")), "tool_removed");
    assert!(free.statistics().tools.is_empty());
}

/// Stores labels.
#[tool]
fn store(
    /// The labels, by topic.
    labels: std::collections::BTreeMap<String, String>,
) -> String {
    format!("{labels:?}")
}

mod later {
    use tool_runtime::tool;

    /// Stores labels.
    #[tool]
    pub(super) fn store(
        /// The labels, by topic.
        labels: Vec<std::collections::BTreeMap<String, String>>,
    ) -> String {
        format!("{labels:?}")
    }
}

#[test]
fn the_form_of_a_tool_is_only_used_while_the_tool_is_the_same() {
    let strict = || Dialect::OPENAI_STRICT;
    let session = build(Toolbox::builder().tool(StoreTool).for_provider(strict())).session();
    let sent = r#"{"labels": [{"key": "a", "value": "b"}]}"#;
    assert_eq!(kind(&call(&session, "store", sent)), "validation_error", "it was not advertised yet");
    drop(session.definitions());
    assert_eq!(call(&session, "store", sent).to_text(), r#"{"a": "b"}"#);

    let same =
        move_to(&session, &build(Toolbox::builder().tool(Echo::new("new")).tool(StoreTool).for_provider(strict())));
    assert_eq!(call(&same, "store", sent).to_text(), r#"{"a": "b"}"#, "the call was made under the earlier definition");
    let other = move_to(&session, &build(Toolbox::builder().tool(later::StoreTool).for_provider(strict())));
    assert_eq!(call(&other, "store", r#"{"labels": [{"a": "b"}]}"#).to_text(), r#"[{"a": "b"}]"#);
    let plain = move_to(&session, &build(Toolbox::builder().tool(StoreTool)));
    assert_eq!(call(&plain, "store", sent).to_text(), r#"{"a": "b"}"#, "the new toolbox is for another provider");
    let elsewhere = Dialect::ANTHROPIC_STRICT;
    let elsewhere = move_to(&session, &build(Toolbox::builder().tool(StoreTool).for_provider(elsewhere)));
    assert_eq!(call(&elsewhere, "store", sent).to_text(), r#"{"a": "b"}"#);
}

#[test]
fn a_deferred_call_of_a_removed_tool_can_be_completed_but_not_resumed() {
    let ask = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = build(Toolbox::builder().tool(Echo::new("a")).before_call(ask)).session();
    for id in ["call_1", "call_2", "call_3", "call_4"] {
        assert!(pollster::block_on(session.call(id, "a", r#"{"n": 1}"#)).is_deferred());
    }
    let moved = move_to(&session, &build(Toolbox::builder().tool(Echo::new("b"))));
    assert_eq!(moved.deferred_calls().len(), 4);
    assert_eq!(moved.deferred_calls()[0].arguments_text(), r#"{"n": 1}"#);
    assert!(moved.deferred_calls()[0].missing_host_parameters().is_empty());
    assert_eq!(moved.complete("call_1", "by hand").expect("it waits").to_text(), "by hand");
    assert_eq!(kind(&pollster::block_on(moved.resume("call_2")).expect("it waits")), "tool_removed");
    assert_eq!(kind(&moved.complete("call_3", Completion::denied("No.")).expect("it waits")), "denied");
    let failed = moved.complete("call_4", ToolError::new("It is gone.")).expect("it waits");
    assert_eq!(kind(&failed), "tool_error");
    assert!(moved.deferred_calls().is_empty() && moved.complete("call_1", "again").is_err());

    // A call of a tool that still exists runs with the tool of the new toolbox.
    let resumed = move_to(&session, &build(Toolbox::builder().tool(Echo::new("b")).tool(Echo::new("a"))));
    let outcome = pollster::block_on(resumed.resume("call_3")).expect("it waits");
    assert_eq!(outcome.to_text(), format!(r#"{}:call_3 {{"n": 1}}"#, session.id()), "each attempt has the same key");
}

#[test]
fn a_restore_without_the_states_or_with_another_session_id_is_rejected() {
    #[derive(Debug, PartialEq)]
    struct User(u8);

    /// Returns the user.
    #[tool]
    fn whoami(#[tool(state)] user: &User) -> String {
        format!("{user:?}")
    }

    let toolbox = build(Toolbox::builder().require_session_state::<User>().tool(WhoamiTool));
    let session = toolbox.begin_session(SessionSetup::new().id("seven").state(User(1))).expect("the state is there");
    assert_eq!(call(&session, "whoami", "{}").to_text(), "User(1)");
    let state = session.snapshot().expect("nothing is deferred");
    let restore = |setup| toolbox.restore(state.clone(), setup);
    assert!(matches!(restore(SessionSetup::new()), Err(RestoreError::MissingState(_))));
    let other = restore(SessionSetup::new().id("eight").state(User(2)));
    assert!(matches!(other, Err(RestoreError::OtherSession { .. })));
    let session = restore(SessionSetup::new().id("seven").state(User(2))).expect("all is there");
    assert_eq!(call(&session, "whoami", "{}").to_text(), "User(2)");
    assert_eq!((session.id(), state.id()), ("seven", "seven"));
}

#[test]
fn a_restored_session_keeps_its_reminder_and_its_definitions() {
    let toolbox =
        build(Toolbox::builder().tool(Arc::new(ask_user())).expansion(ExpansionSettings::new().fixed_definitions()));
    let session = toolbox.session();
    session.begin_turn();
    session.add_reminder("The build is red.");
    let restored = move_to(&session, &toolbox);
    assert_eq!(restored.reminders(), session.reminders());
    assert!(restored.reminders().is_some());
    assert_eq!(restored.definitions().to_string(), session.definitions().to_string());
    restored.begin_turn();
    assert_eq!(restored.reminders(), None, "the turn had begun before");
}
