//! The requirements on the weather agent, with one test for each.
//!
//! A `ScriptedModel` with fixed answers tests the expectations about calls. The agent's own script, which reads the messages that it
//! receives, tests that hints are sufficient.

use agents::weather::{self, QUESTION, forecaster};
use examples::weather::{GetWeatherTool, Unit};
use tool_chat::model::ScriptedModel;
use tool_runtime::failure::FailureKind;
use tool_testkit::assert_tool_contract;
use tool_testkit::{Scenario, calls, calls_typed, contains, exactly, last_answer, no_calls, no_failures};

/// Returns a scenario of the agent, with a new model for each run.
fn agent(model: impl Fn() -> ScriptedModel + Send + Sync + 'static) -> Scenario {
    Scenario::new(move || weather::conversation(model()).expect("the toolbox is valid"))
}

fn hold(scenario: Scenario) {
    pollster::block_on(scenario.assert());
}

#[test]
fn the_tool_is_called_for_paris_and_london_in_any_order_and_for_nothing_else() {
    let london_first = || {
        let calls = [r#"{"location": "London"}"#, r#"{"location": "Paris, France"}"#];
        ScriptedModel::new()
            .calls(calls.map(|arguments| ("get_weather", arguments)))
            .text("18.5 °C in Paris, 14 °C in London.")
    };
    hold(
        agent(london_first)
            .prompt(QUESTION)
            .expect(exactly([
                calls("get_weather").at("location", contains("Paris")),
                calls("get_weather").at("location", contains("London")),
            ]))
            .expect(no_failures())
            .expect(last_answer().contains_all(["Paris", "London"])),
    );
}

#[test]
fn a_wrong_unit_is_corrected_within_one_round_after_a_hint() {
    let london = || calls("get_weather").at("location", "London");
    hold(
        agent(forecaster)
            .prompt(QUESTION)
            .expect(london().rejected_with_hint_about("unit"))
            .expect(london().at("unit", "celsius").corrected_within(1))
            .expect(last_answer().contains("London: 14 °C")),
    );
}

#[test]
fn a_number_in_quotes_is_repaired() {
    hold(agent(forecaster).prompt(QUESTION).expect(calls("get_weather").at("days", 1).repaired("days").succeeds()));
}

#[test]
fn a_missing_station_is_mentioned_and_not_asked_for_again() {
    hold(
        agent(forecaster)
            .prompt("How warm is it in Rome?")
            .expect(calls("get_weather").times(1))
            .expect(calls("get_weather").fails_with(FailureKind::DomainRejection))
            .expect(last_answer().contains("no weather station in Rome")),
    );
}

#[test]
fn the_default_unit_is_celsius() {
    hold(agent(forecaster).prompt("How warm is it in Tokyo?").expect(calls_typed::<GetWeatherTool>(|arguments| {
        arguments.location == "Tokyo" && matches!(arguments.unit, Unit::Celsius) && arguments.days.is_none()
    })));
}

#[test]
fn a_question_without_a_place_is_answered_with_a_question() {
    hold(
        agent(forecaster)
            .prompt("what will it be like?")
            .expect(no_calls())
            .expect(last_answer().matches_regex(r"\?$")),
    );
}

#[test]
fn a_second_question_continues_the_conversation() {
    hold(
        agent(forecaster)
            .prompt(QUESTION)
            .prompt("And what about Tokyo?")
            .expect(calls("get_weather").at("location", "Tokyo").after(calls("get_weather").at("location", "London")))
            .expect(last_answer().equals("Tokyo: 22.5 °C.")),
    );
}

#[test]
fn the_schema_the_checker_and_serde_agree_about_the_tool() {
    assert_tool_contract!(GetWeatherTool);
}
