//! Properties of any sequence of calls, results and clock steps.

use std::collections::HashSet;
use std::time::Duration;

use allocation_counter::measure;
use proptest::prelude::*;
use serde_json::json;
use tool_runtime::tool;

use super::{Run, json_of, words};

/// A call and its delay after the previous one.
#[derive(Clone, Debug)]
struct Step {
    milliseconds: u64,
    tool: &'static str,
    arguments: String,
}

/// Tools that are visible whether or not a container is expanded.
const TOOLS: [&str; 4] = ["load", "search", "read_file", "Box"];
/// Maximum number of waits for a call: the pause of its tool, the pause of the call itself, and two rates.
const WAITS: usize = 4;

const FIELDS: usize = 12;

/// A form.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments, reason = "it is a long form")]
fn form(f0: u8, f1: u8, f2: u8, f3: u8, f4: u8, f5: u8, f6: u8, f7: u8, f8: u8, f9: u8, f10: u8, f11: u8) -> u32 {
    [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11].into_iter().map(u32::from).sum()
}

fn step() -> impl Strategy<Value = Step> {
    let tool = prop::sample::select(vec!["load", "load", "search", "read_file", "hidden", "Box", "nobody", "loud"]);
    let arguments = prop_oneof![
        3 => (0..3_u8).prop_map(|number| json!({"number": number}).to_string()),
        2 => (0..3_u8).prop_map(|number| json!({"fail": format!("No {number}.")}).to_string()),
        1 => Just(json!({"number": 99, "say": []}).to_string()),
        1 => Just(json!({"ask": "say"}).to_string()),
        1 => Just(json!({"panic": "now"}).to_string()),
        1 => Just("{\"say\"".to_owned()),
        1 => Just(String::new()),
    ];
    let milliseconds = prop_oneof![3 => 0..20_u64, 3 => 500..5_000_u64, 1 => 20_000..400_000_u64];
    (milliseconds, tool, arguments).prop_map(|(milliseconds, tool, arguments)| Step { milliseconds, tool, arguments })
}

fn play(run: &Run, steps: &[Step]) -> Vec<(String, Vec<String>)> {
    let answers = steps.iter().enumerate().map(|(index, step)| {
        run.clock.advance(Duration::from_millis(step.milliseconds));
        let id = format!("call_{index}");
        let outcome = pollster::block_on(run.session.call(&id, step.tool, step.arguments.as_str()));
        assert_eq!(outcome.call_id(), id);
        (outcome.to_text().into_owned(), outcome.warnings().iter().map(ToString::to_string).collect())
    });
    answers.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(24)))]

    #[test]
    fn every_call_is_answered_and_every_pause_ends(steps in prop::collection::vec(step(), 1..80)) {
        let run = Run::new();
        for (answer, _) in play(&run, &steps) {
            prop_assert!(!answer.is_empty());
        }
        for tool in TOOLS {
            let mut waits = 0;
            loop {
                let outcome = run.call_at_once(tool, "{}");
                if outcome.is_ok() {
                    break;
                }
                let told = json_of(&outcome);
                prop_assert_eq!(&told["error_type"], "throttled");
                let wait = told["retry_after_ms"].as_u64();
                prop_assert!(wait.is_some_and(|wait| wait <= 300_000), "{}", told);
                run.clock.advance(Duration::from_millis(wait.unwrap_or_default()));
                waits += 1;
                prop_assert!(waits <= WAITS, "{} is still paused: {}", tool, told);
            }
        }
    }

    #[test]
    fn equal_inputs_give_equal_outputs(steps in prop::collection::vec(step(), 1..80)) {
        let (one, two) = (Run::new(), Run::new());
        prop_assert_eq!(play(&one, &steps), play(&two, &steps));
        prop_assert_eq!(one.session.statistics(), two.session.statistics());
    }

    #[test]
    fn every_call_is_counted_once(steps in prop::collection::vec(step(), 1..80)) {
        let run = Run::new();
        play(&run, &steps);
        let statistics = run.session.statistics();
        let of_tools: u64 = statistics.tools.iter().map(|tool| tool.calls + tool.throttled).sum();
        prop_assert_eq!(of_tools + statistics.unknown_names, steps.len() as u64);
    }

    #[test]
    fn correcting_one_field_per_round_never_pauses_the_tool(order in Just((0..FIELDS).collect::<Vec<_>>()).prop_shuffle(), seconds in 3..90_u64) {
        let run = Run::of(|builder| builder.tool(FormTool));
        let mut filled = serde_json::Map::new();
        for field in order {
            let outcome = run.call_at_once("form", &serde_json::Value::from(filled.clone()).to_string());
            prop_assert_eq!(words(&outcome), "validation_error");
            filled.insert(format!("f{field}"), 1.into());
            run.wait(seconds);
        }
        prop_assert_eq!(words(&run.call_at_once("form", &serde_json::Value::from(filled).to_string())), "ok");
    }

    #[test]
    fn a_warning_comes_before_every_pause_of_a_tool(steps in prop::collection::vec(step(), 1..80)) {
        let run = Run::new();
        let (mut warned, mut succeeded) = (Vec::new(), HashSet::new());
        for step in &steps {
            run.clock.advance(Duration::from_millis(step.milliseconds));
            let outcome = run.call_at_once(step.tool, &step.arguments);
            if outcome.is_ok() {
                // After a success the count starts again, and a pause needs another warning. A success that only repeats an earlier one does
                // not end a pause, so the warning before it still counts.
                let is_new = succeeded.insert((step.tool, &step.arguments));
                warned.retain(|tool| *tool != step.tool || !is_new);
            } else if !outcome.warnings().is_empty() {
                warned.push(step.tool);
            }
            let said = words(&outcome);
            let pauses = ["consecutive_failures", "same_error"].iter().any(|rule| said.starts_with(rule));
            // Warnings about a hidden member count for its container.
            let whom = if step.tool == "hidden" { vec!["hidden", "Box"] } else { vec![step.tool] };
            let is_warned = warned.iter().any(|tool| whom.contains(tool) || (*tool == "hidden" && step.tool == "Box"));
            prop_assert!(!pauses || is_warned, "{:?}: {}", step, said);
        }
    }
}

#[test]
fn memory_does_not_grow_with_the_session() {
    let run = Run::new();
    let play = |from: usize| {
        for number in from..from + 3_000 {
            run.clock.advance(Duration::from_millis(700));
            let tool = ["load", "search", "read_file", "Box", "nobody"][number % 5];
            let key = number % 97;
            let arguments = match number % 7 {
                0 => json!({"fail": format!("No {number}.")}),
                1 => json!({format!("field_{number}"): key}),
                2 => json!({"number": 10, "say": "x".repeat(key * 50)}),
                _ => json!({"say": number.to_string().repeat(key)}),
            };
            let _ = run.call_at_once(tool, &arguments.to_string());
        }
    };
    play(0);
    let more = measure(|| play(3_000));
    assert!(more.bytes_current < 64 * 1_024, "{} bytes more after 3,000 calls", more.bytes_current);
}
