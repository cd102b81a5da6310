//! Two workers and 1,000 conversations: each conversation ends, and no call runs twice. Prints the throughput, and compares it with the
//! same conversations in one process, without an engine and with files.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tool_durable::store::Store;
use tool_durable::{ConversationSetup, DurableConversations, FileStore, InMemoryStore};
use tool_runtime::throttle::SessionLimits;

use super::cluster::Cluster;
use super::worker::{Plan, planned};
use crate::script::tools::Ran;

const CONVERSATIONS: u32 = 1_000;
/// The number of conversations that run at the same time.
const AT_ONCE: usize = 32;
/// Three calls in two batches, so the model is asked three times.
const PROMPT: &str = "a pay, b look\nc pay";

/// Runs a function for each conversation, on several threads. Returns the time that this takes.
fn each(run: impl Fn(&str) + Sync) -> Duration {
    let (begun, next) = (Instant::now(), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < CONVERSATIONS);
                std::iter::from_fn(take).for_each(|number| run(&format!("many-{number}")));
            });
        }
    });
    begun.elapsed()
}

/// Runs the conversations in this process.
fn local(store: impl Store + 'static, world: &Path) -> Duration {
    let (durable, toolbox) = (DurableConversations::new(store), planned(world.to_owned(), &SessionLimits::NONE));
    let time = each(|id| {
        let setup = ConversationSetup::new(&toolbox, Plan);
        let end = pollster::block_on(async { durable.open(id, setup).await?.ask(PROMPT).await });
        assert_eq!(end.expect("nothing fails").text(), Some("Done."), "{id}");
    });
    check(world);
    time
}

/// Checks that every call ran once.
fn check(world: &Path) {
    let world = fs::read_to_string(world).expect("tools have run");
    let mut runs: HashMap<String, usize> = HashMap::new();
    world.lines().for_each(|line| *runs.entry(Ran::parse(line).key).or_default() += 1);
    assert_eq!(runs.len(), CONVERSATIONS as usize * 3, "every call has run");
    let twice: Vec<_> = runs.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

fn per_second(time: Duration) -> f64 {
    f64::from(CONVERSATIONS) / time.as_secs_f64()
}

#[test]
#[ignore = "needs a server: scripts/judges-restate many"]
fn two_workers_and_1000_conversations() {
    let mut cluster = Cluster::start();
    cluster.add_worker();
    let slowest = AtomicUsize::new(0);
    let time = each(|id| {
        let begun = Instant::now();
        let (status, end) = cluster.server.call(id, "ask", Some(&json!(PROMPT)));
        assert_eq!((status, &end["answered"]["text"]), (200, &json!("Done.")), "{id}: {end}");
        slowest.fetch_max(usize::try_from(begun.elapsed().as_millis()).unwrap_or(usize::MAX), Ordering::Relaxed);
    });
    let folder = cluster.server.folder.clone();
    check(&folder.join("world"));
    let used = fs::read_to_string(folder.join("world.workers")).expect("the workers have begun conversations");
    let mut workers: HashMap<&str, usize> = HashMap::new();
    used.lines().for_each(|worker| *workers.entry(worker).or_default() += 1);
    assert_eq!(workers.len(), 2, "both workers have work: {workers:?}");

    let memory = local(InMemoryStore::new(), &folder.join("of-memory"));
    let files =
        local(FileStore::new(folder.join("files")).expect("the folder can be created"), &folder.join("of-files"));
    let shares: Vec<usize> = workers.into_values().collect();
    println!(
        "{CONVERSATIONS} conversations of 3 answers and 3 calls, {AT_ONCE} at a time; invocations of each worker: {shares:?}"
    );
    println!("Restate:   {:.0} per second, the slowest took {} ms", per_second(time), slowest.into_inner());
    println!("files:     {:.0} per second", per_second(files));
    println!("in memory: {:.0} per second", per_second(memory));
    println!("share of the engine: {:.1} %", 100.0 * (1.0 - memory.as_secs_f64() / time.as_secs_f64()));
}
