//! Calls in spellings that need a repair: the rules compare the repaired calls.

use serde_json::json;
use tool_runtime::{ToolError, Toolbox, tool};

use super::{Run, words};

/// Looks for something.
#[tool(undocumented)]
fn find(#[tool(alias = "q")] query: String, #[tool(default = 10)] limit: u32, deep: Option<bool>) -> String {
    format!("{query} {limit} {deep:?}")
}

const SPELLINGS: &[&str] = &[
    r#"{"query": "a", "limit": 10}"#,
    r#"{"limit": 10, "query": "a"}"#,
    r#"{"query": "a"}"#,
    r#"{"q": "a"}"#,
    r#"{"query": "a", "deep": null}"#,
    r#"{"query": "a", "limit": "10"}"#,
    r#"{"query": "a", "limit": 10.0}"#,
    r"{'query': 'a'}",
    r#"{query: "a", limit: 10,}"#,
    "```json\n{\"query\": \"a\"}\n```",
    r#"{"query": "\u0061"}"#,
];

#[test]
fn every_spelling_of_a_paused_call_is_rejected() {
    for spelling in SPELLINGS {
        let run = Run::of(|builder| builder.tool(FindTool));
        for _ in 0..3 {
            run.wait(3);
            assert!(run.call_at_once("find", SPELLINGS[0]).is_ok());
        }
        assert_eq!(words(&run.call_at_once("find", spelling)), "identical_call 30000", "{spelling}");
        assert_eq!(words(&run.call_at_once("find", r#"{"query": "b"}"#)), "ok");
    }
}

#[test]
fn different_spellings_count_as_one_series() {
    let run = Run::of(|builder| builder.tool(FindTool));
    let ran = SPELLINGS.iter().cycle().take(50).filter(|spelling| {
        run.wait(1);
        run.call_at_once("find", spelling).is_ok()
    });
    // Three calls and one probe.
    assert_eq!(ran.count(), 4);
}

#[test]
fn a_series_of_repaired_calls_that_fail_is_counted() {
    /// Never works.
    #[tool(undocumented)]
    fn broken(number: u8) -> Result<(), ToolError> {
        Err(ToolError::new(format!("{number} does not work.")))
    }

    let run = Run::of(|builder: tool_runtime::toolbox::ToolboxBuilder| builder.tool(BrokenTool));
    for spelling in [r#"{"number": 1}"#, r#"{"number": "1"}"#, "{number: 1}"] {
        run.wait(3);
        assert!(words(&run.call_at_once("broken", spelling)).starts_with("tool_error"));
    }
    assert_eq!(words(&run.call_at_once("broken", "{'number': 1}")), "same_error 30000");
}

#[test]
fn statistics_count_the_bytes_that_were_sent() {
    let session = Toolbox::builder().tool(FindTool).build().expect("the toolbox is valid").session();
    let sent = r#"{query: "a", limit:    "10",}"#;
    assert!(pollster::block_on(session.call("call_1", "find", sent)).is_ok());
    assert_eq!(session.statistics().tools[0].argument_bytes, sent.len() as u64);
    assert_eq!(json!(session.statistics())["tools"][0]["repaired"], 1);
}
