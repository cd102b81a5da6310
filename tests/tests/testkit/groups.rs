//! Expectations about several calls: each gets a call of its own, in the best possible assignment.

use tool_testkit::{CallExpectation, Expectation, calls, calls_in_any_order, calls_in_order, exactly, only_calls};

use crate::testkit::kit::{DELETE, Held, LONDON, PARIS, SEARCH, TIME, held};

fn get() -> CallExpectation {
    calls("get_weather")
}

fn get_at(location: &str) -> CallExpectation {
    get().at("location", location)
}

#[test]
fn an_expectation_with_only_a_name_takes_no_call_that_another_one_needs() {
    let both = held(&[PARIS, LONDON]);
    let expected: [Expectation; 2] = [get().into(), get_at("Paris").into()];
    assert!(both.report(expected).is_ok());
    both.passes(calls_in_any_order([get(), get_at("Paris")]));
    both.passes(exactly([get(), get_at("Paris")]));
}

#[test]
fn each_expectation_needs_its_own_call() {
    let one = held(&[PARIS]);
    let expected: [Expectation; 2] = [get().into(), get().into()];
    let report = one.report(expected);
    let sentences: Vec<_> = report.failed_expectations().iter().map(|finding| finding.message().to_owned()).collect();
    assert_eq!(sentences, ["Expected function 'get_weather' to be called 2 times, but it was called 1 time."]);
    one.fails(
        calls_in_any_order([get(), get_at("Paris"), get()]),
        "Expected function 'get_weather' to be called 3 times in this way, but it was called 1 time.",
    );
}

#[test]
fn a_count_does_not_use_up_the_calls_of_other_expectations() {
    let one = held(&[PARIS]);
    let expected: [Expectation; 3] = [get().into(), get().times(1).into(), get().before("delete").into()];
    let report = one.report(expected);
    let sentences: Vec<_> = report.failed_expectations().iter().map(|finding| finding.message().to_owned()).collect();
    assert_eq!(
        sentences,
        ["Expected function 'delete' to be called, but only these functions were called: 'get_weather'."],
    );
}

#[test]
fn a_missing_call_is_compared_with_an_unassigned_one() {
    held(&[PARIS, LONDON]).fails(
        calls_in_any_order([get_at("Paris"), get_at("Rome")]),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Rome\", but was \"London\".",
    );
    let sentences = held(&[PARIS, LONDON]).sentences(calls_in_any_order([get_at("Rome"), get_at("Oslo")]));
    assert_eq!(
        sentences,
        [
            "Function 'get_weather' was called with incorrect parameters. \
             Expected parameter 'location' to be \"Rome\", but was \"Paris\".",
            "Function 'get_weather' was called with incorrect parameters. \
             Expected parameter 'location' to be \"Oslo\", but was \"London\".",
        ],
    );
}

#[test]
fn the_nearest_call_has_the_fewest_faults() {
    held(&[LONDON, PARIS]).fails(
        calls_in_any_order([get_at("Rome").at("units", "celsius")]),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Rome\", but was \"Paris\".",
    );
}

#[test]
fn functions_with_missing_calls_are_counted_separately() {
    let sentences =
        held(&[PARIS, TIME]).sentences(calls_in_any_order([get(), get(), calls("get_time"), calls("get_time")]));
    assert_eq!(
        sentences,
        [
            "Expected function 'get_weather' to be called 2 times, but it was called 1 time.",
            "Expected function 'get_time' to be called 2 times, but it was called 1 time.",
        ],
    );
}

#[test]
fn a_count_in_a_group_needs_that_many_calls() {
    held(&[PARIS, LONDON, TIME]).passes(exactly([get().times(2), calls("get_time")]));
    held(&[PARIS, LONDON]).fails(
        calls_in_any_order([get().times(2), get_at("Paris")]),
        "Expected function 'get_weather' to be called 3 times in this way, but it was called 2 times.",
    );
}

#[test]
fn exactly_allows_no_other_call() {
    held(&[PARIS]).passes(exactly([get()]));
    held(&[PARIS, DELETE]).passes(calls_in_any_order([get()]));
    held(&[PARIS, DELETE]).fails(exactly([get()]), "Function 'delete' was called, but no such call was expected.");
    // A call that was reported as the nearest is not reported again.
    held(&[PARIS]).fails(
        exactly([get_at("Rome")]),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Rome\", but was \"Paris\".",
    );
}

#[test]
fn only_calls_allows_no_other_calls() {
    held(&[]).passes(only_calls(["search"]));
    held(&[PARIS, PARIS]).passes(only_calls([get(), calls("search")]));
    held(&[PARIS, DELETE]).fails(
        only_calls([get(), calls("search")]),
        "Expected only these functions to be called: 'get_weather', 'search'; but 'delete' was called.",
    );
    held(&[PARIS, LONDON]).fails(
        only_calls([get_at("Paris")]),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Paris\", but was \"London\".",
    );
    held(&[LONDON]).passes(only_calls([get_at("Paris"), get_at("London")]));
}

#[test]
fn in_order_allows_other_calls_between() {
    held(&[SEARCH, PARIS, TIME, DELETE]).passes(calls_in_order(["search", "get_time", "delete"]));
    held(&[PARIS, LONDON]).passes(calls_in_order([get(), get_at("London")]));
}

#[test]
fn in_order_fails_for_another_order() {
    held(&[TIME, DELETE, SEARCH]).fails(
        calls_in_order(["search", "delete"]),
        "Expected function 'delete' to be called after 'search', but it was called before.",
    );
    held(&[LONDON, PARIS]).fails(
        calls_in_order([get_at("Paris"), get_at("London")]),
        "Expected function 'get_weather' to be called after 'get_weather', but it was called before.",
    );
}

#[test]
fn in_order_reports_missing_calls() {
    held(&[SEARCH]).fails(
        calls_in_order(["search", "delete"]),
        "Expected function 'delete' to be called, but only these functions were called: 'search'.",
    );
    held(&[PARIS]).fails(
        calls_in_order([get(), get()]),
        "Expected function 'get_weather' to be called 2 times, but it was called 1 time.",
    );
    held(&[PARIS, LONDON]).fails(
        calls_in_order([get(), get_at("Oslo")]),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Oslo\", but was \"London\".",
    );
}

#[test]
fn from_the_start_allows_no_call_before_or_between() {
    held(&[SEARCH, PARIS, TIME]).passes(calls_in_order([calls("search"), get_at("Paris")]).from_the_start());
    held(&[TIME, SEARCH]).fails(
        calls_in_order(["search"]).from_the_start(),
        "Expected call 1 to be of function 'search', but it was of 'get_time'.",
    );
    held(&[SEARCH, PARIS]).fails(
        calls_in_order([calls("search"), get_at("Oslo")]).from_the_start(),
        "Function 'get_weather' was called with incorrect parameters. \
         Expected parameter 'location' to be \"Oslo\", but was \"Paris\".",
    );
    held(&[]).fails(
        calls_in_order(["search"]).from_the_start(),
        "Expected function 'search' to be called, but no function calls were made.",
    );
    held(&[SEARCH]).fails(
        calls_in_order(["search", "delete"]).from_the_start(),
        "Expected function 'delete' to be called as call 2, but only 1 function call was made.",
    );
    held(&[SEARCH, TIME]).fails(
        calls_in_order(["search", "get_time", "delete"]).from_the_start(),
        "Expected function 'delete' to be called as call 3, but only 2 function calls were made.",
    );
}

#[test]
fn calls_of_one_message_are_in_the_order_of_the_message() {
    Held::over(crate::testkit::kit::session()).step(&[SEARCH, DELETE]).passes(calls_in_order(["search", "delete"]));
}
