//! Judges what the models sent, without the models: `data/recorded.jsonl` has conversations about ten tasks, and `data/cases.jsonl`
//! the distinct calls of all runs (`model cases FILE…` prints those of more). `UPDATE_GOLDEN=1` writes both files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use model::run::{Record, Talk, Verdict};
use model::sides::{Bench, End, Side};
use model::table::{Sent, cases, distinct_calls, tables, wilson};
use model::tasks::tasks;
use serde_json::Value;
use tool_runtime::RepairPolicy;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn records() -> Vec<Record> {
    let text = fs::read_to_string(file("recorded.jsonl")).expect("the file is there");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is a record")).collect()
}

fn compare(name: &str, text: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(file(name), text).expect("the file can be written");
    }
    assert_eq!(fs::read_to_string(file(name)).unwrap_or_default(), text, "{name}: UPDATE_GOLDEN=1 writes it");
}

#[test]
fn recorded_answers_are_judged_as_before() {
    let (bench, tasks) = (Bench::default(), tasks());
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for mut record in records() {
        let task = tasks.iter().find(|task| task.id == record.task).expect("the task is known");
        let (_, side) = *Side::ALL.iter().find(|(name, _)| *name == record.side).expect("the side is known");
        let talk = Talk { bench: &bench, side, planted: record.planted, corrections: 1 };
        let (messages, _) = talk.begin(task);
        let before = messages.last().map(tool_chat::model::Message::text).unwrap_or_default().to_owned();
        for turn in &mut record.turns {
            let (judged, _) = talk.run_call(task, &turn.text, &before);
            (turn.end, turn.repaired, turn.copied) = (judged.end, judged.repaired, judged.copied);
        }
        seen.insert(record.task.clone());
        let _ = writeln!(text, "{}", serde_json::to_string(&record).expect("a record is JSON"));
    }
    assert!(seen.len() >= 10, "{} tasks", seen.len());
    compare("recorded.jsonl", &text);
}

#[test]
fn what_the_models_sent_is_repaired_as_before() {
    let known = fs::read_to_string(file("cases.jsonl")).expect("the file is there");
    let text = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let mut calls: BTreeSet<Sent> = known
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .map(|line: Value| (text(&line, "task"), text(&line, "tool"), text(&line, "arguments")))
        .collect();
    calls.extend(distinct_calls(&records()));
    let text = cases(&calls);
    compare("cases.jsonl", &text);
    // A repair does not make a call run with other arguments than the model meant: these calls have the wrong number, in quotes.
    let wrong: Vec<_> = text
        .lines()
        .filter(|line| line.contains(r#""lossless":"wrong""#) && !line.contains(r#""strict":"wrong""#))
        .collect();
    let numbers = [r#"\"every_hours\": \"24\""#, r#"\"volume_percent\": \"50\""#, r#"\"amount_cents\": \"1000000\""#];
    let is_number = |line: &&str| numbers.iter().any(|number| line.contains(number));
    assert_eq!(wrong.iter().filter(|line| !is_number(line)).count(), 0, "{wrong:#?}");
}

#[test]
fn each_task_has_one_right_call_and_a_wrong_one_that_every_side_rejects() {
    let (bench, tasks) = (Bench::default(), tasks());
    assert!(tasks.len() >= 60 && bench.tools.len() == 12);
    for task in &tasks {
        for (name, side) in Side::ALL {
            let right = bench.call(side, RepairPolicy::Strict, &task.tool, task.right.get());
            assert!(matches!(right, End::Ran(_, false)), "{} {name}: {right:?}", task.id);
            let wrong = bench.call(side, RepairPolicy::Strict, &task.tool, &task.wrong);
            assert!(matches!(wrong, End::Rejected(_)), "{} {name}: {wrong:?}", task.id);
        }
    }
}

/// `docs/compare.md` shows what rmcp and rig really answer.
#[test]
fn the_texts_of_other_crates_are_theirs() {
    let page =
        fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/compare.md")).expect("the page");
    let bench = Bench::default();
    for (side, words) in [
        (Side::Rmcp, "failed to deserialize parameters: missing field `"),
        (Side::Rig, "failed to parse tool arguments: missing field `"),
    ] {
        let End::Rejected(text) = bench.call(side, RepairPolicy::Strict, "play_music", r#"{"source": "album"}"#) else {
            panic!("it is rejected");
        };
        assert!(text.starts_with(words) && page.contains(words), "{text}");
    }
}

#[test]
fn the_tables_count_each_end() {
    let turn = |end: &str| serde_json::json!({"text": "", "end": end, "tokens_in": 1, "tokens_out": 1});
    let record = |task: &str, side: &str, end: &str| -> Record {
        let value = serde_json::json!({"model": "m", "planted": true, "task": task, "side": side, "bytes": 10, "turns": [turn(end)]});
        serde_json::from_value(value).expect("a record")
    };
    let records = [
        record("01", "by-hand", "wrong"),
        record("02", "by-hand", "right"),
        record("01", "list", "right"),
        record("02", "list", "right"),
    ];
    let page = tables(&records);
    assert!(page.contains("| list | 10 | 2 of 2 | 34–100 | 1 : 0 | 0 |"), "{page}");
    assert!(page.contains("| by-hand | 10 | 1 of 2 | 9–91 | 0 : 0 | 1 |"), "{page}");
    assert_eq!(records[0].turns[0].end, Verdict::Wrong);
    let (low, high) = wilson(10, 40);
    assert!((low - 14.2).abs() < 0.1 && (high - 40.2).abs() < 0.1, "{low} {high}");
}
