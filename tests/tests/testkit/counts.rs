//! Counts of calls, and the four sentences of the contract.

use tool_testkit::{Expectation, calls, never};

use crate::testkit::kit::{DELETE, LONDON, PARIS, SEARCH, TIME, held};

#[test]
fn a_function_that_was_called_is_found() {
    held(&[TIME, PARIS]).passes(calls("get_weather"));
}

#[test]
fn the_report_says_if_no_function_was_called() {
    held(&[])
        .fails(calls("get_weather"), "Expected function 'get_weather' to be called, but no function calls were made.");
}

#[test]
fn other_functions_are_named_once_in_order() {
    held(&[TIME, SEARCH, TIME]).fails(
        calls("get_weather"),
        "Expected function 'get_weather' to be called, but only these functions were called: 'get_time', 'search'.",
    );
}

#[test]
fn at_most_ten_functions_are_named() {
    let names: Vec<String> = (0..11).map(|number| format!("no_{number}")).collect();
    let ten = names[..10].iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let made: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "{}")).collect();
    let sentence = |rest: &str| {
        format!("Expected function 'search' to be called, but only these functions were called: {ten}{rest}.")
    };
    held(&made).fails(calls("search"), &sentence(" and others"));
    held(&made[..10]).fails(calls("search"), &sentence(""));
}

#[test]
fn times_counts_every_call() {
    let three = held(&[PARIS, LONDON, PARIS]);
    three.passes(calls("get_weather").times(3));
    three.fails(
        calls("get_weather").times(2),
        "Expected function 'get_weather' to be called 2 times, but it was called 3 times.",
    );
    three.fails(
        calls("get_weather").times(4),
        "Expected function 'get_weather' to be called 4 times, but it was called 3 times.",
    );
    held(&[TIME]).fails(
        calls("get_weather").times(2),
        "Expected function 'get_weather' to be called 2 times, but it was called 0 times.",
    );
    held(&[TIME]).fails(
        calls("get_weather").times(1),
        "Expected function 'get_weather' to be called, but only these functions were called: 'get_time'.",
    );
}

#[test]
fn times_counts_only_matching_calls() {
    let three = held(&[PARIS, LONDON, PARIS]);
    three.passes(calls("get_weather").at("location", "Paris").times(2));
    three.fails(
        calls("get_weather").at("location", "Paris").times(1),
        "Expected function 'get_weather' to be called 1 time in this way, but it was called 2 times.",
    );
    three.fails(
        calls("get_weather").at("location", "Rome").times(2),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Rome\", but was \"Paris\".",
    );
}

#[test]
fn a_count_may_be_a_range() {
    let two = held(&[PARIS, LONDON]);
    two.passes(calls("get_weather").at_least(2));
    two.passes(calls("get_weather").at_most(2));
    two.passes(calls("search").at_most(1));
    two.passes(calls("search").at_least(0));
    two.fails(
        calls("get_weather").at_least(3),
        "Expected function 'get_weather' to be called at least 3 times, but it was called 2 times.",
    );
    two.fails(
        calls("get_weather").at_most(1),
        "Expected function 'get_weather' to be called at most 1 time, but it was called 2 times.",
    );
    two.fails(
        calls("search").at_least(1),
        "Expected function 'search' to be called, but only these functions were called: 'get_weather'.",
    );
}

#[test]
fn at_least_and_at_most_form_a_range() {
    for range in [|| calls("search").at_least(2).at_most(3), || calls("search").at_most(3).at_least(2)] {
        held(&[SEARCH, SEARCH]).passes(range());
        held(&[SEARCH, SEARCH, SEARCH]).passes(range());
        let told = |calls: &str| {
            format!(
                "Expected function 'search' to be called at least 2 times and at most 3 times, but it was called {calls}."
            )
        };
        held(&[SEARCH]).fails(range(), &told("1 time"));
        held(&[SEARCH; 4]).fails(range(), &told("4 times"));
        held(&[]).fails(range(), &told("0 times"));
    }
    held(&[]).passes(calls("search").at_least(0).at_most(1));
}

#[test]
fn a_function_can_be_expected_never_to_be_called() {
    held(&[PARIS]).passes(never("delete"));
    held(&[DELETE, PARIS])
        .fails(never("delete"), "Expected function 'delete' not to be called, but it was called 1 time.");
    held(&[DELETE]).passes(calls("delete").at("path", "b.txt").never());
    held(&[DELETE]).fails(
        calls("delete").at("path", "a.txt").never(),
        "Expected function 'delete' not to be called in this way, but it was called 1 time.",
    );
}

#[test]
fn the_surplus_call_is_shown() {
    let report = held(&[DELETE]).report([never("delete").into()]).to_string();
    assert!(report.contains("nearest call: turn 1, step 1: delete({\"path\":\"a.txt\"})"), "{report}");
}

#[test]
fn all_failed_expectations_are_reported_together() {
    let expected: [Expectation; 3] =
        [calls("search").into(), calls("get_weather").times(2).into(), never("get_time").into()];
    assert_eq!(
        held(&[TIME, PARIS]).report(expected).to_string(),
        "3 differences from 3 expectations\n\n\
         1. Expected function 'search' to be called, but only these functions were called: 'get_time', 'get_weather'.\n\n\
         2. Expected function 'get_weather' to be called 2 times, but it was called 1 time.\n   \
            nearest call: turn 1, step 2: get_weather({\"location\":\"Paris\",\"units\":\"celsius\"})\n\n\
         3. Expected function 'get_time' not to be called, but it was called 1 time.\n   \
            nearest call: turn 1, step 1: get_time({})\n\n\
         Calls that were made:\n  \
           turn 1, step 1: get_time({}) ok\n  \
           turn 1, step 2: get_weather({\"location\":\"Paris\",\"units\":\"celsius\"}) ok",
    );
}

#[test]
fn a_report_states_success_or_the_absence_of_calls() {
    assert_eq!(
        held(&[TIME]).report([calls("get_time").into()]).to_string(),
        "Everything was as expected (1 expectation)."
    );
    assert_eq!(
        held(&[]).report([calls("get_time").into()]).to_string(),
        "1 difference from 1 expectation\n\n\
         1. Expected function 'get_time' to be called, but no function calls were made.\n\n\
         No function calls were made.",
    );
}

#[test]
fn at_most_twenty_calls_are_shown() {
    let tail = |calls: usize| {
        let report = held(&vec![TIME; calls]).report([never("get_time").into()]).to_string();
        report.lines().last().map(str::to_owned)
    };
    assert_eq!(tail(22).as_deref(), Some("  … and 2 more"));
    assert_eq!(tail(20).as_deref(), Some("  turn 1, step 20: get_time({}) ok"));
}

#[test]
fn a_similar_name_is_shown() {
    let report = held(&[("get_wether", "{}")]).report([calls("get_weather").into()]).to_string();
    assert!(report.contains("nearest call: turn 1, step 1: get_wether({})"), "{report}");
    assert!(report.ends_with("get_wether({}) failed"), "{report}");
}
