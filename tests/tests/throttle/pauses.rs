//! Pauses and probes: one call runs, the others wait, and every pause ends.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests::script::{End, Script, Step, err, ok};
use tool_runtime::throttle::{CallEnd, SessionLimits};

fn paused() -> Script {
    let mut script = Script::new();
    for number in 0..3 {
        script.call(&err("load", number.to_string(), "No."));
    }
    script
}

#[test]
fn a_tool_that_always_fails_gets_one_probe_and_then_a_longer_pause() {
    let mut script = Script::new();
    let (mut ran, mut now) = (Vec::new(), 0);
    while now < 1_800 {
        if script.call(&err("load", now.to_string(), "No.")).rejected_by().is_none() {
            ran.push(now);
        }
        assert_eq!(script.call(&ok("search", now.to_string(), now.to_string())).words(), "ok", "{now}");
        script.wait(3_000);
        now += 3;
    }
    // Three failures, a probe after 30, 60, 120 and 240 seconds, and then a probe every five minutes.
    assert_eq!(ran, [0, 3, 6, 36, 96, 216, 456, 756, 1056, 1356, 1656]);
}

#[test]
fn other_calls_wait_while_the_probe_runs() {
    let mut script = paused();
    script.wait(30_000);
    let load = script.number("load").unwrap_or_default();
    let probe = script.throttle.admit(load, &"1".into(), None);
    script.clock.advance(Duration::from_secs(1));
    let rejected = script.throttle.admit(load, &"2".into(), None).err();
    assert_eq!(
        rejected.map(|rejection| (rejection.message, rejection.retry_after)),
        Some((
            "Tool 'load' has failed 3 times with the same error. One call is trying whether it is different now; the others wait for it.".to_owned(),
            Some(Duration::from_secs(29)),
        )),
    );
    let probe = probe.map(|probe| probe.report(&"1".into(), CallEnd::Succeeded { result: "x", repairs: 0 }));
    assert_eq!(probe, Ok(None));
    assert_eq!(script.call(&ok("load", "2", "y")).words(), "ok");
}

#[test]
fn a_probe_without_a_conclusive_result_lets_the_next_call_be_the_probe() {
    for end in [End::Denied, End::Deferred, End::Cancelled] {
        let mut script = paused();
        script.wait(30_000);
        assert_eq!(script.call(&Step::new("load", "1", end.clone())).words(), "ok", "{end:?}");
        assert_eq!(script.call(&err("load", "2", "No.")).words(), "ok", "{end:?}");
        assert_eq!(script.call(&err("load", "3", "No.")).words(), "rejected same_error in 60000", "{end:?}");
    }
}

#[test]
fn a_dropped_probe_lets_the_next_call_be_the_probe() {
    let mut script = paused();
    script.wait(30_000);
    let load = script.number("load").unwrap_or_default();
    drop(script.throttle.admit(load, &"1".into(), None));
    assert_eq!(script.call(&ok("load", "2", "x")).words(), "ok");
    assert_eq!(script.throttle.statistics().tools[0].undecided, 1);
}

#[test]
fn a_lost_probe_does_not_block_other_calls_forever() {
    let mut script = paused();
    script.wait(30_000);
    let load = script.number("load").unwrap_or_default();
    if let Ok(probe) = script.throttle.admit(load, &"1".into(), None) {
        std::mem::forget(probe);
    }
    assert_eq!(script.call(&ok("load", "2", "x")).words(), "rejected same_error in 30000");
    script.wait(30_000);
    assert_eq!(script.call(&ok("load", "3", "x")).words(), "ok");
    assert_eq!(script.call(&ok("load", "4", "y")).words(), "ok");
}

#[test]
fn calls_from_before_a_pause_neither_end_nor_lengthen_it() {
    let mut script = Script::new();
    let load = script.number("load").unwrap_or_default();
    let early: Vec<_> = (0..2).filter_map(|_| script.throttle.admit(load, &"0".into(), None).ok()).collect();
    assert_eq!(early.len(), 2);
    for arguments in ["1", "2", "3"] {
        if let Ok(ticket) = script.throttle.admit(load, &arguments.into(), None) {
            ticket.report(&arguments.into(), CallEnd::Failed { error: "No." });
        }
    }
    let ends = [CallEnd::Failed { error: "No." }, CallEnd::Succeeded { result: "x", repairs: 0 }];
    for (ticket, exit) in early.into_iter().zip(ends) {
        ticket.report(&"0".into(), exit);
    }
    assert_eq!(script.call(&ok("load", "3", "x")).words(), "rejected same_error in 30000");
}

#[test]
fn a_reset_opens_one_tool_or_all() {
    let mut script = paused();
    for number in 0..3 {
        script.call(&err("search", number.to_string(), "No."));
    }
    script.throttle.reset_tool(script.number("load").unwrap_or_default());
    assert_eq!(script.call(&ok("load", "1", "x")).words(), "ok");
    assert_eq!(script.call(&ok("search", "1", "x")).words(), "rejected same_error in 30000");
    script.throttle.reset();
    assert_eq!(script.call(&ok("search", "1", "x")).words(), "ok");
}

#[test]
fn many_threads_lose_no_call_and_exceed_no_limit() {
    let script = Script::with(SessionLimits::strict());
    let (passed, rejected) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let tools = ["t1", "t2", "t3", "t4"].map(|tool| script.number(tool).unwrap_or_default());
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let (script, passed, rejected) = (&script, &passed, &rejected);
            scope.spawn(move || {
                for call in 0..200 {
                    let arguments = format!("{}", thread * 1_000 + call);
                    match script.throttle.admit(tools[thread % 4], &arguments.as_str().into(), None) {
                        Ok(ticket) => {
                            ticket.report(
                                &arguments.as_str().into(),
                                CallEnd::Succeeded { result: &arguments, repairs: 0 },
                            );
                            passed.fetch_add(1, Ordering::Relaxed)
                        }
                        Err(_) => rejected.fetch_add(1, Ordering::Relaxed),
                    };
                }
            });
        }
    });
    // The clock does not advance: the rate of all tools allows ten calls and no more.
    assert_eq!((passed.into_inner(), rejected.into_inner()), (10, 64 * 200 - 10));
    let statistics = script.throttle.statistics();
    assert_eq!(statistics.total_calls_last_60s, 64 * 200);
    assert_eq!(statistics.tools.iter().map(|tool| tool.calls).sum::<u64>(), 10);
    assert_eq!(statistics.tools.iter().map(|tool| tool.throttled).sum::<u64>(), 64 * 200 - 10);
}
