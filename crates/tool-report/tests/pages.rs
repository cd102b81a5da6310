//! The text of the pages. How a browser shows them is tested by `scripts/judges-report`.

use serde_json::json;

use super::report;

#[test]
fn a_conversation_has_its_batches_and_expansions() {
    let lines = [
        json!({"prompt": "Weather & time?"}),
        json!({"text": "I look.", "tokens": {"input": 1, "output": 2}}),
        json!({"tool": "a", "verdict": "ok"}),
        json!({"tool": "b", "verdict": "ok"}),
        json!({"text": ""}),
        json!({"tool": "More", "verdict": "ok", "expands": "More"}),
        json!({"rejected": "Send a number."}),
        json!({"text": "Noon."}),
    ];
    let page = report(&lines.map(|line| line.to_string())).to_html("A conversation");
    let places: Vec<_> =
        ["Weather &amp; time?", "I look.", "A batch of 2 calls", "expands More", "Answer rejected", "Noon."]
            .iter()
            .map(|text| page.find(text).unwrap_or_else(|| panic!("{text}")))
            .collect();
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(page.matches("class=\"batch\"").count(), 1);
}

#[test]
fn a_batch_of_a_recording_without_messages_is_not_invented() {
    let lines = [json!({"tool": "a", "verdict": "ok"}), json!({"tool": "b", "verdict": "ok"})];
    let page = report(&lines.map(|line| line.to_string())).to_html("Calls");
    assert!(!page.contains("A batch of"));
}

#[test]
fn sessions_are_shown_one_after_the_other() {
    let line = |session: &str, text: &str| json!({"session": session, "prompt": text}).to_string();
    let page = report(&[line("one", "A1"), line("two", "B1"), line("one", "A2"), line("two", "B2")]).to_html("Two");
    let places = ["Session one", "A1", "A2", "Session two", "B1", "B2"].map(|text| page.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
}

#[test]
fn an_issue_without_a_value_is_shown_among_the_arguments() {
    let line = json!({"tool": "a", "arguments": {"x": 1}, "verdict": "rejected", "issues": [
        {"code": "REQUIRED_FIELD", "path": "query"}, {"code": "INVALID_RANGE", "path": "x"},
    ]});
    let page = report(&[line.to_string()]).to_html("Issues");
    assert!(page.contains("<mark>&quot;x&quot;: 1   ← INVALID_RANGE</mark>"));
    assert!(page.contains("<mark>query   ← REQUIRED_FIELD</mark>"));
}

/// langfuse 6297 and 9274: fast and parallel calls were shown in the wrong order.
#[test]
fn calls_are_shown_in_the_order_in_which_they_were_sent() {
    let call = |tool: &str, at: u64, number: u64| json!({"tool": tool, "at_ms": at, "number": number, "verdict": "ok"});
    let lines = [
        json!({"text": "All."}),
        call("c", 6, 3),
        call("b", 5, 2),
        call("a", 5, 1),
        json!({"text": "Next."}),
        call("d", 7, 4),
    ];
    let page = report(&lines.map(|line| line.to_string())).to_html("Order");
    let places = ["#1", "#2", "#3", "#4"].map(|number| page.find(&format!("{number}</span>")).expect(number));
    let tools = ["a", "b", "c", "d"].map(|tool| page.find(&format!("data-tool=\"{tool}\"")).expect(tool));
    assert!(places.is_sorted() && tools.is_sorted(), "{places:?} {tools:?}");
}

/// VS Code 246563: a failed call looked like a successful one.
#[test]
fn a_failed_or_denied_call_does_not_look_like_a_successful_one() {
    let lines = [
        json!({"tool": "a", "verdict": "ok", "result": "failure"}),
        json!({"tool": "a", "verdict": "ok", "approval": "denied"}),
        json!({"tool": "a", "verdict": "ok", "approval": "accepted", "result": "result"}),
    ];
    let page = report(&lines.map(|line| line.to_string())).to_html("Failed");
    assert!(
        page.contains("<span class=\"failed\">failure</span>") && page.contains("<span class=\"denied\">denied</span>")
    );
    assert!(
        page.contains(">accepted</span>")
            && !page.contains("denied\">accepted")
            && page.contains("<option value=\"failure\">")
    );
}

/// `inspect_ai` 2249: thousands of entries made the page unusable; what is left out is said.
#[test]
fn issues_that_are_left_out_are_mentioned() {
    let issues: Vec<_> = (0..6_700).map(|number| json!({"code": "C", "path": format!("items[{number}]")})).collect();
    let items: Vec<u32> = (0..6_700).collect();
    let line = json!({"tool": "a", "arguments": {"items": items}, "verdict": "rejected", "issues": issues});
    let page = report(&[line.to_string()]).to_html("Long");
    assert!(page.contains("issues of 1 call are too long") && page.len() < 60_000, "{}", page.len());
}
