//! A clock of the workers that jumps while a conversation runs: every call runs once, pauses never grow, and the turn ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::clock::{Clock, Sleep, TokioClock};
use tool_runtime::{CallContext, tool};

use super::cluster::Cluster;
use crate::script::tools::{World, run};

const YEAR: i64 = 365 * 24 * 60 * 60;

/// A clock whose time of day differs from that of the machine by the number of seconds in a file.
pub(crate) struct JumpingClock {
    inner: TokioClock,
    offset: PathBuf,
}

impl JumpingClock {
    pub(crate) fn new(world: &Path) -> Self {
        Self { inner: TokioClock::new(), offset: offset(world) }
    }
}

fn offset(world: &Path) -> PathBuf {
    world.with_extension("offset")
}

impl Clock for JumpingClock {
    fn now(&self) -> Duration {
        self.inner.now()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        self.inner.sleep(duration)
    }

    fn unix_time(&self) -> Duration {
        let offset: i64 = fs::read_to_string(&self.offset).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
        let (now, jump) = (self.inner.unix_time(), Duration::from_secs(offset.unsigned_abs()));
        if offset < 0 { now.saturating_sub(jump) } else { now.saturating_add(jump) }
    }
}

/// Moves the clock of the workers by a year. The id of the call is the direction.
#[tool]
pub(crate) fn jump(#[tool(context)] cx: &CallContext) -> &'static str {
    run(cx, "jump", false);
    let world = cx.state::<World>().expect("the toolbox has a world");
    let seconds = if cx.call_id().starts_with("back") { -YEAR } else { YEAR };
    // The new file replaces the old one at once, because other workers read it.
    let new = world.0.with_extension("new");
    fs::write(&new, seconds.to_string()).expect("the folder can be written");
    fs::rename(new, offset(&world.0)).expect("the folder can be written");
    "jumped"
}

fn retry_after(answer: &str) -> Option<u64> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    (answer["error_type"] == "throttled").then(|| answer["retry_after_ms"].as_u64().expect("a pause has an end"))
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn every_call_runs_once_although_the_clock_jumps() {
    let cluster = Cluster::start();
    let plan = "a pay, b look\nforward jump\nc pay\nback jump\nd pay, e look, x die_once\nforward2 jump\ng alone";
    cluster.send("jumps", plan);
    cluster.worker.wait();
    cluster.worker.restart();
    let answers = cluster.ended("jumps", 1);
    let kinds = ["paid", "seen", "jumped", "paid", "jumped", "paid", "seen", "alive", "jumped", "0 others"];
    // Calls of the batch in which the worker stopped have an unknown effect if they had started.
    let fits = |(answer, kind): (&String, &str)| answer == kind || kind == "paid" && answer.contains("effect_unknown");
    assert!(answers.len() == kinds.len() && answers.iter().zip(kinds).all(fits), "{answers:?}");
    let ran = cluster.ran("jumps");
    for call in ["a", "c", "d", "forward", "back", "forward2", "g"] {
        let times = ran.iter().filter(|ran| *ran == call).count();
        assert!(times == 1 || call == "d" && times == 0, "{call}: {ran:?}");
    }
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn a_pause_never_grows_and_a_time_limit_holds_although_the_clock_jumps() {
    let cluster = Cluster::start();
    let fails = "a reject\nb reject\nc reject\nd reject";
    for direction in ["back", "forward"] {
        let id = format!("strict-{direction}");
        assert_eq!(cluster.ask(&id, &format!("{fails}\n{direction} jump\ne reject")).0, 200);
        // Another turn restores the session, perhaps on another worker.
        assert_eq!(cluster.ask(&id, "f reject").0, 200);
        let answers = cluster.answers(&id);
        let pauses: Vec<u64> = answers.iter().filter_map(|answer| retry_after(answer)).collect();
        assert!((1..=3).contains(&pauses.len()) && pauses[0] <= 30_000, "{answers:?}");
        assert!(pauses.is_sorted_by(|earlier, later| earlier >= later), "{answers:?}");
    }

    // A timer that was set before the jump ends the turn.
    let (status, end) = cluster.ask("limited", "back jump\nb hang");
    assert_eq!(status, 200, "{end}");
    assert!(end["limited"]["limit"]["time"].is_object(), "{end}");
    // After a jump forwards, the time of the turn is over.
    let (_, end) = cluster.ask("limited-2", "forward jump\nb pay");
    assert!(end["limited"]["limit"]["time"].is_object() || end["answered"]["text"] == json!("Done."), "{end}");
    // The conversation continues.
    assert_eq!(cluster.ask("limited-2", "c look").0, 200);
    assert_eq!(cluster.answers("limited-2").last().map(String::as_str), Some("seen"));
}
