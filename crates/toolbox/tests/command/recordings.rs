//! Recordings of `toolbox proxy`: `toolbox report`, and `toolbox check` with the tools of the recording.

use serde_json::{Value, json};

use super::{Folder, Outcome, complaint, lines, lines_of, search, toolbox};

fn recording() -> Vec<Value> {
    let call = |id: u64, at: u64, more: Value| {
        let mut line = json!({"id": id, "at_ms": 1_700_000_000_000_u64 + at, "tool": "search", "verdict": "ok"});
        if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
            line.extend(more);
        }
        line
    };
    let missing = json!([{"code": "REQUIRED_FIELD", "path": "query"}]);
    let repairs = json!([{"rule": "text", "path": "limit", "before": "\"2\"", "after": "2"}]);
    let search = search()[0].clone();
    vec![
        json!({"recording": 1, "at_ms": 1_700_000_000_000_u64, "tools": [search]}),
        call(1, 0, json!({"arguments": {"query": "a"}, "result": "result", "ms": 10.0})),
        call(2, 5_000, json!({"arguments": {}, "verdict": "rejected", "issues": missing})),
        call(
            3,
            9_000,
            json!({"arguments": {"query": "a", "limit": "2"}, "verdict": "repaired", "repairs": repairs, "result": "result", "ms": 30.0}),
        ),
        call(
            4,
            61_000,
            json!({"arguments": {"query": "[redacted]"}, "redacted": true, "result": "failure", "ms": 20.0}),
        ),
        call(5, 62_000, json!({"arguments": {}, "verdict": "rejected", "issues": missing})),
        call(6, 90_000, json!({"tool": "delete", "approval": "denied"})),
    ]
}

#[test]
fn a_report_counts_the_calls_of_each_tool() -> Outcome {
    let folder = Folder::new("report")?;
    let mut text = lines_of(&recording());
    let file = folder.file("calls.jsonl", &text)?;
    let output = toolbox(&["report", &file])?;
    let expected = "\
7 calls of 2 tools in 1 min 30 s

tool     calls first try repaired rejected corrected throttled   denied  failed    median
delete       1     100 %        0        0         –         0        1       0         –
search       5      40 %        1        2    1 of 2         0        0       1     20 ms

issues of rejected calls, and hints that the next call followed
      2       1  REQUIRED_FIELD  search query

repairs
      1  text  search limit
";
    assert_eq!(String::from_utf8(output.stdout)?, expected.replacen('7', "6", 1));
    assert_eq!(output.status.code(), Some(0));
    text.push_str("{\"recording\":2}\nnothing\n{\"id\":1}\n");
    let file = folder.file("broken.jsonl", &text)?;
    let output = toolbox(&["report", &file])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("line 8: version 2 of a recording is not known"), "{}", complaint(&output));
    assert!(String::from_utf8(output.stdout)?.contains("3 lines could not be used"));
    Ok(())
}

#[test]
fn a_recording_is_checked_with_its_own_tools() -> Outcome {
    let folder = Folder::new("recording")?;
    let file = folder.file("calls.jsonl", lines_of(&recording()))?;
    let output = toolbox(&["check", "--json", "--tools", &file, "--calls", &file])?;
    let verdicts: Vec<_> = lines(&output)?.iter().map(|line| json!([line["id"], line["verdict"]])).collect();
    let expected = json!([[1, "ok"], [2, "rejected"], [3, "repaired"], [4, "ok"], [5, "rejected"], [6, "rejected"]]);
    assert_eq!(json!(verdicts), expected, "{}", complaint(&output));
    let output = toolbox(&["check", "--tools", &file, "--calls", &file])?;
    assert!(String::from_utf8(output.stdout)?.contains("1 redacted calls were not checked again"));
    Ok(())
}

/// Any program can have written a recording.
#[test]
fn deep_and_long_calls_are_counted_and_shortened_on_the_page() -> Outcome {
    let folder = Folder::new("long-recording")?;
    let deep =
        format!(r#"{{"tool":"a","verdict":"unchecked","arguments":{}{}}}"#, "[".repeat(10_000), "]".repeat(10_000));
    let long = json!({"tool": "a", "arguments": {"x": "y".repeat(1_000_000)}, "answer": "z".repeat(1_000_000)});
    let issues: Vec<Value> = (0..10_000).map(|number| json!({"code": "C", "path": number.to_string()})).collect();
    let many = json!({"tool": "b", "verdict": "rejected", "issues": issues, "at_ms": u64::MAX, "ms": 1e300});
    let file = folder.file("calls.jsonl", format!("{deep}\n{long}\n{many}\n"))?;
    let page = folder.file("report.html", "")?;
    let output = toolbox(&["report", &file, "-o", &page])?;
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let html = std::fs::read_to_string(&page)?;
    assert!(html.contains("3 calls of 2 tools") && html.contains("[[[[") && html.contains("zzzz"));
    assert!(html.len() < 100_000, "{} bytes", html.len());
    Ok(())
}
