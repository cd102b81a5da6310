//! Order of calls.

use tool_testkit::calls;

use crate::testkit::kit::{DELETE, Held, LONDON, PARIS, SEARCH, TIME, held, session};

#[test]
fn before_and_after_compare_the_first_calls_of_both_functions() {
    let held = held(&[SEARCH, DELETE, SEARCH]);
    held.passes(calls("search").before("delete"));
    held.passes(calls("delete").after("search"));
    held.fails(
        calls("search").after("delete"),
        "Expected function 'search' to be called after 'delete', but it was called before it.",
    );
    held.fails(
        calls("delete").before("search"),
        "Expected function 'delete' to be called before 'search', but it was called after it.",
    );
}

#[test]
fn only_matching_calls_count() {
    held(&[LONDON, TIME, PARIS]).passes(calls("get_time").before(calls("get_weather").at("location", "Paris")));
    held(&[LONDON, TIME, PARIS]).passes(calls("get_weather").at("location", "Paris").after("get_time"));
}

#[test]
fn parallel_calls_have_no_order() {
    let both = Held::over(session()).step(&[SEARCH, DELETE]);
    both.fails(
        calls("search").before("delete"),
        "Expected function 'search' to be called before 'delete', but both were called in the same step.",
    );
    both.fails(
        calls("delete").after("search"),
        "Expected function 'delete' to be called after 'search', but both were called in the same step.",
    );
}

#[test]
fn both_functions_must_be_called() {
    held(&[SEARCH]).fails(
        calls("search").before("delete"),
        "Expected function 'delete' to be called, but only these functions were called: 'search'.",
    );
    held(&[DELETE]).fails(
        calls("search").before("delete"),
        "Expected function 'search' to be called, but only these functions were called: 'delete'.",
    );
}

#[test]
fn an_order_can_be_combined_with_a_count() {
    held(&[SEARCH, DELETE]).passes(calls("search").times(1).before("delete"));
    held(&[SEARCH, SEARCH, DELETE]).fails(
        calls("search").times(1).before("delete"),
        "Expected function 'search' to be called 1 time, but it was called 2 times.",
    );
}

#[test]
fn a_call_is_not_before_itself() {
    held(&[SEARCH, SEARCH]).fails(
        calls("search").before("search"),
        "Expected function 'search' to be called before 'search', but the first call of both is the same.",
    );
}
