//! Conversations that a test runs, and the reports about failed expectations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tool_chat::conversation::{Conversation, TurnLimits};
use tool_chat::model::{ModelError, ModelErrorKind, Response, ScriptedModel};
use tool_chat::transcript::Entry;
use tool_runtime::clock::SimulatedClock;
use tool_testkit::{Scenario, ScenarioError, SetupError, TestClock, calls, last_answer, no_calls, no_failures};

use crate::testkit::kit::{LONDON, PARIS, sentences, session};

fn scenario(model: ScriptedModel) -> Scenario {
    Scenario::new(move || Conversation::new(session(), model.clone()))
}

#[test]
fn a_successful_run_returns_the_transcript() -> Result<(), ScenarioError> {
    let model = ScriptedModel::new().calls([PARIS, LONDON]).text("Sun in Paris and London.");
    let run = scenario(model)
        .prompt("What is the weather in Paris and London?")
        .expect(calls("get_weather").times(2))
        .expect(last_answer().contains_all(["Paris", "London"]))
        .expect(no_failures())
        .run();
    let transcript = pollster::block_on(run)?;
    assert_eq!(transcript.calls().count(), 2);
    Ok(())
}

#[test]
fn a_failed_run_returns_the_transcript() {
    let run = scenario(ScriptedModel::new().call(PARIS.0, PARIS.1).text("Sun.")).prompt("Paris?").expect(no_calls());
    let Err(ScenarioError::Failed(failed)) = pollster::block_on(run.run()) else { panic!("something was called") };
    assert_eq!((failed.transcript().calls().count(), failed.transcript().last_text()), (1, "Sun."));
}

#[test]
fn several_prompts_are_one_conversation() -> Result<(), ScenarioError> {
    let model = ScriptedModel::new().text("Hi.").call(PARIS.0, PARIS.1).text("Sun.");
    let run = scenario(model).prompt("Hello!").prompt("Paris?").expect(calls("get_weather").times(1)).run();
    let transcript = pollster::block_on(run)?;
    let prompts: Vec<_> =
        transcript.entries().iter().filter(|entry| matches!(entry, Entry::Prompt { .. })).map(Entry::turn).collect();
    assert_eq!(prompts, [0, 1]);
    Ok(())
}

#[test]
fn prompts_and_instructions_come_from_files() -> Result<(), Box<dyn std::error::Error>> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let model = ScriptedModel::new().text("Hi.");
    let asked = model.clone();
    let run = scenario(model).instructions_from_file(file).prompt_from_file(file).expect(no_calls()).run();
    pollster::block_on(run)?;
    let whole = std::fs::read_to_string(file)?;
    let read: Vec<_> = asked.requests()[0].messages.iter().map(|message| message.text().to_owned()).collect();
    assert!(read[0].starts_with(&whole) && read[1] == whole);
    Ok(())
}

#[test]
fn a_missing_file_is_named() {
    let checked = scenario(ScriptedModel::new()).prompt_from_file("no/such/file").expect(no_calls()).validate();
    let told = checked.map_err(|misused| misused.errors().to_vec());
    assert!(matches!(told.err().as_deref(), Some([SetupError::File { file, .. }]) if file == "no/such/file"));
}

#[test]
fn invalid_settings_are_reported_together_before_a_model_is_called() {
    let errors = |scenario: Scenario| scenario.validate().err().map(|misused| misused.errors().to_vec());
    assert_eq!(errors(scenario(ScriptedModel::new()).expect(no_calls())), Some(vec![SetupError::NoPrompt]));
    assert_eq!(errors(scenario(ScriptedModel::new()).prompt("Hi.")), Some(vec![SetupError::NothingExpected]));
    assert_eq!(
        errors(scenario(ScriptedModel::new()).prompt(" ").ends_after_rejected_calls("").expect(calls(""))),
        Some(vec![
            SetupError::Empty("a prompt"),
            SetupError::Empty("the name of a function"),
            SetupError::Empty("the name of a function"),
        ]),
    );
    let run = scenario(ScriptedModel::new()).prompt("Hi.").expect(calls("")).run();
    assert!(matches!(pollster::block_on(run), Err(ScenarioError::Setup(_))));
}

#[test]
#[should_panic(expected = "Expected function 'get_weather' to be called, but no function calls were made.")]
fn assert_panics_with_the_report() {
    let asked = scenario(ScriptedModel::new().text("Sun.")).prompt("Paris?").expect(calls("get_weather"));
    pollster::block_on(asked.assert());
}

#[test]
fn a_failing_model_is_reported() {
    let model = ScriptedModel::new().error(ModelError::new(ModelErrorKind::Transport, "gone"));
    let told = sentences(scenario(model).prompt("Hi.").prompt("Never asked.").expect(no_calls()));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("Expected an answer, but the model failed: ") && told[0].contains("gone"), "{told:?}");
}

fn rejected() -> ScriptedModel {
    ScriptedModel::from_fn(|_| Ok(Response::from_calls([tool_chat::model::ToolCall::new("c", "get_weather", "{}")])))
}

#[test]
fn an_exhausted_turn_is_reported_unless_expected() {
    let asked = || scenario(rejected()).prompt("Paris?").expect(calls("get_weather").at_least(2));
    assert_eq!(sentences(asked().ends_after_rejected_calls("get_weather")), Vec::<String>::new());
    let told = sentences(asked());
    assert!(told[0].starts_with("Expected an answer, but calls of 'get_weather' were rejected "), "{told:?}");
    let told = sentences(asked().ends_after_rejected_calls("search"));
    assert!(
        told[0].starts_with(
            "Expected the turn to end because calls of 'search' are rejected, but calls of 'get_weather' were rejected "
        ),
        "{told:?}",
    );
    let answered = scenario(ScriptedModel::new().text("Sun."))
        .prompt("Paris?")
        .expect(no_calls())
        .ends_after_rejected_calls("search");
    assert_eq!(
        sentences(answered),
        ["Expected the turn to end because calls of 'search' are rejected, but the model answered."],
    );
}

#[test]
fn a_limit_is_reported_unless_expected() {
    let asked = || {
        let mut limits = TurnLimits::default();
        limits.steps = Some(1);
        let begin = move || Conversation::new(session(), ScriptedModel::new().call(PARIS.0, PARIS.1)).limits(limits);
        Scenario::new(begin).prompt("Paris?").expect(calls("get_weather"))
    };
    assert_eq!(sentences(asked().ends_at_limit()), Vec::<String>::new());
    assert_eq!(sentences(asked()), ["Expected an answer, but the turn reached a limit: Steps(1)."]);
    let answered = scenario(ScriptedModel::new().text("Sun.")).prompt("Paris?").expect(no_calls()).ends_at_limit();
    assert_eq!(sentences(answered), ["Expected the turn to reach a limit, but the model answered."]);
}

#[test]
fn an_expected_end_applies_only_to_the_last_turn() {
    let asked = scenario(rejected()).prompt("Paris?").prompt("London?").expect(calls("get_weather").at_least(1));
    let told = sentences(asked.ends_after_rejected_calls("get_weather"));
    assert!(told[0].starts_with("Expected an answer, but calls of "), "{told:?}");
}

/// Returns a scenario whose runs with these numbers, counted from 1, make no calls.
fn flaky(silent: &'static [usize]) -> Scenario {
    let runs = AtomicUsize::new(0);
    let begin = move || {
        let run = runs.fetch_add(1, Ordering::Relaxed) + 1;
        let clock = TestClock::new();
        let model = ScriptedModel::new().clock(clock.clone()).default_delay(Duration::from_secs(2));
        let model = if silent.contains(&run) { model } else { model.call(PARIS.0, PARIS.1) };
        Conversation::new(session(), model.text("Sun.")).clock(clock)
    };
    Scenario::new(begin).prompt("Paris?").expect(calls("get_weather"))
}

#[test]
fn a_success_rate_can_be_expected() -> Result<(), ScenarioError> {
    let good = pollster::block_on(flaky(&[7]).runs(10).min_pass_rate(0.9).run())?;
    assert_eq!((good.run_count(), good.passed()), (10, 9));
    assert_eq!((good.run_totals().len(), good.totals().calls), (10, 9));
    let seconds: Vec<u64> = good.run_totals().iter().map(|cost| cost.elapsed.as_secs()).collect();
    assert_eq!(seconds, [4, 4, 4, 4, 4, 4, 2, 4, 4, 4]);
    assert_eq!(good.failed_runs().iter().map(|(run, _)| *run).collect::<Vec<_>>(), [7]);
    let bad = pollster::block_on(flaky(&[2, 7]).runs(10).min_pass_rate(0.9).run());
    let Err(ScenarioError::Unreliable(bad)) = bad else { panic!("two of ten are too many") };
    assert_eq!(bad.passed(), 8);
    Ok(())
}

#[test]
fn every_failure_is_reported_under_its_run() {
    let Err(error) = pollster::block_on(flaky(&[2, 3]).runs(4).min_pass_rate(0.75).run()) else {
        panic!("two of four are too many")
    };
    let report = "1 difference from 1 expectation\n\n\
         1. Expected function 'get_weather' to be called, but no function calls were made.\n\n\
         No function calls were made.";
    assert_eq!(
        error.to_string(),
        format!(
            "2 of 4 runs passed (50.0 %; with 95 % confidence the true rate is between 15.0 % and 85.0 %); 75.0 % must pass.\
             \nAll runs together: 2 calls, 0 tokens (0 written), 12.0s.\n\nRun 2: {report}\n\nRun 3: {report}",
        ),
    );
}

#[test]
fn all_runs_must_pass_by_default() {
    assert!(pollster::block_on(flaky(&[]).runs(3).run()).is_ok());
    assert!(pollster::block_on(flaky(&[3]).runs(3).run()).is_err());
    assert!(pollster::block_on(flaky(&[1, 2, 3]).runs(3).min_pass_rate(0.0).run()).is_ok());
}

#[test]
#[should_panic(expected = "Run 1: 1 difference from 1 expectation")]
fn assert_panics_if_too_many_runs_fail() {
    pollster::block_on(flaky(&[1]).runs(1).assert());
}

#[test]
fn invalid_numbers_are_reported() {
    let errors = |runs: tool_testkit::Runs| runs.validate().err().map(|misused| misused.errors().to_vec());
    assert_eq!(errors(flaky(&[]).runs(0)), Some(vec![SetupError::NoRuns]));
    assert_eq!(errors(flaky(&[]).runs(1).min_pass_rate(1.01)), Some(vec![SetupError::Rate(1.01)]));
    assert_eq!(errors(flaky(&[]).runs(1).min_pass_rate(-0.01)), Some(vec![SetupError::Rate(-0.01)]));
    assert!(errors(flaky(&[]).runs(1).min_pass_rate(f64::NAN)).is_some());
    assert_eq!(errors(flaky(&[]).runs(1).max_concurrency(0)), Some(vec![SetupError::NoConcurrency]));
    assert_eq!(errors(flaky(&[]).runs(1).min_pass_rate(1.0)), None);
    assert!(matches!(pollster::block_on(flaky(&[]).runs(0).run()), Err(ScenarioError::Setup(_))));
}

#[test]
fn concurrent_runs_wait_concurrently() {
    // Each run waits ten seconds for its model, by one clock that advances when every run waits.
    let took = |at_once: usize| {
        let clock = Arc::new(SimulatedClock::new());
        let of_runs = Arc::clone(&clock);
        let begin = move || {
            let model = ScriptedModel::new()
                .text("Sun.")
                .last_answer_delay(Duration::from_secs(10))
                .clock(Arc::clone(&of_runs));
            Conversation::new(session(), model)
        };
        let runs = Scenario::new(begin).prompt("Paris?").expect(no_calls()).runs(6).max_concurrency(at_once).run();
        let moved = clock.clone();
        let passed = crate::testkit::kit::drive(runs, || moved.advance(Duration::from_secs(10)));
        (passed.map(|runs| runs.passed()).ok(), tool_runtime::clock::Clock::now(&*clock))
    };
    assert_eq!(took(1), (Some(6), Duration::from_secs(60)));
    assert_eq!(took(3), (Some(6), Duration::from_secs(20)));
    assert_eq!(took(100), (Some(6), Duration::from_secs(10)));
}
