//! Recorded sessions, three seconds a step: what fires, and that nothing else does.
//!
//! The recordings are not part of this repository; `TOOLBOX_CORPORA` names the folder that has them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use tests::script::{Script, Step, bad, err, ok};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{Limits, Overrides};

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

/// The most failures of one tool in a row, counted by themselves.
fn failures_in_a_row(episode: &Episode, tool: &str) -> usize {
    let steps = episode.steps.iter().filter(|step| step.tool == tool);
    let runs = steps.scan(0, |run, step| {
        *run = if step.has_failed() { *run + 1 } else { 0 };
        Some(*run)
    });
    runs.max().unwrap_or_default()
}

#[test]
fn recorded_episodes_fire_where_they_should_and_nowhere_else() {
    let Some(folder) = std::env::var_os("TOOLBOX_CORPORA") else {
        println!("skipped: TOOLBOX_CORPORA names no folder with episodes.jsonl");
        return;
    };
    let file = Path::new(&folder).join("episodes.jsonl");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let (mut episodes, mut steps, mut loops) = (0, 0, BTreeSet::new());
    for line in text.lines() {
        let episode: Episode = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        episodes += 1;
        steps += episode.steps.len();
        for (tool, rule, at) in fired(&episode) {
            println!("{} {rule:<20} {tool} from step {at}", &episode.id[..8]);
            match rule {
                "identical_call" => drop(loops.insert(episode.id[..8].to_owned())),
                "consecutive_failures" => assert!(failures_in_a_row(&episode, &tool) >= 3, "{} {tool}", episode.id),
                rule => panic!("{} {rule} {tool}", episode.id),
            }
        }
    }
    println!("{episodes} episodes, {steps} steps");
    assert!(episodes > 0);
    assert_eq!(loops.into_iter().collect::<Vec<_>>(), ["99d7541a"]);
}

/// The tools that were paused, by which rule, and after which step. Whether a pause began is asked of a copy of the session so far, so
/// that asking changes nothing.
fn fired(episode: &Episode) -> Vec<(String, &'static str, usize)> {
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
        let rule = script.call(&last.step(names[&*last.tool])).refused_by().map(ThrottleRule::as_str);
        fired.extend(
            rule.filter(|rule| seen.insert((last.tool.clone(), *rule))).map(|rule| (last.tool.clone(), rule, upto)),
        );
    }
    fired
}
