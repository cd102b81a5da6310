//! Checks field reports of containers and numbers that arrived as text.

use serde_json::{Value, json};

use super::calls::word;
use super::{Bench, Outcome};

/// The values for the one report without a literal value, one for each type that it names.
const WRITTEN: [(&str, &str); 2] = [("array", r#"["a", 1]"#), ("object", r#"{"a": 1}"#)];

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("field reports");
    let rows = bench.rows("field_reports.jsonl")?;
    let mut right = 0;
    for row in &rows {
        let cases: Vec<(String, String, Value)> = match row["sent"].as_str() {
            Some(sent) => vec![(word(row, "schema_type").to_owned(), sent.to_owned(), row["wanted"].clone())],
            None => WRITTEN
                .iter()
                .map(|(kind, sent)| Ok(((*kind).to_owned(), (*sent).to_owned(), serde_json::from_str(sent)?)))
                .collect::<Result<_, serde_json::Error>>()?,
        };
        let mut all = true;
        for (kind, sent, wanted) in cases {
            all &= one(bench, row, &kind, &sent, &wanted)?;
        }
        right += usize::from(all);
        if !all {
            println!("      {} is not as wanted", word(row, "id"));
        }
    }
    bench.figure(right == rows.len(), &format!("{right} of {} as wanted", rows.len()));
    Ok(())
}

fn one(bench: &Bench, row: &Value, kind: &str, sent: &str, wanted: &Value) -> Result<bool, Box<dyn std::error::Error>> {
    let name = row["param"].as_str().unwrap_or("value");
    let schema = json!({"type": "object", "properties": {name: {"type": kind}}, "required": [name]});
    let tools = bench.command.file("tools.jsonl", [json!({"name": "tool", "parameters": schema})])?;
    let calls = bench.command.file("calls.jsonl", [json!({"tool": "tool", "arguments": {name: sent}})])?;
    let (verdicts, _) = bench.command.lines(&["check", "--tools", &tools, "--calls", &calls, "--json"])?;
    Ok(verdicts
        .first()
        .is_some_and(|verdict| word(verdict, "verdict") == "repaired" && verdict["arguments"][name] == *wanted))
}
