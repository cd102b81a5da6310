//! Compares each type with `serde_json`: its shape, the accepted values and the rejected values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::input::{Milliseconds, Seconds, ToolInput};
use crate::json::Number;
use crate::shape::{Kind, Measure, Rule};

/// Decodes a value as a call does: first serde, then the guard.
fn reads<T: ToolInput>(text: &str) -> bool {
    let decoded = serde_json::from_str::<T>(text);
    decoded.is_ok_and(|value| value.guard())
}

/// Checks the kind of the type's shape, and the texts that it accepts and rejects.
fn check<T: ToolInput>(kind: &str, accepted: &[&str], rejected: &[&str]) {
    let name = std::any::type_name::<T>();
    assert_eq!(T::SHAPE.kind.name(), kind, "{name}");
    for text in accepted {
        assert!(reads::<T>(text), "{name} takes {text}");
    }
    for text in rejected {
        assert!(!reads::<T>(text), "{name} rejects {text}");
    }
}

fn range<T: ToolInput>() -> (Option<Number>, Option<Number>) {
    match &T::SHAPE.rules[..] {
        [Rule::Range(range)] => (range.min, range.max),
        other => panic!("one range, not {other:?}"),
    }
}

#[test]
fn an_integer_has_the_range_of_its_width() {
    macro_rules! widths {
        ($($integer:ident)+) => {$(
            let (min, max) = ($integer::MIN.to_string(), $integer::MAX.to_string());
            let (first, last) = range::<$integer>();
            assert_eq!((first.map(|end| end.to_string()), last.map(|end| end.to_string())), (Some(min.clone()), Some(max.clone())));
            // Both bounds are accepted; one more digit is rejected.
            check::<$integer>("integer", &[&min, &max], &[&format!("{max}0"), "0.5", "\"1\"", "null"]);
        )+};
    }
    widths! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
}

#[test]
fn zero_is_outside_of_a_non_zero_integer() {
    check::<NonZero<u8>>("integer", &["1", "255"], &["0", "256", "-1"]);
    assert_eq!(range::<NonZero<u128>>(), (Some(Number::Integer(1)), Some(Number::Large(u128::MAX))));
    check::<NonZero<i8>>("union", &["1", "-1", "-128", "127"], &["0", "128"]);
}

#[test]
fn floats_are_finite() {
    check::<f64>("number", &["1", "-0.5", "1e300"], &["1e400", "\"1\"", "null"]);
    check::<f32>("number", &["1", "0.1", "3e38"], &["1e39"]);
    let too_large: f32 = serde_json::from_value(json!(1e39)).unwrap();
    assert!(!too_large.guard(), "serde decodes a too large value as {too_large}");
}

#[test]
fn scalars_accept_the_values_that_serde_accepts() {
    check::<()>("null", &["null"], &["0", "{}"]);
    check::<bool>("boolean", &["true", "false"], &["1", "\"true\""]);
    check::<char>("string", &["\"a\"", "\"ä\"", "\"\\ud83e\\udd80\""], &["\"\"", "\"ab\"", "\"e\\u0301\"", "1"]);
    check::<String>("string", &["\"\"", "\"a\""], &["1", "null"]);
    check::<Box<str>>("string", &["\"a\""], &["1"]);
    check::<Cow<'static, str>>("string", &["\"a\\n\""], &["1"]);
    check::<PathBuf>("string", &["\"/a b\""], &["1"]);
    check::<Ipv4Addr>("string", &["\"192.0.2.1\""], &["\"192.0.2.256\"", "\"::1\"", "1"]);
    check::<Ipv6Addr>("string", &["\"::1\""], &["\"192.0.2.1\"", "\"::1%eth0\""]);
    check::<IpAddr>("union", &["\"192.0.2.1\"", "\"::1\""], &["\"localhost\""]);
}

#[test]
fn json_values_accept_everything() {
    check::<Value>("any", &["null", "[1]", "{}"], &[]);
    check::<Map<String, Value>>("object", &["{}", "{\"a\": null}"], &["[]"]);
    check::<serde_json::Number>("number", &["1", "0.5"], &["\"1\""]);
}

#[test]
fn pointers_accept_the_values_of_their_target() {
    check::<Option<u8>>("nullable", &["null", "1"], &["256"]);
    check::<Box<u8>>("alias", &["1"], &["null", "256"]);
    check::<Cow<'static, u8>>("integer", &["1"], &["256"]);
    #[cfg(feature = "rc")]
    {
        check::<std::sync::Arc<u8>>("alias", &["1"], &["256"]);
        check::<std::sync::Arc<str>>("string", &["\"a\""], &["1"]);
        check::<std::sync::Arc<[u8]>>("array", &["[1]"], &["[256]"]);
    }
}

#[test]
fn only_an_option_may_be_absent_even_inside_a_box() {
    assert_eq!(
        [
            <Option<u8>>::OPTIONAL,
            <Box<Option<u8>>>::OPTIONAL,
            <Vec<Option<u8>>>::OPTIONAL,
            <()>::OPTIONAL,
            Value::OPTIONAL
        ],
        [true, true, false, false, false]
    );
}

#[test]
fn arrays_accept_the_values_that_serde_accepts() {
    check::<Vec<u8>>("array", &["[]", "[1, 2]"], &["[256]", "{}", "1"]);
    check::<VecDeque<u8>>("array", &["[1]"], &["[null]"]);
    check::<Box<[u8]>>("array", &["[1]"], &["[null]"]);
    check::<HashSet<u8>>("array", &["[1, 2]"], &["[null]"]);
    check::<BTreeSet<u8>>("array", &["[1, 2]"], &["[null]"]);
    assert!(matches!(<HashSet<u8>>::SHAPE.rules[..], [Rule::UniqueItems]));
    check::<[u8; 2]>("array", &["[1, 2]"], &["[1]", "[1, 2, 3]"]);
    check::<[u8; 0]>("array", &["[]"], &["[1]"]);
    check::<[u8; 32]>("array", &[], &["[]"]);
    let [Rule::Length(length)] = <[u8; 2]>::SHAPE.rules[..] else { panic!("one length") };
    assert_eq!((length.measure, length.min, length.max), (Measure::Items, 2, Some(2)));
}

#[test]
fn tuples_accept_the_values_that_serde_accepts() {
    type Twelve = (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, bool);

    check::<(u8,)>("array", &["[1]"], &["1", "[]"]);
    check::<(u8, String)>("array", &["[1, \"a\"]"], &["[\"a\", 1]", "[1]", "[1, \"a\", 2]"]);
    check::<Twelve>("array", &["[0,1,2,3,4,5,6,7,8,9,10,true]"], &["[0,1,2,3,4,5,6,7,8,9,10]"]);
}

#[test]
fn map_keys_are_parsed_from_strings() {
    check::<HashMap<String, u8>>("object", &["{}", "{\"a\": 1}"], &["{\"a\": 256}", "[]"]);
    check::<BTreeMap<i8, u8>>(
        "object",
        &["{\"-1\": 1}"],
        &["{\"a\": 1}", "{\"128\": 1}", "{\"1.0\": 1}", "{\"01\": 1}"],
    );
    check::<BTreeMap<char, u8>>("object", &["{\"a\": 1}"], &["{\"ab\": 1}"]);
    check::<BTreeMap<Cow<'static, str>, u8>>("object", &["{\"a\": 1}"], &["{\"a\": null}"]);
}

#[test]
fn every_inner_value_is_checked() {
    static INFINITE: f32 = f32::INFINITY;
    let infinite = INFINITE;
    assert!(!vec![0.0, infinite].guard() && !Some(infinite).guard() && !Box::new(infinite).guard());
    assert!(![infinite; 1].guard() && !(0_u8, infinite).guard() && !Cow::<f32>::Borrowed(&INFINITE).guard());
    assert!(!BTreeMap::from([(1_u8, vec![infinite])]).guard());
    assert!(None::<f32>.guard() && Vec::<f32>::new().guard());
}

#[test]
fn values_that_cannot_be_rejected_are_not_inspected() {
    assert_eq!(
        [<Vec<Option<BTreeMap<String, (u8, bool)>>>>::GUARDED, <Vec<Option<BTreeMap<String, (u8, f64)>>>>::GUARDED],
        [false, true]
    );
}

#[test]
fn durations_are_numbers_in_their_unit() {
    check::<Seconds>(
        "number",
        &["0", "1.5", "-0.0", "9007199254740991"],
        &["-1", "-0.5", "9007199254740992", "9007199254740992.0", "1e300", "\"1\"", "{\"secs\": 1, \"nanos\": 0}"],
    );
    check::<Milliseconds>("integer", &["0", "18446744073709551615"], &["-1", "1.5", "18446744073709551616"]);
    assert_eq!(range::<Seconds>(), (Some(Number::Integer(0)), Some(Number::Integer(9_007_199_254_740_991))));
}

/// Only types whose values are on the heap may have lazy edges, because the compiler cannot follow a lazy edge.
#[test]
fn edges_of_heap_allocated_values_are_lazy() {
    use crate::shape::Ref;

    let edge = |kind: &Kind| match kind {
        Kind::Array(edge) | Kind::Nullable(edge) | Kind::Alias(edge) | Kind::Map { values: edge, .. } => {
            matches!(edge, Ref::Lazy(_))
        }
        other => panic!("no edge: {other:?}"),
    };
    let shapes = [<Vec<u8>>::SHAPE, <Box<u8>>::SHAPE, <HashMap<String, u8>>::SHAPE, <BTreeSet<u8>>::SHAPE];
    assert!(shapes.iter().all(|shape| edge(&shape.kind)));
    assert!(!edge(&<Option<u8>>::SHAPE.kind) && !edge(&<[u8; 1]>::SHAPE.kind));
}
