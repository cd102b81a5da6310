//! The sentences of each rule, and their maximum lengths.

use std::time::Duration;

use tests::script::{Said, Script, Step, err, ok};
use tool_runtime::Failure;
use tool_runtime::throttle::{LimitOverrides, RateLimit, SessionLimits, StreakLimits, UnknownNameLimits};

fn last(script: &mut Script, steps: impl IntoIterator<Item = Step>) -> Option<String> {
    let mut said = Said::Ok;
    for step in steps {
        said = script.call(&step);
    }
    match said {
        Said::Ok => None,
        Said::Warned(warning) => Some(warning.text.to_string()),
        Said::Rejected(rejection) => Some(Failure::from(rejection).message()),
    }
}

#[test]
fn every_rule_has_its_own_sentences() {
    let failing = |count: usize| (0..count).map(|number| err("load", number.to_string(), number.to_string()));
    let same = |count: usize| (0..count).map(|_| ok("load", "{}", "x"));
    let turns = |count: usize| (0..count).map(|number| ok(["load", "search"][number % 2], "{}", "x"));
    let own_turns = |count: usize| (0..count).map(|number| ok("load", ["1", "2"][number % 2], "x"));
    let errors = |count: usize| (0..count).map(|number| err("no_streak", number.to_string(), "No."));
    let invented = |count: usize| (0..count).map(|_| ok("find", "{}", "x"));
    let mut free = SessionLimits::default();
    (free.same_tool_rate, free.overall_rate) = (None, None);
    let said = |steps: Vec<Step>| last(&mut Script::with(free), steps).unwrap_or_default();
    let rows = [
        (said(failing(4).collect()), "load has failed 4 times in a row. After 2 more failures it is paused."),
        (said(failing(7).collect()), "Tool 'load' has failed 6 times in a row. It is paused to prevent thrashing."),
        (
            said(errors(2).collect()),
            "no_streak has failed 2 times with the same error. After one more failure like it the tool is paused.",
        ),
        (
            said(errors(4).collect()),
            "Tool 'no_streak' has failed 3 times with the same error. It is paused to prevent thrashing.",
        ),
        (
            said(same(2).collect()),
            "load was called 2 times in a row with the same arguments and gave the same result. Once more and this call is paused.",
        ),
        (
            said(same(4).collect()),
            "Tool 'load' has been called 3 times in a row with the same arguments and gave the same result. This call is paused to prevent thrashing.",
        ),
        (
            said(turns(4).collect()),
            "search and load were called in turn 2 times without a new result. Once more and these calls are paused.",
        ),
        (
            said(turns(7).collect()),
            "Tools 'load' and 'search' have been called in turn 3 times without a new result. These calls are paused to prevent thrashing.",
        ),
        (
            said(own_turns(4).collect()),
            "Two calls of load were called in turn 2 times without a new result. Once more and these calls are paused.",
        ),
        (
            said(own_turns(7).collect()),
            "Two calls of tool 'load' have been called in turn 3 times without a new result. These calls are paused to prevent thrashing.",
        ),
        (said(invented(3).collect()), "3 names in a row were invented. Call only tools that exist."),
    ];
    for (said, expected) in rows {
        assert_eq!(said, expected);
    }
    let listed =
        last(&mut Script::of(free, &[("load", LimitOverrides::NONE), ("search", LimitOverrides::NONE)]), invented(6));
    assert_eq!(listed.as_deref(), Some("5 names in a row were invented. The tools are: load, search."));

    let fast = |number: usize| ok(["load", "search"][number % 2], number.to_string(), "[]");
    let one = last(&mut Script::new(), (0..6).map(|number| fast(2 * number)));
    assert_eq!(
        one.as_deref(),
        Some("Tool 'load' has been called 5 times within 10 seconds. It is paused until that is over.")
    );
    let mut limits = SessionLimits::default();
    limits.overall_rate = Some(RateLimit { calls: 1, window: Duration::from_millis(1_500) });
    let all = last(&mut Script::with(limits), (0..2).map(fast));
    assert_eq!(
        all.as_deref(),
        Some("1 call within 1.5 seconds failed or returned nothing new. All tools are paused until that is over.")
    );
    limits = SessionLimits::default();
    limits.run_budget = Some(1);
    let budget = last(&mut Script::with(limits), failing(2));
    assert_eq!(budget.as_deref(), Some("The run has had its 1 failure. No tool can be called any more."));
}

#[test]
fn a_single_failure_is_not_described_as_a_row() {
    let mut limits = SessionLimits::NONE;
    limits.consecutive_failures = Some(StreakLimits { warn: 1, ..StreakLimits::DEFAULT });
    limits.unknown_tools = Some(UnknownNameLimits { warn: 1, limit: 2 });
    let said = last(&mut Script::with(limits), [err("load", "1", "no")]);
    assert_eq!(said.as_deref(), Some("load has failed once. After 2 more failures it is paused."));
    let said = last(&mut Script::with(limits), [ok("find", "{}", "x")]);
    assert_eq!(said.as_deref(), Some("1 name was invented. Call only tools that exist."));
}

#[test]
fn long_lists_and_names_are_bounded() {
    const LONG: &str = "a_name_that_somebody_made_up_and_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on";
    let tools: Vec<(&'static str, LimitOverrides)> =
        (0..500).map(|_| ("a_tool_with_quite_a_long_name", LimitOverrides::NONE)).collect();
    let mut script = Script::of(SessionLimits::default(), &tools);
    let answer = last(&mut script, (0..6).map(|_| ok(LONG, "{}", "x"))).unwrap_or_default();
    assert!(answer.len() < 600 && answer.ends_with("… and 487 more."), "{answer}");
    let said = script.call(&ok(LONG, "{}", "x"));
    let Said::Rejected(rejection) = said else { panic!("{said:?}") };
    assert!(rejection.tool.chars().count() <= 64 && Failure::from(rejection).to_json().len() < 4_096);
}
