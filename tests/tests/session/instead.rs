//! Calls of hidden members instead of an expansion, and their handling under each policy.

use UnexpandedCallPolicy::{Expand, ExpandAndRun, Reject};
use serde_json::json;
use tests::fixtures::Math;
use tool_runtime::container::{ExpansionSettings, IntoContainer, UnexpandedCallPolicy};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, Outcome, Session, Toolbox, plugin_container, tool};

use super::tools::{call, group, named, rejection, visible};

/// The square root.
#[tool]
fn square_root(
    /// Of what.
    x: f64,
) -> f64 {
    x.sqrt()
}

/// Runs a program.
#[tool]
fn run(
    /// Arguments of the program.
    arguments: Vec<String>,
) -> String {
    arguments.join(" ")
}

/// Returns a container with the members `add`, `square_root` and `run`.
fn math() -> Container {
    Math.into_container().tool(SquareRootTool).tool(RunTool)
}

fn session(policy: UnexpandedCallPolicy) -> Session {
    build(
        Toolbox::builder()
            .container(math())
            .tool(named("first"))
            .expansion(ExpansionSettings::new().unexpanded_call_policy(policy)),
    )
}

fn build(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

/// Returns the text of a result, or the type of a rejection.
fn told(outcome: &Outcome) -> String {
    if outcome.is_ok() {
        outcome.to_text().into_owned()
    } else {
        rejection(outcome)["error_type"].as_str().unwrap_or_default().to_owned()
    }
}

/// Asserts the outcome of a call under each policy, and whether the container is expanded afterwards.
fn check(name: &str, arguments: &str, rejected: &str, run: &str) {
    let strict = session(Reject);
    assert_eq!(told(&call(&strict, name, arguments)), rejected, "{name} {arguments}");
    assert_eq!((visible(&strict).len(), strict.revision()), (2, 0), "a rejection changes nothing");

    let expanding = session(Expand);
    let expansion = call(&expanding, name, arguments);
    assert_eq!(expansion.value().map(|value| value["expanded"].clone()), Some(json!("Math")), "{name} {arguments}");
    assert!(!expansion.repairs().is_empty(), "an expansion is recorded");
    assert_eq!(expansion.tool_name(), "Math");

    let running = session(ExpandAndRun);
    let outcome = call(&running, name, arguments);
    assert_eq!(told(&outcome), run, "{name} {arguments}");
    assert!(!outcome.repairs().is_empty(), "an expansion is recorded");
    for session in [expanding, running] {
        assert_eq!(visible(&session), ["Math", "first", "add", "square_root", "run"]);
    }
}

#[test]
fn the_arguments_of_a_container_can_name_a_member() {
    let rejected = "container_invocation_error";
    check("Math", r#"{"function": "add", "a": 5, "b": 10}"#, rejected, "15.0");
    check("Math", r#"{"function": "add", "arguments": {"a": 5, "b": 10}}"#, rejected, "15.0");
    check("Math", r#"{"function": "add", "arguments": "{\"a\": 5, \"b\": 10}"}"#, rejected, "15.0");
    check("Math", r#"{"a": 5, "function": "Math.add", "b": 10}"#, rejected, "15.0");
    check("Math", r#"{"function": "SquareRoot", "x": 9}"#, rejected, "3.0");
    check("math", r#"{"function": "add", "a": 5, "b": 10}"#, rejected, "15.0");
}

#[test]
fn a_parameter_named_arguments_belongs_to_the_member() {
    check("Math", r#"{"function": "run", "arguments": ["a", "b"]}"#, "container_invocation_error", "a b");
}

#[test]
fn arguments_that_name_no_member_only_expand() {
    for arguments in [
        r#"{"a": 5, "b": 10}"#,
        r#"{"function": "plus", "a": 5}"#,
        r#"{"function": 5}"#,
        r#"{"function": "add", "function": "square_root"}"#,
        r#"{"function": "add", "arguments": 5}"#,
        "[1]",
        "add 5 and 10",
    ] {
        let session = session(ExpandAndRun);
        let outcome = call(&session, "Math", arguments);
        assert_eq!(outcome.value().map(|value| value["expanded"].clone()), Some(json!("Math")), "{arguments}");
        assert_eq!(outcome.repairs()[0].to_string(), r#"Left out the arguments of "Math"."#);
    }
}

#[test]
fn a_hidden_member_can_be_called_directly() {
    check("add", r#"{"a": 5, "b": 10}"#, "container_not_expanded", "15.0");
    check("SquareRoot", r#"{"x": 9}"#, "container_not_expanded", "3.0");
}

#[test]
fn qualified_names_are_accepted_in_any_spelling() {
    for name in [
        "Math.add",
        "math:add",
        "MATH__ADD",
        "add-math",
        "Math/add",
        "math add",
        "mathAdd",
        "addMath",
        "Math::add",
        "Math->add",
        "Math=>add",
        "Math#add",
        "Math|add",
        "Math\\add",
        "add@Math",
        "add#Math",
        "Math.Add()",
        "Math -> add",
        "add()",
    ] {
        check(name, r#"{"a": 5, "b": 10}"#, "container_not_expanded", "15.0");
    }
    for name in ["Math.square_root", "square-root-math", "math__squareRoot"] {
        check(name, r#"{"x": 9}"#, "container_not_expanded", "3.0");
    }
}

#[test]
fn qualified_names_are_split_only_between_whole_words() {
    for name in
        ["mathadd", "MATHADD", "ma_thadd", "math_ad", "math", "add_math_now", "math_math_add", "math.add(5, 10)"]
    {
        let outcome = call(&session(ExpandAndRun), name, r#"{"a": 5, "b": 10}"#);
        let unknown = told(&outcome) == "unknown_tool";
        // `math` is another spelling of the container.
        assert!(unknown || (name == "math" && outcome.tool_name() == "Math"), "{name}: {}", outcome.to_text());
    }
    assert_eq!(told(&call(&session(ExpandAndRun), &"math.".repeat(2_000), "{}")), "unknown_tool");
}

#[test]
fn a_qualified_name_works_under_every_policy_once_the_container_is_expanded() {
    let session = session(Reject);
    let _ = call(&session, "Math", "");
    let outcome = call(&session, "Math.add", r#"{"a": 5, "b": 10}"#);
    assert_eq!((outcome.to_text(), outcome.tool_name()), ("15.0".into(), "add"));
    assert_eq!(outcome.repairs()[0].to_string(), r#"Read tool "Math.add" as add."#);
}

#[test]
fn each_setting_applies_to_one_kind_of_call() {
    let arguments = r#"{"a": 5, "b": 10}"#;
    let only = |set: fn(ExpansionSettings, UnexpandedCallPolicy) -> ExpansionSettings| {
        let session =
            || build(Toolbox::builder().container(math()).expansion(set(ExpansionSettings::new(), ExpandAndRun)));
        let calls = [("Math", r#"{"function": "add", "a": 5, "b": 10}"#), ("add", arguments), ("Math.add", arguments)];
        calls.map(|(name, arguments)| call(&session(), name, arguments).is_ok())
    };
    assert_eq!(only(ExpansionSettings::container_arguments_policy), [true, false, false]);
    assert_eq!(only(ExpansionSettings::hidden_member_policy), [false, true, false]);
    assert_eq!(only(ExpansionSettings::qualified_name_policy), [false, false, true]);
}

#[test]
fn invalid_inner_arguments_are_answered_with_their_own_issues() {
    for (name, arguments) in [
        ("Math", r#"{"function": "add", "a": "x", "c": 1}"#),
        ("Math", r#"{"function": "add", "arguments": {"a": "x", "c": 1}}"#),
        ("add", r#"{"a": "x", "c": 1}"#),
        ("math.add", r#"{"a": "x", "c": 1}"#),
    ] {
        let session = session(ExpandAndRun);
        let rejection = rejection(&call(&session, name, arguments));
        assert_eq!((&rejection["error_type"], &rejection["tool"]), (&json!("validation_error"), &json!("add")));
        let properties: Vec<_> =
            rejection["errors"].as_array().into_iter().flatten().map(|one| &one["property"]).collect();
        assert_eq!(properties.len(), 3, "a is no number, b is missing, c is unknown: {rejection}");
        assert!(session.is_expanded("Math"), "the model can call add");
    }
}

#[test]
fn repairs_describe_the_expansion() {
    let lines = |name: &str, arguments: &str| -> Vec<String> {
        call(&session(ExpandAndRun), name, arguments).repairs().iter().map(ToString::to_string).collect()
    };
    let inner = r#"{"a": 5, "b": 10}"#;
    assert_eq!(lines("add", inner), [r#"Expanded Math for "add"."#]);
    assert_eq!(lines("math.add", inner), [r#"Read tool "math.add" as add."#, r#"Expanded Math for "add"."#]);
    let named = r#"{"function": "add", "a": 5, "b": 10}"#;
    assert_eq!(lines("Math", named), [r#"Read the call of "Math" as one of add."#, r#"Expanded Math for "Math"."#]);
}

#[test]
fn two_members_with_one_name_are_candidates_and_never_guessed() {
    let build = || {
        build(
            Toolbox::builder()
                .container(group("A", &["add"]))
                .container(group("B", &["add"]))
                .expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun)),
        )
    };
    let rejected = rejection(&call(&build(), "add", "{}"));
    assert_eq!(
        (&rejected["error_type"], &rejected["candidates"]),
        (&json!("ambiguous_tool"), &json!(["A__add", "B__add"]))
    );
    assert_eq!(call(&build(), "a.add", "{}").tool_name(), "A__add");
    let session = build();
    assert_eq!(call(&session, "B", r#"{"function": "add"}"#).tool_name(), "B__add");
    assert_eq!(visible(&session), ["A", "B", "B__add"]);
}

#[test]
fn a_qualified_name_that_matches_two_members_is_ambiguous() {
    let builder = Toolbox::builder().container(group("Add", &["math"])).container(group("Math", &["add"]));
    let session = build(builder.expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun)));
    let rejected = rejection(&call(&session, "Add-Math", "{}"));
    assert_eq!((&rejected["error_type"], &rejected["candidates"]), (&json!("ambiguous_tool"), &json!(["math", "add"])));
    assert_eq!(visible(&session), ["Add", "Math"]);
}

#[test]
fn a_member_of_a_nested_container_can_be_called() {
    let inner = Container::new("Trig", "Angles.").tool(named("sine"));
    let outer = || math().container(inner.clone());
    let session = || {
        build(
            Toolbox::builder()
                .container(outer())
                .expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun)),
        )
    };
    for (name, arguments) in [
        ("Math", r#"{"function": "Trig", "arguments": {"function": "sine"}}"#),
        ("Trig", r#"{"function": "sine"}"#),
        ("sine", "{}"),
        ("trig.sine", ""),
    ] {
        assert_eq!(call(&session(), name, arguments).to_text(), "sine", "{name} {arguments}");
    }
    let expansion = call(&session(), "Math", r#"{"function": "Trig"}"#);
    assert_eq!(expansion.value().map(|value| value["expanded"].clone()), Some(json!("Trig")));
    assert_eq!(call(&session(), "Math.Trig", "").tool_name(), "Trig");
}

#[test]
fn a_qualified_name_may_name_every_container_around_the_member() {
    let deep = Container::new("Inner", "In it.").tool(named("deep_one"));
    let middle = Container::new("Middle", "Around it.").container(deep).tool(named("flat"));
    let build = || {
        let outer = Container::new("Outer", "Around both.").container(middle.clone());
        build(
            Toolbox::builder()
                .container(outer)
                .expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun)),
        )
    };
    for name in [
        "Outer.Middle.Inner.deep_one",
        "outer->middle->inner->deepOne",
        "Middle.Inner.deep_one",
        "Inner::deep_one",
        "deep_one@Inner@Middle@Outer",
        "outer__middle__inner__deep_one",
        "Outer.Middle.Inner.deep_one()",
    ] {
        let outcome = call(&build(), name, "{}");
        assert_eq!(outcome.to_text(), "deep_one", "{name}");
        assert_eq!(
            outcome.repairs().last().map(ToString::to_string),
            Some(format!("Expanded Inner for {:?}.", "deep_one"))
        );
    }
    // Containers that are shown as their members can be named too.
    let outer = Container::new("Outer", "Around both.").container(middle.clone());
    let open = self::build(Toolbox::builder().container(outer).expansion(ExpansionSettings::new().collapse_above(20)));
    for name in ["Outer.Middle.Inner.deep_one", "Middle.Inner.deep_one", "Outer.Middle.flat", "Inner.deep_one"] {
        assert!(call(&open, name, "{}").is_ok(), "{name}");
    }
    // Each container contains the next, and the name skips none.
    for name in ["Outer.Inner.deep_one", "Inner.Middle.deep_one", "Outer.Outer.Middle.flat", "Outer.Middle.deep_one"] {
        assert_eq!(told(&call(&build(), name, "{}")), "unknown_tool", "{name}");
    }
}

#[test]
fn a_similar_function_name_in_the_arguments_is_suggested() {
    let near = |policy: UnexpandedCallPolicy, function: &str| {
        let outcome = call(&session(policy), "Math", &json!({"function": function, "x": 4}).to_string());
        let answer: serde_json::Value = serde_json::from_str(&outcome.to_text()).expect("both answers are JSON");
        answer["did_you_mean"].clone()
    };
    for policy in [Reject, Expand, ExpandAndRun] {
        for function in
            ["square_rot", "SquareRoots", "Math.square_rot", "functions.SquareRot", "rootSquare", "square_roots_of"]
        {
            assert_eq!(near(policy, function), json!(["square_root"]), "{policy:?} {function}");
        }
        for function in ["plus", "", "cube"] {
            assert_eq!(near(policy, function), json!(null), "{policy:?} {function}");
        }
    }
    // A function that exists is not suggested.
    assert_eq!(near(Reject, "add"), json!(null));
    assert_eq!(near(Expand, "SquareRoot"), json!(null));
}

#[test]
fn a_similar_member_name_with_its_container_is_suggested() {
    let suggested = |session: &Session, name: &str| rejection(&call(session, name, "{}"))["did_you_mean"].clone();
    let strict = session(Reject);
    for name in ["Math.square_rot", "math->squareRot", "square_rot@Math", "Math.square_rot()"] {
        assert_eq!(suggested(&strict, name), json!(["Math"]), "{name}");
    }
    let _ = call(&strict, "Math", "");
    for name in
        ["Math.square_rot", "math->squareRot", "square_rot@Math", "Math.square_rot()", "functions.Math.square_rot"]
    {
        assert_eq!(suggested(&strict, name), json!(["square_root"]), "{name}");
    }
}

#[test]
fn a_name_similar_to_a_member_suggests_its_container() {
    let suggested = |session: &Session, name: &str| rejection(&call(session, name, "{}"))["did_you_mean"].clone();
    let strict = session(Reject);
    assert_eq!(suggested(&strict, "square_rot"), json!(["Math"]));
    let _ = call(&strict, "Math", "");
    assert_eq!(suggested(&strict, "square_rot"), json!(["square_root"]));

    let outer = Container::new("Science", "All of it.").container(math());
    let nested = build(Toolbox::builder().container(outer));
    assert_eq!(suggested(&nested, "square_rot"), json!(["Science"]), "the visible container leads there");
    let _ = call(&nested, "Science", "");
    assert_eq!(suggested(&nested, "square_rot"), json!(["Math"]));
}

#[test]
fn a_qualified_name_expands_only_the_container_that_it_names() {
    let skill = Container::skill("Study", "How to study.", "Think.").add_by_name("square_root");
    let session = build(
        Toolbox::builder()
            .container(math())
            .container(skill)
            .expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun)),
    );
    assert_eq!(call(&session, "study.square_root", r#"{"x": 4}"#).to_text(), "2.0");
    assert_eq!(visible(&session), ["Math", "Study", "square_root"]);
}

#[test]
fn a_member_that_the_policy_expands_may_have_sensitive_fields() {
    struct Vault;
    /// Secrets.
    #[plugin_container]
    impl Vault {
        /// Opens it.
        #[tool]
        fn open(
            &self,
            /// The key.
            #[tool(sensitive)]
            key: String,
        ) -> usize {
            key.len()
        }
    }
    let builder = || Toolbox::builder().container(Vault);
    let arguments = r#"{"function": "open", "key": "hunter2"}"#;
    assert!(!call(&build(builder()), "Vault", arguments).to_text().contains("hunter2"));
    let outcome =
        call(&build(builder().expansion(ExpansionSettings::new().unexpanded_call_policy(Expand))), "Vault", arguments);
    assert!(outcome.is_ok() && !format!("{:?} {}", outcome.repairs(), outcome.to_text()).contains("hunter2"));
    assert_eq!(
        call(
            &build(builder().expansion(ExpansionSettings::new().unexpanded_call_policy(ExpandAndRun))),
            "Vault",
            arguments
        )
        .to_text(),
        "7"
    );
}
