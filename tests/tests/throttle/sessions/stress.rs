//! Many tasks that share a session: no call is lost, and a panicking tool poisons no lock.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};
use std::thread;
use std::time::Duration;

use super::Run;

const TASKS: usize = 64;
const CALLS: usize = 1_000;

#[test]
fn no_call_is_lost_between_many_tasks() {
    let run = Run::of(|builder| builder.blocking_spawner(|work| work()));
    let (answered, abandoned) = (AtomicU64::new(0), AtomicU64::new(0));
    thread::scope(|scope| {
        for task in 0..TASKS {
            let (run, answered, abandoned) = (&run, &answered, &abandoned);
            scope.spawn(move || {
                for number in 0..CALLS {
                    let id = format!("{task}-{number}");
                    let (tool, arguments) = match (task + number) % 9 {
                        0 => ("load", format!(r#"{{"say": "{number}"}}"#)),
                        1 => ("load", r#"{"fail": "No."}"#.to_owned()),
                        2 => ("search", r#"{"panic": "as planned"}"#.to_owned()),
                        3 => ("read_file", r#"{"number": 99}"#.to_owned()),
                        4 => ("nobody", "{}".to_owned()),
                        5 => ("Box", "{}".to_owned()),
                        6 => ("hidden", "{}".to_owned()),
                        7 => ("read_file", format!(r#"{{"number": "{}"}}"#, number % 10)),
                        _ => ("wait", "{}".to_owned()),
                    };
                    if number % 16 == 0 {
                        run.clock.advance(Duration::from_millis(900));
                    }
                    if tool == "wait" {
                        // Dropped before its end or possibly cancelled by another task.
                        let mut call = pin!(run.session.call(&id, tool, arguments.as_str()));
                        let is_running = call.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending();
                        if is_running && number % 2 == 0 {
                            assert!(run.session.cancel(&id));
                            assert_eq!(pollster::block_on(call).call_id(), id);
                        }
                        abandoned.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    let outcome = pollster::block_on(run.session.call(&id, tool, arguments.as_str()));
                    assert_eq!(outcome.call_id(), id);
                    assert!(!outcome.to_text().is_empty());
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let all = answered.into_inner() + abandoned.into_inner();
    assert_eq!(all, (TASKS * CALLS) as u64);
    let statistics = run.session.statistics();
    let of_tools: u64 = statistics.tools.iter().map(|tool| tool.calls + tool.throttled).sum();
    assert_eq!(of_tools + statistics.unknown_names, all);
    run.wait(24 * 60 * 60);
    for tool in ["load", "search", "read_file", "Box", "hidden"] {
        assert!(run.call_at_once(tool, "{}").is_ok(), "{tool} can be called again");
    }
}
