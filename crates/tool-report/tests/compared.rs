//! Two recordings, before and after a change.

use serde_json::{Value, json};
use tool_report::Comparison;

use super::report;

fn comparison(before: &[Value], after: &[Value]) -> Comparison {
    let texts = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>();
    Comparison::new(report(&texts(before)), report(&texts(after)))
}

#[test]
fn equal_calls_are_matched_in_order() {
    let call =
        |tool: &str, arguments: Value, verdict: &str| json!({"tool": tool, "arguments": arguments, "verdict": verdict});
    let before = [
        call("a", json!({"x": 1}), "ok"),
        call("a", json!({"x": 1}), "rejected"),
        call("a", json!({"x": 2}), "ok"),
        call("b", json!({"x": 1}), "ok"),
        json!({"tool": "c", "arguments": {"x": "[redacted]"}, "redacted": true, "verdict": "ok"}),
    ];
    let after = [
        call("a", json!({"x": 1}), "ok"),
        call("a", json!({"x": 1}), "ok"),
        call("a", json!({"x": 1}), "throttled"),
        call("b", json!({"x": 3}), "ok"),
        json!({"tool": "b", "arguments": {"x": 1}, "verdict": "ok", "result": "failure"}),
        json!({"tool": "c", "arguments": {"x": "[redacted]"}, "redacted": true, "verdict": "rejected"}),
    ];
    let comparison = comparison(&before, &after);
    assert_eq!((comparison.matched_calls(), comparison.changed_count()), (3, 2));
    let changed: Vec<_> = comparison
        .changed_calls()
        .iter()
        .map(|call| (&*call.tool, &*call.arguments, call.before, call.after))
        .collect();
    assert_eq!(changed, [("a", r#"{"x":1}"#, "rejected", "ok"), ("b", r#"{"x":1}"#, "ok", "failed")]);
    assert_eq!(comparison.tools().into_iter().collect::<Vec<_>>(), ["a", "b", "c"]);
}

#[test]
fn issues_are_new_or_gone_by_code_tool_and_path() {
    let call =
        |tool: &str, path: &str| json!({"tool": tool, "verdict": "rejected", "issues": [{"code": "C", "path": path}]});
    let comparison = comparison(&[call("a", "x"), call("a", "y")], &[call("a", "x"), call("a", "z"), call("b", "x")]);
    let places = |counts: Vec<tool_report::IssueOrRepairCount<'_>>| {
        counts.iter().map(|count| format!("{} {}", count.tool, count.path)).collect::<Vec<_>>()
    };
    assert_eq!(places(comparison.new_issues()), ["a z", "b x"]);
    assert_eq!(places(comparison.resolved_issues()), ["a y"]);
    let page = comparison.to_html("Before and after");
    for text in ["New issues", "Issues that are gone", "2 calls before, 3 after", "0 % → 0 %"] {
        assert!(page.contains(text), "{text}");
    }
}
