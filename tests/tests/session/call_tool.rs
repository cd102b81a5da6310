//! A fixed list of tools: definitions in the expansion, and `call_tool` to call the members.

use serde_json::{Value, json};
use tests::fixtures::{Math, MathAddTool};
use tool_runtime::__private_0_1_0::internal;
use tool_runtime::container::{ExpansionSettings, IntoContainer, UnexpandedCallPolicy};
use tool_runtime::toolbox::States;
use tool_runtime::{Container, Dialect, Failure, Session, Toolbox, TypedTool};

use super::tools::{call, group, named, rejection, visible};

fn math() -> Container {
    Math.into_container().tool(named("abs")).instructions("Be exact.")
}

fn session() -> Session {
    let builder = Toolbox::builder()
        .no_throttle()
        .container(math())
        .tool(named("first"))
        .expansion(ExpansionSettings::new().fixed_definitions());
    builder.build().expect("the registration is valid").session()
}

#[test]
fn an_expansion_does_not_change_fixed_definitions() {
    let session = session();
    let (before, names) = (session.definitions(), visible(&session));
    assert_eq!(names, ["Math", "first", "call_tool"]);
    let _ = call(&session, "Math", "");
    assert_eq!((session.definitions(), visible(&session), session.revision()), (before, names, 0));
    assert!(session.is_expanded("Math"));
}

#[test]
fn an_expansion_carries_the_definitions_of_its_members() {
    let session = session();
    let value: Value = serde_json::from_str(&call(&session, "Math", "").to_text()).expect("an expansion is JSON");
    assert_eq!(value["message"], "Math expanded. Functions: add, abs. Call them through call_tool.");
    let expected = MathAddTool::SPEC.definition(Dialect::ANTHROPIC).to_value();
    assert_eq!((&value["definitions"][0], value["definitions"].as_array().map(Vec::len)), (&expected, Some(2)));
    let text = call(&session, "Math", "").to_text().into_owned();
    let keys = ["expanded", "functions", "message", "instructions", "definitions"];
    let places: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\":")).expect("the key exists")).collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn call_tool_calls_members_of_expanded_containers() {
    let session = session();
    let _ = call(&session, "Math", "");
    for arguments in [
        r#"{"tool": "add", "arguments": {"a": 5, "b": 10}}"#,
        r#"{"tool": "add", "arguments": "{\"a\": 5, \"b\": 10}"}"#,
        r#"{"tool": "Math.add", "arguments": {"a": 5, "b": 10}}"#,
    ] {
        let outcome = call(&session, "call_tool", arguments);
        assert_eq!((&*outcome.to_text(), outcome.tool_name()), ("15.0", "add"), "{arguments}");
    }
    assert_eq!(call(&session, "call_tool", r#"{"tool": "abs"}"#).to_text(), "abs");
    assert_eq!(call(&session, "call_tool", r#"{"tool": "abs", "arguments": null}"#).to_text(), "abs");
    assert_eq!(
        call(&session, "add", r#"{"a": 5, "b": 10}"#).to_text(),
        "15.0",
        "the member can be called directly too"
    );
    assert_eq!(
        call(&session, "call_tool", r#"{"tool": "first"}"#).to_text(),
        "first",
        "other tools can be called directly too"
    );
}

#[test]
fn call_tool_does_not_reach_members_before_the_expansion() {
    let call_add = r#"{"tool": "add", "arguments": {"a": 5, "b": 10}}"#;
    assert_eq!(rejection(&call(&session(), "call_tool", call_add))["error_type"], "container_not_expanded");
    let expansion =
        ExpansionSettings::new().fixed_definitions().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun);
    let session =
        Toolbox::builder().container(math()).expansion(expansion).build().expect("the registration is valid").session();
    assert_eq!(call(&session, "call_tool", call_add).to_text(), "15.0");
}

#[test]
fn call_tool_can_expand_a_container() {
    let session = session();
    assert!(call(&session, "call_tool", r#"{"tool": "Math", "arguments": {}}"#).is_ok());
    assert!(session.is_expanded("Math"));
}

#[test]
fn issues_are_attributed_to_call_tool_or_to_the_inner_call() {
    let session = session();
    let _ = call(&session, "Math", "");
    let told = |arguments: &str| {
        let rejection = rejection(&call(&session, "call_tool", arguments));
        (rejection["error_type"].clone(), rejection["tool"].clone())
    };
    assert_eq!(told(r#"{"tool": "add", "arguments": {"a": 5}}"#), (json!("validation_error"), json!("add")));
    for arguments in
        ["", "{}", r#"{"tool": 5}"#, r#"{"tool": "add", "a": 5}"#, r#"{"tool": "add", "arguments": [5]}"#, "[]"]
    {
        assert_eq!(told(arguments), (json!("validation_error"), json!("call_tool")), "{arguments}");
    }
    assert_eq!(told("{\"tool\""), (json!("invalid_json"), json!("call_tool")));
    assert_eq!(told(r#"{"tool": "nobody"}"#).0, json!("unknown_tool"));
    assert_eq!(told(r#"{"tool": "call_tool", "arguments": {"tool": "add"}}"#).0, json!("unknown_tool"));
}

#[test]
fn the_name_call_tool_is_reserved_only_with_a_fixed_list() {
    let own = || Toolbox::builder().tool(named("call_tool"));
    let member = || Toolbox::builder().container(group("Math", &["call_tool"]));
    assert!(own().build().is_ok() && member().build().is_ok());
    for (builder, expected) in [
        (own(), "two tools are called `call_tool`"),
        (member(), "member `call_tool` of container `Math` would be called `call_tool`, but another tool"),
    ] {
        let error =
            builder.expansion(ExpansionSettings::new().fixed_definitions()).build().expect_err("the name is reserved");
        let [problem] = error.errors() else { panic!("{error}") };
        assert!(problem.to_string().starts_with(expected), "{problem}");
    }
}

/// A session for a protocol without conversations.
fn open() -> Session {
    let toolbox = Toolbox::builder().no_throttle().container(math()).tool(named("first")).build();
    internal::open_session(&toolbox.expect("the registration is valid"), States::new())
}

#[test]
fn an_open_session_has_a_fixed_list_and_calls_members_without_an_expansion() {
    let session = open();
    assert_eq!(visible(&session), ["Math", "first", "call_tool"]);
    assert_eq!(call(&session, "add", r#"{"a": 5, "b": 10}"#).to_text(), "15.0");
    let through = call(&session, "call_tool", r#"{"tool": "add", "arguments": {"a": 5, "b": 10}}"#);
    assert_eq!((&*through.to_text(), through.repairs().len()), ("15.0", 0));
    assert!(call(&session, "Math", "").to_text().contains(r#""definitions":[{"name":"add""#));
    assert_eq!((visible(&session).len(), session.revision()), (3, 0));

    let nested = r#"{"tool": "call_tool", "arguments": {"tool": "first"}}"#;
    assert_eq!(call(&session, "call_tool", nested).failure().map(Failure::error_type), Some("unknown_tool"));
}

#[test]
fn an_open_session_keeps_a_tool_with_the_name_of_call_tool() {
    let toolbox = Toolbox::builder().container(math()).tool(named("call_tool")).build();
    let session = internal::open_session(&toolbox.expect("the registration is valid"), States::new());
    assert_eq!(visible(&session), ["Math", "call_tool"]);
    assert_eq!(call(&session, "call_tool", "").to_text(), "call_tool");
}

/// Without containers, there is nothing to call through it.
#[test]
fn an_open_session_without_containers_has_no_call_tool() {
    let toolbox = Toolbox::builder().tool(named("first")).build().expect("the registration is valid");
    let session = internal::open_session(&toolbox, States::new());
    assert_eq!(visible(&session), ["first"]);
    assert_eq!(call(&session, "call_tool", "{}").failure().map(Failure::error_type), Some("unknown_tool"));
}

#[test]
fn there_is_no_call_tool_if_all_members_are_listed() {
    let builder = |expansion| Toolbox::builder().container(math()).tool(named("first")).expansion(expansion);
    let above = |most| ExpansionSettings::new().collapse_above(most);
    let built = |most| builder(above(most)).build().expect("the registration is valid");
    let fixed = |most| builder(above(most).fixed_definitions()).build().expect("the registration is valid").session();
    let names = ["add", "abs", "first"];
    assert_eq!(visible(&fixed(20)), names);
    assert_eq!(visible(&internal::open_session(&built(20), States::new())), names);
    assert_eq!(visible(&fixed(2)), ["Math", "first", "call_tool"]);
    assert_eq!(visible(&internal::open_session(&built(2), States::new())), ["Math", "first", "call_tool"]);
}
