//! The counts of a recording.

use serde_json::{Value, json};
use tool_report::CallReport;

use super::report;

fn lines(calls: &[Value]) -> CallReport {
    let texts: Vec<String> = calls.iter().map(Value::to_string).collect();
    report(&texts)
}

fn rejected(codes: &[&str]) -> Value {
    let issues: Vec<Value> = codes.iter().map(|code| json!({"code": code, "path": "a"})).collect();
    json!({"tool": "t", "verdict": "rejected", "issues": issues})
}

#[test]
fn a_hint_is_followed_if_the_issue_is_gone_in_the_next_call() {
    let ok = json!({"tool": "t", "verdict": "ok"});
    let report = lines(&[rejected(&["A", "B"]), rejected(&["B"]), ok.clone(), rejected(&["A"]), ok]);
    let counts: Vec<_> = report.issues().iter().map(|count| (count.name, count.calls, count.followed)).collect();
    assert_eq!(counts, [("A", 2, 2), ("B", 2, 1)]);
    let tool = &report.tools()["t"];
    assert_eq!((tool.rejected, tool.corrected, tool.first_try_percent()), (3, 2, 40));
}

#[test]
fn a_throttled_call_follows_no_hint() {
    let report =
        lines(&[rejected(&["A"]), json!({"tool": "t", "verdict": "throttled"}), json!({"tool": "t", "verdict": "ok"})]);
    assert_eq!((report.issues()[0].followed, report.tools()["t"].corrected), (0, 0));
}

#[test]
fn another_session_does_not_follow_a_hint() {
    let in_session = |session: &str, mut line: Value| {
        line["session"] = session.into();
        line
    };
    let ok = json!({"tool": "t", "verdict": "ok"});
    let report = lines(&[in_session("a", rejected(&["A"])), in_session("b", ok.clone()), in_session("a", ok)]);
    assert_eq!((report.issues()[0].followed, report.tools()["t"].corrected), (1, 1));
    let report = lines(&[in_session("a", rejected(&["A"])), in_session("b", json!({"tool": "t", "verdict": "ok"}))]);
    assert_eq!((report.issues()[0].followed, report.tools()["t"].corrected), (0, 0));
}

#[test]
fn the_tokens_of_an_answer_are_shared_by_its_calls() {
    let text = |output: u64| json!({"text": "", "tokens": {"input": 10, "output": output}});
    let call = |tool: &str| json!({"tool": tool, "verdict": "ok", "bytes": {"call": 5, "answer": 7}});
    let report = lines(&[text(90), call("a"), call("a"), call("b"), text(5), text(8), call("b")]);
    let tokens = |tool: &str| report.tools()[tool].output_tokens.round();
    assert_eq!((tokens("a"), tokens("b")), (60.0, 38.0));
    assert_eq!((report.tokens().input, report.tokens().output), (30, 103));
    assert_eq!((report.tools()["a"].bytes.call, report.tools()["a"].bytes.answer), (10, 14));
}

#[test]
fn lines_of_later_versions_and_other_files_are_errors() {
    for (line, expected) in [
        (r#"{"recording": 2, "tools": []}"#, "version 2"),
        (r#"{"recording": 2, "tool": "a"}"#, "version 2"),
        ("{}", "none of"),
        ("[]", "none of"),
        ("7", "expected"),
        (r#"{"tool": "a", "verdict": "fine"}"#, "unknown variant"),
    ] {
        let error = line.parse::<tool_report::RecordedLine>().expect_err(line);
        assert!(error.contains(expected), "{error}");
    }
    // Members and kinds of later versions do not hurt.
    assert!(r#"{"tool": "a", "result": "new", "more": 1}"#.parse::<tool_report::RecordedLine>().is_ok());
}

#[test]
fn any_number_of_names_sessions_and_calls_is_bounded() {
    let mut report = CallReport::new();
    let answer = "x".repeat(3_000);
    for number in 0..12_000 {
        let line = json!({
            "tool": format!("tool {number}"), "session": format!("{number}"), "at_ms": number, "verdict": "rejected",
            "issues": [{"code": format!("{number}")}], "answer": answer, "arguments": {"text": answer},
        });
        report.add_line(line.to_string().parse().expect("it is a line"));
    }
    assert_eq!((report.calls(), report.issues().len()), (12_000, 1_000));
    assert!(report.tools().len() <= 1_001);
    let page = report.to_html("Many");
    assert!(
        page.contains("2000 others are left out") && page.contains("are too long and left out"),
        "{}",
        &page[..9_000]
    );
    assert!(page.len() < 60_000_000, "{}", page.len());
}

#[test]
fn a_pause_ends_with_the_next_call_that_is_not_throttled() {
    let call =
        |at: u64, verdict: &str, retry: u64| json!({"tool": "t", "at_ms": at, "verdict": verdict, "retry_ms": retry});
    let report = lines(&[
        call(1_000, "ok", 0),
        call(2_000, "throttled", 60_000),
        call(3_000, "throttled", 59_000),
        call(30_000, "ok", 0),
        call(40_000, "throttled", 5_000),
    ]);
    let pauses: Vec<_> = report.pauses().iter().map(|pause| (pause.from_ms, pause.until_ms)).collect();
    assert_eq!(pauses, [(2_000, 30_000), (40_000, 45_000)]);
}
