//! A session that is saved and restored at any points answers like one that goes on undisturbed.

use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::Value;
use tool_runtime::Dialect;
use tool_runtime::clock::Clock;
use tool_runtime::hook::HostArguments;
use tool_runtime::session::{Completion, CompletionError, SessionSetup};
use tool_runtime::{Outcome, Session, ToolError};

use super::world::{KEY, World, restored, saved, seal, unsealed};

/// One step of a host or a model.
#[derive(Clone, Debug)]
enum Step {
    Call(&'static str, &'static str),
    Batch(Vec<(&'static str, &'static str)>),
    /// The time in milliseconds.
    Pass(u64),
    Complete(usize, Answer),
    Cancel(usize),
    Definitions,
    Turn,
    Remind(&'static str),
    Release(&'static str),
    Reset(&'static str),
    /// Save and restore the session; the undisturbed one goes on.
    Restart,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    Resume,
    ResumeWith,
    Result,
    Failed,
    Denied,
}

const CALLS: &[(&str, &str)] = &[
    ("search", r#"{"query": "a"}"#),
    ("search", r#"{"limit": null, "query": "a"}"#),
    ("search", r#"{"query":"a"}"#),
    ("search", r#"{"query": "a", "limit": 3}"#),
    ("search", r#"{"query": "b"}"#),
    ("search", r#"{"query": "nothing"}"#),
    ("search", r#"{"limit": 12}"#),
    ("search", r#"{"query": "a", "limit": 12}"#),
    ("search", r#"{"query": "a", "limit": "3"}"#),
    ("Search", r"{query: 'a',}"),
    ("write", r#"{"text": "a"}"#),
    ("write", r#"{"text": "a", "labels": null}"#),
    ("write", r#"{"text": "a", "labels": [{"key": "b", "value": "c"}]}"#),
    ("write", r#"{"text": "a", "labels": {"b": "c"}}"#),
    ("write", r#"{"text": "fail"}"#),
    ("write", r#"{"text": "busy"}"#),
    ("write", r#"{"text": 3}"#),
    ("write", "{"),
    ("login", r#"{"user": "a", "pin": "4711"}"#),
    ("login", r#"{"pin": "4711", "user": "a"}"#),
    ("login", r#"{"user": "a", "pin": "4710"}"#),
    ("login", r#"{"user": "a", "pin": "1"}"#),
    ("login", r#"{"user": "a", "PIN": "4711"}"#),
    ("login", r#"{"user": "guest", "pin": "4711"}"#),
    ("login", r#"{"user": "guest", "pin": "4710"}"#),
    ("purge", r#"{"folder": "tmp"}"#),
    ("purge", r#"{"folder": "home"}"#),
    ("purge", r#"{"folder": "home", "approval": 3}"#),
    ("ask_user", r#"{"question": "Why?"}"#),
    ("ask_user", r#"{"question": "Why?", "code": "x1"}"#),
    ("ask_user", r#"{"question": "?"}"#),
    ("Files", "{}"),
    ("Files", r#"{"lines": 3}"#),
    ("Web", ""),
    ("list", r#"{"lines": 3}"#),
    ("list", r#"{"lines": 200}"#),
    ("Files__list", r#"{"lines": 3}"#),
    ("fetch", r#"{"url": "x"}"#),
    ("echo", r#"{"n": 1}"#),
    ("read_result", r#"{"handle": "result_1"}"#),
    ("read_result", r#"{"handle": "result_2", "search": "line 8"}"#),
    ("lists", "{}"),
    ("invented", "{}"),
];

fn a_call() -> impl Strategy<Value = (&'static str, &'static str)> {
    // Half of the calls are of a few kinds, so that repetitions, alternations and pauses occur.
    let few = prop::sample::select(vec![0, 1, 5, 6, 10, 14, 15, 18, 20, 26, 31, 33, 34, 35]);
    prop_oneof![few, 0..CALLS.len()].prop_map(|call| CALLS[call])
}

fn step() -> impl Strategy<Value = Step> {
    let answer =
        prop::sample::select(vec![Answer::Resume, Answer::ResumeWith, Answer::Result, Answer::Failed, Answer::Denied]);
    prop_oneof![
        30 => a_call().prop_map(|(name, arguments)| Step::Call(name, arguments)),
        4 => prop::collection::vec(a_call(), 1..5).prop_map(Step::Batch),
        6 => prop_oneof![0_u64..900, 1_000_u64..40_000].prop_map(Step::Pass),
        5 => (0_usize..3, answer).prop_map(|(call, answer)| Step::Complete(call, answer)),
        1 => (0_usize..3).prop_map(Step::Cancel),
        2 => Just(Step::Definitions),
        1 => Just(Step::Turn),
        1 => prop::sample::select(vec!["The build is red.", "It rains."]).prop_map(Step::Remind),
        1 => prop::sample::select(vec!["Files", "Web"]).prop_map(Step::Release),
        1 => prop::sample::select(vec!["write", ""]).prop_map(Step::Reset),
        8 => Just(Step::Restart),
    ]
}

/// Returns a script: single steps, and one or two calls that a model repeats, with restarts between them.
fn script(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let pause = prop_oneof![Just(None), Just(Some(Step::Pass(1_100))), Just(Some(Step::Restart))];
    let pauses = prop::collection::vec(pause, 2..9);
    let repeated = (prop::collection::vec(a_call(), 1..3), pauses).prop_map(|(calls, pauses)| {
        let calls = calls.iter().cycle().map(|(name, arguments)| Step::Call(name, arguments));
        calls.zip(pauses).flat_map(|(call, pause)| [call].into_iter().chain(pause)).collect()
    });
    let block = prop_oneof![6 => step().prop_map(|step| vec![step]), 2 => repeated];
    prop::collection::vec(block, 1..most).prop_map(|blocks| blocks.concat())
}

/// A session, and everything that its host has seen.
struct Host {
    world: World,
    dialect: Option<Dialect>,
    session: Session,
    calls: usize,
    seen: String,
    /// The part of a saved state that is lost, in a test of the tests.
    lost: Option<&'static str>,
}

impl Host {
    fn new(dialect: Option<Dialect>) -> Self {
        let world = World::new(dialect);
        let session = world.toolbox.begin_session(SessionSetup::new().id("seven")).expect("no state is declared");
        Self { world, dialect, session, calls: 0, seen: String::new(), lost: None }
    }

    fn restart(&mut self) {
        let mut text = saved(&self.session);
        if let Some(part) = self.lost {
            text = without(part, &text);
        }
        self.world = self.world.restarted(self.dialect);
        self.session = restored(&self.world.toolbox, &text);
    }

    fn id(&mut self) -> String {
        self.calls += 1;
        // Some ids occur twice.
        format!("call_{}", if self.calls.is_multiple_of(7) { self.calls - 1 } else { self.calls })
    }

    fn see(&mut self, outcome: &Outcome) {
        let (repairs, warnings) = (outcome.repairs(), outcome.warnings());
        let text = outcome.to_text_with_notes();
        let lines = (outcome.call_id(), outcome.tool_name(), text, repairs, warnings, outcome.repaired_arguments());
        writeln!(self.seen, "{lines:#?}").expect("a string takes everything");
    }

    fn run(&mut self, step: &Step) {
        match step {
            Step::Call(name, arguments) => {
                let id = self.id();
                let outcome = pollster::block_on(self.session.call(&id, name, *arguments));
                self.see(&outcome);
            }
            Step::Batch(calls) => {
                let ids: Vec<String> = calls.iter().map(|_| self.id()).collect();
                let session = self.session.clone();
                let calls = calls.iter().zip(&ids).map(|((name, arguments), id)| (id.as_str(), *name, *arguments));
                let outcomes = pollster::block_on(session.call_batch(calls.collect::<Vec<_>>()).into_future());
                outcomes.outcomes().iter().for_each(|outcome| self.see(outcome));
            }
            Step::Pass(time) => self.world.clock.advance(Duration::from_millis(*time)),
            Step::Complete(call, answer) => {
                let Some(id) = self.session.deferred_calls().get(*call).map(|call| call.call_id().to_owned()) else {
                    return;
                };
                let answer = self.answer(&id, *answer);
                match answer {
                    Ok(outcome) => self.see(&outcome),
                    Err(error) => self.seen.push_str(&error.to_string()),
                }
            }
            Step::Cancel(call) => {
                if let Some(call) = self.session.deferred_calls().get(*call) {
                    assert!(self.session.cancel(call.call_id()));
                }
            }
            Step::Definitions => {
                self.seen.push_str(&self.session.definitions_in(Dialect::ANTHROPIC).to_string());
                self.seen.push_str(&self.session.definitions().to_string());
            }
            Step::Turn => {
                self.session.end_turn();
                self.session.begin_turn();
            }
            Step::Remind(text) => self.session.add_reminder(text),
            Step::Release(container) => {
                let is_released = self.session.collapse_container(container);
                writeln!(self.seen, "{is_released}").expect("a string takes everything");
            }
            Step::Reset("") => self.session.reset_throttle(),
            Step::Reset(tool) => assert!(self.session.reset_tool_throttle(tool)),
            Step::Restart => {}
        }
    }

    fn answer(&self, id: &str, answer: Answer) -> Result<Outcome, CompletionError> {
        match answer {
            Answer::Resume => pollster::block_on(self.session.resume(id)),
            Answer::ResumeWith => {
                let values = HostArguments::new().with("approval", 4);
                pollster::block_on(self.session.resume_with_host_arguments(id, values))
            }
            Answer::Result => self.session.complete(id, "Because."),
            Answer::Failed => self.session.complete(id, ToolError::new("The user has left.")),
            Answer::Denied => self.session.complete(id, Completion::denied("No.")),
        }
    }

    /// Returns everything that is visible from outside.
    fn look(&self) -> String {
        let session = &self.session;
        let deferred = session.deferred_calls();
        let deferred = deferred.iter().map(|call| {
            let missing: Vec<_> = call.missing_host_parameters().iter().map(|field| field.name.to_string()).collect();
            (
                call.call_id().to_owned(),
                call.tool_name().to_owned(),
                call.arguments_text().into_owned(),
                missing,
                call.repairs().to_vec(),
            )
        });
        let deferred: Vec<_> = deferred.collect();
        let names: Vec<String> = session.tools().iter().map(|tool| tool.name().to_owned()).collect();
        let statistics = serde_json::to_string(&session.statistics()).expect("statistics are JSON");
        let rest = (session.reminders(), session.is_expanded("Files"), session.is_expanded("Web"), session.id());
        format!("{deferred:?}\n{names:?}\n{statistics}\n{rest:?}\n{:?}", self.world.log.take())
    }
}

/// Removes a member from a saved state, wherever it occurs.
fn without(part: &str, text: &str) -> String {
    fn remove(part: &str, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| remove(part, item)),
            Value::Object(members) => {
                members.remove(part);
                members.values_mut().for_each(|member| remove(part, member));
            }
            _ => {}
        }
    }
    let mut state: Value = serde_json::from_str(text).expect("a state is JSON");
    remove(part, &mut state);
    if state["session"]["sealed"].is_string() {
        let mut sealed = unsealed(&state, &KEY);
        remove(part, &mut sealed);
        state["session"]["sealed"] = seal(&sealed, &KEY);
    }
    state.to_string()
}

/// Runs a script with and without restarts, and returns everything that was seen.
fn compare(script: &[Step], dialect: Option<Dialect>, lost: Option<&'static str>) -> Result<String, TestCaseError> {
    let (mut undisturbed, mut saved) = (Host::new(dialect), Host { lost, ..Host::new(dialect) });
    let mut all = String::new();
    for (at, step) in script.iter().enumerate() {
        if matches!(step, Step::Restart) {
            saved.restart();
        }
        undisturbed.run(step);
        saved.run(step);
        prop_assert_eq!(&undisturbed.seen, &saved.seen, "after {} of {:#?}", at, script);
        all.push_str(&std::mem::take(&mut undisturbed.seen));
        saved.seen.clear();
        prop_assert_eq!(undisturbed.look(), saved.look(), "after {} of {:#?}", at, script);
        prop_assert_eq!(undisturbed.world.clock.unix_time(), saved.world.clock.unix_time());
    }
    Ok(all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(16)))]

    #[test]
    fn a_restored_session_answers_like_an_undisturbed_one(script in script(50)) {
        compare(&script, None, None)?;
    }

    #[test]
    fn a_restored_session_converts_calls_back_like_an_undisturbed_one(script in script(50)) {
        compare(&script, Some(Dialect::OPENAI_STRICT), None)?;
    }
}

/// The scripts of the tests above reach everything that a session remembers.
#[test]
fn the_scripts_reach_every_part_of_a_session() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    let mut missing = vec![
        "same_error",
        "identical_call",
        "alternating_calls",
        "same_tool_rate",
        "overall_rate",
        "run_budget",
        "unknown_tools",
        "is rejected again",
        "gave the same result. Once more",
        "been called in turn",
        "with the same error. After one more",
        "deferred",
        "cannot run the call",
        "denied",
        "expanded",
        "not_expanded",
        "Because.",
        "Bytes 0 to",
        "seven:call_",
        "home purged with 4",
        r#"Some({\"b\": \"c\"})"#,
    ];
    let mut runner = TestRunner::deterministic();
    for _ in 0..90 {
        let script = script(60).new_tree(&mut runner).expect("a script").current();
        let seen = compare(&script, Some(Dialect::OPENAI_STRICT), None).expect("both sessions are equal");
        missing.retain(|part| !seen.contains(part));
        if missing.is_empty() {
            return;
        }
    }
    panic!("no script shows {missing:?}");
}

/// The tests above notice each part of a saved state that is lost.
#[test]
fn the_tests_notice_each_lost_part_of_a_saved_state() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    let mut missed = Vec::new();
    for part in PARTS {
        let mut runner = TestRunner::deterministic();
        let is_noticed = (0..LOST).any(|_| {
            let script = script(50).new_tree(&mut runner).expect("a script").current();
            compare(&script, Some(Dialect::OPENAI_STRICT), Some(part)).is_err()
        });
        if !is_noticed {
            missed.push(part);
        }
    }
    assert!(missed.is_empty(), "nothing depends on {missed:?}");
}

/// The number of scripts in which a lost part must be noticed.
const LOST: usize = 100;

/// Optional parts of a saved state on which the answers depend in many scripts.
const PARTS: &[&str] = &[
    "elapsed",
    "expanded",
    "advertised",
    "reminders",
    "results",
    "deferred",
    "refused",
    "is_told",
    "throttle",
    "details",
    "traces",
    "sightings",
    "overall",
    "run",
    "failures",
    "minute",
    "unknown_names",
    "calls",
    "window",
    "times",
    "counters",
    "refusals",
    "errors",
    "tries",
];
