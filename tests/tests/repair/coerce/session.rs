//! Coercion in a session: a rejected call runs after an unambiguous repair, for every kind of tool.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pollster::block_on;
use serde_json::json;
use tool_runtime::Arguments;
use tool_runtime::RepairPolicy;
use tool_runtime::event::EventKind;
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::{
    CallContext, CustomRuleError, Failure, Outcome, ToolInput, Toolbox, TypedTool,
    event::{Observer, ToolEvent},
    tool,
};
use tool_schema::repair::{RepairedArguments, repair_arguments};
use tool_schema::shape::Ref;

/// Adds numbers.
#[tool]
fn add(
    /// The numbers.
    #[tool(length(max = 3))]
    numbers: Vec<i64>,
    /// Negates the sum.
    negate: Option<bool>,
) -> i64 {
    let sum: i64 = numbers.iter().sum();
    if negate == Some(true) { -sum } else { sum }
}

/// Adds numbers later.
#[tool]
async fn add_later(
    /// The numbers.
    numbers: Vec<i64>,
) -> i64 {
    std::future::ready(numbers.iter().sum()).await
}

/// Adds numbers elsewhere.
#[tool(blocking)]
fn add_elsewhere(
    /// The numbers.
    numbers: Vec<i64>,
) -> i64 {
    numbers.iter().sum()
}

/// Adds numbers as they are.
#[tool(repair = "strict")]
fn add_exactly(
    /// The numbers.
    numbers: Vec<i64>,
    /// Factor for the sum.
    #[tool(repair = "lossless", default = 1)]
    factor: i64,
) -> i64 {
    numbers.iter().sum::<i64>() * factor
}

/// Adds numbers, under any key.
#[tool(repair = "assisted")]
fn add_somehow(
    /// The numbers.
    numbers: Vec<i64>,
) -> i64 {
    numbers.iter().sum()
}

/// Adds numbers, if there are any.
#[tool(ignore_unknown)]
fn add_any(
    /// The numbers.
    #[tool(default = [])]
    numbers: Vec<i64>,
) -> i64 {
    numbers.iter().sum()
}

#[allow(clippy::trivially_copy_pass_by_ref)] // A rule takes a reference, whatever the type.
fn panics(_: &u8) -> Result<(), CustomRuleError> {
    panic!("a rule panics")
}

/// Has a rule that panics.
#[tool]
fn rule(
    /// A number.
    #[tool(custom = panics)]
    number: u8,
) -> u8 {
    number
}

fn toolbox() -> Toolbox {
    let builder = Toolbox::builder().tool(AddTool).tool(AddLaterTool).tool(AddElsewhereTool);
    let builder = builder.tool(AddAnyTool).tool(AddExactlyTool).tool(AddSomehowTool).tool(RuleTool);
    builder.blocking_spawner(|work| work()).build().expect("the tools have different names")
}

fn call(name: &str, arguments: &str) -> Outcome {
    block_on(toolbox().session().call("call_1", name, arguments))
}

fn lines(outcome: &Outcome) -> Vec<String> {
    outcome.repairs().iter().map(ToString::to_string).collect()
}

#[test]
fn a_call_is_repaired_whatever_kind_of_tool_it_is() {
    for name in ["add", "add_later", "add_elsewhere"] {
        let outcome = call(name, r#"{"numbers": "[1, \"2\"]"}"#);
        assert_eq!(outcome.to_text(), "3", "{name}");
        assert_eq!(outcome.repaired_arguments(), Some(r#"{"numbers":[1,2]}"#), "{name}");
        let expected = [r#"Read numbers "[1, \"2\"]" as [1,"2"]."#, r#"Read numbers[1] "2" as 2."#];
        assert_eq!(lines(&outcome), expected, "{name}");
    }
}

#[test]
fn arguments_may_come_in_any_form() {
    let value = json!({"numbers": "5"});
    let map = value.as_object().cloned().unwrap_or_default();
    let forms: [Arguments<'_>; 5] = [
        r#"{"numbers": "5"}"#.into(),
        br#"{"numbers": "5"}"#[..].into(),
        (&value).into(),
        (&map).into(),
        json!(r#"{"numbers": "5"}"#).into(),
    ];
    for form in forms {
        let outcome = block_on(toolbox().session().call("call_1", "add", form));
        assert_eq!((&*outcome.to_text(), outcome.repaired_arguments()), ("5", Some(r#"{"numbers":[5]}"#)));
    }
}

#[test]
fn a_good_call_has_no_ledger() {
    let outcome = call("add", r#"{"numbers": [1], "negate": null}"#);
    assert_eq!((&*outcome.to_text(), outcome.repaired_arguments(), outcome.repairs().len()), ("1", None, 0));
}

#[test]
fn repairs_of_the_name_come_before_those_of_the_arguments() {
    let outcome = call("Add", r#"{"numbers": [1.0], "negate": ""}"#);
    assert_eq!(outcome.value(), Some(json!(1)));
    let expected = [r#"Read tool "Add" as add."#, "Read numbers[0] 1.0 as 1.", r#"Left out negate, which was ""."#];
    assert_eq!(lines(&outcome), expected);
}

#[test]
fn a_rejection_reports_the_remaining_issues_after_repair() {
    let outcome = call("add", r#"{"numbers": "[1, 2, 3, 4]", "negate": "perhaps"}"#);
    let text = outcome.to_text().into_owned();
    assert!(text.starts_with("add was not run: "), "{text}");
    assert!(text.contains("numbers must have at most 3 items") && text.contains("negate must be a boolean"), "{text}");
    assert_eq!(outcome.repaired_arguments(), Some(r#"{"numbers":[1,2,3,4],"negate":"perhaps"}"#));
    assert_eq!(outcome.repairs().len(), 1);
}

#[test]
fn truncated_arguments_are_never_run() {
    for text in [r#"{"numbers": [1"#, r#"{"numbers": [1]"#, r#"{"numbers": "[1]"#, "{"] {
        let outcome = call("add", text);
        assert_eq!(outcome.failure().map(Failure::error_type), Some("invalid_json"), "{text}: {}", outcome.to_text());
        assert!(outcome.repairs().is_empty());
    }
    // The same holds for text that was truncated and then quoted.
    let outcome = call("add", r#"{"numbers": "[1, 2"}"#);
    assert!(outcome.to_text().contains("numbers must be an array"), "{}", outcome.to_text());
}

#[test]
fn the_policy_of_a_field_precedes_that_of_the_tool_and_the_toolbox() {
    let sent = r#"{"numbers": "[1]"}"#;
    assert!(!call("add_exactly", sent).is_ok());
    assert_eq!(call("add_exactly", r#"{"numbers": [2], "factor": "3"}"#).to_text(), "6");
    assert!(!call("add", r#"{"values": [1]}"#).is_ok());
    let outcome = call("add_somehow", r#"{"number": "[1]"}"#);
    assert_eq!(outcome.to_text(), "1");
    assert_eq!(lines(&outcome), ["Read number as numbers.", r#"Read numbers "[1]" as [1]."#]);
    let strict = Toolbox::builder().repair(RepairPolicy::Strict).tool(AddTool).tool(AddSomehowTool).build();
    let session = strict.expect("the tools have different names").session();
    assert!(!block_on(session.call("call_1", "add", sent)).is_ok());
    assert!(block_on(session.call("call_1", "add_somehow", sent)).is_ok());
}

#[test]
fn a_panic_of_a_rule_is_answered() {
    let outcome = call("rule", r#"{"number": "5"}"#);
    assert!(outcome.to_text().starts_with(r#"{"error_type":"internal_error""#), "{}", outcome.to_text());
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Observer for Log {
    fn event(&self, event: &ToolEvent<'_>) {
        let line = match event.kind {
            EventKind::Received { .. } => "received".to_owned(),
            EventKind::Repaired { repair, .. } => repair.rule.name().to_owned(),
            EventKind::Executed { .. } => "executed".to_owned(),
            EventKind::Rejected { .. } => "rejected".to_owned(),
            _ => "other".to_owned(),
        };
        self.0.lock().expect("nobody panics").push(line);
    }
}

#[test]
fn the_observer_receives_each_repair_before_the_result() {
    let log = Log::default();
    let toolbox = Toolbox::builder().tool(AddTool).observer(log.clone()).build().expect("one tool has no clashes");
    let _ = block_on(toolbox.session().call("call_1", "ADD", r#"{"numbers": "5"}"#));
    let _ = block_on(toolbox.session().call("call_2", "add", r#"{"numbers": "x", "negate": "true"}"#));
    let events = log.0.lock().expect("nobody panics").join(" ");
    assert_eq!(events, "received tool_name single_item text executed received text rejected");
}

/// A tool with a schema that rejects everything.
struct Stubborn {
    spec: ToolSpec,
    calls: Arc<AtomicUsize>,
}

impl Tool for Stubborn {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let rejected = AddTool::decode("[]").err().expect("an array is rejected");
        match AddTool::decode(arguments) {
            Ok(_) if self.spec.settings.repair == Some(RepairPolicy::Lossless) => {
                AnswerOrFuture::Ready(Ok(Payload::Done))
            }
            Ok(_) => AnswerOrFuture::Ready(Err(CallError::Invalid(rejected))),
            Err(error) => AnswerOrFuture::Ready(Err(CallError::Invalid(error))),
        }
    }
}

fn stubborn(repair: Option<RepairPolicy>, arguments: &str) -> (Outcome, usize) {
    let mut spec = ToolSpec::new("stubborn", "Rejects.", Ref::Static(<AddTool as TypedTool>::Args::SHAPE));
    spec.settings.repair = repair;
    let calls = Arc::default();
    let tool = Stubborn { spec, calls: Arc::clone(&calls) };
    let toolbox = Toolbox::builder().tool(tool).build().expect("one tool has no clashes");
    let outcome = block_on(toolbox.session().call("call_1", "stubborn", arguments));
    (outcome, calls.load(Ordering::Relaxed))
}

#[test]
fn a_rejected_call_is_retried_at_most_once() {
    let (outcome, calls) = stubborn(None, r#"{"numbers": "5"}"#);
    assert_eq!((outcome.is_ok(), calls, outcome.repairs().len()), (false, 2, 2));
    // Without a possible repair, the tool is not called again, and its answer is kept.
    let (outcome, calls) = stubborn(None, r#"{"numbers": [5]}"#);
    assert_eq!((outcome.is_ok(), calls, outcome.repairs().len()), (false, 1, 0));
    let (outcome, calls) = stubborn(Some(RepairPolicy::Strict), r#"{"numbers": "5"}"#);
    assert_eq!((outcome.is_ok(), calls), (false, 1));
    let (outcome, calls) = stubborn(Some(RepairPolicy::Lossless), r#"{"numbers": "5"}"#);
    assert_eq!((outcome.is_ok(), calls), (true, 2));
}

#[test]
fn mend_returns_the_same_repairs_and_issues_as_a_call() {
    let arguments = Arguments::from(r#"{"numbers": "5", "negate": 2}"#);
    let mended = repair_arguments("add", &AddTool::SPEC.input, &arguments, RepairPolicy::Lossless);
    let RepairedArguments::Rejected { arguments, repairs, issues, sent, .. } = mended else {
        panic!("negate cannot be repaired: {mended:?}");
    };
    let outcome = call("add", r#"{"numbers": "5", "negate": 2}"#);
    assert_eq!(Some(&*arguments.to_text()), outcome.repaired_arguments());
    assert_eq!(repairs, outcome.repairs());
    let messages = |issues: &[tool_runtime::Issue]| issues.iter().map(tool_runtime::Issue::message).collect::<Vec<_>>();
    assert_eq!(messages(&issues), ["negate must be a boolean or null"]);
    assert_eq!(messages(&sent), ["numbers must be an array", "negate must be a boolean or null"]);
}

#[test]
fn mend_and_a_call_remove_a_wrapper_from_the_same_arguments() {
    // `add_any` ignores unknown keys, so it accepts the object around its arguments. Accepted arguments are only changed if their text is
    // broken.
    let (add, add_any) = (&AddTool::SPEC, &AddAnyTool::SPEC);
    for (tool, sent, ran, read) in [
        (add, r#"{"arguments": {"numbers": [5]}}"#, "5", r#"{"numbers":[5]}"#),
        (add_any, r#"{"arguments": {"numbers": [5]}}"#, "0", r#"{"arguments":{"numbers":[5]}}"#),
        (add_any, r#"{"arguments": {"numbers": [5]},}"#, "5", r#"{"numbers":[5]}"#),
    ] {
        assert_eq!(call(&tool.name, sent).to_text(), ran, "{sent}");
        let sent = Arguments::from(sent);
        let mended = repair_arguments(&tool.name, &tool.input, &sent, RepairPolicy::Lossless);
        let (RepairedArguments::Clean(arguments) | RepairedArguments::Repaired { arguments, .. }) = mended else {
            panic!("{sent:?} is not rejected: {mended:?}");
        };
        assert_eq!(arguments.to_text(), read);
    }
}
