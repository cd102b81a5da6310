//! Statistics about the outcomes of calls.

use tests::script::{Script, bad, err, ok};
use tool_runtime::throttle::{CallEnd, SessionLimits};

#[test]
fn calls_failures_attempts_and_hints_are_counted_per_tool() {
    let mut script = Script::new();
    for step in [
        bad("book", r#"{"q":"a"}"#, &["date", "city"]),
        bad("book", r#"{"q":"b"}"#, &["city"]),
        ok("book", r#"{"q":"c"}"#, "booked").taking(2),
        ok("book", r#"{"q":"d"}"#, "booked, too"),
        err("load", "{}", "No."),
        ok("nobody", "{}", "x"),
    ] {
        script.call(&step);
        script.wait(3_000);
    }
    let statistics = script.throttle.statistics();
    assert_eq!((statistics.total_calls_last_60s, statistics.unknown_names), (6, 1));
    assert_eq!(statistics.tools_with_failures(), ["load", "book"]);
    assert_eq!(statistics.most_called_tools(1), [("book", 4)]);
    let Some(book) = statistics.tools.iter().find(|tool| tool.name == "book") else { panic!("book was called") };
    assert_eq!((book.calls, book.failures, book.rejected, book.tries, book.first_tries), (4, 2, 2, 2, 1));
    assert_eq!(book.first_try_rate(), Some(0.5));
    assert_eq!(book.time.as_secs(), 2);
    assert_eq!((book.argument_bytes, book.argument_tokens()), (36, 9));
    assert_eq!((book.result_bytes, book.result_tokens()), (17, 5));
    let hints: Vec<_> = book.hints.iter().map(|hint| (&*hint.field, hint.given, hint.followed)).collect();
    assert_eq!(hints, [("date", 1, 1), ("city", 2, 1)]);
    assert_eq!(book.hints[1].field_correction_rate(), Some(0.5));
}

#[test]
fn the_summary_has_a_map_of_failures_and_pairs_of_calls() {
    let mut script = Script::new();
    assert_eq!(
        serde_json::to_string(&script.throttle.statistics().to_summary()).ok().as_deref(),
        Some(r#"{"total_calls_last_60s":0,"tools_with_failures":{},"most_called_tools":[]}"#)
    );
    for step in [
        ok("search", r#"{"q":"a"}"#, "1"),
        bad("book", r#"{"q":"a"}"#, &["date"]),
        bad("book", r#"{"q":"b"}"#, &["city"]),
        err("load", "{}", "No."),
        ok("nobody", "{}", "x"),
    ] {
        script.call(&step);
        script.wait(3_000);
    }
    let summary = script.throttle.statistics().to_summary();
    assert_eq!(
        serde_json::to_value(&summary).expect("it is plain data"),
        serde_json::json!({
            "total_calls_last_60s": 5,
            "tools_with_failures": {"book": 2, "load": 1},
            "most_called_tools": [["book", 2], ["load", 1], ["search", 1]],
        })
    );
}

#[test]
fn the_last_minute_is_exact() {
    let mut script = Script::new();
    for number in 0..20 {
        script.call(&ok("load", number.to_string(), number.to_string()));
        script.wait(4_000);
    }
    assert_eq!(script.throttle.statistics().total_calls_last_60s, 14); // Calls at 24 to 76 seconds, counted at 80 seconds.
    script.wait(60_000);
    assert_eq!(script.throttle.statistics().total_calls_last_60s, 0);
}

#[test]
fn repairs_throttled_calls_and_resets_are_counted() {
    let mut script = Script::with(SessionLimits::strict());
    let load = script.number("load").unwrap_or_default();
    for number in 0..7 {
        if let Ok(ticket) = script.throttle.admit(load, &"{}".into(), None) {
            let result = number.to_string();
            ticket.report(&"{}".into(), CallEnd::Succeeded { result: &result, repairs: number % 2 });
        }
    }
    script.call(&ok("search", "{}", "x"));
    let tool = &script.throttle.statistics().tools[0];
    assert_eq!((tool.calls, tool.repaired, tool.throttled), (5, 2, 2));
    script.throttle.reset_tool(load);
    let names: Vec<_> = script.throttle.statistics().tools.into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["search"]);
    script.throttle.reset();
    assert!(script.throttle.statistics().tools.is_empty());
}
