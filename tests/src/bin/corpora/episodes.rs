//! Recorded sessions under the throttle, three seconds a step: what fires, and that nothing else does.
//!
//! In: `episodes.jsonl`. Out: each pause. What always holds: `docs/corpora.md` lists it as `ID TOOL RULE`, and a pause because of failures
//! stands on three of them in a row, which are counted once more here.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tests::script::{Script, Step, bad, err, ok};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{Limits, Overrides};

use super::{Bench, Outcome};

/// How many failures of one tool in a row a pause needs.
const IN_A_ROW: usize = 3;

#[derive(Deserialize)]
struct Episode {
    id: String,
    steps: Vec<Recorded>,
}

#[derive(Deserialize)]
struct Recorded {
    tool: String,
    args: String,
    res: String,
    verdict: String,
}

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("recorded sessions");
    let rows = bench.rows("episodes.jsonl")?;
    let (mut steps, mut pauses) = (0, 0);
    for row in &rows {
        let episode = Episode::deserialize(row)?;
        steps += episode.steps.len();
        for (tool, rule, at) in fired(&episode) {
            pauses += 1;
            let id = format!("{} {tool} {}", episode.id.get(..8).unwrap_or(&episode.id), rule.as_str());
            let words = format!("{id} after step {at}");
            let is_right =
                rule != ThrottleRule::ConsecutiveFailures || failures_in_a_row(&episode.steps[..at], &tool) >= IN_A_ROW;
            match bench.known.cause(&id).map(str::to_owned) {
                Some(cause) if is_right => println!("      {words} ({cause})"),
                Some(_) => bench.figure(false, &format!("{words}: its failures are fewer")),
                None => bench.figure(false, &format!("{words}: not in docs/corpora.md")),
            }
        }
    }
    let words = format!("{} sessions with {steps} calls, {pauses} pauses", rows.len());
    bench.figure(!rows.is_empty(), &words);
    Ok(())
}

impl Recorded {
    fn has_failed(&self) -> bool {
        self.verdict != "ok"
    }

    fn step(&self, tool: &'static str) -> Step {
        let arguments = format!("{{\"q\":\"{}\"}}", self.args);
        match self.verdict.as_str() {
            "ok" => ok(tool, arguments, &*self.res),
            "validation_error" => bad(tool, arguments, &[&self.res]),
            _ => err(tool, arguments, &*self.res),
        }
    }
}

/// The failures of one tool in a row that the steps end with, counted by themselves.
fn failures_in_a_row(steps: &[Recorded], tool: &str) -> usize {
    steps.iter().rev().filter(|step| step.tool == tool).take_while(|step| step.has_failed()).count()
}

/// The tools that were paused, by which rule, and after which step. Whether a pause began is asked of a copy of the session so far, so
/// that asking changes nothing.
fn fired(episode: &Episode) -> Vec<(String, ThrottleRule, usize)> {
    let names: BTreeMap<&str, &'static str> =
        episode.steps.iter().map(|step| (&*step.tool, &*Box::leak(step.tool.clone().into_boxed_str()))).collect();
    let tools: Vec<_> = names.values().map(|name| (*name, Overrides::NONE)).collect();
    let mut seen = BTreeSet::new();
    let mut fired = Vec::new();
    for upto in 1..=episode.steps.len() {
        let mut script = Script::of(Limits::default(), &tools);
        for recorded in &episode.steps[..upto] {
            script.call(&recorded.step(names[&*recorded.tool]));
            script.wait(3_000);
        }
        let last = &episode.steps[upto - 1];
        let Some(rule) = script.call(&last.step(names[&*last.tool])).refused_by() else { continue };
        if seen.insert((last.tool.clone(), rule.as_str())) {
            fired.push((last.tool.clone(), rule, upto));
        }
    }
    fired
}
