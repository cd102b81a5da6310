//! The tool that searches the members of containers.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::__private_0_1_0::internal;
use tool_runtime::container::{DefinitionLoading, ExpansionScope, ExpansionSettings};
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::SessionSetup;
use tool_runtime::tool_schema::dialect::Definition;
use tool_runtime::toolbox::{FindTools, RankingRequest, RegistrationError};
use tool_runtime::{BuildError, Container, Dialect, Failure, Outcome, Session, Toolbox, tool};

use super::tools::{call, group, named, rejection, visible};

/// Creates an issue in a repository.
#[tool]
fn create_issue(
    /// The urgency of the issue.
    urgency: Urgency,
) {
    let _ = urgency;
}

#[derive(serde::Deserialize, tool_runtime::ToolInput)]
#[serde(rename_all = "lowercase")]
enum Urgency {
    Blocker,
    Trivial,
}

/// Merges the changes of a branch.
#[tool]
fn merge_branch(
    /// The branch.
    branch: String,
) -> String {
    branch
}

/// Sends a message to a person.
#[tool]
fn send_mail(
    /// The address.
    recipient: String,
) -> String {
    recipient
}

struct IsAdmin(bool);

fn is_admin(admin: &IsAdmin) -> bool {
    admin.0
}

/// Deletes the repository forever.
#[tool(available_if = is_admin)]
fn delete_repository() {}

fn code() -> Container {
    let branches = Container::new("Branches", "Lines of work.").tool(MergeBranchTool);
    let code = Container::new("Code", "Hosting of source code.").tool(CreateIssueTool).tool(DeleteRepositoryTool);
    code.container(branches)
}

fn mail() -> Container {
    Container::new("Mail", "Electronic letters.")
        .tool(SendMailTool)
        .instructions("Always sign with the name of the user.")
}

fn builder() -> tool_runtime::toolbox::ToolboxBuilder {
    Toolbox::builder().tool(named("root")).container(code()).container(mail()).state(IsAdmin(false))
}

fn session() -> Session {
    builder().find_tools(FindTools::new()).build().expect("the registration is valid").session()
}

fn find(session: &Session, query: &str) -> Outcome {
    call(session, "find_tools", &json!({"query": query}).to_string())
}

fn found(outcome: &Outcome) -> Vec<String> {
    let value = outcome.value().unwrap_or_else(|| panic!("{}", outcome.to_text()));
    value["found"].as_array().expect("names").iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
}

const BEFORE: [&str; 4] = ["root", "Code", "Mail", "find_tools"];

#[test]
fn only_the_found_tools_become_visible_and_callable() {
    let session = session();
    assert_eq!(visible(&session), BEFORE);
    let revision = session.revision();
    let outcome = find(&session, "merging of branches");
    let text = r#"{"found":["merge_branch"],"message":"Found 1 tool: merge_branch. Call it directly."}"#;
    assert_eq!(outcome.to_text(), text);
    assert_eq!(visible(&session), [&BEFORE[..], &["merge_branch"]].concat());
    assert_ne!(session.revision(), revision);
    assert_eq!(call(&session, "merge_branch", r#"{"branch": "a"}"#).to_text(), "a");
    assert!(!session.is_expanded("Branches") && !session.is_expanded("Code"));
    // Other members of the outer container are still hidden.
    assert_eq!(rejection(&call(&session, "create_issue", "{}"))["error_type"], "container_not_expanded");
}

#[test]
fn names_descriptions_parameters_values_and_containers_are_searched() {
    for (query, tool) in [
        ("create issue", "create_issue"),
        ("sending messages", "send_mail"),
        ("which recipient?", "send_mail"),
        ("blocker", "create_issue"),
        ("letters", "send_mail"),
        ("lines", "merge_branch"),
        ("repositry", "create_issue"),
    ] {
        assert_eq!(found(&find(&session(), query)), [tool], "{query}");
    }
    let nothing = find(&session(), "weather");
    let text = r#"{"found":[],"message":"No tool was found. Describe in other words what the tool should do."}"#;
    assert_eq!(nothing.to_text(), text);
    // Tools that are always visible are not searched.
    assert!(found(&find(&session(), "root")).is_empty());
}

#[test]
fn the_same_search_gives_the_same_answer_and_changes_nothing_the_second_time() {
    let session = session();
    let first = find(&session, "issue or branch").to_text().into_owned();
    let (names, revision) = (visible(&session), session.revision());
    assert_eq!(find(&session, "issue or branch").to_text(), first);
    assert_eq!((visible(&session), session.revision()), (names, revision));
}

#[test]
fn the_answer_contains_the_instructions_of_the_containers() {
    let session = session();
    let value = find(&session, "send a message").value().expect("JSON");
    assert_eq!(value["instructions"], json!({"Mail": "Always sign with the name of the user."}));
}

#[test]
fn a_search_is_a_call_like_any_other() {
    let rejected = rejection(&call(&session(), "find_tools", r#"{"query": ""}"#));
    assert_eq!(rejected["error_type"], "validation_error");
    let repaired = call(&session(), "FindTools", "{'query': 'issue',}");
    assert_eq!(found(&repaired), ["create_issue"]);
    assert_eq!(repaired.repairs()[0].to_string(), r#"Read tool "FindTools" as find_tools."#);

    let deny = |call: &ProposedCall<'_>| if call.name() == "find_tools" { Verdict::deny("No.") } else { Verdict::Run };
    let session = builder().find_tools(FindTools::new()).before_call(deny).build().expect("valid").session();
    assert_eq!(rejection(&find(&session, "issue"))["error_type"], "denied");
    assert_eq!(visible(&session), BEFORE);
}

#[test]
fn a_deferred_search_shows_tools_when_it_is_answered() {
    let defer = |call: &ProposedCall<'_>| if call.name() == "find_tools" { Verdict::Defer } else { Verdict::Run };
    let start = || builder().find_tools(FindTools::new()).before_call(defer).build().expect("valid").session();
    let session = start();
    assert!(find(&session, "issue").is_deferred());
    let outcome = pollster::block_on(session.resume("call_1")).expect("it waits");
    assert_eq!(found(&outcome), ["create_issue"]);
    assert_eq!(visible(&session).last().map(String::as_str), Some("create_issue"));

    // The host may answer by itself: names that it invents, and text that is not an answer of a search, show nothing.
    for (answer, last) in [
        (json!({"found": ["send_mail", "root", "nothing", "Code", "send_mail"]}), "send_mail"),
        (json!({"found": "send_mail"}), "find_tools"),
        (json!("send_mail"), "find_tools"),
        (json!({"found": ["delete_repository"]}), "find_tools"),
    ] {
        let session = start();
        assert!(find(&session, "issue").is_deferred());
        drop(session.complete("call_1", answer).expect("it waits"));
        assert_eq!(visible(&session).last().map(String::as_str), Some(last));
    }
}

/// A conversation on many machines runs each call in a session of its own.
#[test]
fn a_search_that_another_session_runs_shows_its_tools_here() {
    let toolbox = || builder().find_tools(FindTools::new()).build().expect("valid");
    let session = toolbox().session();
    assert!(internal::detach_calls(&session));
    assert!(find(&session, "issue").is_deferred());
    assert_eq!(internal::take_detached(&session).iter().map(|call| &*call.tool).collect::<Vec<_>>(), ["find_tools"]);
    let state = internal::state_of_call(&session.snapshot().expect("nothing is sensitive"), "call_1");
    let other = toolbox().restore(state, SessionSetup::default()).expect("the state is whole");
    let outcome = pollster::block_on(internal::run_detached(&other, "call_1", HostArguments::new()));
    let outcome =
        internal::put_back(&session, "call_1", outcome.expect("the call waits there")).expect("it waits here");
    assert_eq!(found(&outcome), ["create_issue"]);
    assert_eq!(visible(&session), [&BEFORE[..], &["create_issue"]].concat());
}

#[test]
fn tools_that_the_state_hides_are_not_found() {
    for (is_admin, expected) in [(false, &["create_issue"][..]), (true, &["create_issue", "delete_repository"])] {
        let builder = Toolbox::builder().container(code()).state(IsAdmin(is_admin)).find_tools(FindTools::new());
        let session = builder.build().expect("the registration is valid").session();
        let mut names = found(&find(&session, "repository"));
        names.sort();
        assert_eq!(names, expected);
        assert_eq!(visible(&session).len(), 2 + expected.len());
    }
    let session = session();
    assert!(found(&find(&session, "delete forever")).is_empty());
    assert_eq!(call(&session, "delete_repository", "{}").failure().map(Failure::error_type), Some("unavailable"));
}

#[test]
fn with_fixed_definitions_the_answer_contains_the_definitions() {
    let session = builder()
        .find_tools(FindTools::new())
        .expansion(ExpansionSettings::new().fixed_definitions())
        .build()
        .expect("valid")
        .session();
    let before = session.definitions().to_string();
    let names = ["root", "Code", "Mail", "call_tool", "find_tools"];
    assert_eq!(visible(&session), names);
    let outcome = find(&session, "merge a branch");
    let value = outcome.value().expect("JSON");
    assert_eq!(value["message"], "Found 1 tool: merge_branch. Call it through call_tool.");
    assert_eq!(value["definitions"][0]["name"], "merge_branch");
    assert_eq!((session.definitions().to_string(), session.revision()), (before, 0));
    assert_eq!(visible(&session), names);
    let through = call(&session, "call_tool", r#"{"tool": "merge_branch", "arguments": {"branch": "b"}}"#);
    assert_eq!(through.to_text(), "b");
    let inner = call(&session, "call_tool", r#"{"tool": "find_tools", "arguments": {"query": "issue"}}"#);
    assert_eq!(found(&inner), ["create_issue"]);
}

#[test]
fn an_answer_is_bounded() {
    let names: Vec<String> = (0..300).map(|number| format!("read_{number}_{}", "x".repeat(40))).collect();
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
    let many = group("Many", &names);
    for (most, expected) in [(0, 1), (5, 5), (20, 20), (1_000, 20)] {
        let builder = Toolbox::builder().container(group("Few", &[])).find_tools(FindTools::new().max_results(most));
        let session = builder.container(many.clone()).build().expect("valid").session();
        let outcome = find(&session, "read");
        assert_eq!(found(&outcome).len(), expected);
        assert!(outcome.to_text().len() < 4_096);
        assert_eq!(visible(&session).len(), 3 + expected);
    }
    // Definitions of more than 32 kB are not shown at once, but the best tool always is.
    let long = |name: &'static str| {
        let mut tool = named(name);
        tool.spec.input = tool_schema::shape::Ref::Shared(Arc::new(long_shape()));
        tool
    };
    let large = Container::new("Large", "Large tools.").tool(long("large_one")).tool(long("large_two"));
    let session = Toolbox::builder()
        .container(large)
        .find_tools(FindTools::new())
        .expansion(ExpansionSettings::new().fixed_definitions())
        .build();
    let session = session.expect("valid").session();
    let outcome = find(&session, "large");
    assert_eq!(
        (found(&outcome), outcome.value().expect("JSON")["omitted"].clone()),
        (vec!["large_one".into()], json!(1))
    );
    assert!(!call(&session, "call_tool", r#"{"tool": "large_two"}"#).is_ok());
}

/// Returns a shape whose schema has more than 20 kB.
fn long_shape() -> tool_schema::shape::Shape {
    use tests::private::shape::plain_field;
    use tool_schema::shape::{Kind, Object, Ref, Shape, SharedSlice, UnknownKeys};
    let doc = "word ".repeat(200);
    let field =
        |number: u8| plain_field(format!("field_{number}").into(), doc.clone().into(), Ref::Static(Shape::ANY), false);
    let fields = SharedSlice::from((0..21).map(field).collect::<Vec<_>>());
    Shape::new(Kind::Object(Object { fields, unknown: UnknownKeys::Rejected }))
}

#[test]
fn hostile_queries_are_answered() {
    let session = session();
    let million = "issue ".repeat(180_000);
    let rejected = find(&session, &million);
    assert_eq!(rejection(&rejected)["error_type"], "validation_error");
    assert!(rejected.to_text().len() < 4_096);
    for query in ["\u{0}\u{1b}[31m\u{202e}", "\"}],\"x\":", "🏳️‍🌈", " ", "the", &"a ".repeat(500), &"字".repeat(1_000)]
    {
        let outcome = find(&session, query);
        assert!(outcome.is_ok(), "{query:?}: {}", outcome.to_text());
    }
}

#[test]
fn a_name_that_is_taken_is_an_error_of_the_build() {
    let aliased = |name: &'static str| {
        let mut tool = named("aliased");
        tool.spec = tool.spec.aliases([name]);
        tool
    };
    let builders = [
        Toolbox::builder().container(mail()).tool(named("find_tools")),
        Toolbox::builder().container(mail()).container(group("find_tools", &[])),
        Toolbox::builder().container(mail()).container(group("Other", &["find_tools"])),
        Toolbox::builder().container(mail()).tool(aliased("find_tools")),
    ];
    for builder in builders {
        let error = builder.find_tools(FindTools::new()).build().expect_err("the name is taken");
        assert!(
            matches!(error.errors(), [RegistrationError::FindToolsNameTaken { name }] if name == "find_tools"),
            "{error}"
        );
    }
    let error = Toolbox::builder().container(mail()).find_tools(FindTools::new().name("find tools")).build();
    assert!(matches!(error.expect_err("not a name").errors(), [RegistrationError::InvalidName { .. }]));
    let builder = Toolbox::builder().container(mail()).tool(named("find_tools"));
    let session = builder.find_tools(FindTools::new().name("look_up")).build().expect("another name").session();
    assert_eq!(visible(&session), ["Mail", "find_tools", "look_up"]);
}

#[test]
fn without_hidden_tools_there_is_no_search() {
    let builder = Toolbox::builder()
        .container(mail())
        .find_tools(FindTools::new())
        .expansion(ExpansionSettings::new().collapse_above(1));
    let session = builder.build().expect("valid").session();
    assert_eq!(visible(&session), ["send_mail"]);
    assert!(!call(&session, "find_tools", r#"{"query": "a"}"#).is_ok());
}

#[test]
fn found_tools_last_as_long_as_an_expansion() {
    let within = |scope| {
        let builder = builder().find_tools(FindTools::new()).expansion(ExpansionSettings::new().scope(scope));
        builder.build().expect("valid").session()
    };
    let turn = within(ExpansionScope::Turn);
    drop(find(&turn, "issue"));
    turn.end_turn();
    assert_eq!(visible(&turn), BEFORE);
    assert!(!call(&turn, "create_issue", "{}").is_ok());

    let one = within(ExpansionScope::AtMost(1));
    drop(find(&one, "issue"));
    drop(find(&one, "message"));
    assert_eq!(visible(&one), [&BEFORE[..], &["send_mail"]].concat());
    // All tools of one search stay, even if they are from several containers.
    drop(find(&one, "issue branch"));
    assert_eq!(visible(&one).len(), 6);

    let session = session();
    drop(find(&session, "issue"));
    assert!(session.collapse_container("Code"));
    assert!(!session.collapse_container("Code"));
    assert_eq!(visible(&session), BEFORE);
}

#[test]
fn a_container_can_be_expanded_after_a_search_and_searched_after_an_expansion() {
    let session = session();
    drop(find(&session, "issue"));
    drop(call(&session, "Code", ""));
    assert_eq!(visible(&session), [&BEFORE[..], &["create_issue", "Branches"]].concat());
    let revision = session.revision();
    assert_eq!(found(&find(&session, "issue")), ["create_issue"]);
    assert_eq!(session.revision(), revision);
    assert!(session.collapse_container("Code"));
    assert_eq!(visible(&session), BEFORE);
}

#[test]
fn the_system_prompt_of_a_container_is_shown_with_its_found_tools() {
    let files = group("Files", &["read_file"]).system_prompt("Never read secrets.");
    let session = Toolbox::builder().container(files).find_tools(FindTools::new()).build().expect("valid").session();
    drop(find(&session, "read file"));
    assert_eq!(session.instructions(), "## Files\n\nNever read secrets.");
}

async fn backwards(search: RankingRequest) -> Option<Vec<String>> {
    match &*search.query {
        "unavailable" => None,
        "panic" => panic!("no embeddings"),
        _ => Some(
            search
                .candidates
                .iter()
                .rev()
                .flat_map(|tool| ["unknown".into(), tool.name.clone(), tool.name.clone()])
                .collect(),
        ),
    }
}

#[test]
fn a_function_of_the_host_ranks_the_tools() {
    let session = || {
        let find = FindTools::new().max_results(2).rank_with(backwards);
        builder().find_tools(find).build().expect("valid").session()
    };
    // The candidates with a shared word come first, then the others in the order of registration.
    assert_eq!(found(&find(&session(), "message")), ["merge_branch", "create_issue"]);
    assert!(found(&find(&session(), "unavailable")).is_empty());
    assert_eq!(rejection(&find(&session(), "panic"))["error_type"], "internal_error");
}

#[test]
fn an_observer_sees_the_found_tools() {
    struct Log(Arc<Mutex<Vec<String>>>);
    impl Observer for Log {
        fn event(&self, event: &ToolEvent<'_>) {
            let mut log = self.0.lock().expect("the test does not panic");
            match event.kind {
                EventKind::Found { tools } => log.push(format!("found {tools:?}")),
                kind => log.push(kind.name().to_owned()),
            }
        }
    }
    let log = Arc::new(Mutex::default());
    let builder = builder().find_tools(FindTools::new()).observer(Log(Arc::clone(&log)));
    drop(find(&builder.build().expect("valid").session(), "issue"));
    assert_eq!(*log.lock().expect("the test does not panic"), ["received", r#"found ["create_issue"]"#, "executed"]);
}

#[test]
fn a_saved_session_keeps_the_found_tools() {
    let toolbox = || builder().find_tools(FindTools::new()).build().expect("valid");
    let session = toolbox().session();
    drop(find(&session, "message"));
    drop(call(&session, "Code", ""));
    drop(find(&session, "merge"));
    let text = serde_json::to_string(&session.snapshot().expect("no secrets")).expect("JSON");
    let restored = toolbox()
        .restore(serde_json::from_str(&text).expect("the same JSON"), SessionSetup::default())
        .expect("it fits");
    assert_eq!(visible(&restored), visible(&session));
    assert_eq!(call(&restored, "merge_branch", r#"{"branch": "a"}"#).to_text(), "a");
    assert!(!restored.is_expanded("Mail") && restored.is_expanded("Code"));
    assert!(restored.collapse_container("Mail"));
    assert!(!visible(&restored).contains(&"send_mail".to_owned()));
}

#[test]
fn a_new_toolbox_keeps_the_found_tools_that_it_still_has() {
    let session = session();
    drop(find(&session, "message"));
    drop(find(&session, "merge"));
    let next = Toolbox::builder().container(mail()).find_tools(FindTools::new()).build().expect("valid");
    drop(session.replace_toolbox(&next).expect("it needs no state"));
    assert_eq!(visible(&session), ["Mail", "find_tools", "send_mail"]);
    let without = Toolbox::builder().container(mail()).build().expect("valid");
    drop(session.replace_toolbox(&without).expect("it needs no state"));
    assert!(call(&session, "send_mail", r#"{"recipient": "a"}"#).is_ok());
}

#[test]
fn repeated_searches_are_throttled_like_other_calls() {
    let session = session();
    let outcomes: Vec<Value> = (0..12)
        .map(|_| {
            let outcome = find(&session, "issue");
            if outcome.is_ok() { json!(outcome.warnings().len()) } else { rejection(&outcome)["error_type"].clone() }
        })
        .collect();
    assert!(outcomes.contains(&json!("throttled")), "{outcomes:?}");
}

fn native(deferral: DefinitionLoading, dialect: Option<Dialect>) -> Result<Session, BuildError> {
    let builder = builder()
        .find_tools(FindTools::new())
        .definition_loading(deferral)
        .expansion(ExpansionSettings::new().fixed_definitions());
    let builder = if let Some(dialect) = dialect { builder.for_provider(dialect) } else { builder };
    builder.build().map(|toolbox| toolbox.session())
}

#[test]
fn deferred_definitions_never_change_and_the_rules_are_the_same() {
    let session = native(DefinitionLoading::Native, Some(Dialect::ANTHROPIC)).expect("Anthropic defers");
    let before = session.definitions();
    let names = |is_deferred: bool| -> Vec<_> {
        before.iter().filter(|tool| tool.is_deferred() == is_deferred).map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(names(false), BEFORE);
    assert_eq!(names(true), ["create_issue", "delete_repository", "send_mail", "merge_branch", "Branches"]);
    assert_eq!(
        rejection(&call(&session, "merge_branch", r#"{"branch": "a"}"#))["error_type"],
        "container_not_expanded"
    );

    let found = find(&session, "merge");
    assert_eq!(
        found.to_text(),
        r#"{"found":["merge_branch"],"message":"Found 1 tool: merge_branch. Call it directly."}"#
    );
    assert_eq!(found.loaded_tools(), ["merge_branch"]);
    let expanded = call(&session, "Code", "");
    assert_eq!(expanded.loaded_tools(), ["create_issue", "Branches"], "a tool that the state hides is not loaded");
    assert!(!expanded.to_text().contains("definitions"));
    let direct = call(&session, "merge_branch", r#"{"branch": "a"}"#);
    assert_eq!((&*direct.to_text(), direct.loaded_tools()), ("a", &[][..]));
    assert_eq!(session.definitions(), before);

    let stored = serde_json::to_string(&found).expect("JSON");
    let read: Outcome = serde_json::from_str(&stored).expect("the same JSON");
    assert_eq!(read.loaded_tools(), ["merge_branch"]);
    // In a dialect without deferral, the list grows.
    let names: Vec<_> = session.definitions_in(Dialect::OPENAI).iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names[4..], ["merge_branch", "create_issue", "Branches"]);
    drop(find(&session, "mail"));
    assert_eq!(session.definitions_in(Dialect::OPENAI).len(), 8);
}

/// In the Responses API, the list contains no members. The answers that load them contain their definitions, in one namespace for each container.
#[test]
fn answers_contain_the_definitions_that_the_responses_api_loads() {
    for dialect in [Dialect::OPENAI_RESPONSES, Dialect::OPENAI_RESPONSES_STRICT] {
        let session = native(DefinitionLoading::Native, Some(dialect)).expect("the Responses API defers");
        let before = session.definitions();
        assert_eq!(before.iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>(), BEFORE);
        let searches: Vec<_> = before.iter().filter(|tool| tool.is_tool_search()).map(Definition::name).collect();
        assert_eq!(searches, ["find_tools"]);
        assert_eq!(
            rejection(&call(&session, "merge_branch", r#"{"branch": "a"}"#))["error_type"],
            "container_not_expanded"
        );

        let namespaces = |outcome: &Outcome| -> Vec<Value> {
            serde_json::from_str(outcome.loaded_definitions().unwrap_or("[]")).expect("a list")
        };
        let found = find(&session, "merge a branch, send a mail");
        assert_eq!(found.loaded_tools(), ["merge_branch", "send_mail"]);
        let both = namespaces(&found);
        assert_eq!(
            (&both[0]["type"], &both[0]["name"], &both[1]["name"]),
            (&json!("namespace"), &json!("Branches"), &json!("Mail"))
        );
        let merge = &both[0]["tools"][0];
        assert_eq!(
            (&merge["type"], &merge["name"], &merge["defer_loading"]),
            (&json!("function"), &json!("merge_branch"), &json!(true))
        );
        assert_eq!(merge["strict"], json!(dialect.is_strict()));
        // Each search loads, so that the model has the definitions also if its history was shortened.
        assert_eq!(namespaces(&find(&session, "merge a branch, send a mail")), both);

        let expanded = call(&session, "Code", "");
        assert_eq!(expanded.loaded_tools(), ["create_issue", "Branches"], "a tool that the state hides is not loaded");
        let code = namespaces(&expanded);
        assert_eq!(
            (code.len(), &code[0]["name"], code[0]["tools"].as_array().map(Vec::len)),
            (1, &json!("Code"), Some(2))
        );
        assert!(!expanded.loaded_definitions().is_some_and(|text| text.contains("defer_loading")));
        let direct = call(&session, "merge_branch", r#"{"branch": "a"}"#);
        assert_eq!((&*direct.to_text(), direct.loaded_tools(), direct.loaded_definitions()), ("a", &[][..], None));
        let nothing = find(&session, "submarine");
        assert_eq!((nothing.is_ok(), nothing.loaded_tools(), nothing.loaded_definitions()), (true, &[][..], None));
        assert_eq!(session.definitions(), before);

        let stored = serde_json::to_string(&found).expect("JSON");
        let read: Outcome = serde_json::from_str(&stored).expect("the same JSON");
        assert_eq!(read.loaded_definitions(), found.loaded_definitions());
        // In other dialects, also in one that defers from its list, the list grows.
        for dialect in [Dialect::OPENAI, Dialect::ANTHROPIC] {
            let others = session.definitions_in(dialect);
            let names: Vec<_> = others.iter().map(|tool| tool.name().to_owned()).collect();
            assert_eq!(names[BEFORE.len()..], ["merge_branch", "send_mail", "create_issue", "Branches"]);
            assert!(!others.iter().any(|tool| tool.is_deferred() || tool.is_tool_search()));
        }
        let session = native(DefinitionLoading::Native, Some(Dialect::ANTHROPIC)).expect("Anthropic defers");
        assert!(!session.definitions_in(dialect).iter().any(Definition::is_tool_search));
        assert!(find(&session, "merge").loaded_definitions().is_none());
    }
}

/// A call of a tool that an answer has loaded in a strict form is converted back, also after a restart.
#[test]
fn calls_of_loaded_tools_are_converted_back() {
    let tool = || {
        let schema = r#"{"type": "object", "additionalProperties": false, "required": ["of"],
            "properties": {"of": {"type": "object", "additionalProperties": {"type": "integer"}}}}"#;
        let handler = |input: Map<String, Value>, _| async move { Ok::<_, String>(input["of"].clone()) };
        DynamicTool::new("sum_up", "Adds numbers.", schema, handler).expect("a schema")
    };
    let toolbox = || {
        let sums = Container::new("Sums", "").tool(tool());
        let builder = Toolbox::builder().container(sums).find_tools(FindTools::new());
        let builder =
            builder.for_provider(Dialect::OPENAI_RESPONSES_STRICT).definition_loading(DefinitionLoading::Native);
        builder.build().expect("valid")
    };
    let session = toolbox().session();
    drop(session.definitions());
    let found = find(&session, "sum_up");
    let definitions = found.loaded_definitions().expect("the definition");
    // A namespace needs a description.
    assert!(
        definitions.starts_with(r#"[{"type":"namespace","name":"Sums","description":"Sums","tools":[{"#),
        "{definitions}"
    );
    assert!(definitions.contains(r#""strict":true"#) && definitions.contains(r#""key""#), "{definitions}");
    let arguments = r#"{"of": [{"key": "a", "value": 1}]}"#;
    assert_eq!(call(&session, "sum_up", arguments).to_text(), r#"{"a":1}"#);
    let text = serde_json::to_string(&session.snapshot().expect("no secrets")).expect("JSON");
    let state = serde_json::from_str(&text).expect("the same JSON");
    let restored = toolbox().restore(state, SessionSetup::default()).expect("it fits");
    assert_eq!(call(&restored, "sum_up", arguments).to_text(), r#"{"a":1}"#);
}

#[test]
fn deferral_depends_on_the_provider() {
    for dialect in [Some(Dialect::OPENAI), None] {
        let error = native(DefinitionLoading::Native, dialect).expect_err("nobody loads the definitions");
        assert!(matches!(error.errors(), [RegistrationError::NoNativeLoading { .. }]), "{error}");
        let session = native(DefinitionLoading::Auto, dialect).expect("the definitions are fixed instead");
        let found = find(&session, "merge");
        assert!(found.to_text().contains("definitions") && found.loaded_tools().is_empty());
    }
    let session = native(DefinitionLoading::Auto, Some(Dialect::ANTHROPIC_STRICT)).expect("Anthropic defers");
    assert_eq!(find(&session, "merge").loaded_tools(), ["merge_branch"]);
    let session = native(DefinitionLoading::Expanded, Some(Dialect::ANTHROPIC)).expect("valid");
    assert!(find(&session, "merge").loaded_tools().is_empty());
}

/// openai/codex#21503: a query with the exact names of six tools did not find one of them.
#[test]
fn tools_that_a_query_names_are_found_even_if_there_are_many() {
    let tools = ["search_graph", "trace_path", "get_code_snippet", "query_graph", "search_code", "index_repository"];
    let memory = group("codebase-memory-mcp", &tools);
    let noise = group("Noise", &["search", "query_code_graph", "get_path_of_code", "code_search_index"]);
    let toolbox = Toolbox::builder().container(noise).container(memory).find_tools(FindTools::new()).build();
    let toolbox = toolbox.expect("the registration is valid");
    let query = tools.join(" ") + " codebase-memory-mcp";
    assert_eq!(found(&find(&toolbox.session(), &query)), tools);
    for tool in tools {
        assert_eq!(found(&find(&toolbox.session(), tool))[0], tool);
        assert_eq!(found(&find(&toolbox.session(), &format!("select:{tool}")))[0], tool);
    }
    // A word that happens to be the name of a tool is only a word.
    assert_ne!(found(&find(&toolbox.session(), "search a snippet of code"))[0], "search");
}

/// Yeachan-Heo/oh-my-claudecode#814: the last part of a long name was not found.
#[test]
fn a_tool_is_found_by_the_last_part_of_its_name() {
    let plugins = group("Plugins", &["mcp__plugin_x__ask_codex", "mcp__plugin_g__ask_gemini", "mcp__plugin_x__list"]);
    let session = Toolbox::builder().container(plugins).find_tools(FindTools::new()).build().expect("valid").session();
    assert_eq!(found(&find(&session, "ask_codex"))[0], "mcp__plugin_x__ask_codex");
}

/// bytedance/deer-flow#1554 and #2507, NousResearch/hermes-agent#84772: tools ran before they were found, or could not be called directly
/// after that.
#[test]
fn a_tool_can_be_called_after_it_was_found_and_not_before() {
    for is_fixed in [false, true] {
        let builder = builder().find_tools(FindTools::new());
        let builder = if is_fixed { builder.expansion(ExpansionSettings::new().fixed_definitions()) } else { builder };
        let session = builder.build().expect("valid").session();
        let arguments = r#"{"branch": "a"}"#;
        assert_eq!(rejection(&call(&session, "merge_branch", arguments))["error_type"], "container_not_expanded");
        drop(find(&session, "merge"));
        assert_eq!(call(&session, "merge_branch", arguments).to_text(), "a");
    }
}

/// microsoft/vscode#317998: other tools for the same query, and tools that were switched off meanwhile.
#[test]
fn a_tool_that_is_no_longer_available_is_not_found_again() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static IS_ON: AtomicBool = AtomicBool::new(true);
    struct Server;
    let mut tool = named("server_status");
    tool.spec = tool.spec.available_if(|_: &Server| IS_ON.load(Ordering::SeqCst));
    let servers = Container::new("Servers", "Servers.").tool(tool).tool(named("server_list"));
    let builder = Toolbox::builder().no_throttle().container(servers).state(Server).find_tools(FindTools::new());
    let session = builder.build().expect("valid").session();
    for _ in 0..3 {
        assert_eq!(found(&find(&session, "server")), ["server_status", "server_list"]);
    }
    IS_ON.store(false, Ordering::SeqCst);
    assert_eq!(found(&find(&session, "server")), ["server_list"]);
}

proptest! {
    /// The answer to any query is JSON and only names members.
    #[test]
    fn every_answer_names_hidden_tools(queries in prop::collection::vec("[a-z_ ]{1,30}|\\PC{1,20}", 1..5)) {
        let session = session();
        for query in queries {
            let outcome = find(&session, &query);
            for name in found(&outcome) {
                prop_assert!(["create_issue", "merge_branch", "send_mail"].contains(&&*name));
                prop_assert!(visible(&session).contains(&name));
            }
        }
    }
}

/// pydantic/pydantic-ai#4994: a prefix that all tools share hid the right tool, and short words were found inside longer ones.
#[test]
fn a_shared_prefix_and_parts_of_words_do_not_hide_the_right_tool() {
    let described = |name: &str, description: &str| {
        let handler = |_: Map<String, Value>, _| async { Ok::<_, String>("done") };
        DynamicTool::new(name.to_owned(), description.to_owned(), r#"{"type": "object"}"#, handler).expect("a schema")
    };
    let tools = [
        ("github_add_comment_to_pending_review", "Add a comment to the pending review of a pull request."),
        ("github_create_gist", "Create a gist."),
        ("github_get_commit", "Get the details of a commit."),
        ("github_get_file_contents", "Get the contents of a file."),
        ("github_get_label", "Get a label."),
        ("github_get_release", "Get a release."),
        ("github_get_tag", "Get a tag."),
        ("github_list_issues", "List the issues of a repository."),
        ("github_merge_pull_request", "Merge a pull request."),
        ("github_search_users", "Search for users."),
        ("github_get_me", "Get the profile of the authenticated user."),
    ];
    let hub = Container::new("Github", "Hosting of source code.");
    let hub = tools.into_iter().fold(hub, |hub, (name, description)| hub.tool(described(name, description)));
    let toolbox = Toolbox::builder().container(hub).find_tools(FindTools::new().max_results(3)).build().expect("valid");
    for query in ["github profile", "get me", "github get me", "github_get_me"] {
        assert_eq!(found(&find(&toolbox.session(), query))[0], "github_get_me", "{query}");
    }
}

/// pydantic/pydantic-ai#7552: the answer to a call of an unknown tool listed all tools, so that nothing was deferred any more.
#[test]
fn the_answer_to_an_unknown_tool_lists_few_members() {
    let name = |number: u32| &*Box::leak(format!("unit_{number}_convert").into_boxed_str());
    let names: Vec<&'static str> = (0..300).map(name).collect();
    for dialect in [Dialect::OPENAI_RESPONSES, Dialect::ANTHROPIC] {
        let builder = Toolbox::builder().container(group("Units", &names)).find_tools(FindTools::new());
        let toolbox =
            builder.for_provider(dialect).definition_loading(DefinitionLoading::Native).build().expect("valid");
        let outcome = call(&toolbox.session(), "convert_unit", "{}");
        let text = outcome.to_text();
        assert!(!outcome.is_ok() && text.matches("_convert").count() <= 10, "{text}");
        assert!(outcome.loaded_tools().is_empty() && outcome.loaded_definitions().is_none());
    }
}
