//! Compares lenient parsing of broken JSON with the test suites of other projects.

use serde_json::{Value, json};
use tool_schema::json::Json;

use super::calls::word;
use super::{Bench, Outcome};

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("broken JSON");
    let rows = bench.rows("malformed.jsonl")?;
    let input =
        bench.command.file("malformed.jsonl", rows.iter().map(|row| json!({"id": row["id"], "raw": row["input"]})))?;
    let (lines, complaints) = bench.command.lines(&["parse", "--input", &input, "--json"])?;
    if lines.len() != rows.len() || !complaints.is_empty() {
        return Err(format!("{} readings of {} texts; {complaints:?}", lines.len(), rows.len()).into());
    }
    let (mut musts, mut exact, mut others, mut also) = (0_u32, 0_u32, 0, 0);
    for (row, line) in rows.iter().zip(&lines) {
        let (id, status, input) = (word(row, "id"), word(line, "status"), word(row, "input"));
        if matches!(word(row, "expect"), "error" | "no_value") && status == "clean" && Json::parse(input).is_err() {
            bench.figure(false, &format!("{id} came back clean"));
        }
        if word(row, "expect") != "value" || has_two_documents(bench, id) {
            continue;
        }
        let right = matches!(status, "clean" | "repaired" | "incomplete") && is_same(&line["value"], &row["expected"]);
        let must = row["agree"].as_array().is_some_and(|agree| agree.len() >= 2);
        if must {
            musts += 1;
            exact += u32::from(right);
            if !right {
                println!("      {id}: {status}, {input:?} is not {}", row["expected"]);
            }
        } else {
            others += 1;
            also += usize::from(right);
        }
    }
    let share = f64::from(exact) * 100.0 / f64::from(musts);
    bench.figure(share >= 98.0, &format!("{exact} of {musts} musts are exact ({share:.1} %)"));
    println!("      {also} of {others} others as their suite has it, which the suites contradict each other on");
    Ok(())
}

/// Returns `true` for equal JSON values; `2` equals `2.0`.
fn is_same(left: &Value, right: &Value) -> bool {
    let both = Json::from_value(left).and_then(|left| Ok((left, Json::from_value(right)?)));
    both.is_ok_and(|(left, right)| left.same_value(&right))
}

/// Returns `true` if a row is excluded because it contains two documents, which some suites join and we reject.
fn has_two_documents(bench: &mut Bench, id: &str) -> bool {
    bench.known.cause(id).is_some_and(|cause| cause.contains("two documents"))
}
