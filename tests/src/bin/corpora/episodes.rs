//! Replays recorded sessions with the throttle, and counts which of them it stops.
//!
//! The calls of `episodes.jsonl` and `retry_chains.jsonl` are made every 1, 3 and 10 seconds, in a session whose tools answer as recorded.
//! The figures are the number of rejected loops, of throttled legitimate episodes, and of rejected calls that were recorded as a success with
//! a new result. An episode is a loop if four equal (tool, arguments, result) or four equal failures occur in a row; every other episode is
//! legitimate.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tests::script::{Query, issues};
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::Guard;
use tool_runtime::{CallContext, Session, ToolError, ToolInput, Toolbox};
use tool_schema::shape::Ref;

use super::{Bench, Outcome};

/// The seconds between two calls.
const SPEEDS: [u64; 3] = [1, 3, 10];
/// The number of equal calls or failures in a row that make a loop.
const LOOP: usize = 4;
/// The largest allowed percentage of throttled legitimate episodes.
const PERCENT: usize = 1;

/// A recorded call.
#[derive(Clone)]
struct Recorded {
    tool: String,
    arguments: String,
    result: String,
    ending: Ending,
}

#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Succeeded,
    Failed,
    /// The arguments were rejected.
    Rejected,
}

/// The figures at one speed.
#[derive(Default)]
struct Figures {
    loops: usize,
    rejected: usize,
    legitimate: usize,
    throttled: Vec<String>,
    successes: Vec<String>,
}

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("recorded sessions");
    let mut episodes = Vec::new();
    for row in bench.rows("episodes.jsonl")? {
        episodes.push(episode(&row)?);
    }
    for row in bench.rows("retry_chains.jsonl")? {
        episodes.push(chain(&row)?);
    }
    for seconds in SPEEDS {
        let mut figures = Figures::default();
        for (id, steps) in &episodes {
            figures.add(id, steps, &replay(steps, seconds)?);
        }
        figures.report(bench, seconds);
    }
    Ok(())
}

impl Figures {
    fn add(&mut self, id: &str, steps: &[Recorded], rejected: &[usize]) {
        if is_loop(steps) {
            self.loops += 1;
            self.rejected += usize::from(!rejected.is_empty());
        } else {
            self.legitimate += 1;
            if let Some(first) = rejected.first() {
                self.throttled.push(format!("{id}, call {}, {}", first + 1, steps[*first].tool));
            }
        }
        let mut known = HashSet::new();
        for (index, Recorded { tool, arguments, result, ending }) in steps.iter().enumerate() {
            let is_new = known.insert((tool, arguments, result));
            if is_new && *ending == Ending::Succeeded && rejected.contains(&index) {
                self.successes.push(format!("{id}, call {}, {tool}", index + 1));
            }
        }
    }

    fn report(&self, bench: &mut Bench, seconds: u64) {
        let Self { loops, rejected, legitimate, throttled, successes } = self;
        if *loops == 0 {
            // Loops that were written by hand are in `tests/tests/throttle`.
            println!("      {seconds} s a call: none of the recorded sessions is a loop");
        } else {
            bench.figure(rejected == loops, &format!("{seconds} s a call: {rejected} of {loops} loops rejected"));
        }
        let words = format!("{seconds} s a call: {} of {legitimate} legitimate episodes throttled", throttled.len());
        bench.figure(*legitimate > 0 && throttled.len() * 100 <= legitimate * PERCENT, &words);
        for which in throttled {
            println!("      {which}");
        }
        let words = format!("{seconds} s a call: {} new successes rejected", successes.len());
        bench.figure(successes.is_empty(), &words);
        for which in successes {
            println!("      {which}");
        }
    }
}

/// Returns `true` if equal calls or failures are repeated too often in a row.
fn is_loop(steps: &[Recorded]) -> bool {
    let same_call = |one: &Recorded, other: &Recorded| {
        one.tool == other.tool && one.arguments == other.arguments && one.result == other.result
    };
    let same_failure = |one: &Recorded, other: &Recorded| {
        let have_failed = one.ending != Ending::Succeeded && other.ending != Ending::Succeeded;
        have_failed && one.tool == other.tool && one.result == other.result
    };
    let in_a_row = |same: &dyn Fn(&Recorded, &Recorded) -> bool| {
        steps.windows(LOOP).any(|row| row.windows(2).all(|pair| same(&pair[0], &pair[1])))
    };
    in_a_row(&same_call) || in_a_row(&same_failure)
}

/// Returns the indices of the calls that the throttle stops.
fn replay(steps: &[Recorded], seconds: u64) -> Result<Vec<usize>, Box<dyn std::error::Error>> {
    let clock = SimulatedClock::new();
    let plan = Plan::default();
    let mut builder = Toolbox::builder().clock(clock.clone()).guard(Guard::OFF);
    let names: BTreeSet<&str> = steps.iter().map(|step| &*step.tool).collect();
    for name in names {
        let spec = ToolSpec::new(name.to_owned(), "Answers as recorded.", Ref::Static(Query::SHAPE));
        builder = builder.tool(Replayed { spec, plan: Arc::clone(&plan) });
    }
    let session = builder.build()?.session();
    let mut rejected = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        plan.lock().unwrap_or_else(PoisonError::into_inner).insert(index.to_string(), step.clone());
        if is_throttled(&session, index, step) {
            rejected.push(index);
        }
        clock.advance(Duration::from_secs(seconds));
    }
    Ok(rejected)
}

fn is_throttled(session: &Session, index: usize, step: &Recorded) -> bool {
    let arguments = json!({ "q": step.arguments }).to_string();
    let id = index.to_string();
    let call = pin!(session.call(&id, &step.tool, arguments));
    // A recorded answer is available immediately.
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else { return false };
    outcome.failure().is_some_and(|failure| failure.error_type() == "throttled")
}

/// The recorded calls, by call id.
type Plan = Arc<Mutex<HashMap<String, Recorded>>>;

/// A tool that answers as recorded.
struct Replayed {
    spec: ToolSpec,
    plan: Plan,
}

impl Tool for Replayed {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let step = self.plan.lock().unwrap_or_else(PoisonError::into_inner).get(cx.call_id()).cloned();
        let Some(Recorded { result, ending, .. }) = step else { return AnswerOrFuture::Ready(Ok(Payload::Done)) };
        AnswerOrFuture::Ready(match ending {
            Ending::Succeeded => Ok(Payload::Text(result)),
            Ending::Failed => Err(ToolError::new(result).into()),
            Ending::Rejected => Err(ValidationError::new(issues(std::slice::from_ref(&result)))
                .map_or_else(|| ToolError::new(result).into(), CallError::Invalid)),
        })
    }
}

fn episode(row: &Value) -> Result<(String, Vec<Recorded>), serde_json::Error> {
    #[derive(Deserialize)]
    struct Episode {
        id: String,
        steps: Vec<Step>,
    }
    #[derive(Deserialize)]
    struct Step {
        tool: String,
        args: String,
        res: String,
        verdict: String,
    }
    let Episode { id, steps } = Episode::deserialize(row)?;
    let recorded = |Step { tool, args, res, verdict }| {
        let ending = match &*verdict {
            "ok" => Ending::Succeeded,
            "validation_error" => Ending::Rejected,
            _ => Ending::Failed,
        };
        Recorded { tool, arguments: args, result: res, ending }
    };
    Ok((id, steps.into_iter().map(recorded).collect()))
}

fn chain(row: &Value) -> Result<(String, Vec<Recorded>), serde_json::Error> {
    #[derive(Deserialize)]
    struct Chain {
        id: String,
        tool: String,
        steps: Vec<Step>,
    }
    #[derive(Deserialize)]
    struct Step {
        args: Value,
        server_ok: bool,
        server_message: Option<String>,
    }
    let Chain { id, tool, steps } = Chain::deserialize(row)?;
    let recorded = |Step { args, server_ok, server_message }| Recorded {
        tool: tool.clone(),
        arguments: args.to_string(),
        result: server_message.unwrap_or_default(),
        ending: if server_ok { Ending::Succeeded } else { Ending::Rejected },
    };
    Ok((id, steps.into_iter().map(recorded).collect()))
}
