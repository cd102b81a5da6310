//! Compares the module with `serde_json` (valid JSON, written text) and with the `jsonschema` crate (numbers and equality).
//!
//! There is one known difference: `serde_json` rejects numbers beyond `f64`, which stay text in our tree.

use std::cmp::Ordering;

use proptest::prelude::*;
use serde_json::Value;

use super::decimal_parts::NotInteger;
use super::strings::quote;
use super::*;
use crate::visible::escaped;

/// Generates documents of every kind as compact text: keys repeat often, strings need escapes, numbers have every spelling.
fn document() -> impl Strategy<Value = String> {
    let string = || "\"([a-cé😀 ]|\\\\n|\\\\u00e9|\\\\ud83d\\\\ude00|\\\\\"){0,12}\"";
    let scalar =
        prop_oneof![Just("null".to_owned()), Just("true".to_owned()), Just("false".to_owned()), number(), string()];
    scalar.prop_recursive(5, 60, 6, move |inner| {
        let member = (string(), inner.clone()).prop_map(|(key, value)| format!("{key}: {value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|items| format!("[{}]", items.join(" ,"))),
            prop::collection::vec(member, 0..6).prop_map(|members| format!("{{ {} }}", members.join(","))),
        ]
    })
}

/// Generates few values in many spellings, so that two of them are often equal.
fn small() -> impl Strategy<Value = String> {
    "[0-2](\\.0|e0)?|true|\"[ab]?\"|\\[[01](\\.0)?\\]|\\{\"[ab]\":[01],\"[ab]\":1(\\.0)?\\}"
}

fn number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,2}|[1-9][0-9]{15,40})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?"
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

/// Checks that both parsers accept or reject a text. A number out of range is the only known difference.
fn agree(text: &str) {
    match serde_json::from_str::<Value>(text) {
        Ok(_) => assert!(Json::parse(text).is_ok(), "serde_json accepts {text:?}"),
        Err(error) if error.to_string().starts_with("number out of range") => {}
        Err(error) => assert!(Json::parse(text).is_err(), "serde_json rejects {text:?}: {error}"),
    }
}

proptest! {
    #[test]
    fn the_parser_accepts_the_texts_that_serde_json_accepts(text in "[\\[\\]{}:,\"\\\\ue0-9.+ \n\t\u{1}truefalsn-]{0,12}") {
        agree(&text);
    }

    #[test]
    fn the_parser_agrees_with_serde_json_after_one_change(
        text in document(),
        at in any::<prop::sample::Index>(),
        new in "[\\[\\]{}:,\"\\\\u0e.x]?",
    ) {
        let at = text.char_indices().nth(at.index(text.chars().count())).map_or(0, |(at, _)| at);
        let rest = text[at..].chars().next().map_or("", |old| &text[at + old.len_utf8()..]);
        agree(&format!("{}{new}{rest}", &text[..at]));
    }

    #[test]
    fn arbitrary_bytes_are_parsed_like_serde_json(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        prop_assert_eq!(Json::parse_bytes(&bytes).is_ok(), serde_json::from_slice::<Value>(&bytes).is_ok());
    }

    #[test]
    fn values_are_equal_to_those_of_serde_json(text in document()) {
        let ours = Json::parse(&text).unwrap();
        let theirs: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&ours.to_value(), &theirs);
        for written in [ours.to_text(), ours.laid_out(0), ours.laid_out(40)] {
            prop_assert_eq!(&Json::parse(&written).unwrap(), &ours);
        }
        prop_assert_eq!(&ours.clone().into_owned(), &ours);
        prop_assert_eq!(&Json::parse(&text[ours.span.start as usize..ours.span.end as usize]).unwrap(), &ours);
    }

    #[test]
    fn texts_are_equal_to_those_of_serde_json(text in document(), key in any::<String>()) {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        value = serde_json::json!({ key: value });
        let ours = Json::from_value(&value).unwrap();
        prop_assert_eq!(ours.to_text(), value.to_string());
        let (laid_out, pretty) = (ours.laid_out(0), serde_json::to_string_pretty(&value).unwrap());
        prop_assert_eq!(escaped(&laid_out), escaped(&pretty));
        prop_assert_eq!(ours.to_value(), value);
    }

    #[test]
    fn a_truncated_document_is_incomplete(text in document(), at in any::<prop::sample::Index>()) {
        prop_assume!(text.starts_with(['{', '[', '"']));
        let at = at.index(text.len());
        let fault = Json::parse_bytes(&text.as_bytes()[..at]).err();
        prop_assert!(matches!(fault, Some(SyntaxError::Incomplete { .. })), "{:?}", fault);
    }

    #[test]
    fn number_operations_never_panic_whatever_the_text(text in "[-+.eE0-9é]{0,24}") {
        let number = NumberText(&text);
        let _ = (number.value(), number.is_integral(), number.is_negative_zero());
        let _ = (number.compare(Number::Integer(1)), number.is_multiple_of(Number::Float(0.1)));
    }

    #[test]
    fn a_preview_is_a_prefix(text in document(), limit in 0_usize..40) {
        let json = Json::parse(&text).unwrap();
        let (whole, preview) = (json.to_text(), json.preview(limit));
        prop_assert!(whole.starts_with(&preview.text) && preview.text.len() <= limit);
        prop_assert_eq!(preview.bytes, whole.len());
        prop_assert_eq!(preview.complete, preview.text == whole);
        prop_assert!(preview.complete || preview.text.len() + 4 > limit, "everything that fits is shown");
    }

    #[test]
    fn equality_agrees_with_jsonschema(left in small(), right in small()) {
        let [mine, other] = [&left, &right].map(|text| Json::parse(text).unwrap());
        let [left, right] = [&left, &right].map(|text| serde_json::from_str::<Value>(text).unwrap());
        let judge = |constant: &Value, value| jsonschema::is_valid(&serde_json::json!({"const": constant}), value);
        prop_assert_eq!(mine.same_value(&other), judge(&left, &right));
    }

    #[test]
    fn duplicates_agree_with_jsonschema(items in prop::collection::vec(small(), 0..6)) {
        let text = format!("[{}]", items.join(","));
        let value: Value = serde_json::from_str(&text).unwrap();
        let found = find_duplicate(Json::parse(&text).unwrap().items());
        prop_assert_eq!(found.is_none(), jsonschema::is_valid(&serde_json::json!({"uniqueItems": true}), &value));
        if let Some((earlier, later)) = found {
            let [left, right] = [earlier, later].map(|index| Json::parse(&items[index]).unwrap());
            prop_assert!(earlier < later && left.same_value(&right));
        }
    }

    #[test]
    fn bounds_agree_with_jsonschema(text in number(), bound in number()) {
        let [value, bound] = [text, bound].map(|text| serde_json::from_str::<Value>(&text).unwrap());
        // `serde_json` drops digits beyond 64 bits, so both sides get the number that it keeps.
        let [value_text, bound_text] = [value.to_string(), bound.to_string()];
        let order = NumberText(&value_text).compare(NumberText(&bound_text).value());
        let rules = [("minimum", order.is_ge()), ("maximum", order.is_le()), ("exclusiveMinimum", order.is_gt())];
        for (keyword, holds) in rules {
            let judged = jsonschema::is_valid(&serde_json::json!({keyword: bound}), &value);
            prop_assert_eq!(holds, judged, "{} {} {}", value_text, keyword, bound_text);
        }
    }

    #[test]
    fn multiples_agree_with_jsonschema(
        factor in 0_u32..10_000,
        text in "-?[0-9]{1,6}(\\.[0-9]{1,4})?",
        divisor in "[1-9][0-9]{0,3}|0\\.0{0,3}[1-9]|[1-9]\\.[1-9]",
    ) {
        let divisor_value: Value = divisor.parse::<serde_json::Number>().unwrap().into();
        let multiple = format!("{}e-4", u64::from(factor) * 10_000);
        for text in [text.trim_start_matches(['-', '0']), multiple.as_str()] {
            let Ok(value) = serde_json::from_str::<Value>(text) else { continue };
            let ours = NumberText(text).is_multiple_of(NumberText(&divisor).value());
            let judged = jsonschema::is_valid(&serde_json::json!({"multipleOf": divisor_value}), &value);
            prop_assert_eq!(ours, judged, "{} of {}", text, divisor);
        }
    }
}

#[test]
fn the_depth_limit_agrees_with_serde_json() {
    for levels in [DEPTH_LIMIT - 1, DEPTH_LIMIT, DEPTH_LIMIT + 1] {
        agree(&nested(levels));
        agree(&format!("{}0{}", "{\"a\":".repeat(levels), "}".repeat(levels)));
    }
    let value = (0..DEPTH_LIMIT).fold(Value::Null, |inner, _| serde_json::json!([inner]));
    assert!(Json::from_value(&value).is_ok());
    assert_eq!(Json::from_value(&serde_json::json!([value])), Err(SyntaxError::depth(0)));
}

#[test]
fn hostile_texts_are_rejected_or_parsed() {
    let too_deep = Err(SyntaxError::depth(DEPTH_LIMIT));
    assert_eq!(Json::parse(&nested(100_000)), too_deep);
    assert_eq!(Json::parse(&"[".repeat(100_000)), too_deep);
    assert_eq!(Json::parse(&"]".repeat(100_000)).map_err(|error| error.offset()), Err(0));
    let key = "k".repeat(5_000);
    let large = format!("{{\"{key}\": \"{}\"}}", "é\\n".repeat(2_500_000));
    let json = Json::parse(&large).unwrap();
    assert_eq!(json.get(&key).and_then(Json::as_str).map(str::len), Some(7_500_000));
    assert_eq!(json.preview(200).text.len(), 200);
    assert_eq!(json.preview(200).bytes, large.len() - 1);
    let many = format!("[{}0]", "1e999999999999999999999,0.5,{\"a\":[]},".repeat(50_000));
    assert_eq!(find_duplicate(Json::parse(&many).unwrap().items()), Some((0, 3)));
}

#[test]
fn escapes_agree_with_serde_json() {
    let all: String = ('\0'..='\u{FFFF}').collect();
    let mut text = String::new();
    quote(&all, &mut text);
    assert_eq!(text, serde_json::to_string(&all).unwrap());
    assert_eq!(Json::parse(&text).unwrap().as_str(), Some(&*all));
}

#[test]
fn numbers_out_of_range_stay_text() {
    assert_eq!(Json::parse("1e400").unwrap().to_text(), "1e400");
    assert_eq!(Json::parse("1e400").unwrap().json_type(), JsonType::Integer);
}

#[test]
fn each_error_has_its_own_message() {
    let fault = |text| Json::parse(text).unwrap_err().to_string();
    let cases = [
        ("", "the JSON is incomplete: it ends at byte 0 before everything is closed"),
        (r#"{"a": tru"#, "the JSON is incomplete: it ends at byte 9 before everything is closed"),
        (r#""\ud83d\u"#, "the JSON is incomplete: it ends at byte 9 before everything is closed"),
        ("{} {}", "expected one JSON value, but a second one begins at byte 3"),
        ("{}}", "not valid JSON at byte 2: expected nothing after the end of the JSON value"),
        ("{'a': 1}", "not valid JSON at byte 1: expected a key in double quotes or `}`"),
        (
            "[1,]",
            "not valid JSON at byte 3: expected a value (object, array, string in double quotes, number, true, false or null)",
        ),
        ("\"a\nb\"", "not valid JSON at byte 2: expected an escape such as \\n in place of a raw control character"),
        (r#""\ud83d""#, "not valid JSON at byte 7: expected the second half of a surrogate pair, \\uDC00 to \\uDFFF"),
        ("007", "not valid JSON at byte 1: expected no digit after a leading zero"),
    ];
    for (text, message) in cases {
        assert_eq!(fault(text), message, "{text}");
    }
}

#[test]
fn integers_are_parsed_exactly() {
    let cases = [
        ("5.0", Ok(5)),
        ("1e3", Ok(1000)),
        ("1.5e1", Ok(15)),
        ("100e-2", Ok(1)),
        ("0.000e99999999999999999999", Ok(0)),
        ("-170141183460469231731687303715884105728", Ok(i128::MIN)),
        ("170141183460469231731687303715884105728", Err(NotInteger::OutOfRange)),
        ("1e999999999999", Err(NotInteger::OutOfRange)),
        ("1e-999999999999", Err(NotInteger::Fraction)),
        ("0.05", Err(NotInteger::Fraction)),
        ("10.01", Err(NotInteger::Fraction)),
    ];
    for (text, expected) in cases {
        assert_eq!(NumberText(text).to_i128(), expected, "{text}");
    }
    assert_eq!(NumberText("340282366920938463463374607431768211455").value(), Number::Large(u128::MAX));
}

#[test]
fn integers_and_floats_are_compared_without_rounding() {
    let cases = [
        ("9007199254740993", Number::Float(9_007_199_254_740_992.0), Ordering::Greater),
        ("-0.5", Number::Integer(0), Ordering::Less),
        ("0", Number::Float(-0.0), Ordering::Equal),
        ("-3", Number::Float(-3.5), Ordering::Greater),
        ("1e400", Number::Large(u128::MAX), Ordering::Greater),
        ("170141183460469231731687303715884105727", Number::Float(f64::powi(2.0, 127)), Ordering::Less),
        ("340282366920938463463374607431768211455", Number::Float(f64::powi(2.0, 128)), Ordering::Less),
        ("170141183460469231731687303715884105728", Number::Float(-1.0), Ordering::Greater),
    ];
    for (text, bound, expected) in cases {
        assert_eq!(NumberText(text).compare(bound), expected, "{text} to {bound:?}");
        assert_eq!(bound.compare(NumberText(text).value()), expected.reverse(), "{bound:?} to {text}");
    }
}

#[test]
fn multiples_are_exact_at_the_edges() {
    let cases = [
        ("1e300", Number::Integer(3), false),
        ("3e300", Number::Integer(3), true),
        ("3e300", Number::Float(1e-300), true),
        ("1e-300", Number::Integer(7), false),
        ("1e38", Number::Large(u128::MAX), false),
        ("1.5", Number::Integer(0), false),
        ("0.0", Number::Integer(0), true),
        ("-170141183460469231731687303715884105728", Number::Integer(-2), true),
        ("1e400", Number::Integer(1), false),
    ];
    for (text, divisor, expected) in cases {
        assert_eq!(NumberText(text).is_multiple_of(divisor), expected, "{text} of {divisor:?}");
    }
}

#[test]
fn strings_without_escapes_are_borrowed() {
    let json = Json::parse(r#"["plain", "esc\t"]"#).unwrap();
    let borrowed: Vec<_> =
        json.items().iter().map(|item| matches!(&item.node, Node::String(std::borrow::Cow::Borrowed(_)))).collect();
    assert_eq!(borrowed, [true, false]);
}

#[test]
fn the_end_of_a_string_is_found_at_every_distance() {
    for length in 0..40 {
        let plain = "é".repeat(length / 2) + &"x".repeat(length % 2);
        for end in ["\"", "\\", "\n", "\u{0}"] {
            for behind in ["", "\"", ", \"next\": 1}"] {
                let text = format!("{plain}{end}{behind}");
                assert_eq!(plain_prefix_len(text.as_bytes()), plain.len(), "{text:?}");
            }
        }
        assert_eq!(plain_prefix_len(plain.as_bytes()), plain.len());
        let text = format!("[\"{plain}\",\"{plain}\\n\"]");
        let json = Json::parse(&text).unwrap();
        assert_eq!(json.items()[0].as_str(), Some(&*plain));
        assert_eq!(json.items()[1].as_str(), Some(&*format!("{plain}\n")));
        assert_eq!(
            &text[json.items()[0].span.start as usize..json.items()[0].span.end as usize],
            format!("\"{plain}\"")
        );
    }
}

#[test]
fn push_and_display_write_the_same_number() {
    let integers = [0, 9, 10, -1, -907, i128::from(u64::MAX), i128::from(u64::MAX) + 1, i128::MIN, i128::MAX];
    let others = [Number::Large(u128::MAX), Number::Float(-0.5), Number::Float(1e5), Number::Float(f64::NAN)];
    for number in integers.map(Number::Integer).into_iter().chain(others) {
        let mut text = String::new();
        number.push(&mut text);
        assert_eq!(text, number.to_string());
    }
}

proptest! {
    #[test]
    fn write_visible_only_adds_escapes_of_hidden_characters(text in ".{0,40}|[ -~\"\\\\\u{0}-\u{1f}\u{7f}é\u{200b}\u{e0041}]{0,80}") {
        let (mut visible, mut quoted) = (String::new(), String::new());
        write_visible(&mut visible, &text);
        quote(&text, &mut quoted);
        let expected: String = quoted
            .chars()
            .map(|character| {
                let mut escape = String::new();
                if crate::visible::is_hidden(character) { crate::visible::push_escape(&mut escape, character) } else { escape.push(character) }
                escape
            })
            .collect();
        prop_assert_eq!(visible, expected);
    }
}
