//! Loops that models fall into, each with the number of the call that the throttle stops.
//!
//! If the calls are further apart than the first pause, the call after the pause is the probe, and a later one is rejected.

use tests::script::{End, Script, Step, bad, err, ok};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::failure::ThrottleRule::{
    AlternatingCalls, ConsecutiveFailures, IdenticalCall, OverallRate, SameError, SameToolRate, UnknownTools,
};

/// Kind, description, milliseconds between calls, the calls (counted from 0), the rejected call (counted from 1), and the rule.
pub(super) type Loop = (&'static str, &'static str, u64, fn(usize) -> Step, usize, ThrottleRule);

fn pick<T: Copy>(from: &[T], index: usize) -> T {
    from[index % from.len()]
}

fn offset(index: usize) -> String {
    format!("{{\"q\":\"a\",\"offset\":{}}}", index * 10)
}

pub(super) const LOOPS: &[Loop] = &[
    ("same call", "word for word", 3_000, |_| ok("load", r#"{"q":"a"}"#, "x"), 4, IdenticalCall),
    (
        "same call",
        "no arguments, in four spellings",
        3_000,
        |n| ok("load", pick(&["", "{}", "null", "{ }"], n), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "keys in another order",
        3_000,
        |n| ok("load", pick(&[r#"{"q":"a","offset":1}"#, r#"{"offset":1,"q":"a"}"#], n), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "1 and 1.0",
        3_000,
        |n| ok("load", pick(&[r#"{"offset":1}"#, r#"{"offset":1.0}"#, r#"{"offset":10e-1}"#], n), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "null and absent",
        3_000,
        |n| ok("load", pick(&[r#"{"q":"a"}"#, r#"{"q":"a","offset":null}"#], n), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "escapes",
        3_000,
        |n| ok("load", pick(&[r#"{"q":"a"}"#, r#"{"q":"\u0061"}"#], n), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "a result with the time in it",
        3_000,
        |n| ok("clocked", "{}", format!("{{\"timestamp\":{n},\"rows\":[]}}")),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "arguments too long to keep",
        3_000,
        |_| ok("load", format!("{{\"q\":\"{}\"}}", "x".repeat(9_000)), "x"),
        4,
        IdenticalCall,
    ),
    (
        "same call",
        "after some work",
        3_000,
        |n| ok("load", n.min(3).to_string(), n.min(3).to_string()),
        7,
        IdenticalCall,
    ),
    (
        "same error, other arguments",
        "paths that do not exist",
        3_000,
        |n| err("read_file", n.to_string(), "There is no such file."),
        4,
        SameError,
    ),
    (
        "same error, other arguments",
        "each with its own sentence",
        3_000,
        |n| err("read_file", n.to_string(), format!("There is no file {n}.")),
        7,
        ConsecutiveFailures,
    ),
    (
        "same error, other arguments",
        "the same field wrong",
        3_000,
        |n| bad("book", n.to_string(), &["date"]),
        4,
        SameError,
    ),
    (
        "same error, other arguments",
        "JSON that is none",
        3_000,
        |n| bad("book", "{".repeat(n + 1), &[""]),
        4,
        SameError,
    ),
    (
        "same error, other arguments",
        "where failures in a row are allowed",
        3_000,
        |n| err("no_streak", n.to_string(), "No."),
        4,
        SameError,
    ),
    (
        "same error, other arguments",
        "fields named in another order",
        3_000,
        |n| bad("no_streak", n.to_string(), pick(&[&["a", "b"], &["b", "a"]], n)),
        4,
        SameError,
    ),
    (
        "same error, other arguments",
        "with other tools in between",
        3_000,
        |n| if n % 2 == 0 { err("read_file", n.to_string(), "No.") } else { ok("load", n.to_string(), n.to_string()) },
        7,
        SameError,
    ),
    ("ping-pong", "two tools", 3_000, |n| ok(pick(&["load", "search"], n), "{}", "x"), 7, AlternatingCalls),
    ("ping-pong", "two arguments of one tool", 3_000, |n| ok("load", pick(&["1", "2"], n), "x"), 7, AlternatingCalls),
    (
        "ping-pong",
        "in other spellings",
        3_000,
        |n| ok("load", pick(&["1", "2", "1.0", "2.0"], n), "x"),
        7,
        AlternatingCalls,
    ),
    (
        "ping-pong",
        "one of the two fails",
        3_000,
        |n| pick(&[|| ok("load", "{}", "x"), || err("search", "{}", "No.")], n)(),
        8,
        SameError,
    ),
    (
        "ping-pong",
        "one of the two fails and may",
        3_000,
        |n| pick(&[|| ok("load", "{}", "x"), || err("no_streak", "{}", "No.")], n)(),
        8,
        SameError,
    ),
    (
        "ping-pong",
        "between two sets of issues",
        3_000,
        |n| bad("book", n.to_string(), pick(&[&["a"], &["b"]], n)),
        7,
        SameError,
    ),
    (
        "ping-pong",
        "between three sets of issues",
        3_000,
        |n| bad("book", n.to_string(), pick(&[&["a"], &["b"], &["c"]], n)),
        9,
        ConsecutiveFailures,
    ),
    (
        "ping-pong",
        "two calls at once, again and again",
        3_000,
        |n| ok(pick(&["load", "search"], n), "{}", "x").within(n / 2),
        7,
        IdenticalCall,
    ),
    (
        "invented names",
        "each another",
        3_000,
        |n| Step::new(pick(&["find", "grep", "look", "seek", "ask", "get"], n), "{}", End::Cancelled),
        6,
        UnknownTools,
    ),
    ("invented names", "always one", 3_000, |_| Step::new("find", "{}", End::Cancelled), 6, UnknownTools),
    (
        "invented names",
        "two at a time",
        3_000,
        |n| Step::new(pick(&["find", "grep"], n), "{}", End::Cancelled).within(n / 2),
        11,
        UnknownTools,
    ),
    (
        "invented names",
        "after one that exists",
        3_000,
        |n| if n == 0 { ok("load", "{}", "x") } else { Step::new("find", "{}", End::Cancelled) },
        7,
        UnknownTools,
    ),
    ("growing offsets without new results", "each second", 1_000, |n| ok("search", offset(n), "[]"), 6, SameToolRate),
    (
        "growing offsets without new results",
        "just within ten seconds",
        1_999,
        |n| ok("search", offset(n), "[]"),
        6,
        SameToolRate,
    ),
    (
        "growing offsets without new results",
        "beyond the end",
        3_000,
        |n| err("search", offset(n), "The offset is too large."),
        4,
        SameError,
    ),
    (
        "growing offsets without new results",
        "of two tools",
        600,
        |n| ok(pick(&["search", "load"], n), offset(n), "[]"),
        11,
        SameToolRate,
    ),
    ("empty results", "the same question", 3_000, |_| ok("search", r#"{"q":"a"}"#, "[]"), 4, IdenticalCall),
    (
        "empty results",
        "another question each time",
        500,
        |n| ok("search", format!("{{\"q\":\"{n}\"}}"), "[]"),
        6,
        SameToolRate,
    ),
    (
        "empty results",
        "two questions in turn",
        3_000,
        |n| ok("search", pick(&[r#"{"q":"a"}"#, r#"{"q":"b"}"#], n), ""),
        7,
        AlternatingCalls,
    ),
    (
        "empty results",
        "a tool that does nothing",
        3_000,
        |_| ok("write_file", r#"{"q":"a"}"#, "done"),
        4,
        IdenticalCall,
    ),
    ("a failing batch", "three calls each", 3_000, |n| err("load", n.to_string(), "No.").within(n / 3), 10, SameError),
    (
        "a failing batch",
        "three rejections each",
        3_000,
        |n| bad("book", n.to_string(), &["date"]).within(n / 3),
        10,
        SameError,
    ),
    (
        "a failing batch",
        "two tools, one fails",
        3_000,
        |n| {
            pick(
                &[|n: usize| ok("load", n.to_string(), n.to_string()), |n: usize| err("search", n.to_string(), "No.")],
                n,
            )(n)
            .within(n / 2)
        },
        8,
        SameError,
    ),
    (
        "a failing batch",
        "one call many times over",
        0,
        |n| err("load", "{}", format!("No {n}.")).within(0),
        6,
        SameToolRate,
    ),
    ("a slow loop", "the same call", 59_000, |_| ok("load", "{}", "x"), 5, IdenticalCall),
    ("a slow loop", "the same error", 55_000, |_| err("load", "{}", "No."), 5, SameError),
    (
        "a slow loop",
        "other arguments each time",
        29_000,
        |n| err("load", n.to_string(), format!("No {n}.")),
        7,
        ConsecutiveFailures,
    ),
    ("a slow loop", "two calls in turn", 25_000, |n| ok(pick(&["load", "search"], n), "{}", "x"), 7, AlternatingCalls),
    ("a slow loop", "a tool that takes two minutes", 20_000, |_| ok("load", "{}", "x").taking(120), 4, IdenticalCall),
    (
        "too fast",
        "all tools in turn, and none finds anything",
        300,
        |n| ok(pick(&["t1", "t2", "t3", "t4", "t5", "t6", "t7"], n), n.to_string(), "[]"),
        11,
        OverallRate,
    ),
];

/// Returns the calls of each decision: single calls, or the calls of one batch.
pub(super) fn decisions(calls: usize, step: fn(usize) -> Step) -> Vec<(usize, Vec<Step>)> {
    let mut decisions: Vec<(usize, Vec<Step>)> = Vec::new();
    for (index, step) in (0..calls).map(step).enumerate() {
        match decisions.last_mut() {
            Some((_, steps)) if step.batch.is_some() && steps[0].batch == step.batch => steps.push(step),
            _ => decisions.push((index, vec![step])),
        }
    }
    decisions
}

#[test]
fn every_loop_is_rejected_at_the_expected_call() {
    for &(kind, what, every, step, at, rule) in LOOPS {
        let mut script = Script::new();
        let mut warned = false;
        let rejected = decisions(40, step).into_iter().find_map(|(first, steps)| {
            let said = script.decide(&steps);
            script.wait(every * steps.len() as u64);
            warned |= said.iter().any(|said| said.words().starts_with("warned"));
            said.iter().zip(first + 1..).find_map(|(said, call)| Some((call, said.rejected_by()?)))
        });
        assert_eq!(rejected, Some((at, rule)), "{kind}, {what}");
        let has_warning = !matches!(rule, SameToolRate | OverallRate);
        assert!(warned || !has_warning, "{kind}, {what}: there was no warning");
    }
}

#[test]
fn there_are_forty_loops_of_eight_kinds() {
    let kinds: std::collections::BTreeSet<_> = LOOPS.iter().map(|row| row.0).collect();
    assert!(LOOPS.len() >= 40 && kinds.len() >= 8, "{} of {}", LOOPS.len(), kinds.len());
}
