//! Meaningless expectations are reported when they are built.

use serde_json::{Value, json};
use tool_testkit::{
    Expectation, Expectations, SetupError, approx, calls, calls_in_any_order, contains, exactly, expands, includes,
    last_answer, one_of, only_calls, regex, satisfying,
};

#[track_caller]
fn check(expected: impl Into<Expectation>, misuse: &SetupError) {
    let misused = Expectations::new().expect(expected).build().err().expect("it makes no sense");
    assert_eq!(misused.errors(), std::slice::from_ref(misuse));
}

#[track_caller]
fn says(expected: impl Into<Expectation>, sentence: &str) {
    let misused = Expectations::new().expect(expected).build().err().expect("it makes no sense");
    assert_eq!(misused.to_string(), sentence);
}

#[test]
fn names_must_not_be_empty() {
    check(calls(" "), &SetupError::Empty("the name of a function"));
    check(calls("add").with_tool_name(""), &SetupError::Empty("the name of a function"));
    check(calls("add").before(""), &SetupError::Empty("the name of a function"));
    check(calls("add").after(""), &SetupError::Empty("the name of a function"));
    check(expands(""), &SetupError::Empty("the name of a container"));
    check(calls("add").rejected_with_hint_about(""), &SetupError::Empty("the field of a hint"));
    check(calls("add").repaired(""), &SetupError::Empty("the path of a repair"));
    check(calls("add").corrected_within(0), &SetupError::Empty("the number of corrections"));
    says(calls(""), "the name of a function is empty; say what is expected");
}

#[test]
fn paths_must_be_valid() {
    says(
        calls("add").at("a[", 1),
        "\"a[\" is not a path to a parameter: a bracket is not closed; write a path such as customer.items[2].quantity",
    );
}

#[test]
fn matchers_must_be_satisfiable() {
    check(calls("add").at("a", one_of(Vec::<Value>::new())), &SetupError::Empty("the values of one_of"));
    check(calls("add").at("a", satisfying(" ", |_| true)), &SetupError::Empty("the words of a condition"));
    check(calls("add").at("a", includes(1)), &SetupError::NoObject("1".to_owned()));
    check(calls("add").arguments_include(json!([])), &SetupError::NoObject("[]".to_owned()));
    check(calls("add").with_exactly(json!([])), &SetupError::NoObject("[]".to_owned()));
    check(calls("add").at("a", approx(1.0, -0.5)), &SetupError::Tolerance { number: 1.0, tolerance: -0.5 });
    check(
        calls("add").at("a", approx(f64::INFINITY, 0.5)),
        &SetupError::Tolerance { number: f64::INFINITY, tolerance: 0.5 },
    );
    check(
        calls("add").at("a", approx(1.0, f64::INFINITY)),
        &SetupError::Tolerance { number: 1.0, tolerance: f64::INFINITY },
    );
    check(calls("add").at("a", f64::INFINITY), &SetupError::Tolerance { number: f64::INFINITY, tolerance: 0.0 });
    let no_number = "approx(NaN, 0) matches no number; both must be finite, and the tolerance 0 or more";
    says(calls("add").at("a", f64::NAN), no_number);
    says(calls("add").at("a", approx(1.0, f64::NAN)), &no_number.replace("NaN, 0", "1, NaN"));
    assert!(Expectations::new().expect(calls("add").at("a", approx(1.0, 0.0))).build().is_ok());
    for expected in
        [calls("add").returns(regex("(")).into(), last_answer().matches_regex("(").into()] as [Expectation; 2]
    {
        let misused = Expectations::new().expect(expected).build().err().expect("the pattern is not valid");
        assert!(matches!(misused.errors(), [SetupError::Pattern { pattern, .. }] if pattern == "("), "{misused}");
    }
    let deep = (0..1_000).fold(json!(1), |inner, _| json!([inner]));
    check(calls("add").at("a", deep.clone()), &SetupError::Depth);
    check(calls("add").at("a", contains(deep.clone())), &SetupError::Depth);
    check(calls("add").at("a", one_of([deep])), &SetupError::Depth);
}

#[test]
fn groups_must_have_members_that_they_support() {
    check(calls_in_any_order(Vec::<&str>::new()), &SetupError::Empty("a group of calls"));
    for member in [
        calls("add").never(),
        calls("add").at_least(1),
        calls("add").at_most(1),
        calls("add").before("sub"),
        calls("add").succeeds_on_retry(),
    ] {
        check(exactly([member]), &SetupError::InGroup("add".to_owned()));
    }
    check(only_calls([""]), &SetupError::Empty("the name of a function"));
}

#[test]
fn an_expected_call_has_at_most_one_count() {
    for twice in [
        calls("add").times(1).times(2),
        calls("add").times(1).at_least(1),
        calls("add").at_most(1).never(),
        calls("add").at_least(1).at_least(2),
        calls("add").at_least(1).at_most(3).at_most(2),
    ] {
        check(twice, &SetupError::TwoCounts("add".to_owned()));
    }
    check(only_calls([calls("add").times(2)]), &SetupError::CountInOnlyCalls("add".to_owned()));
    for empty in [calls("add").at_least(3).at_most(1), calls("add").at_most(1).at_least(3)] {
        check(empty, &SetupError::EmptyRange { name: "add".to_owned(), least: 3, most: 1 });
    }
    let misuse = SetupError::EmptyRange { name: "add".to_owned(), least: 3, most: 1 };
    let expected = "calls(\"add\").at_least(3).at_most(1) matches no number of calls: 3 is more than 1";
    assert_eq!(misuse.to_string(), expected);
    check(exactly([calls("add").at_least(1).at_most(2)]), &SetupError::InGroup("add".to_owned()));
}

#[test]
fn an_expectation_of_no_calls_cannot_have_an_order() {
    check(calls("add").at_most(0).before("sub"), &SetupError::NeverButOrdered("add".to_owned()));
    check(calls("add").never().before("sub"), &SetupError::NeverButOrdered("add".to_owned()));
    check(calls("add").never().corrected_within(1), &SetupError::NeverButOrdered("add".to_owned()));
}

#[test]
fn the_method_or_needs_a_condition_on_each_side() {
    check(last_answer().or().contains("a"), &SetupError::NothingBeforeOr);
    check(last_answer().contains("a").or(), &SetupError::NothingAfterOr);
    check(last_answer(), &SetupError::Empty("the condition about the text"));
    check(last_answer().contains(""), &SetupError::Empty("a text to be contained"));
    check(last_answer().contains_all(Vec::<String>::new()), &SetupError::Empty("a text to be contained"));
    check(last_answer().contains_any(["a", ""]), &SetupError::Empty("a text to be contained"));
}

#[test]
fn expectations_must_not_be_empty_and_all_errors_are_reported() {
    let misused = Expectations::new().build().err().expect("it makes no sense");
    assert_eq!(misused.errors(), [SetupError::NothingExpected]);
    let misused = Expectations::new().expect(calls("")).expect(last_answer()).build().err().expect("it makes no sense");
    assert_eq!(
        misused.to_string(),
        "the name of a function is empty; say what is expected\nthe condition about the text is empty; say what is expected",
    );
}
