//! Conversations of 40 steps whose worker is killed again and again. Each ends like an undisturbed conversation, and no call that is not
//! repeatable runs twice.
//!
//! Four conversations run at the same time, so killing the worker interrupts up to four of them. The worker is killed 8 times by default,
//! and 300 times with `TOOL_DURABLE_CRASHES=all`.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tool_chat::run::Next;

use super::cluster::Cluster;
use crate::script::compare::{Result, compare, without_pause};
use crate::script::tools::Ran;

const AT_ONCE: usize = 4;

impl Cluster {
    /// Approves all calls that wait. Returns `true` if the conversation has ended.
    pub(crate) fn advance(&self, id: &str) -> bool {
        let (status, waiting) = self.server.call(id, "waiting", None);
        assert_eq!(status, 200, "{waiting}");
        for call in waiting.as_array().into_iter().flatten() {
            // A second answer to the same awakeable is ignored.
            let (status, text) =
                self.server.call(id, "answer", Some(&json!({"call_id": call["call_id"], "answer": {"approved": {}}})));
            assert!(status == 200 || status == 404, "{text}");
        }
        let (_, history) = self.server.call(id, "history", None);
        if history.is_null() { false } else { matches!(self.run(id).next(), Next::Done(_)) }
    }

    pub(crate) fn result(&self, id: &str) -> Result {
        let run = self.run(id);
        let text = |outcome: &tool_runtime::session::Outcome| without_pause(&outcome.to_text());
        let answers = run.transcript().calls().map(|call| (call.outcome.call_id().to_owned(), text(&call.outcome)));
        let world = fs::read_to_string(self.server.folder.join("world")).expect("tools have run");
        let of_id = world.lines().map(Ran::parse).filter(|ran| ran.key.split(':').next() == Some(id));
        Result { answers: answers.collect(), ran: of_id.collect() }
    }
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn killed_conversations_end_like_an_undisturbed_one() {
    let cluster = Cluster::start();
    let begun = Instant::now();
    cluster.send("script-0", "Do all of it.");
    while !cluster.advance("script-0") {
        std::thread::sleep(Duration::from_millis(20));
    }
    let alone = begun.elapsed();
    let undisturbed = cluster.result("script-0");
    let texts: String = undisturbed.answers.iter().map(|(_, text)| text.as_str()).collect();
    for expected in ["expanded", "denied", "tool_error", "throttled", "paid", "deployed"] {
        assert!(texts.contains(expected), "the script leads to no {expected}");
    }
    assert!(!texts.contains("effect_unknown"));

    let is_all = std::env::var("TOOL_DURABLE_CRASHES").is_ok_and(|value| value == "all");
    let kills = if is_all { 300 } else { 8 };
    let (mut killed, mut ended, mut unknown, mut seed) = (0, 0, 0, 7_u64);
    while killed < kills {
        let before = killed;
        let ids: Vec<String> = (0..AT_ONCE).map(|number| format!("script-{}", ended + number + 1)).collect();
        for id in &ids {
            cluster.send(id, "Do all of it.");
        }
        let mut open = ids.clone();
        while !open.is_empty() {
            if killed < kills {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let until = Instant::now() + Duration::from_micros(seed >> 44);
                while Instant::now() < until {
                    open.retain(|id| !cluster.advance(id));
                    std::thread::sleep(Duration::from_millis(5));
                }
                if open.is_empty() {
                    break;
                }
                cluster.worker.restart();
                killed += 1;
            }
            open.retain(|id| !cluster.advance(id));
            std::thread::sleep(Duration::from_millis(5));
        }
        unknown += ids.iter().map(|id| compare(&undisturbed, &cluster.result(id), killed - before, id)).sum::<usize>();
        ended += AT_ONCE;
    }
    println!(
        "{killed} crashes, {ended} conversations, {unknown} calls with an unknown effect; one alone takes {alone:?}"
    );
    assert!(!is_all || unknown > 0, "no call was interrupted");
}
