//! Tests of the shared health of a tool: any order of calls and ends, from any number of workers, whose clocks may jump.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use crate::clock::SimulatedClock;
use crate::failure::{Failure, ToolError};
use crate::shape::{Ref, Shape};
use crate::throttle::{
    CallEnd, CountingMode, HealthEnd, HealthPermit, HealthRules, LimitOverrides, RateLimit, SessionLimits,
};
use crate::throttle::{StreakLimits, Throttle, ThrottlePolicy, ThrottledCall, ToolHealth};

/// A time of day.
const TODAY: Duration = Duration::from_secs(1_800_000_000);
const FIRST_PAUSE: Duration = Duration::from_secs(30);
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);
/// The maximum size of a saved state in bytes, with a rate of eight calls.
const MOST_BYTES: usize = 3_000;

fn rules(has_rate: bool) -> HealthRules {
    let rate = has_rate.then_some(RateLimit { calls: 8, window: Duration::from_secs(10) });
    HealthRules { rate, ..HealthRules::default() }
}

fn failure(kind: u8) -> Failure {
    match kind {
        0 => Failure::timeout("search", None),
        1 => Failure::unavailable("search", None),
        2 => Failure::rate_limited("search", Some(Duration::from_secs(90))),
        number => Failure::tool_error("search", &ToolError::unavailable(format!("Error {number}."))),
    }
}

fn end(kind: u8) -> HealthEnd {
    match kind {
        0..=5 => HealthEnd::from_failure(Some(&failure(kind))),
        6 => HealthEnd::Neutral,
        _ => HealthEnd::Succeeded,
    }
}

/// Saves and loads a state.
fn copied(health: &ToolHealth) -> ToolHealth {
    let text = serde_json::to_string(health).expect("a state can be saved");
    assert!(text.len() <= MOST_BYTES, "{} bytes: {text}", text.len());
    serde_json::from_str(&text).expect("a saved state can be loaded")
}

/// Checks that the tool can be called again after the longest possible wait, whatever calls never reported.
fn assert_recovers(mut health: ToolHealth, rules: &HealthRules, now: Duration) {
    // If the clock has jumped back, this call notices the jump.
    let _ = health.admit(rules, "search", now);
    let mut now = now.saturating_add(LONGEST_PAUSE);
    let probe = health.admit(rules, "search", now).expect("every pause ends by itself");
    health.report_end(rules, probe, &HealthEnd::Succeeded, now);
    assert!(!health.is_paused(), "{health:?}");
    for _ in 0..3 {
        now += Duration::from_secs(2);
        let permit = health.admit(rules, "search", now).expect("the tool is no longer paused");
        assert!(!permit.is_probe());
    }
}

/// A call that runs.
struct Running {
    permit: HealthPermit,
    began: Duration,
}

#[derive(Clone, Debug)]
enum Step {
    Admit,
    /// The running call with this number reports this end.
    Report(usize, u8),
    /// The worker of the running call with this number stops without a report.
    Crash(usize),
    Wait(u64),
    JumpBack(u64),
}

fn steps(jumps: bool) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => Just(Step::Admit),
        4 => (0..16_usize, 0..8_u8).prop_map(|(call, end)| Step::Report(call, end)),
        1 => (0..16_usize).prop_map(Step::Crash),
        3 => (0..40_000_u64).prop_map(Step::Wait),
        u32::from(jumps) => (0..100_000_000_u64).prop_map(Step::JumpBack),
    ];
    prop::collection::vec(step, 1..200)
}

/// Runs the steps, and checks after each that the saved state decides like the state itself. `admitted` is called for each admitted call.
fn run(
    steps: &[Step],
    rules: &HealthRules,
    mut admitted: impl FnMut(&[Running], &Running, bool) -> Result<(), TestCaseError>,
) -> Result<(ToolHealth, Duration), TestCaseError> {
    let (mut health, mut running, mut now) = (ToolHealth::default(), Vec::<Running>::new(), TODAY);
    for step in steps {
        let mut copy = copied(&health);
        match *step {
            Step::Admit => {
                let was_paused = health.is_paused();
                let decided = health.admit(rules, "search", now);
                prop_assert_eq!(&decided, &copy.admit(rules, "search", now));
                match decided {
                    Ok(permit) => {
                        let call = Running { permit, began: now };
                        admitted(&running, &call, was_paused)?;
                        running.push(call);
                    }
                    Err(ThrottledCall { retry_after, .. }) => {
                        prop_assert!(retry_after.is_some_and(|wait| !wait.is_zero() && wait <= LONGEST_PAUSE));
                    }
                }
            }
            Step::Report(call, kind) if call < running.len() => {
                let Running { permit, .. } = running.swap_remove(call);
                health.report_end(rules, permit, &end(kind), now);
                copy.report_end(rules, permit, &end(kind), now);
                prop_assert_eq!(serde_json::to_string(&health).ok(), serde_json::to_string(&copy).ok());
            }
            Step::Crash(call) if call < running.len() => drop(running.swap_remove(call)),
            Step::Wait(millis) => now += Duration::from_millis(millis),
            Step::JumpBack(seconds) => now = now.saturating_sub(Duration::from_secs(seconds)),
            Step::Report(..) | Step::Crash(_) => {}
        }
    }
    Ok((health, now))
}

proptest! {
    #[test]
    fn at_most_one_probe_runs_after_each_pause(steps in steps(false), has_rate: bool) {
        let rules = rules(has_rate);
        let (health, now) = run(&steps, &rules, |running, call, was_paused| {
            prop_assert_eq!(call.permit.is_probe(), was_paused);
            let probes = running.iter().filter(|other| other.permit.is_probe() && call.permit.is_probe());
            for probe in probes {
                // This probe has not reported for at least the length of the shortest pause.
                prop_assert!(call.began.saturating_sub(probe.began) >= FIRST_PAUSE);
            }
            Ok(())
        })?;
        assert_recovers(health, &rules, now);
    }

    #[test]
    fn a_tool_recovers_whatever_the_clocks_do(steps in steps(true), has_rate: bool) {
        let rules = rules(has_rate);
        let (health, now) = run(&steps, &rules, |_, call, was_paused| {
            prop_assert_eq!(call.permit.is_probe(), was_paused);
            Ok(())
        })?;
        assert_recovers(health, &rules, now);
    }

    #[test]
    fn one_conversation_is_decided_as_by_its_own_throttle(
        steps in prop::collection::vec((0..8_u8, 0_u64..60_000), 1..80),
        has_rate: bool,
    ) {
        let rules = rules(has_rate);
        let limits = SessionLimits {
            counting: CountingMode::Everything,
            consecutive_failures: Some(StreakLimits::DEFAULT),
            same_error: Some(StreakLimits::DEFAULT),
            same_tool_rate: rules.rate,
            ..SessionLimits::NONE
        };
        let mut policy = ThrottlePolicy::with_limits(limits);
        let tool = policy.add_tool("search", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
        let clock = SimulatedClock::new();
        let throttle = Throttle::new(Arc::new(policy), Arc::new(clock.clone()));
        let (mut health, mut now) = (ToolHealth::default(), TODAY);
        for (kind, millis) in steps {
            clock.advance(Duration::from_millis(millis));
            now += Duration::from_millis(millis);
            let arguments = "{}".into();
            let own = throttle.admit(tool, &arguments, None);
            let shared = health.admit(&rules, "search", now);
            prop_assert_eq!(own.as_ref().err(), shared.as_ref().err());
            let (Ok(ticket), Ok(permit)) = (own, shared) else { continue };
            health.report_end(&rules, permit, &end(kind), now);
            match kind {
                0..=5 => ticket.report(&arguments, CallEnd::from_failure(&failure(kind))),
                6 => ticket.report(&arguments, CallEnd::Denied),
                _ => ticket.report(&arguments, CallEnd::Succeeded { result: "[]", repairs: 0 }),
            };
        }
    }

    #[test]
    fn damaged_states_are_rejected_or_recover(
        probe in any::<(u64, u64)>(), left: u64, until: u64, length: u64, count: u32, probes: u64,
    ) {
        let text = format!(
            r#"{{"probe":[{},{}],"left":{left},"in_a_row":{count},"until":{until},"probes":{probes},"pauses":{probes},
            "window":{{"times":[{until},{left}]}},"errors":[{{"error":"00000000000000ff","count":{count},"last":{until},"news":7}}],
            "pause":{{"rule":"same_error","count":{count},"backoff":[{length},{count},{until}],"length":{length},"until":{until}}}}}"#,
            probe.0, probe.1,
        );
        if let Ok(mut health) = serde_json::from_str::<ToolHealth>(&text) {
            let rules = HealthRules::default();
            let _ = health.admit(&rules, "search", TODAY);
            // A damaged state may contain the longest pause that a host can set.
            let later = TODAY + Duration::from_secs(2 * 24 * 60 * 60);
            prop_assert!(health.admit(&rules, "search", later).is_ok(), "{:?}", health);
        }
    }
}

#[test]
fn a_clock_that_jumps_back_does_not_make_a_pause_longer() {
    let (mut health, rules) = (ToolHealth::default(), HealthRules::default());
    for _ in 0..3 {
        let permit = health.admit(&rules, "search", TODAY).expect("it is not paused");
        health.report_end(&rules, permit, &end(1), TODAY);
    }
    let yesterday = TODAY.saturating_sub(Duration::from_secs(24 * 60 * 60));
    let rejected = health.admit(&rules, "search", yesterday).expect_err("it is paused");
    assert_eq!(rejected.retry_after, Some(FIRST_PAUSE));
    assert!(health.admit(&rules, "search", yesterday + FIRST_PAUSE).is_ok_and(HealthPermit::is_probe));
}

#[test]
fn only_failures_that_are_not_the_fault_of_the_call_count() {
    let is_paused_by = |failure: &Failure, rules: &HealthRules| {
        let mut health = ToolHealth::default();
        for _ in 0..3 {
            let permit = health.admit(rules, "search", TODAY).expect("it is not paused");
            health.report_end(rules, permit, &HealthEnd::from_failure(Some(failure)), TODAY);
        }
        health.is_paused()
    };
    let rules = HealthRules::default();
    let rejected = Failure::tool_error("search", &ToolError::new("There is no such file."));
    assert!(is_paused_by(&Failure::internal("search", "a panic"), &rules));
    assert!(is_paused_by(&Failure::timeout("search", None), &rules));
    for failure in [&rejected, &Failure::denied("search", "No."), &Failure::cancelled("search")] {
        assert!(!is_paused_by(failure, &rules), "{failure:?}");
    }
    assert!(is_paused_by(&rejected, &HealthRules { counts_tool_errors: true, ..rules }));
    assert_eq!(HealthEnd::from_failure(None), HealthEnd::Succeeded);
}

#[test]
fn a_requested_delay_makes_a_pause_longer() {
    let (mut health, rules) = (ToolHealth::default(), HealthRules::default());
    for _ in 0..3 {
        let permit = health.admit(&rules, "search", TODAY).expect("it is not paused");
        health.report_end(&rules, permit, &end(2), TODAY);
    }
    let rejected = health.admit(&rules, "search", TODAY).expect_err("it is paused");
    assert_eq!(rejected.retry_after, Some(Duration::from_secs(90)));
    assert_eq!((health.pause_count(), health.probe_count()), (1, 0));
}
