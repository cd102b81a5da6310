//! Legitimate patterns of calls: none of them is rejected.

use tests::script::{End, Script, Step, bad, err, ok};

use super::loops::decisions;

/// Description, milliseconds between calls, number of calls, and the calls, counted from 0.
pub(super) type Pattern = (&'static str, u64, usize, fn(usize) -> Step);

fn pick<T: Copy>(from: &[T], index: usize) -> T {
    from[index % from.len()]
}

pub(super) const PATTERNS: &[Pattern] = &[
    ("paging", 2_500, 30, |n| ok("search", format!("{{\"offset\":{n}}}"), format!("[{n}]"))),
    ("paging to a page that is empty, twice", 3_000, 12, |n| {
        ok("search", format!("{{\"offset\":{n}}}"), if n % 6 == 5 { "[]".to_owned() } else { n.to_string() })
    }),
    ("polling with changing results", 2_500, 30, |n| ok("load", r#"{"q":"job"}"#, format!("{n} %"))),
    ("polling where the tool says so", 5_000, 30, |_| ok("status", r#"{"q":"job"}"#, "running")),
    ("polling in turn with another tool, where the tool says so", 5_000, 30, |n| {
        if n % 2 == 0 { ok("status", "{}", "running") } else { ok("load", "{}", "x") }
    }),
    ("a file attached three times, with other arguments", 3_000, 3, |n| ok("write_file", n.to_string(), "attached")),
    ("other arguments with one result", 3_000, 20, |n| ok("write_file", n.to_string(), "done")),
    ("eight calls in a batch", 0, 8, |n| ok("load", n.to_string(), "x").within(0)),
    ("eight calls in a batch, batch after batch", 400, 80, |n| ok("load", n.to_string(), n.to_string()).within(n / 8)),
    ("a batch over many tools", 0, 12, |n| {
        ok(pick(&["t1", "t2", "t3", "t4", "t5", "t6", "t7"], n), n.to_string(), "x").within(0)
    }),
    ("a rejection, then the corrected call", 2_500, 20, |n| {
        if n % 2 == 0 { bad("book", n.to_string(), &["date"]) } else { ok("book", n.to_string(), "booked") }
    }),
    ("one field corrected a round", 3_000, 7, |n| {
        if n < 6 { bad("book", n.to_string(), &["a", "b", "c", "d", "e", "f"][n..]) } else { ok("book", "6", "booked") }
    }),
    ("one fault behind another", 3_000, 5, |n| {
        if n < 4 {
            bad("book", n.to_string(), &[["json"], ["trip"], ["trip.city"], ["trip.day"]][n])
        } else {
            ok("book", "4", "booked")
        }
    }),
    ("every third search finds nothing", 3_000, 30, |n| {
        if n % 3 == 0 {
            ok("search", n.to_string(), n.to_string())
        } else {
            err("search", n.to_string(), "Nothing found.")
        }
    }),
    ("read, write, read again", 3_000, 30, |n| {
        if n % 2 == 0 { ok("load", "{}", (n / 2).to_string()) } else { ok("write_file", n.to_string(), "done") }
    }),
    ("twice the same, then something else", 3_000, 30, |n| ok("load", (n / 2).to_string(), "x")),
    ("the same question every two minutes", 120_000, 10, |_| ok("load", r#"{"q":"weather"}"#, "sun")),
    ("the user says no", 3_000, 10, |_| Step::new("write_file", "{}", End::Denied)),
    ("somebody else answers", 3_000, 10, |_| Step::new("book", "{}", End::Deferred)),
    ("the user stops it", 3_000, 10, |_| Step::new("load", "{}", End::Cancelled)),
    ("no rule for this tool", 0, 200, |_| err("finish", "{}", "No.")),
    ("three days without a free seat, then another day", 3_000, 4, |n| {
        let arguments = format!(r#"{{"day": "{}", "seats": {n}}}"#, if n < 3 { "friday" } else { "sunday" });
        if n < 3 { err("book", arguments, "There is no seat on friday.") } else { ok("book", arguments, "booked") }
    }),
    ("two tools that fail twice each", 3_000, 4, |n| err(pick(&["load", "search"], n), n.to_string(), "No.")),
    ("a batch of which some calls fail, again and again", 3_000, 30, |n| {
        if n % 3 == 0 { ok("load", n.to_string(), n.to_string()) } else { err("load", n.to_string(), "No.") }
            .within(n / 3)
    }),
    ("five calls at once, then thinking", 2_001, 30, |n| ok("load", n.to_string(), n.to_string())),
    ("a batch whose last call succeeds, again and again", 3_000, 30, |n| {
        if n % 3 == 2 { ok("load", n.to_string(), n.to_string()) } else { err("load", n.to_string(), "No.") }
            .within(n / 3)
    }),
    ("a fast model", 100, 60, |n| ok(pick(&["load", "search"], n), n.to_string(), n.to_string())),
    ("a fast model that writes", 100, 60, |n| ok("write_file", n.to_string(), "done")),
    ("a folder three times, then another one", 2_500, 40, |n| {
        if n % 4 == 3 { ok("write_file", n.to_string(), "") } else { ok("load", "{}", (n / 4).to_string()) }
    }),
    ("one tool that does everything", 3_000, 40, |n| {
        if n % 4 == 3 { ok("load", n.to_string(), n.to_string()) } else { ok("load", "{}", format!("at {}", n / 4)) }
    }),
    ("five different errors, then the fix", 3_000, 30, |n| {
        if n % 6 == 5 { ok("load", n.to_string(), n.to_string()) } else { err("load", n.to_string(), n.to_string()) }
    }),
    ("the same error twice, other work, the same error twice", 1_000, 12, |n| {
        if n % 5 < 2 { err("load", n.to_string(), "No.") } else { ok("search", n.to_string(), n.to_string()) }
    }),
    ("two invented names, then a real one", 3_000, 30, |n| {
        if n % 3 == 2 { ok("load", n.to_string(), n.to_string()) } else { Step::new("laod", "{}", End::Cancelled) }
    }),
];

#[test]
fn legitimate_work_is_never_rejected() {
    assert!(PATTERNS.len() >= 20, "only {}", PATTERNS.len());
    for &(what, every, calls, step) in PATTERNS {
        let mut script = Script::new();
        for (first, steps) in decisions(calls, step) {
            for (said, call) in script.decide(&steps).iter().zip(first + 1..) {
                assert_eq!(said.rejected_by(), None, "{what}: call {call}");
            }
            script.wait(every * steps.len() as u64);
        }
    }
}
