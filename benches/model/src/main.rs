//! Measures with a real model which answer to a rejected call leads to the right one.
//!
//! - `run ADDRESS MODEL FILE [likelihood | planted | free] [SIDE,SIDE] [STEP] [CORRECTIONS]` lets the model at `ADDRESS` do every `STEP`th task
//!   with each side, and appends a line for each conversation to `FILE`. Conversations that the file has already are left out, so an interrupted
//!   run goes on. With `planted`, the first call is the typical wrong one; with `free`, the model makes it. `likelihood` is `planted` with the
//!   probability of the right call, which takes twice the time.
//! - `table FILE…` prints the tables of these files in Markdown.
//! - `cases FILE…` prints the distinct calls that the models sent.
//! - `texts` prints the answer of each side to the wrong call of each task.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::ExitCode;

use model::run::{self, GRAMMAR, Record, Talk};
use model::server::Server;
use model::sides::{Bench, Side};
use model::table;
use model::tasks::tasks;
use serde_json::{Value, json};
use tool_adapters::GenAi;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", address, model, file, ref rest @ ..] => run(address, model, file, rest),
        ["table", ref files @ ..] => read(files).map(|records| print!("{}", table::tables(&records))),
        ["cases", ref files @ ..] => read(files).map(|records| print!("{}", table::cases(&table::distinct_calls(&records)))),
        ["texts"] => {
            texts();
            Ok(())
        }
        _ => Err("usage: model run ADDRESS MODEL FILE [likelihood | planted | free] [SIDE,SIDE] [STEP] [CORRECTIONS], or table, cases or texts".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("model: {error}");
            ExitCode::FAILURE
        }
    }
}

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn read(files: &[&str]) -> Done<Vec<Record>> {
    let mut records = Vec::new();
    for file in files {
        for line in fs::read_to_string(file)?.lines() {
            records.push(serde_json::from_str(line)?);
        }
    }
    Ok(records)
}

fn texts() {
    let bench = Bench::default();
    for task in tasks() {
        println!("## {}: {}\n\n`{}` with `{}`\n", task.id, task.prompt, task.tool, task.wrong);
        for (name, side) in Side::ALL {
            let talk = Talk { bench: &bench, side, planted: true, corrections: 1 };
            let (messages, bytes) = talk.begin(&task);
            let text = messages.last().map(tool_chat::model::Message::text).unwrap_or_default();
            println!("- {name}, {bytes} bytes:\n\n```text\n{text}\n```\n");
        }
    }
}

fn run(address: &str, model: &str, file: &str, rest: &[&str]) -> Done {
    let mode = rest.first().copied().unwrap_or("likelihood");
    let is_planted = mode != "free";
    let all: Vec<&str> = Side::ALL.iter().map(|(name, _)| *name).collect();
    let names: Vec<&str> = rest.get(1).map_or(all, |names| names.split(',').collect());
    let step: usize = rest.get(2).map_or(Ok(1), |step| step.parse())?;
    let corrections: usize = rest.get(3).map_or(Ok(1), |number| number.parse())?;
    let sides: Vec<(&str, Side)> = Side::ALL.into_iter().filter(|(name, _)| names.contains(name)).collect();

    let known = if fs::exists(file)? { read(&[file])? } else { Vec::new() };
    let known: BTreeSet<_> =
        known.into_iter().map(|known| (known.model, known.planted, known.task, known.side)).collect();
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;

    let (bench, server) = (Bench::default(), Server(address.to_owned()));
    let body = [("grammar", Value::from(GRAMMAR)), ("cache_prompt", json!(true))];
    let chat = GenAi::openai_compatible(&format!("http://{address}/v1"), model, None).extra_body(body);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for task in tasks().iter().step_by(step.max(1)) {
        for &(name, side) in &sides {
            let key = (model.to_owned(), is_planted, task.id.clone(), name.to_owned());
            if known.contains(&key) {
                continue;
            }
            let talk = Talk { bench: &bench, side, planted: is_planted, corrections };
            let (bytes, turns) = runtime.block_on(talk.talk(&chat, task))?;
            let likelihood = if mode == "likelihood" {
                let (messages, _) = talk.begin(task);
                Some(server.likelihood(&run::as_json(&messages), &run::start(&task.tool), task.right.get())?)
            } else {
                None
            };
            let (model, planted, task, side) = key;
            let record = Record { model, planted, task, side, bytes, turns, likelihood };
            writeln!(out, "{}", serde_json::to_string(&record)?)?;
        }
    }
    Ok(())
}
