//! Hostile input: any bytes as arguments get an answer of bounded size.
//!
//! The texts are known to break parsers. In a thread with a small stack, each must give a value or a rejection with issues, and texts for
//! the model must not exceed their bounds. No time is measured: an exponential algorithm would practically not end.

use std::thread;

use serde::Deserialize;
use tests::deep::Stage;
use tool_runtime::Arguments;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_runtime::failure::Failure;
use tool_schema::check::check;
use tool_schema::decode::decode;
use tool_schema::issue::MAX_ISSUES;
use tool_schema::json::Json;

/// A third of the stack that std gives a thread. Without optimisation, the checker needs about 4.5 kB for each level of a struct as wide as
/// [`Stage`].
const STACK: usize = 640 * 1_024;
/// The stack that std gives a thread. Without optimisation, serde's code needs 8 to 12 kB for each level of a struct as wide as [`Stage`].
const STACK_FOR_SERDE: usize = 2 * 1_024 * 1_024;

/// A formula, which serde alone decodes in exponential time: 243 bytes of depth 20 take seconds, and each level doubles the time.
#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)] // The decoded values are not read.
enum Formula {
    And { a: Box<Formula>, b: Box<Formula> },
    Not { a: Box<Formula> },
    Number(f64),
}

#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(undocumented)]
#[allow(dead_code)] // The decoded values are not read.
struct Holder {
    formula: Option<Formula>,
    text: Option<String>,
    any: Option<serde_json::Value>,
    number: Option<f64>,
    count: Option<u128>,
    by_name: Option<std::collections::BTreeMap<String, u8>>,
}

/// The result of a call: the code of its first issue if it was rejected.
type Verdict = Option<&'static str>;

/// Decodes in a thread with a small stack, and checks the length of every text.
fn answer<T: ToolInput>(bytes: Vec<u8>) -> Verdict {
    answer_on::<T>(STACK, bytes)
}

fn answer_on<T: ToolInput>(stack: usize, bytes: Vec<u8>) -> Verdict {
    on_stack(stack, move || {
        let error = decode::<T>(&Arguments::from(bytes)).err()?;
        let code = error.issues().first().map(|issue| issue.constraint.code());
        let code = code.expect("a rejection has an issue");
        let hint = RetryHint::from_issues("plan", error.issues()).to_json();
        assert!(hint.len() <= 1_024, "a hint of {} bytes: {hint}", hint.len());
        let rejection = Failure::validation("plan", error).to_json();
        assert!(rejection.len() <= 4_096, "a rejection of {} bytes: {rejection}", rejection.len());
        Some(code)
    })
}

fn on_stack<R: Send + 'static>(stack: usize, run: impl FnOnce() -> R + Send + 'static) -> R {
    let thread = thread::Builder::new().stack_size(stack).spawn(run).expect("a thread");
    thread.join().expect("no panic")
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    open.repeat(depth) + &close.repeat(depth)
}

#[test]
fn a_hundred_thousand_brackets_are_too_deep() {
    for text in
        [nested("[", "]", 100_000), nested("{\"a\":", "}", 100_000), "[".repeat(100_000), "{\"any\":".repeat(100_000)]
    {
        assert_eq!(answer::<Holder>(text.clone().into_bytes()), Some("INVALID_JSON"));
        assert_eq!(answer::<Holder>(format!("{{\"any\":{text}}}").into_bytes()), Some("INVALID_JSON"));
        assert_eq!(answer::<Stage>(format!("{{\"next\":{text}}}").into_bytes()), Some("INVALID_JSON"));
    }
}

#[test]
fn everything_that_parses_is_shallow_enough_to_be_decoded() {
    for depth in (1..128).step_by(6) {
        let chain = "{\"next\":".repeat(depth) + "7" + &"}".repeat(depth);
        assert!(answer_on::<Stage>(STACK_FOR_SERDE, chain.into_bytes()).is_some());
        let formula = "{\"a\":".repeat(depth) + "true" + &"}".repeat(depth);
        assert!(answer_on::<Holder>(STACK_FOR_SERDE, format!("{{\"formula\":{formula}}}").into_bytes()).is_some());
    }
}

#[test]
fn the_deepest_json_is_handled_on_a_small_stack() {
    for innermost in ["7", "true", "{}", "[]"] {
        let chain = "{\"next\":".repeat(126) + innermost + &"}".repeat(126);
        let hint = on_stack(STACK, move || {
            let json = Json::parse(&chain).expect("not too deep");
            RetryHint::from_issues("plan", &check(Stage::SHAPE, &json)).to_json()
        });
        assert!(hint.len() <= 1_024, "{hint}");
    }
}

#[test]
fn ten_megabytes_of_string_give_a_value_or_a_short_rejection() {
    let long = "é".repeat(5_000_000);
    assert_eq!(answer::<Holder>(format!("{{\"text\":\"{long}\"}}").into_bytes()), None);
    assert_eq!(answer::<Holder>(format!("{{\"number\":\"{long}\"}}").into_bytes()), Some("INVALID_TYPE"));
    assert_eq!(answer::<Stage>(format!("{{\"name\":\"{long}\"}}").into_bytes()), Some("INVALID_LENGTH"));
    assert_eq!(answer::<Stage>(format!("{{\"unit\":\"{long}\"}}").into_bytes()), Some("REQUIRED_FIELD"));
    assert_eq!(answer::<Holder>(format!("{{\"text\":\"{long}").into_bytes()), Some("INVALID_JSON"));
}

#[test]
fn bytes_that_are_not_utf_8_are_not_valid_json() {
    for bytes in
        [&b"\xff"[..], b"{\"text\":\"\xc3\"}", b"{\"\xf0\x9f\":1}", b"\xef\xbb\xbf\xfe", b"{\"text\":\"\xed\xa0\x80\"}"]
    {
        assert_eq!(answer::<Holder>(bytes.to_vec()), Some("INVALID_JSON"), "{bytes:?}");
    }
    for byte in 0..=u8::MAX {
        let _ = answer::<Holder>(vec![byte; 3]);
        let _ = answer::<Holder>([b"{\"text\":\"", &[byte][..], b"\"}"].concat());
    }
}

#[test]
fn numbers_of_any_size_are_rejected_cleanly() {
    let digits = "1".repeat(400);
    for number in ["1e400", "-1e400", "1e999999999999", &digits, &format!("{digits}.5"), &format!("0.{digits}e9999")] {
        let sent = |field: &str| format!("{{\"{field}\":{number}}}").into_bytes();
        assert_ne!(answer::<Holder>(sent("count")), None, "{number}");
        assert_ne!(answer::<Stage>(sent("days")), None, "{number}");
        let _ = (answer::<Holder>(sent("number")), answer::<Holder>(sent("any")), answer::<Holder>(sent("formula")));
    }
    assert_eq!(answer::<Holder>(b"{\"number\":1e400}".to_vec()), Some("INVALID_RANGE"));
    assert_eq!(answer::<Holder>(b"{\"number\":1e-400}".to_vec()), None);
}

#[test]
fn a_hundred_thousand_repeated_or_unknown_keys_give_a_short_rejection() {
    let members = |name: fn(usize) -> String| {
        let members: Vec<String> =
            (0..100_000).map(|number| format!("\"{}\":{}", name(number), number % 300)).collect();
        format!("{{{}}}", members.join(","))
    };
    let (same, others) = (members(|_| "text".to_owned()), members(|number| format!("texx{number}")));
    assert_ne!(answer::<Holder>(same.clone().into_bytes()), None);
    assert_eq!(answer::<Holder>(others.clone().into_bytes()), Some("UNKNOWN_FIELD"));
    for text in [same, others] {
        assert_eq!(answer::<Holder>(format!("{{\"by_name\":{text}}}").into_bytes()), Some("INVALID_RANGE"));
        assert_ne!(answer::<Stage>(format!("{{\"event\":{text}}}").into_bytes()), None);
        let _ = answer::<Holder>(format!("{{\"formula\":{text}}}").into_bytes());
    }
}

#[test]
fn names_of_five_kilobytes_are_truncated() {
    for name in ["n".repeat(5_000), "ü".repeat(2_500), "\\\"".repeat(2_500), "text".repeat(1_250)] {
        assert_eq!(answer::<Holder>(format!("{{\"{name}\":1}}").into_bytes()), Some("UNKNOWN_FIELD"));
        assert_eq!(answer::<Holder>(format!("{{\"by_name\":{{\"{name}\":-1}}}}").into_bytes()), Some("INVALID_RANGE"));
        let stage = |rest: String| format!("{{\"name\":\"abc\",\"days\":1,\"later\":[],{rest}}}").into_bytes();
        assert_eq!(answer::<Stage>(stage(format!("\"unit\":\"{name}\""))), Some("INVALID_ENUM_VALUE"));
        let event = format!("\"unit\":\"celsius\",\"event\":{{\"kind\":\"{name}\"}}");
        assert_eq!(answer::<Stage>(stage(event)), Some("INVALID_ENUM_VALUE"));
        let choice = format!("\"unit\":\"celsius\",\"answer\":{{\"{name}\":1}}");
        assert_eq!(answer::<Stage>(stage(choice)), Some("INVALID_ENUM_VALUE"));
    }
}

#[test]
fn a_recursive_untagged_union_is_checked_without_trying_every_combination() {
    // The innermost value matches no variant, so that every combination fails.
    for (innermost, verdict) in [("true", true), ("1", false)] {
        for depth in [20, 60] {
            let formula = "{\"a\":".repeat(depth) + innermost + &",\"b\":1}".repeat(depth);
            let rejected = answer::<Holder>(format!("{{\"formula\":{formula}}}").into_bytes()).is_some();
            assert_eq!(rejected, verdict, "{innermost} at depth {depth}");
        }
    }
}

/// Each path contains the key and there is one path per issue, so each path must not cost as much as the key.
#[test]
fn a_long_key_around_many_faults_is_stored_once() {
    type Stock = std::collections::BTreeMap<String, std::collections::BTreeMap<String, u8>>;
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown, undocumented)]
    #[allow(dead_code)] // The decoded values are not read.
    struct Call {
        stock: Stock,
    }
    for value in ["300", "\"x\""] {
        let members: Vec<String> = (0..20_000).map(|number| format!("\"{number}\":{value}")).collect();
        let text = format!("{{\"stock\":{{\"{}\":{{{}}}}}}}", "k".repeat(2_000_000), members.join(","));
        assert!(answer::<Call>(text.clone().into_bytes()).is_some());
        let json = Json::parse(&text).expect("it is JSON");
        let issues = check(Call::SHAPE, &json);
        assert_eq!(issues.len(), MAX_ISSUES + 1);
        assert!(tool_schema::feedback::annotated_arguments(Call::SHAPE, &json, &issues).len() <= 4_096);
        assert!(tool_schema::feedback::markdown("stock", Call::SHAPE, &json, &issues).len() <= 4_096);
    }
}
