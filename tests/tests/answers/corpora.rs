//! Answers with the broken JSON of the test suites of JSON repairers: alone, in the wrapper of a value, and in a list of a struct.
//!
//! The texts are not in this repository. If the environment variable `TOOLBOX_CORPORA` names their folder, the figures are printed and
//! checked; otherwise the test prints that it was skipped.

use std::path::PathBuf;

use serde_json::{Value, json};
use tool_runtime::Dialect;
use tool_runtime::tool_schema::extract;

use super::answered;
use super::types::{Answer, DIALECTS, Each, Page, each, form};

/// `parameters` of Gemini accept neither recursion nor a schema for any value.
fn dialects() -> impl Iterator<Item = Dialect> {
    DIALECTS.into_iter().filter(|&dialect| dialect != Dialect::GEMINI_SCHEMA)
}

/// Rows whose expectations do not apply: it is ambiguous which one of two documents is meant (0014, 0768), and a control character in a text
/// is kept (0676).
const OTHERS: [&str; 3] = ["suite-0014", "suite-0768", "suite-0676"];

/// A text, and what two or more repairers read in it; `Err` if they reject it.
struct Row {
    id: String,
    text: String,
    expected: Result<Value, ()>,
    is_agreed: bool,
    /// `true` if the text is a word that repairers leave alone, such as `True`. Inside of a document, it is a value.
    is_word: bool,
}

fn rows() -> Option<Vec<Row>> {
    let folder = std::env::var_os("TOOLBOX_CORPORA").map(PathBuf::from).filter(|folder| folder.is_dir());
    let Some(folder) = folder else {
        println!("skipped: TOOLBOX_CORPORA is not set");
        return None;
    };
    let text = std::fs::read_to_string(folder.join("malformed.jsonl")).unwrap_or_else(|error| panic!("{error}"));
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let id = text("id");
        let is_fault = ["error", "no_value"].contains(&&*text("expect"));
        let agreed = row["agree"].as_array().map_or(0, Vec::len);
        // What repairers do to valid JSON depends on a schema of theirs.
        let is_valid = serde_json::from_str::<Value>(&text("input")).is_ok();
        let is_agreed = agreed >= 2 && !is_valid && !OTHERS.contains(&&*id);
        let expected = if is_fault { Err(()) } else { Ok(row["expected"].clone()) };
        Row { id, text: text("input"), expected, is_agreed, is_word: text("expect") == "no_value" }
    };
    Some(text.lines().map(row).collect())
}

/// Returns a value, and what repairs may make of it without a loss: a list of one item for this item, an integer for a number with a zero as
/// fraction, and an object for a list without entries.
fn meanings(value: &Value) -> Vec<Value> {
    let mut meanings = vec![value.clone(), json!([value]), whole(value)];
    if *value == json!([]) {
        meanings.push(json!({}));
    }
    meanings
}

fn whole(value: &Value) -> Value {
    match value {
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), whole(value))).collect(),
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 => {
                format!("{float:.0}").parse::<i64>().map_or(value.clone(), Value::from)
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}

#[derive(Default)]
struct Figures {
    read: usize,
    rejected: usize,
    wrong: Vec<String>,
}

impl Figures {
    /// Counts what became of a text. A value that differs from the one on which the repairers agree is wrong.
    fn count<T: Answer>(&mut self, dialect: Dialect, row: &Row, text: &str, place: impl Fn(&Value) -> Value) {
        let Some(form) = form::<T>(dialect, "") else { return };
        match answered(&form, dialect, text) {
            Ok(value) => {
                self.read += 1;
                let meanings = row.expected.iter().flat_map(meanings);
                let mut wanted = meanings.filter_map(|meant| serde_json::from_value::<T>(place(&meant)).ok());
                if row.is_agreed && !row.is_word && !wanted.any(|wanted| wanted == value) {
                    self.wrong.push(format!("{dialect}: {}: {text:?} became {value:?}", row.id));
                }
            }
            Err(error) => {
                self.rejected += 1;
                assert!(!error.issues().is_empty(), "{dialect}: {}: {error}", row.id);
            }
        }
    }

    fn print(&self, name: &str) {
        println!("malformed.jsonl, {name}: {} read, {} rejected, {} wrong", self.read, self.rejected, self.wrong.len());
        assert!(self.wrong.is_empty(), "{name}: {}", self.wrong.join("\n"));
    }
}

#[test]
fn broken_json_inside_an_answer_is_the_agreed_value_or_issues() {
    let Some(rows) = rows() else { return };
    let (mut alone, mut wrapped, mut listed) = (Figures::default(), Figures::default(), Figures::default());
    for row in &rows {
        for dialect in dialects() {
            wrapped.count::<Value>(dialect, row, &format!(r#"{{"value": {}}}"#, row.text), Value::clone);
            let text = format!(r#"{{"items": [{}], "next": 1}}"#, row.text);
            listed.count::<Page<Value>>(dialect, row, &text, |value| json!({"items": [value], "next": 1}));
        }
        match extract::<Value>(&row.text) {
            Ok(read) if row.is_agreed && row.expected.as_ref() != Ok(&read.value) => {
                alone.wrong.push(format!("{}: {:?} became {}", row.id, row.text, read.value));
            }
            Ok(_) => alone.read += 1,
            Err(_) => alone.rejected += 1,
        }
    }
    alone.print("alone");
    wrapped.print("in a wrapper");
    listed.print("in a list");
    assert!(wrapped.read > 300 && listed.read > 300, "{} {}", wrapped.read, listed.read);
}

struct Ten<'r>(&'r [Row], Figures);

impl Each for Ten<'_> {
    fn of<T: Answer>(&mut self, _: &str, _: &T) {
        for dialect in dialects() {
            for row in self.0 {
                self.1.count::<T>(dialect, row, &row.text, Value::clone);
                self.1.count::<T>(dialect, row, &format!(r#"{{"value": {}}}"#, row.text), Value::clone);
            }
        }
    }
}

#[test]
fn broken_json_for_ten_types_is_a_value_of_the_type_or_issues() {
    let Some(rows) = rows() else { return };
    let mut ten = Ten(&rows, Figures::default());
    each(&mut ten);
    ten.1.print("ten types");
    assert!(ten.1.rejected > 10_000, "{}", ten.1.rejected);
}
