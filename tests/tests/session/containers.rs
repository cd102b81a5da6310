//! Containers: visibility, and the answers to calls of containers and of their members.

use std::sync::Arc;

use serde_json::{Value, json};
use tests::private::{ContainerInit, Member, ToolInit};
use tool_runtime::Arguments;
use tool_runtime::container::{ContainerSpec, PluginContainer};
use tool_runtime::tool::{AnswerOrFuture, Payload, ToolSpec};
use tool_runtime::{CallContext, Session, Toolbox};
use tool_schema::shape::Shape;

use super::tools::{call, group, named, rejection, visible};

fn arithmetic() -> Session {
    let math = group("Math", &["add", "multiply"]);
    let toolbox = Toolbox::builder().tool(named("first")).container(math).tool(named("last")).build();
    toolbox.expect("all names differ").session()
}

#[test]
fn members_are_hidden_until_the_container_is_called() {
    let session = arithmetic();
    assert_eq!(visible(&session), ["first", "Math", "last"]);
    assert!(call(&session, "Math", "{}").is_ok());
    assert_eq!(visible(&session), ["first", "Math", "last", "add", "multiply"]);
}

#[test]
fn empty_arguments_in_any_form_expand() {
    for arguments in ["", " \n", "null", "{}", " { } "] {
        let session = arithmetic();
        let outcome = call(&session, "Math", arguments);
        assert_eq!(outcome.value().map(|value| value["functions"].clone()), Some(json!(["add", "multiply"])));
    }
    for arguments in [Value::Null, json!({})] {
        assert!(pollster::block_on(arithmetic().call("call_1", "Math", arguments)).is_ok());
    }
}

#[test]
fn arguments_for_a_container_are_rejected_and_change_nothing() {
    let session = arithmetic();
    let rejection = rejection(&call(&session, "Math", r#"{"function": "add", "a": 5}"#));
    assert_eq!(rejection["error_type"], "container_invocation_error");
    assert_eq!(rejection["attempted_parameters"], json!({"function": "add", "a": 5}));
    assert_eq!(rejection["available_functions"], json!(["add", "multiply"]));
    assert_eq!((visible(&session).len(), session.revision()), (3, 0));
}

#[test]
fn arguments_that_are_not_json_are_rejected_and_quoted_as_text() {
    let rejection = rejection(&call(&arithmetic(), "Math", "add 5 and 10"));
    assert_eq!(rejection["error_type"], "container_invocation_error");
    assert_eq!(rejection["attempted_parameters"], "add 5 and 10");
}

#[test]
fn the_rejection_of_an_unexpanded_member_names_its_container() {
    let session = arithmetic();
    let outcome = call(&session, "add", "{}");
    assert_eq!(rejection(&outcome)["error_type"], "container_not_expanded");
    assert!(outcome.to_text().contains("Math"), "{}", outcome.to_text());
    let _ = call(&session, "Math", "");
    assert_eq!(call(&session, "add", "{}").to_text(), "add");
}

#[test]
fn a_second_expansion_has_the_same_answer_and_changes_nothing() {
    let session = arithmetic();
    let first = call(&session, "Math", "").to_text().into_owned();
    let revision = session.revision();
    assert_eq!(call(&session, "Math", "").to_text(), first);
    assert_eq!((visible(&session).len(), session.revision()), (5, revision));
}

#[test]
fn members_follow_in_the_order_of_expansion() {
    let toolbox = Toolbox::builder().container(group("A", &["a1", "a2"])).container(group("B", &["b1"])).build();
    let session = toolbox.expect("all names differ").session();
    let _ = (call(&session, "B", ""), call(&session, "A", ""));
    assert_eq!(visible(&session), ["A", "B", "b1", "a1", "a2"]);
}

#[test]
fn a_member_name_of_two_containers_is_always_qualified() {
    let toolbox = Toolbox::builder().container(group("A", &["add", "own"])).container(group("B", &["add"])).build();
    let session = toolbox.expect("qualified names differ").session();
    let functions = |outcome: &str| call(&session, outcome, "").value().map(|value| value["functions"].clone());
    assert_eq!(functions("A"), Some(json!(["A__add", "own"])));
    assert_eq!(functions("B"), Some(json!(["B__add"])));
    assert_eq!(call(&session, "B__add", "{}").tool_name(), "B__add");
}

#[test]
fn sessions_expand_independently() {
    let toolbox = Toolbox::builder().container(group("Math", &["add"])).build().expect("all names differ");
    let (one, other) = (toolbox.session(), toolbox.session());
    let _ = call(&one, "Math", "");
    assert_eq!((visible(&one).len(), visible(&other).len()), (2, 1));
}

/// A container as `#[plugin_container]` generates it.
struct Counter {
    start: u8,
}

const COUNT: &ToolSpec =
    &ToolInit { name: "count", description: "Counts.", input: Shape::ANY, ..ToolInit::DEFAULT }.spec();

impl Counter {
    fn call_count<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(Payload::json(&(self.start + 1)))
    }
}

impl PluginContainer for Counter {
    const SPEC: &'static ContainerSpec = &ContainerInit {
        name: "Counter",
        description: "Counts.",
        instructions: Some("Begin at one."),
        ..ContainerInit::DEFAULT
    }
    .spec();
    const MEMBERS: &'static [Member<Self>] = &[Member::new(COUNT, Self::call_count)];
}

#[test]
fn a_plugin_container_can_be_registered_by_value_or_shared() {
    let owned = Toolbox::builder().container(Counter { start: 1 }).build();
    let shared = Toolbox::builder().container(Arc::new(Counter { start: 1 })).build();
    for toolbox in [owned, shared] {
        let session = toolbox.expect("one container is a toolbox").session();
        assert!(call(&session, "Counter", "").to_text().contains("Begin at one."));
        assert_eq!(call(&session, "count", "{}").to_text(), "2");
    }
}
