//! Texts of a host for the throttle: each text can be replaced, and each replacement is bounded.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{RateLimit, ReplaceableThrottleText, SessionLimits, ThrottleTextKind};
use tool_runtime::{Outcome, Session, ToolError, Toolbox, tool};

/// Searches, and never finds anything.
#[tool]
fn search() -> Result<(), ToolError> {
    Err(ToolError::new("The index is not there."))
}

/// The tasks that are open.
#[tool]
fn tasks() -> &'static str {
    "none"
}

/// The other tool of a circle.
#[tool]
fn other() -> &'static str {
    "nothing"
}

fn session(
    limits: &SessionLimits,
    texts: impl Fn(&ReplaceableThrottleText<'_>) -> Option<String> + Send + Sync + 'static,
) -> Session {
    let builder = Toolbox::builder().tool(SearchTool).tool(TasksTool).tool(OtherTool).throttle(*limits);
    let toolbox = builder.clock(SimulatedClock::new()).throttle_texts(texts).build();
    toolbox.expect("the names differ").session()
}

fn call(session: &Session, tool: &str) -> Outcome {
    pollster::block_on(session.call("call_1", tool, "{}"))
}

fn rejection(outcome: &Outcome) -> Value {
    serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON")
}

/// Returns limits with one rule.
fn only(set: impl FnOnce(&mut SessionLimits)) -> SessionLimits {
    let mut limits = SessionLimits::NONE;
    set(&mut limits);
    limits
}

#[test]
fn every_text_of_every_rule_can_be_replaced() {
    let rate = Some(RateLimit { calls: 3, window: std::time::Duration::from_secs(5) });
    let defaults = SessionLimits::default();
    for (rule, limits, tools) in [
        (ThrottleRule::SameError, only(|limits| limits.same_error = defaults.same_error), vec!["search"; 4]),
        (
            ThrottleRule::ConsecutiveFailures,
            only(|limits| limits.consecutive_failures = defaults.consecutive_failures),
            vec!["search"; 7],
        ),
        (ThrottleRule::IdenticalCall, only(|limits| limits.identical_call = defaults.identical_call), vec!["tasks"; 4]),
        (
            ThrottleRule::AlternatingCalls,
            only(|limits| limits.alternating_calls = defaults.alternating_calls),
            vec!["tasks", "other", "tasks", "other", "tasks", "other", "tasks", "other"],
        ),
        (ThrottleRule::SameToolRate, only(|limits| limits.same_tool_rate = rate), vec!["search"; 4]),
        (ThrottleRule::OverallRate, only(|limits| limits.overall_rate = rate), vec!["search"; 4]),
        (ThrottleRule::UnknownTools, only(|limits| limits.unknown_tools = defaults.unknown_tools), vec!["nobody"; 6]),
        (ThrottleRule::RunBudget, only(|limits| limits.run_budget = Some(2)), vec!["search"; 3]),
    ] {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let texts = {
            let asked = Arc::clone(&asked);
            move |text: &ReplaceableThrottleText<'_>| {
                asked.lock().unwrap().push((text.kind, text.rule, text.count, text.text.to_owned()));
                Some(format!("{:?} of {} after {}", text.kind, text.tool, text.count))
            }
        };
        let own = session(&limits, texts);
        let plain = session(&limits, |_| None);
        for tool in tools {
            let (own, plain) = (call(&own, tool), call(&plain, tool));
            let asked = std::mem::take(&mut *asked.lock().unwrap());
            assert!(asked.iter().all(|(_, asked, ..)| *asked == rule), "{rule:?}: {asked:?}");
            let told = |kind| asked.iter().find(|(asked, ..)| *asked == kind);
            // Rules with a warning ask for its text and use the replacement.
            let warning = told(ThrottleTextKind::Warning);
            assert_eq!(
                warning.map(|(.., text)| text.as_str()),
                plain.warnings().first().map(|text| &**text),
                "{rule:?}"
            );
            let replaced = warning.map(|(_, _, count, _)| format!("Warning of {tool} after {count}"));
            assert_eq!(own.warnings().first().map(ToString::to_string), replaced);
            let is_throttled = |outcome: &Outcome| outcome.failure().is_some_and(|f| f.error_type() == "throttled");
            assert_eq!(is_throttled(&own), is_throttled(&plain));
            if !is_throttled(&own) {
                assert_eq!(own.to_text().is_empty(), plain.to_text().is_empty());
                continue;
            }
            let (Some(message), Some(guidance)) = (told(ThrottleTextKind::Message), told(ThrottleTextKind::Guidance))
            else {
                panic!("{rule:?}: {asked:?}")
            };
            let (mut own, mut plain) = (rejection(&own), rejection(&plain));
            assert_eq!((&plain["error_message"], &plain["retry_guidance"]), (&json!(message.3), &json!(guidance.3)));
            assert!(message.2 > 0, "{rule:?} has a count");
            assert_eq!(own["error_message"], format!("Message of {tool} after {}", message.2));
            assert_eq!(own["retry_guidance"], format!("Guidance of {tool} after {}", message.2));
            for answer in [&mut own, &mut plain] {
                answer["error_message"] = json!(null);
                answer["retry_guidance"] = json!(null);
            }
            assert_eq!(own, plain, "nothing else is replaced");
        }
        let plain = rejection(&call(&plain, if rule == ThrottleRule::UnknownTools { "nobody" } else { "search" }));
        assert!(rule != ThrottleRule::RunBudget || plain["recovery"] == "finish");
    }
}

#[test]
fn a_panic_or_a_blank_text_keeps_the_default_text() {
    let told = |texts: fn(&ReplaceableThrottleText<'_>) -> Option<String>| {
        let session = session(&SessionLimits::default(), texts);
        let outcomes =
            [call(&session, "search"), call(&session, "search"), call(&session, "search"), call(&session, "search")];
        outcomes.map(|outcome| (outcome.to_text().into_owned(), outcome.warnings().len()))
    };
    let plain = told(|_| None);
    assert_eq!(told(|_| Some(" \n\t".to_owned())), plain);
    assert_eq!(told(|_| panic!("a host's function")), plain);
}

fn is_visible(text: &str) -> bool {
    !text.contains(['\u{200b}', '\u{202e}', '\n', '\u{0}'])
}

proptest! {
    /// A model reads one short line without hidden characters, whatever text a host returns.
    #[test]
    fn texts_of_a_host_are_bounded(text in "[ -~]{0,3000}|\\PC{0,400}|[\u{0}\u{200b}\u{202e}\n \\\\\"é🌍]{0,700}") {
        let own = text.clone();
        let session = session(&SessionLimits::default(), move |_| Some(own.clone()));
        for _ in 0..4 {
            let outcome = call(&session, "search");
            prop_assert!(outcome.to_text().len() <= 4_096);
            prop_assert!(is_visible(&outcome.to_text()), "{}", outcome.to_text());
            for warning in outcome.warnings() {
                prop_assert!(warning.len() <= 600 && is_visible(warning), "{warning}");
            }
            if let Some(failure) = outcome.failure().filter(|failure| failure.error_type() == "throttled") {
                let answer = failure.to_value();
                prop_assert!(answer["error_message"].as_str().is_some_and(|text| text.len() <= 600));
                prop_assert!(answer["retry_guidance"].as_str().is_some_and(|text| text.len() <= 480));
            }
        }
    }
}
