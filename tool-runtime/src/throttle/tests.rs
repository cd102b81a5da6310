//! Tests that the memory of a session is bounded.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::clock::SimulatedClock;
use crate::fast_hash::hash;
use crate::input::Arguments;
use crate::issue::Issue;
use crate::json::Json;
use crate::shape::{Ref, Shape};

const TOOLS: usize = 4;

fn session() -> (Throttle, SimulatedClock) {
    let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
    for tool in 0..TOOLS {
        let overrides = if tool == 0 { LimitOverrides::NONE.unlimited() } else { LimitOverrides::NONE };
        policy.add_tool(format!("tool{tool}"), Ref::Static(Shape::ANY), &overrides);
    }
    let clock = SimulatedClock::new();
    (Throttle::new(Arc::new(policy), Arc::new(clock.clone())), clock)
}

fn within_bounds(throttle: &Throttle) -> Result<(), TestCaseError> {
    let state = throttle.state();
    let (calls, bytes) = state.repeats.kept();
    prop_assert!(calls <= recent_call::CALLS && bytes <= recent_call::CALLS * recent_call::TEXT, "{calls} {bytes}");
    prop_assert!(state.tools.len() <= TOOLS && state.overall.len() <= 10 && state.fan.len() <= 4_096);
    for tool in state.tools.iter().flatten() {
        prop_assert!(tool.window.len() <= 5 && tool.calls.len() <= 4);
        prop_assert!(tool.failures.errors() <= 16 && tool.counters.fields() <= statistics::FIELDS);
    }
    Ok(())
}

/// Returns issues at a path that has not occurred before.
fn issues(number: u32) -> Vec<Issue> {
    let text = format!("{{\"field{number}\": 1, \"other{number}\": 2}}");
    let Ok(json) = Json::parse(&text) else { return Vec::new() };
    let mut found = Vec::new();
    for member in json.members() {
        let mut issue = crate::check::check(<bool as crate::ToolInput>::SHAPE, &member.value);
        for issue in &mut issue {
            issue.path = crate::issue::Path::root().key(&*member.key);
        }
        found.extend(issue);
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn memory_is_bounded(steps in prop::collection::vec((0..TOOLS, 0..4_u8, 0_u64..40_000, 0..6_000_usize), 300)) {
        let (throttle, clock) = session();
        let mut batch = None;
        for (number, (tool, kind, wait, length)) in (0_u32..).zip(steps) {
            clock.advance(Duration::from_millis(wait));
            if number % 5 == 0 {
                batch = (number % 10 == 0).then(|| throttle.batch());
            }
            let mut text = format!("{{\"number\": {number}, \"text\": \"");
            text.extend(std::iter::repeat_n('x', length));
            text.push_str("\"}");
            let arguments = Arguments::from(&text);
            let (faults, mut error) = (issues(number), String::new());
            let _ = write!(error, "error {number}");
            let exit = match kind {
                0 => CallEnd::Succeeded { result: "the same", repairs: 0 },
                1 => CallEnd::Rejected { issues: &faults },
                2 => CallEnd::Failed { error: &error },
                _ => CallEnd::Cancelled,
            };
            if let Ok(ticket) = throttle.admit(tool, &arguments, batch) {
                ticket.report(&arguments, exit);
            }
            let _ = throttle.count_unknown_name(&text, ["tool1"], batch);
        }
        within_bounds(&throttle)?;
    }
}

proptest! {
    #[test]
    fn the_least_recent_call_is_replaced(
        steps in prop::collection::vec((0..TOOLS, 0..8_u64, prop::bool::weighted(0.05)), 1..200),
    ) {
        let (mut repeats, mut expected, input) = (repeats::Repeats::default(), Vec::new(), Ref::Static(Shape::ANY));
        for (tool, arguments, is_forgotten) in steps {
            let (result, batch, ended) = (7, None, 0);
            if is_forgotten {
                repeats.forget(tool);
                expected.retain(|&(of, _)| of != tool);
            } else {
                let (is_read_only, has_failed) = (false, false);
                let text = arguments.to_string();
                let call = recent_call::Call { tool, input: &input, is_read_only, has_failed, arguments: text.as_bytes(), result, batch, began: 0, ended };
                repeats.note(call, Duration::from_secs(60));
                let call = (tool, hash(text.as_bytes()));
                expected.retain(|known| *known != call);
                expected.push(call);
                if expected.len() > recent_call::CALLS {
                    expected.remove(0);
                }
            }
            prop_assert_eq!(&repeats.by_age(), &expected);
        }
    }
}

#[test]
fn a_call_is_recognized_by_value_among_all_remembered_calls() {
    let input = Ref::Static(Shape::ANY);
    let mut repeats = repeats::Repeats::default();
    let mut note = |text: &str| {
        let (is_read_only, has_failed, result, batch, began, ended) = (false, false, 7, None, 0, 0);
        let arguments = text.as_bytes();
        let call = recent_call::Call {
            tool: 1,
            input: &input,
            is_read_only,
            has_failed,
            arguments,
            result,
            batch,
            began,
            ended,
        };
        repeats.note(call, Duration::from_secs(60)).is_known
    };
    for length in [0, recent_call::TEXT - 40, recent_call::TEXT] {
        let long = "x".repeat(length);
        for page in 0..recent_call::CALLS {
            assert!(!note(&format!(r#"{{"query":"{long}","page":{page}}}"#)), "{length}: {page}");
        }
        // Of arguments with more than 4 kB, only a hash of the text is known.
        let is_kept = length < recent_call::TEXT;
        for page in 0..recent_call::CALLS {
            let has_place = is_kept || page == 0;
            if has_place {
                assert_eq!(note(&format!(r#"{{"page":{page}.0,"query":"{long}"}}"#)), is_kept, "{length}: {page}");
            }
        }
        assert!(note(&format!(r#"{{"query":"{long}","page":{}}}"#, recent_call::CALLS - 1)), "{length}");
    }
}

#[test]
fn remembered_calls_keep_their_order_if_some_are_saved_apart() -> Result<(), &'static str> {
    let throttle = session().0;
    for (number, tool) in [1, 2, 1, 3, 2].into_iter().enumerate() {
        let arguments = Arguments::from(number.to_string());
        let ticket = throttle.admit(tool, &arguments, None).map_err(|throttled| throttled.rule.as_str())?;
        ticket.report(&arguments, CallEnd::Succeeded { result: &number.to_string(), repairs: 0 });
    }
    let known = throttle.state().repeats.by_age();
    assert_eq!(known.iter().map(|(tool, _)| *tool).collect::<Vec<_>>(), [1, 2, 1, 3, 2]);
    let (saved, secret) = throttle.save(&Some, &|tool| tool == 1);
    let loaded = session().0.load(saved, secret, Duration::ZERO, TOOLS, &[]).map_err(|damaged| damaged.0)?;
    assert_eq!(loaded.state().repeats.by_age(), known);
    Ok(())
}

#[test]
fn a_long_session_needs_no_more_memory_than_a_short_one() {
    let (throttle, clock) = session();
    let mut kept = Vec::new();
    for number in 0..20_000_u32 {
        clock.advance(Duration::from_secs(3));
        let text = format!("{{\"number\": {number}}}");
        if let Ok(ticket) = throttle.admit(1 + number as usize % 3, &Arguments::from(&text), None) {
            ticket.report(&Arguments::from(&text), CallEnd::Succeeded { result: &text, repairs: 0 });
        }
        if number % 10_000 == 9_999 {
            kept.push(throttle.state().repeats.kept());
        }
    }
    assert!(within_bounds(&throttle).is_ok());
    assert_eq!(kept[0].0, kept[1].0);
    assert_eq!(throttle.statistics().total_calls_last_60s, 20);
}
