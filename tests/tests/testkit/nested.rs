//! Groups inside groups, and alternatives.

use tool_testkit::{
    CallExpectation, CallGroup, SetupError, any_of, calls, calls_in_any_order, calls_in_order, exactly, only_calls,
};

use crate::testkit::kit::{DELETE, LONDON, PARIS, SEARCH, TIME, held};

fn at(location: &str) -> CallGroup {
    get_at(location).into()
}

fn get_at(location: &str) -> CallExpectation {
    calls("get_weather").at("location", location)
}

#[test]
fn one_of_the_alternatives_is_enough() {
    let either = || any_of(["search".into(), calls_in_order(["get_time", "get_weather"])]);
    held(&[SEARCH]).passes(either());
    held(&[TIME, PARIS]).passes(either());
    held(&[SEARCH, TIME, PARIS]).passes(either());
    held(&[PARIS, TIME]).fails(
        either(),
        "None of 2 alternatives was met. The nearest is number 2 ('get_time', then 'get_weather'): \
         Expected function 'get_weather' to be called after 'get_time', but it was called before.",
    );
}

#[test]
fn alternatives_that_are_all_missing_are_named() {
    let either = || any_of(["search", "delete"]);
    held(&[TIME]).fails(
        either(),
        "Expected any of these functions to be called: 'search', 'delete'; but only these functions were called: 'get_time'.",
    );
    held(&[]).fails(
        either(),
        "Expected any of these functions to be called: 'search', 'delete'; but no function calls were made.",
    );
}

#[test]
fn the_nearest_alternative_has_the_fewest_differences() {
    let weather = any_of([at("Rome"), get_at("Oslo").at("units", "celsius").into(), "search".into()]);
    held(&[LONDON]).fails(
        weather,
        "None of 3 alternatives was met. The nearest is number 1 ('get_weather'): Function 'get_weather' was called with incorrect \
         parameters. Expected parameter 'location' to be \"Rome\", but was \"London\".",
    );
    // A call with other arguments is nearer than a missing call.
    let nested =
        any_of(["search".into(), any_of(["delete".into(), calls_in_any_order([at("Rome"), "get_time".into()])])]);
    let report = held(&[TIME, LONDON]).report([nested.into()]).to_string();
    let sentence = "None of 2 alternatives was met. The nearest is number 2 ('delete' or ('get_weather' and 'get_time')): \
                    None of 2 alternatives was met. The nearest is number 2 ('get_weather' and 'get_time'): \
                    Function 'get_weather' was called with incorrect parameters. Expected parameter 'location' to be \"Rome\", but was \
                    \"London\".\n   nearest call: turn 1, step 2: get_weather";
    assert!(report.contains(sentence), "{report}");
}

#[test]
fn groups_in_an_order_come_one_after_the_other() {
    let both = || calls_in_order([calls_in_any_order(["search", "get_time"]), "delete".into()]);
    held(&[TIME, SEARCH, DELETE]).passes(both());
    held(&[DELETE, SEARCH, TIME, PARIS, DELETE]).passes(both());
    held(&[SEARCH, DELETE, TIME]).fails(
        both(),
        "Expected 'delete' to be called after 'search' and 'get_time', but these calls were not made in this order.",
    );
    held(&[SEARCH, DELETE]).fails(
        both(),
        "Expected function 'get_time' to be called, but only these functions were called: 'search', 'delete'.",
    );
}

#[test]
fn orders_may_interleave_but_not_share_calls() {
    let twice = || calls_in_any_order([calls_in_order(["search", "delete"]), calls_in_order(["search", "get_time"])]);
    held(&[SEARCH, SEARCH, TIME, DELETE]).passes(twice());
    held(&[SEARCH, TIME, SEARCH, DELETE]).passes(twice());
    held(&[SEARCH, TIME, DELETE]).fails(
        twice(),
        "Expected 'search', then 'get_time' besides 'search', then 'delete', but there are not enough calls for both.",
    );
}

#[test]
fn all_missing_members_of_a_group_are_reported() {
    let sentences =
        held(&[SEARCH]).sentences(calls_in_any_order(["get_time".into(), calls_in_order(["delete", "search"])]));
    assert_eq!(
        sentences,
        [
            "Expected function 'get_time' to be called, but only these functions were called: 'search'.",
            "Expected function 'delete' to be called, but only these functions were called: 'search'.",
        ],
    );
}

#[test]
fn alternatives_inside_of_a_group_leave_calls_to_other_members() {
    // The alternative must not take the only search, which the last member needs.
    let all = calls_in_any_order([
        any_of(["search", "get_time"]),
        calls_in_any_order([at("Paris"), any_of(["get_weather"])]),
        "search".into(),
    ]);
    held(&[SEARCH, TIME, PARIS, LONDON]).passes(all.clone());
    held(&[SEARCH, PARIS, LONDON]).fails(
        all,
        "Expected 'search' besides ('search' or 'get_time') and ('get_weather' and 'get_weather'), but there are not enough calls for both.",
    );
}

#[test]
fn exactly_and_from_the_start_count_the_calls_of_inner_groups() {
    let both = || [calls_in_order(["search", "delete"]), any_of(["get_time", "get_weather"])];
    held(&[SEARCH, TIME, DELETE]).passes(exactly(both()));
    held(&[SEARCH, PARIS, DELETE]).passes(exactly(both()));
    held(&[SEARCH, PARIS, DELETE, LONDON])
        .fails(exactly(both()), "Function 'get_weather' was called, but no such call was expected.");
    held(&[SEARCH, TIME, DELETE, LONDON, LONDON]).passes(calls_in_any_order(both()).from_the_start());
    held(&[SEARCH, DELETE, DELETE, PARIS]).fails(
        calls_in_any_order(both()).from_the_start(),
        "Call 3 was of function 'delete', but only expected calls may be made before the last expected call.",
    );
    assert_eq!(
        held(&[DELETE]).sentences(exactly(both())),
        [
            "Expected function 'search' to be called, but only these functions were called: 'delete'.",
            "Expected any of these functions to be called: 'get_time', 'get_weather'; but only these functions were called: 'delete'.",
        ],
    );
}

#[test]
fn expected_calls_from_the_start_may_be_in_any_order() {
    held(&[TIME, SEARCH, DELETE]).passes(calls_in_any_order(["search", "get_time"]).from_the_start());
    held(&[DELETE, TIME, SEARCH]).fails(
        calls_in_any_order(["search", "get_time"]).from_the_start(),
        "Call 1 was of function 'delete', but only expected calls may be made before the last expected call.",
    );
}

#[test]
fn alternatives_can_restrict_all_calls() {
    let either = || {
        any_of([exactly(["search"]), only_calls(["get_time"]), calls_in_order(["delete", "search"]).from_the_start()])
    };
    held(&[SEARCH]).passes(either());
    held(&[TIME, TIME]).passes(either());
    held(&[DELETE, SEARCH, TIME]).passes(either());
    held(&[SEARCH, PARIS]).fails(
        either(),
        "None of 3 alternatives was met. The nearest is number 1 ('search'): \
         Function 'get_weather' was called, but no such call was expected.",
    );
}

#[test]
fn inner_groups_that_make_no_sense_are_rejected() {
    let errors = |group: CallGroup| {
        let misused = tool_testkit::Expectations::new().expect(group).build();
        misused.err().map(|misused| misused.errors().to_vec()).unwrap_or_default()
    };
    assert_eq!(errors(calls_in_order([exactly(["search"])])), [SetupError::AllCalls("exactly")]);
    assert_eq!(errors(calls_in_any_order([any_of([only_calls(["search"])])])), [SetupError::AllCalls("only_calls")]);
    assert_eq!(
        errors(calls_in_any_order([calls_in_order(["search"]).from_the_start()])),
        [SetupError::AllCalls("from_the_start")]
    );
    assert_eq!(errors(only_calls(["search"]).from_the_start()), [SetupError::OnlyCallsFromTheStart]);
    assert_eq!(errors(any_of([calls_in_order(Vec::<&str>::new())])), [SetupError::Empty("a group of calls")]);
    assert_eq!(errors(any_of([calls("search").at_least(2)])), [SetupError::InGroup("search".to_owned())]);
    assert_eq!(errors(any_of([any_of([exactly(["search"])])])), []);
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| (1..depth).fold(any_of(["search"]), |inner, _| calls_in_order([inner]));
    held(&[SEARCH]).passes(nested(32));
    held(&[]).fails(nested(32), "Expected function 'search' to be called, but no function calls were made.");
    for depth in [33, 100_000] {
        let misused = tool_testkit::Expectations::new().expect(nested(depth)).build().err().expect("it is too deep");
        assert_eq!(misused.errors()[0], SetupError::GroupDepth(32));
    }
}
