//! Tests that the number of steps of a walk is linear in the size of the JSON, even if variants have to be tried.

use std::any::TypeId;

use super::current_place::CheckPlace;
use super::{Checker, check};
use crate::__private::{FieldInit, ShapeInit, VariantInit, object, union};
use crate::json::Json;
use crate::shape::{Identity, Kind, Ref, Shape, Tagging, Text, UnknownKeys};

const INTEGER: &Shape = &Shape::new(Kind::Integer);
const INTEGERS: &Shape = &Shape::new(Kind::Array(Ref::Static(INTEGER)));

/// `{And { a, b }, Not { a }, Num}`, untagged: a type for which serde itself takes exponential time.
const TERM: &Shape =
    &ShapeInit { identity: Some(Identity::Type(TypeId::of::<()>)), ..ShapeInit::DEFAULT }.shape(union(
        Tagging::Untagged,
        const {
            &[
                VariantInit { name: "And", payload: Some(AND), ..VariantInit::DEFAULT }.variant(),
                VariantInit { name: "Not", payload: Some(NOT), ..VariantInit::DEFAULT }.variant(),
                VariantInit { name: "Num", payload: Some(INTEGER), ..VariantInit::DEFAULT }.variant(),
            ]
        },
        UnknownKeys::Ignored,
    ));
const BOXED: &Shape = &Shape::new(Kind::Alias(Ref::Lazy(|| TERM)));
const AND: &Shape = &Shape::new(object(const { &[part("a"), part("b")] }, UnknownKeys::Ignored));
const NOT: &Shape = &Shape::new(object(const { &[part("a")] }, UnknownKeys::Ignored));

const fn part(name: &'static str) -> crate::shape::Field {
    FieldInit { name, shape: BOXED, required: true, ..FieldInit::DEFAULT }.field()
}

fn steps(shape: &Shape, text: &str) -> u64 {
    let json = Json::parse(text).expect("the text is valid JSON");
    let mut checker = Checker::new(shape, &json);
    checker.walk(&CheckPlace::root(shape), &json);
    checker.steps
}

#[test]
fn steps_are_linear_in_the_number_of_items() {
    let text = |items: usize| format!("[{}1]", "1,".repeat(items));
    let (once, twice) = (steps(INTEGERS, &text(1_000)), steps(INTEGERS, &text(2_000)));
    assert_eq!(twice - once, 1_000);
}

#[test]
fn steps_are_linear_in_the_depth_of_a_recursive_union() {
    let nested = |depth: usize, end: &str| format!("{}{end}{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    for end in ["1", "true"] {
        let (once, twice) = (steps(TERM, &nested(63, end)), steps(TERM, &nested(126, end)));
        assert!(twice < 3 * once, "{once} steps, then {twice}");
    }
}

/// The type is a struct with a flattened untagged enum, whose variants are tagged and contain the struct again. It has as many edges
/// between two levels of JSON as real types have.
#[test]
fn the_deepest_json_fits_the_stack() {
    const NODE: &Shape = &Shape::new(object(
        const { &[FieldInit { name: "kind", shape: EITHER, flatten: true, ..FieldInit::DEFAULT }.field()] },
        UnknownKeys::Ignored,
    ));
    const EITHER: &Shape = &Shape::new(union(
        Tagging::Untagged,
        const { &[VariantInit { name: "Tagged", payload: Some(TAGGED), ..VariantInit::DEFAULT }.variant()] },
        UnknownKeys::Ignored,
    ));
    const TAGGED: &Shape = &Shape::new(union(
        Tagging::Internal { tag: Text::from_static("t") },
        const { &[VariantInit { name: "N", payload: Some(NEXT), ..VariantInit::DEFAULT }.variant()] },
        UnknownKeys::Ignored,
    ));
    const NEXT: &Shape = &Shape::new(object(
        const { &[FieldInit { name: "next", shape: MAYBE, ..FieldInit::DEFAULT }.field()] },
        UnknownKeys::Rejected,
    ));
    const MAYBE: &Shape = &Shape::new(Kind::Nullable(Ref::Lazy(|| NODE)));
    let text = |end: &str| format!("{}{end}{}", "{\"t\":\"N\",\"next\":".repeat(127), "}".repeat(127));
    for (end, expected) in [("null", 0), ("1", 1)] {
        let text = text(end);
        let json = Json::parse(&text).expect("the text is valid JSON");
        assert_eq!(check(NODE, &json).len(), expected);
    }
}

#[test]
fn a_type_that_refers_only_to_itself_is_given_up() {
    const LOOP: &Shape = &Shape::new(Kind::Alias(Ref::Lazy(|| LOOP)));
    let json = Json::parse("1").expect("the text is valid JSON");
    let issues = check(LOOP, &json);
    assert_eq!(issues.len(), 1);
    assert_eq!(issues[0].message(), "the arguments could mean too many things to be checked");
    assert_eq!(issues[0].expected.to_string(), "any JSON value");
}

#[test]
fn an_untagged_type_that_refers_only_to_itself_is_rejected() {
    const LOOP: &Shape = &Shape::new(union(
        Tagging::Untagged,
        const {
            &[
                VariantInit { payload: Some(EDGE), ..VariantInit::DEFAULT }.variant(),
                VariantInit { payload: Some(EDGE), ..VariantInit::DEFAULT }.variant(),
            ]
        },
        UnknownKeys::Ignored,
    ));
    const EDGE: &Shape = &Shape::new(Kind::Alias(Ref::Lazy(|| LOOP)));
    for text in ["1", "{}", "[[1]]"] {
        let json = Json::parse(text).expect("the text is valid JSON");
        assert_eq!(check(LOOP, &json).len(), 1, "{text}");
    }
}
