//! Compares the checks of literals with serde: a literal that decodes is never rejected, and each issue has its message.

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use super::message::Fault;
use super::{Literal, assert_literal_fits, literal_error};
use crate::__private::{FieldInit, ShapeInit, VariantInit, length, object, union};
use crate::input::ToolInput;
use crate::json::Number;
use crate::shape::{Measure, Range, Rule, Shape, Tagging, Text, UnknownKeys, Variant};

const fn integer(value: i128) -> Literal {
    Literal::Number(Number::Integer(value))
}

const ONE: Literal = integer(1);
const TOO_MANY: Literal = integer(256);

const fn variant(name: &'static str, payload: Option<&'static Shape>) -> Variant {
    VariantInit { name, payload, ..VariantInit::DEFAULT }.variant()
}

const UNIT: &Shape = &ShapeInit::DEFAULT.shape(union(
    Tagging::External,
    const {
        &[
            VariantInit { name: "celsius", aliases: const { &[Text::from_static("C")] }, ..VariantInit::DEFAULT }
                .variant(),
            variant("other", Some(u8::SHAPE)),
        ]
    },
    UnknownKeys::Ignored,
));

const PLACE: &Shape = &ShapeInit::DEFAULT.shape(object(
    const {
        &[
            FieldInit {
                name: "city",
                aliases: const { &[Text::from_static("town")] },
                shape: String::SHAPE,
                rules: const { &[length(Measure::Characters, 1, Some(4))] },
                required: true,
                ..FieldInit::DEFAULT
            }
            .field(),
            FieldInit { name: "unit", shape: UNIT, ..FieldInit::DEFAULT }.field(),
        ]
    },
    UnknownKeys::Rejected,
));

const OPEN: &Shape = &ShapeInit::DEFAULT.shape(object(
    const {
        &[
            FieldInit { name: "inner", shape: PLACE, flatten: true, ..FieldInit::DEFAULT }.field(),
            FieldInit { name: "day", shape: u8::SHAPE, required: true, ..FieldInit::DEFAULT }.field(),
        ]
    },
    UnknownKeys::Rejected,
));

const INTERNAL: &Shape = &ShapeInit::DEFAULT.shape(union(
    Tagging::Internal { tag: Text::from_static("kind") },
    const { &[variant("place", Some(PLACE)), variant("nowhere", None)] },
    UnknownKeys::Ignored,
));

const ADJACENT: &Shape = &ShapeInit::DEFAULT.shape(union(
    Tagging::Adjacent { tag: Text::from_static("kind"), content: Text::from_static("value") },
    const { &[variant("number", Some(u8::SHAPE))] },
    UnknownKeys::Ignored,
));

/// If the compiler rejected one of these literals, this constant would not compile.
const _: () = {
    assert_literal_fits(&Literal::String("celsius"), UNIT, &[]);
    assert_literal_fits(
        &Literal::Object(&[("city", Literal::String("Köln")), ("unit", Literal::String("C"))]),
        PLACE,
        &[],
    );
    assert_literal_fits(&Literal::Null, <Option<u8>>::SHAPE, &[]);
    assert_literal_fits(&integer(255), u8::SHAPE, &[]);
};

#[track_caller]
fn accepts(literal: &Literal, shape: &Shape, rules: &[Rule]) {
    assert_eq!(words(literal, shape, rules), None, "{literal:?}");
}

#[track_caller]
fn rejects(literal: &Literal, shape: &Shape, rules: &[Rule], words: &str) {
    assert_eq!(self::words(literal, shape, rules).as_deref(), Some(words), "{literal:?}");
}

fn words(literal: &Literal, shape: &Shape, rules: &[Rule]) -> Option<String> {
    literal_error::fault(literal, shape, rules).map(|fault| fault.words().as_str().to_owned())
}

#[test]
fn a_rejection_panics_with_its_message() {
    let rejection = catch_unwind(|| assert_literal_fits(&integer(256), u8::SHAPE, &[])).unwrap_err();
    let words =
        rejection.downcast_ref::<&str>().map(ToString::to_string).or(rejection.downcast_ref::<String>().cloned());
    assert_eq!(words.as_deref(), Some("the number is above the maximum: write at most 255"));
}

#[test]
fn literals_of_the_wrong_type_are_rejected() {
    let array = Literal::Array(&[ONE]);
    accepts(&Literal::Bool(true), bool::SHAPE, &[]);
    accepts(&integer(1), f64::SHAPE, &[]);
    accepts(&array, <[u8; 1]>::SHAPE, &[]);
    accepts(&array, <(u8,)>::SHAPE, &[]);
    accepts(&array, serde_json::Value::SHAPE, &[]);
    rejects(&integer(1), bool::SHAPE, &[], "the value is not a boolean: write `true` or `false`");
    rejects(
        &Literal::Number(Number::Float(5.0)),
        u8::SHAPE,
        &[],
        "the value is not an integer: write one, such as `1`",
    );
    rejects(&Literal::String("1"), f64::SHAPE, &[], "the value is not a number: write one, such as `0.5`");
    rejects(&integer(1), String::SHAPE, &[], "the value is not a string: write one, such as `\"x\"`");
    rejects(&integer(1), <()>::SHAPE, &[], "the value is not null: write `null`");
    rejects(&integer(1), <Vec<u8>>::SHAPE, &[], "the value is not an array: write one, such as `[1, 2]`");
    rejects(&array, PLACE, &[], "the value is not an object: write one, such as `{\"a\": 1}`");
    rejects(&Literal::Null, <(u8,)>::SHAPE, &[], "the value is not an array: write one, such as `[1, 2]`");
    rejects(&Literal::String("a"), <Option<u8>>::SHAPE, &[], "the value is not an integer: write one, such as `1`");
}

#[test]
fn literals_outside_their_range_are_rejected() {
    let rules = [Rule::Range(Range {
        exclusive_min: Some(Number::Integer(0)),
        exclusive_max: Some(Number::Float(0.5)),
        ..Range::UNBOUNDED
    })];
    accepts(&Literal::Number(Number::Large(u128::MAX)), u128::SHAPE, &[]);
    accepts(&Literal::Number(Number::Float(0.25)), f64::SHAPE, &rules);
    rejects(&integer(-1), u8::SHAPE, &[], "the number is below the minimum: write at least 0");
    rejects(&integer(256), u8::SHAPE, &[], "the number is above the maximum: write at most 255");
    rejects(&integer(0), f64::SHAPE, &rules, "the number is not above the exclusive minimum: write more than 0");
    rejects(
        &Literal::Number(Number::Float(0.5)),
        f64::SHAPE,
        &rules,
        "the number is not below the exclusive maximum: write less than 0.5",
    );
}

#[test]
fn lengths_count_characters_items_and_members() {
    let (text, items) = ([length(Measure::Characters, 2, Some(4))], [length(Measure::Items, 1, Some(1))]);
    let members = [length(Measure::Properties, 1, None)];
    accepts(&Literal::String("日本語🦀"), String::SHAPE, &text);
    rejects(
        &Literal::String("🦀"),
        String::SHAPE,
        &text,
        "the text has fewer characters than its `length` asks for: write at least 2",
    );
    rejects(
        &Literal::String("Paris"),
        String::SHAPE,
        &text,
        "the text has more characters than its `length` allows: write at most 4",
    );
    rejects(
        &Literal::Array(&[]),
        <Vec<u8>>::SHAPE,
        &items,
        "the array has fewer items than its `length` asks for: write at least 1",
    );
    rejects(
        &Literal::Object(&[]),
        <BTreeMap<String, u8>>::SHAPE,
        &members,
        "the map has fewer members than its `length` asks for: write at least 1",
    );
    // A rule for arrays ignores `null`.
    accepts(&Literal::Null, <Option<Vec<u8>>>::SHAPE, &items);
}

#[test]
fn inner_rules_apply_to_items_behind_a_lazy_edge() {
    const SHORT: &[Rule] =
        &[Rule::Inner(crate::shape::SharedSlice::Static(const { &[length(Measure::Characters, 0, Some(1))] }))];
    let words = "the text has more characters than its `length` allows: write at most 1";
    rejects(&Literal::Array(&[Literal::String("ab")]), <Vec<String>>::SHAPE, SHORT, words);
    rejects(&Literal::Object(&[("a", Literal::String("ab"))]), <BTreeMap<String, String>>::SHAPE, SHORT, words);
    accepts(&Literal::Array(&[Literal::String("a")]), <Vec<String>>::SHAPE, SHORT);
}

#[test]
fn literals_with_wrong_keys_are_rejected() {
    accepts(&Literal::Object(&[("town", Literal::String("Bonn"))]), PLACE, &[]);
    rejects(&Literal::Object(&[("unit", Literal::String("C"))]), PLACE, &[], "a required key is missing: add \"city\"");
    let unknown = Literal::Object(&[("city", Literal::String("Bonn")), ("x", Literal::Null)]);
    rejects(&unknown, PLACE, &[], "the object has a key that no field knows: remove \"x\"");
    rejects(
        &Literal::Object(&[("city", Literal::String("Berlin"))]),
        PLACE,
        &[],
        "the text has more characters than its `length` allows: write at most 4",
    );
    accepts(&Literal::Object(&[("day", ONE), ("anything", Literal::Null)]), OPEN, &[]);
}

#[test]
fn literals_of_unknown_variants_are_rejected() {
    let known = |names: &str| format!("the value is not one of the enum's values: write one of {names}");
    let units = known("\"celsius\", \"other\"");
    accepts(&Literal::Object(&[("other", ONE)]), UNIT, &[]);
    rejects(&Literal::String("kelvin"), UNIT, &[], &units);
    rejects(&integer(1), UNIT, &[], &units);
    rejects(&Literal::Object(&[("other", TOO_MANY)]), UNIT, &[], "the number is above the maximum: write at most 255");
    rejects(&Literal::Object(&[("celsius", ONE)]), UNIT, &[], "the variant has no payload: write its name alone");

    accepts(&Literal::Object(&[("kind", Literal::String("place")), ("city", Literal::String("Bonn"))]), INTERNAL, &[]);
    accepts(&Literal::Object(&[("kind", Literal::String("nowhere")), ("x", Literal::Null)]), INTERNAL, &[]);
    rejects(
        &Literal::Object(&[("kind", Literal::String("place"))]),
        INTERNAL,
        &[],
        "a required key is missing: add \"city\"",
    );
    rejects(
        &Literal::Object(&[("kind", Literal::String("elsewhere"))]),
        INTERNAL,
        &[],
        &known("\"place\", \"nowhere\""),
    );

    accepts(&Literal::Object(&[("kind", Literal::String("number")), ("value", ONE)]), ADJACENT, &[]);
    rejects(
        &Literal::Object(&[("kind", Literal::String("number")), ("value", Literal::Null)]),
        ADJACENT,
        &[],
        "the value is not an integer: write one, such as `1`",
    );

    let address = <std::net::IpAddr>::SHAPE;
    accepts(&Literal::String("192.0.2.1"), address, &[]);
    rejects(&integer(1), address, &[], "the value fits none of the enum's variants: write what one of them holds");
}

#[test]
fn numbers_are_written_exactly_and_long_enums_are_cut() {
    for bound in [0, 9, 10, -10, 1_000_005, i128::MIN, i128::MAX] {
        assert_eq!(Fault::Bound("", Number::Integer(bound)).words().as_str(), bound.to_string());
    }
    assert_eq!(Fault::Bound("", Number::Large(u128::MAX)).words().as_str(), u128::MAX.to_string());
    for (float, written) in [
        (-2.0, "-2"),
        (0.5, "0.5"),
        (-0.05, "-0.05"),
        (1.2, "1.2"),
        (12_345.678_9, "12345.6789"),
        (1e300, "the bound"),
        (1e-300, "the bound"),
        (0.1 + 0.2, "the bound"),
    ] {
        assert_eq!(Fault::Bound("", Number::Float(float)).words().as_str(), written);
    }
    let many = vec![VariantInit { name: "a-rather-long-name", ..VariantInit::DEFAULT }.variant(); 100];
    let words = Fault::Variants(many.leak()).words();
    assert!(words.as_str().len() <= 400 && words.as_str().ends_with("a-rather-long-name\", \"…"), "{}", words.as_str());
}

#[test]
fn parts_that_cannot_be_checked_at_compile_time_are_checked_by_build() {
    accepts(&Literal::Array(&[Literal::Null]), <Vec<u8>>::SHAPE, &[]);
    accepts(&Literal::Null, <Box<u8>>::SHAPE, &[]);
    accepts(&Literal::String("nowhere"), <std::net::Ipv4Addr>::SHAPE, &[]);
}
