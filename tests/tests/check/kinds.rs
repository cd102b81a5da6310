//! Kinds of shapes: accepted values, as in serde, and the issues of all others.

use std::collections::BTreeMap;

use tool_schema::shape::{Kind, Precision, Ref};

use crate::check::{BOOLEAN, INTEGER, NUMBER, STRING, agrees, nullable, shape, table, u8_shape};

#[test]
fn scalars_are_checked_like_in_serde() {
    table(shape(Kind::Null), &[("null", ""), ("0", "the arguments must be null")]);
    table(BOOLEAN, &[("true", ""), ("\"true\"", "the arguments must be a boolean")]);
    table(STRING, &[("\"\"", ""), ("1", "the arguments must be a string"), ("null", "the arguments must be a string")]);
    table(nullable(STRING), &[("null", ""), ("1", "the arguments must be a string or null")]);
    table(shape(Kind::Any), &[("[null, {}]", "")]);
}

#[test]
fn integers_are_accepted_like_in_serde() {
    let plain = "the arguments must be an integer in plain digits";
    table(INTEGER, &[("5", ""), ("5.5", "the arguments must be an integer"), ("5.0", plain), ("-0", plain)]);
    let texts =
        ["0", "255", "256", "-1", "5.0", "-0", "1e1", "\"5\"", "null", "99999999999999999999999999999999999999999999"];
    agrees::<u8>(u8_shape(), &texts, &[]);
}

#[test]
fn only_finite_floats_are_accepted() {
    let single = shape(Kind::Number(Precision::Single));
    let double_texts = ["1", "1.5", "-0", "1e308", "-1e309", "\"1\"", "123456789012345678901234567890123456789012345"];
    agrees::<f64>(NUMBER, &double_texts, &[]);
    agrees::<f32>(single, &["1", "3.4e38", "1e39", "-1e39", "1e-50"], &[]);
    table(NUMBER, &[("1e309", "the arguments must be at most 1.7976931348623157e+308")]);
}

#[test]
fn arrays_and_tuples_are_checked_like_in_serde() {
    let array = shape(Kind::Array(Ref::Static(INTEGER)));
    table(array, &[("[]", ""), ("[1, \"x\", 2, null]", "[1] must be an integer; [3] must be an integer")]);
    let pair = shape(Kind::Tuple(vec![Ref::Static(INTEGER), Ref::Static(STRING)].into()));
    agrees::<(u8, String)>(pair, &["[1, \"a\"]", "[1]", "[1, \"a\", 2]", "{}", "[\"a\", 1]"], &[]);
    table(
        pair,
        &[
            ("[\"a\"]", "the arguments must have at least 2 items; [0] must be an integer"),
            ("[1, \"a\", 2]", "the arguments must have at most 2 items"),
        ],
    );
}

#[test]
fn maps_are_checked_like_in_serde() {
    let map = |keys| shape(Kind::Map { keys: Ref::Static(keys), values: Ref::Static(BOOLEAN) });
    let texts = ["{}", "{\"1\": true}", "{\"1\": 1}", "{\"-1\": true}", "{\"01\": true}", "{\" 1\": true}", "[]"];
    agrees::<BTreeMap<u8, bool>>(map(u8_shape()), &texts, &[]);
    agrees::<BTreeMap<String, bool>>(map(STRING), &["{\"a\": true, \"a\": false}", "{\"a\": 1, \"a\": true}"], &[]);
    table(
        map(u8_shape()),
        &[(
            "{\"300\": true, \"x y\": 0}",
            "[\"300\"] is not a known field (known: integer from 0 to 255); \
             [\"x y\"] is not a known field (known: integer from 0 to 255)",
        )],
    );
}
