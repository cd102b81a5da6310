//! Combinations of features: containers, batches, panics, failing models, and several expectations about the same calls.

use tool_chat::conversation::Conversation;
use tool_chat::model::{ModelError, ModelErrorKind, ScriptedModel};
use tool_runtime::failure::FailureKind;
use tool_runtime::{Toolbox, tool};
use tool_testkit::{
    Expectation, Scenario, ScenarioError, calls, calls_in_any_order, calls_in_order, calls_typed, exactly, expands,
    no_calls, no_failures, only_calls, satisfying,
};

use crate::testkit::kit::{DELETE, Held, LONDON, MathAddTool, PARIS, SEARCH, TIME, held, sentences, session};

const ADD: (&str, &str) = ("add", r#"{"a": 1, "b": 2}"#);
const NONE: Vec<String> = Vec::new();

fn scenario(model: ScriptedModel) -> Scenario {
    Scenario::new(move || Conversation::new(session(), model.clone())).prompt("Do it.")
}

#[test]
fn a_call_in_a_container_is_a_call_like_any_other() {
    let apart = scenario(ScriptedModel::new().call("Math", "").call(ADD.0, ADD.1).text("3"));
    let apart = apart.expect(expands("Math")).expect(calls("add").after("Math").returns(3.0));
    assert_eq!(sentences(apart.expect(calls_typed::<MathAddTool>(|arguments| arguments.b > 1.5))), NONE);
    // In one message the expansion applies to the calls after it, although the model has not read its answer.
    let model = || ScriptedModel::new().calls([("Math", ""), ADD]).text("3");
    assert_eq!(sentences(scenario(model()).expect(calls_in_order(["Math", "add"])).expect(no_failures())), NONE);
    assert_eq!(
        sentences(scenario(model()).expect(calls("add").after("Math"))),
        ["Expected function 'add' to be called after 'Math', but both were called in the same step."],
    );
}

#[test]
fn expectations_of_different_kinds_share_the_calls() {
    let get = || calls("get_weather");
    let paris = || get().at("location", "Paris");
    let all: [Expectation; 7] = [
        get().into(),
        paris().into(),
        get().times(2).into(),
        exactly([get(), paris(), calls("get_time")]).into(),
        only_calls([get(), calls("get_time")]).into(),
        calls_in_order([paris(), calls("get_time"), get()]).into(),
        calls_in_any_order([paris(), get()]).into(),
    ];
    let report = held(&[PARIS, TIME, LONDON]).report(all);
    assert!(report.is_ok(), "{report}");
}

#[test]
fn members_that_match_the_same_calls_are_reassigned() {
    let get = || calls("get_weather");
    let celsius = || get().at("units", "celsius");
    let overlapping = || [get(), celsius(), celsius().at("location", "Paris"), get().at("units", "kelvin")];
    let oslo = ("get_weather", r#"{"location": "Oslo", "units": "celsius"}"#);
    let rome = ("get_weather", r#"{"location": "Rome"}"#);
    for order in [[PARIS, oslo, LONDON, rome], [rome, LONDON, PARIS, oslo], [oslo, rome, LONDON, PARIS]] {
        held(&order).passes(exactly(overlapping()));
    }
    held(&[PARIS, oslo, oslo, LONDON]).passes(exactly(overlapping()));
    held(&[PARIS, LONDON, LONDON, rome]).fails(
        calls_in_any_order(overlapping()),
        "Expected function 'get_weather' to be called 2 times in this way, but it was called 1 time.",
    );
}

/// Breaks.
#[tool]
fn boom() -> String {
    panic!("boom")
}

#[test]
fn a_tool_that_panics_has_failed() {
    let session = Toolbox::builder().tool(BoomTool).build().expect("the toolbox is valid").session();
    let held = Held::over(session).step(&[("boom", "{}")]);
    held.passes(calls("boom").fails_with(FailureKind::Internal));
    held.fails(
        no_failures(),
        "Expected no failures, but 'boom' was called and it failed with internal (internal_error).",
    );
}

#[test]
#[should_panic(expected = "the test is wrong")]
fn a_condition_that_panics_ends_the_test() {
    let wrong = satisfying("anything", |_| panic!("the test is wrong"));
    held(&[PARIS]).passes(calls("get_weather").at("location", wrong));
}

#[test]
fn an_exhausted_script_is_an_error_with_the_report_so_far() {
    let told = sentences(scenario(ScriptedModel::new()).expect(no_calls()));
    let expected = "Expected an answer, but the model failed: the recording does not match the conversation: the script has run dry: this is \
                    request 1, and 0 answers were enqueued; the user said last: \"Do it.\".";
    assert_eq!(told, [expected]);

    let model = ScriptedModel::new().calls([SEARCH, DELETE]).delta_size(3);
    let failed = pollster::block_on(scenario(model).expect(calls("delete").never()).run());
    let Err(ScenarioError::Failed(failed)) = failed else { panic!("the script is too short") };
    assert_eq!(failed.expectation_report().failed_expectations().len(), 2, "{failed}");
    assert!(
        failed.expectation_report().failed_expectations()[0]
            .message()
            .contains("this is request 2, and 1 answers were enqueued"),
        "{failed}"
    );
    assert_eq!(failed.transcript().calls().count(), 2);
}

#[test]
fn each_run_with_an_exhausted_script_is_reported() {
    let begin = || Conversation::new(session(), ScriptedModel::new());
    let runs = Scenario::new(begin).prompt("Do it.").expect(no_calls()).runs(2);
    let Err(error) = pollster::block_on(runs.run()) else { panic!("nobody answered") };
    assert_eq!(error.to_string().matches("the script has run dry").count(), 2, "{error}");
}

#[test]
#[should_panic(expected = "the script has run dry: this is request 1")]
fn an_exhausted_script_without_a_scenario_ends_the_test() {
    pollster::block_on(Conversation::new(session(), ScriptedModel::new()).ask("Do it."));
}

#[test]
fn the_calls_before_a_failure_of_the_model_are_checked() {
    let model = ScriptedModel::new().calls([SEARCH, DELETE]).error(ModelError::new(ModelErrorKind::Transport, "gone"));
    let told = sentences(scenario(model).expect(calls("search").succeeds()).expect(calls("delete").never()));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("Expected an answer, but the model failed: "), "{told:?}");
    assert_eq!(told[1], "Expected function 'delete' not to be called, but it was called 1 time.");
}

#[test]
fn every_run_of_a_failing_model_is_reported() {
    let begin = || {
        let error = ModelError::new(ModelErrorKind::Transport, "gone");
        Conversation::new(session(), ScriptedModel::new().error(error))
    };
    let runs = Scenario::new(begin).prompt("Do it.").expect(no_calls()).runs(3).max_concurrency(2).min_pass_rate(0.1);
    let Err(error) = pollster::block_on(runs.run()) else { panic!("nobody answered") };
    let error = error.to_string();
    assert!(
        (1..=3).all(|run| error.contains(&format!("\n\nRun {run}: 1 difference from 1 expectation\n\n"))),
        "{error}"
    );
}
