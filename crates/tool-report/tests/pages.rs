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
    let line = json!({"tool": "a", "arguments": {"x": 1}, "verdict": "refused", "issues": [
        {"code": "REQUIRED_FIELD", "path": "query"}, {"code": "INVALID_RANGE", "path": "x"},
    ]});
    let page = report(&[line.to_string()]).to_html("Issues");
    assert!(page.contains("<mark>&quot;x&quot;: 1   ← INVALID_RANGE</mark>"));
    assert!(page.contains("<mark>query   ← REQUIRED_FIELD</mark>"));
}
