//! The reliability of a model that makes mistakes. With hints, it corrects the mistakes that can be corrected, and the pass rate shows the
//! others.

use std::sync::atomic::{AtomicU64, Ordering};

use agents::reading::Seen;
use agents::weather::{self, QUESTION};
use serde_json::{Value, json};
use tool_chat::model::{Response, ScriptedModel};
use tool_testkit::{Runs, Scenario, ScenarioError, calls};

/// Returns a model that makes a different mistake in each run. In one of ten runs, it guesses the answer without a call, which no hint can
/// prevent.
fn careless(run: u64) -> ScriptedModel {
    ScriptedModel::from_fn(move |request| {
        let seen = Seen::of(request.messages);
        let corrections = seen.corrections();
        if !corrections.is_empty() {
            return Ok(seen.call(corrections));
        }
        if run % 10 == 7 || seen.has_called("get_weather") {
            return Ok(Response::from_text("18.5 °C in Paris and 14 °C in London."));
        }
        let call = |place: &str| ("get_weather".to_owned(), mistaken(run, place));
        Ok(seen.call([call("Paris"), call("London")]))
    })
}

fn mistaken(run: u64, place: &str) -> Value {
    match run % 4 {
        0 => json!({"Location": place}),
        1 => json!({"location": place, "unit": "celcius"}),
        2 => json!({"location": place, "days": "2"}),
        _ => json!({"location": place, "colour": "blue"}),
    }
}

/// Returns ten runs, numbered from 1.
fn ten_runs() -> Runs {
    let numbers = AtomicU64::new(1);
    let begin = move || {
        let model = careless(numbers.fetch_add(1, Ordering::Relaxed));
        weather::conversation(model).expect("the toolbox is valid")
    };
    let places = ["Paris", "London"].map(|place| calls("get_weather").at("location", place).succeeds());
    let scenario = Scenario::new(begin).prompt(QUESTION);
    places.into_iter().fold(scenario, Scenario::expect).runs(10)
}

#[test]
fn nine_of_ten_runs_pass_if_hints_are_followed() {
    let runs = pollster::block_on(ten_runs().min_pass_rate(0.9).run()).expect("nine of ten are enough");
    assert_eq!((runs.passed(), runs.run_count()), (9, 10));
    assert!(runs.interval().low > 0.59 && runs.interval().high < 0.99);
}

#[test]
fn the_failed_run_is_reported_with_its_faults() {
    let Err(ScenarioError::Unreliable(runs)) = pollster::block_on(ten_runs().min_pass_rate(1.0).run()) else {
        panic!("one of ten runs never calls")
    };
    let report = runs.to_string();
    assert!(report.starts_with("9 of 10 runs passed"), "{report}");
    assert!(report.contains("Run 7: 2 differences"), "{report}");
    let lacks = "Expected function 'get_weather' to be called, but no function calls were made.";
    assert!(report.contains(lacks), "{report}");
}
