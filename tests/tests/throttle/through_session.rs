//! Loops and legitimate patterns in a session: real tools that end as the step says, real batches, answers of the host.

use std::collections::HashMap;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::Value;
use tests::script::{End, Query, Step, TOOLS, issues};
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::failure::ThrottleRule;
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::throttle::LimitOverrides;
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::Guard;
use tool_runtime::{CallContext, Outcome, Session, ToolError, ToolInput, Toolbox};
use tool_schema::shape::Ref;

use super::legitimate::PATTERNS;
use super::loops::{LOOPS, decisions};

/// The steps by the ids of their calls.
type Plan = Arc<Mutex<HashMap<String, Step>>>;

/// Ends each call according to its step.
struct Obedient {
    spec: ToolSpec,
    plan: Plan,
    clock: SimulatedClock,
}

impl Tool for Obedient {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, _: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let step = self.plan.lock().expect("the lock is not poisoned").get(cx.call_id()).cloned();
        let Some(step) = step else { return AnswerOrFuture::Ready(Ok(Payload::Done)) };
        self.clock.advance(step.takes);
        AnswerOrFuture::Ready(match step.end {
            End::Ok(result) => Ok(Payload::Text(result)),
            End::Err(error) => Err(ToolError::new(error).into()),
            End::Bad(fields) => match ValidationError::new(issues(&fields)) {
                Some(error) => Err(CallError::Invalid(error)),
                None => Ok(Payload::Done),
            },
            End::Cancelled => return AnswerOrFuture::Pending(Box::pin(pending())),
            End::Denied | End::Deferred => Err(ToolError::new("This should not have run.").into()),
        })
    }
}

struct Played {
    session: Session,
    clock: SimulatedClock,
    plan: Plan,
}

impl Played {
    /// Creates the tools of all scripts. The hook is only installed if a step needs it, because arguments then have to match the schema.
    fn new(is_asked: bool) -> Self {
        let (clock, plan) = (SimulatedClock::new(), Plan::default());
        let mut builder = Toolbox::builder().clock(clock.clone()).guard(Guard::OFF);
        for name in TOOLS {
            let mut spec = ToolSpec::new(name, "Does as it is written.", Ref::Static(Query::SHAPE));
            spec.settings.annotations.read_only = (name == "list").then_some(true);
            spec.throttle = match name {
                "status" => LimitOverrides::NONE.polling(),
                "finish" => LimitOverrides::NONE.unlimited(),
                "clocked" => LimitOverrides::NONE.volatile_result_fields(["timestamp"]),
                "no_streak" => LimitOverrides::NONE.disable_rule(ThrottleRule::ConsecutiveFailures),
                _ => LimitOverrides::NONE,
            };
            builder = builder.tool(Obedient { spec, plan: Arc::clone(&plan), clock: clock.clone() });
        }
        if is_asked {
            let plan = Arc::clone(&plan);
            builder = builder.before_call(move |call: &ProposedCall<'_>| {
                let plan = plan.lock().expect("the lock is not poisoned");
                match plan.get(call.call_id()).map(|step| &step.end) {
                    Some(End::Denied) => Verdict::deny("No."),
                    Some(End::Deferred) => Verdict::Defer,
                    _ => Verdict::Run,
                }
            });
        }
        Self { session: builder.build().expect("the names differ").session(), clock, plan }
    }

    /// Makes the calls of one decision: a single call, or all calls of a batch.
    fn decide(&self, first: usize, steps: &[Step]) -> Vec<Outcome> {
        let ids: Vec<_> = (first..first + steps.len()).map(|call| format!("call_{call}")).collect();
        let planned = ids.iter().cloned().zip(steps.iter().cloned());
        self.plan.lock().expect("the lock is not poisoned").extend(planned);
        let mut cx = Context::from_waker(Waker::noop());
        let [(id, step)] = ids.iter().zip(steps).collect::<Vec<_>>()[..] else {
            let calls = ids.iter().zip(steps).map(|(id, step)| (id, step.tool, &*step.arguments));
            return pollster::block_on(self.session.call_batch(calls)).into_outcomes();
        };
        let mut call = pin!(self.session.call(id, step.tool, step.arguments.as_str()));
        if let Poll::Ready(outcome) = call.as_mut().poll(&mut cx) {
            return vec![outcome];
        }
        assert!(self.session.cancel(id));
        vec![pollster::block_on(call)]
    }
}

fn is_asked(steps: &[(usize, Vec<Step>)]) -> bool {
    steps.iter().flat_map(|(_, steps)| steps).any(|step| matches!(step.end, End::Denied | End::Deferred))
}

/// Returns the rule that rejects a call.
fn rejected_by(outcome: &Outcome) -> Option<String> {
    let failure = outcome.failure().filter(|failure| failure.error_type() == "throttled")?;
    let told: Value = failure.to_value();
    Some(told["rule"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn every_loop_is_rejected_at_the_expected_call_in_a_session() {
    for &(kind, what, every, step, at, rule) in LOOPS {
        let decisions = decisions(40, step);
        let played = Played::new(is_asked(&decisions));
        let (mut rejected, mut has_warned) = (None, false);
        for (first, steps) in &decisions {
            let outcomes = played.decide(*first, steps);
            rejected = outcomes.iter().zip(first + 1..).find_map(|(outcome, call)| Some((call, rejected_by(outcome)?)));
            has_warned |= outcomes.iter().any(|outcome| !outcome.warnings().is_empty());
            if rejected.is_some() {
                break;
            }
            played.clock.advance(Duration::from_millis(every) * u32::try_from(steps.len()).unwrap_or(1));
        }
        assert_eq!(rejected, Some((at, rule.as_str().to_owned())), "{kind}, {what}");
        let warns = !matches!(rule, ThrottleRule::SameToolRate | ThrottleRule::OverallRate);
        assert!(has_warned || !warns, "{kind}, {what}: there was no warning");
    }
}

#[test]
fn legitimate_work_is_never_rejected_in_a_session() {
    for &(what, every, calls, step) in PATTERNS {
        let decisions = decisions(calls, step);
        let played = Played::new(is_asked(&decisions));
        for (first, steps) in &decisions {
            for outcome in played.decide(*first, steps) {
                assert_eq!(rejected_by(&outcome), None, "{what}: {}", outcome.call_id());
            }
            played.clock.advance(Duration::from_millis(every) * u32::try_from(steps.len()).unwrap_or(1));
        }
    }
}
