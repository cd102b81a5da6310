//! Random scripts: whatever happens, each request is well-formed, and stored runs and records give the same state.

use std::time::Duration;

use proptest::prelude::*;
use tool_chat::conversation::TurnLimits;
use tool_chat::model::{ModelError, ModelErrorKind, Response, StopReason, ToolCall, Usage};
use tool_chat::run::{CallAnswer, Next, Record, Run};
use tool_runtime::Session;

use super::tools::{CALLS, outcome, session};
use super::well_formed::violation;

/// One thing that happens, or that a faulty driver reports.
#[derive(Clone, Debug)]
pub(crate) enum Happens {
    Prompt,
    /// Calls by their position in [`CALLS`], with ids by their position in [`IDS`].
    Answer {
        text: usize,
        calls: Vec<(usize, usize)>,
        stop: usize,
        is_cut: bool,
        is_offered: bool,
    },
    Fail {
        is_rejected: bool,
    },
    TimeOut,
    Start(usize),
    /// The end of a call; the outcome is that of the call, or of another one.
    End {
        call: usize,
        like: Option<usize>,
        has_other_id: bool,
    },
    Collapse,
    Stop {
        answers: Vec<usize>,
    },
    Abandon,
    /// The run is stored and read back.
    Reload,
}

/// Ids of calls: usual ones, missing ones, and those that a run would make.
const IDS: [&str; 6] = ["a", "b", "", " ", "call_1", "call_3"];

const TEXTS: [&str; 4] = ["", "It is sunny.", "Which city?", "{\"text\": \"\\u202e\"}"];

pub(crate) fn happens() -> impl Strategy<Value = Happens> {
    let calls = prop::collection::vec((0..CALLS.len(), 0..IDS.len()), 0..4);
    prop_oneof![
        2 => Just(Happens::Prompt),
        8 => (0..TEXTS.len(), calls, 0..4_usize, any::<bool>(), any::<bool>())
            .prop_map(|(text, calls, stop, is_cut, is_offered)| Happens::Answer { text, calls, stop, is_cut, is_offered }),
        1 => any::<bool>().prop_map(|is_rejected| Happens::Fail { is_rejected }),
        1 => Just(Happens::TimeOut),
        2 => (0..4_usize).prop_map(Happens::Start),
        16 => (0..4_usize, prop::option::weighted(0.2, 0..CALLS.len()), prop::bool::weighted(0.05))
            .prop_map(|(call, like, has_other_id)| Happens::End { call, like, has_other_id }),
        1 => Just(Happens::Collapse),
        1 => prop::collection::vec(0..4_usize, 0..3).prop_map(|answers| Happens::Stop { answers }),
        1 => Just(Happens::Abandon),
        4 => Just(Happens::Reload),
    ]
}

fn limits() -> TurnLimits {
    let mut limits = TurnLimits::default();
    (limits.steps, limits.calls, limits.corrections) = (Some(8), Some(12), 2);
    (limits.tokens, limits.time) = (Some(10_000), Some(Duration::from_secs(60)));
    limits
}

pub(crate) fn stored(run: &Run) -> String {
    serde_json::to_string(run).expect("a run is JSON")
}

pub(crate) fn read_back(text: &str) -> Run {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the id, the name and the arguments of a call that is open or waits, by its index.
fn call_at(run: &Run, index: usize) -> Option<(String, String, String)> {
    match run.next() {
        Next::Call(calls) => {
            let open = calls.iter().find(|open| open.index == index)?;
            Some((open.call.id.clone(), open.call.name.clone(), open.arguments().to_owned()))
        }
        Next::Wait(calls) => {
            let call = calls.iter().find(|waits| waits.index == index)?.call;
            Some((call.outcome.call_id().to_owned(), call.name.clone(), call.arguments.clone()))
        }
        _ => None,
    }
}

/// Returns the record of an event. Its ids and outcomes fit the run, except where the script contains others.
pub(crate) fn record(run: &Run, session: &Session, happens: &Happens) -> Option<Record> {
    let took = Duration::from_millis(700);
    Some(match happens {
        Happens::Prompt => Record::from_prompt("What is the weather?"),
        Happens::Answer { text, calls, stop, is_cut, is_offered } => {
            let stops = [StopReason::Finished, StopReason::ToolCalls, StopReason::Length, StopReason::Filtered];
            let calls = calls.iter().map(|&(call, id)| ToolCall::new(IDS[id], CALLS[call].0, CALLS[call].1));
            let response = Response::from_text(TEXTS[*text]).with_calls(calls).with_stop(stops[*stop]);
            let thoughts = vec![serde_json::json!({"signature": "c2ln", "deep": [[[{}]]]})];
            let response = response.with_thoughts(thoughts).with_usage(Usage::new(100, 10));
            Record::from_model_answer(response)
                .with_cut_off(*is_cut)
                .with_correction_tool(*is_offered)
                .with_time_since_previous(took)
        }
        Happens::Fail { is_rejected } => {
            let kind = if *is_rejected { ModelErrorKind::Rejected } else { ModelErrorKind::Transport };
            Record::from_model_error(ModelError::new(kind, "no answer")).with_time_since_previous(took)
        }
        Happens::TimeOut => Record::new_timed_out().with_time_since_previous(took),
        Happens::Start(call) => Record::from_call_start(*call),
        Happens::End { call, like, has_other_id } => {
            let (id, name, arguments) = call_at(run, *call).unwrap_or_default();
            let id = if *has_other_id { "other" } else { &id };
            let like = like.map_or((&*name, &*arguments), |like| CALLS[like]);
            // A call that waits needs an answer, so its second outcome is a result.
            let like = if matches!(run.next(), Next::Wait(_)) && like.0 == "ask_user" { CALLS[0] } else { like };
            Record::from_call_end(*call, outcome(session, id, like)).with_time_since_previous(took)
        }
        Happens::Collapse => Record::from_collapsed_containers(run.expanded_containers()),
        Happens::Stop { answers } => {
            let answer = |&call: &usize| {
                let (id, ..) = call_at(run, call)?;
                Some(CallAnswer { call, outcome: outcome(session, &id, CALLS[0]).into() })
            };
            Record::from_stopped_turn(answers.iter().filter_map(answer))
        }
        Happens::Abandon => Record::Abandoned,
        Happens::Reload => return None,
    })
}

/// Checks the request, if the run asks the model.
pub(crate) fn check(run: &mut Run, instructions: &str, reminder: Option<&str>) -> Result<bool, String> {
    run.set_session_texts(instructions, reminder);
    let Next::Ask(ask) = run.next() else { return Ok(false) };
    match violation(ask.messages) {
        Some(violation) => Err(format!("{violation}: {:#?}", ask.messages)),
        None => Ok(true),
    }
}

fn new() -> Run {
    Run::new().instructions("Use the tools.").limits(limits())
}

/// The number of cases, of those with this number of requests, and of applied records.
#[derive(Default)]
struct Seen {
    requests: usize,
    applied: usize,
    rejected: usize,
    waits: usize,
}

/// Replaces something that cannot happen in this state.
pub(crate) fn fitting(run: &Run, happens: &Happens) -> Happens {
    use Happens::{Answer, End, Fail, Prompt, Start, TimeOut};
    let end = |call: usize, indices: Vec<usize>| {
        let call = indices.get(call % indices.len()).copied().unwrap_or_default();
        End { call, like: None, has_other_id: false }
    };
    match (run.next(), happens) {
        (Next::Prompt | Next::Done(_), Answer { .. } | End { .. } | Start(_) | Fail { .. } | TimeOut) => Prompt,
        (Next::Ask(_), Start(call) | End { call, .. }) => {
            let calls = (0..=*call).map(|place| ((7 * call + 5 * place) % CALLS.len(), (call + place) % IDS.len()));
            Answer { text: call % TEXTS.len(), calls: calls.collect(), stop: 1, is_cut: false, is_offered: true }
        }
        (Next::Call(calls), Answer { stop, .. }) => end(*stop, calls.iter().map(|open| open.index).collect()),
        (Next::Call(calls), End { call, .. }) => end(*call, calls.iter().map(|open| open.index).collect()),
        (Next::Wait(calls), Answer { stop, .. }) => end(*stop, calls.iter().map(|waits| waits.index).collect()),
        _ => happens.clone(),
    }
}

fn play(script: &[(Happens, bool)], has_unique_ids: bool, seen: &mut Seen) -> Result<(), TestCaseError> {
    let (session, mut run, mut log) = (session(), new().unique_ids(has_unique_ids), Vec::new());
    for (position, (happens, fits)) in script.iter().enumerate() {
        let before = stored(&run);
        let happens = if *fits { fitting(&run, happens) } else { happens.clone() };
        let Some(record) = record(&run, &session, &happens) else {
            let again = read_back(&before);
            prop_assert_eq!(&stored(&again), &before);
            // The texts of the session are not stored.
            run.set_session_texts("", None);
            // An issue that was read back has its texts, and not the constraint itself; all else is equal.
            if !matches!(run.next(), Next::Done(_)) {
                prop_assert_eq!(format!("{:?}", again.next()), format!("{:?}", run.next()));
            }
            run = again;
            continue;
        };
        let line = serde_json::to_string(&record).expect("a record is JSON");
        match run.apply_record(record) {
            Ok(()) => {
                seen.applied += 1;
                log.push(line);
            }
            Err(error) => {
                seen.rejected += 1;
                prop_assert_eq!(&stored(&run), &before, "{}", error);
            }
        }
        seen.waits += usize::from(matches!(run.next(), Next::Wait(_)));
        let texts = ([("", None), ("## Web\n\nBe kind.", Some("One task is open."))])[position % 2];
        if has_unique_ids {
            let is_request = check(&mut run, texts.0, texts.1).map_err(TestCaseError::fail)?;
            seen.requests += usize::from(is_request);
        }
    }
    let mut again = new().unique_ids(has_unique_ids);
    for line in &log {
        let record = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        prop_assert_eq!(again.apply_record(record), Ok(()));
    }
    prop_assert_eq!(stored(&again), stored(&run), "the same records give the same state");
    Ok(())
}

/// Returns the configuration of a property that has no file for its failures.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

fn cases() -> u32 {
    std::env::var("RUN_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(tests::cases(64))
}

fn run_all(has_unique_ids: bool) -> Seen {
    let seen = std::cell::RefCell::new(Seen::default());
    let mut runner = proptest::test_runner::TestRunner::new(config(cases()));
    let scripts = prop::collection::vec((happens(), prop::bool::weighted(0.85)), 1..60);
    let result = runner.run(&scripts, |script| play(&script, has_unique_ids, &mut seen.borrow_mut()));
    result.unwrap_or_else(|error| panic!("{error}"));
    seen.into_inner()
}

#[test]
fn requests_are_well_formed_and_restored_states_equal_the_originals() {
    let Seen { requests, applied, rejected, waits } = run_all(true);
    println!("{applied} records applied, {rejected} rejected, {requests} requests, {waits} states that wait");
    assert!(requests > 100 && applied > 600 && rejected > 60 && waits > 0, "the scripts reach too little");
}

#[test]
fn restored_states_equal_the_originals_without_unique_ids() {
    let Seen { applied, rejected, .. } = run_all(false);
    assert!(applied > 600, "only {applied} records were applied, and {rejected} rejected");
}
