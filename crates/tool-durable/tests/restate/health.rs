//! Shared tool health: many conversations on several workers call a tool that breaks and recovers. After each pause, one call in the whole
//! cluster runs as the probe.
//!
//! By default, 24 conversations run on 3 workers. With `TOOL_DURABLE_HEALTH=all`, 400 conversations run on 8 workers.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::cluster::Cluster;
use super::outage::{Outage, PAUSES, SUCCESSES};
use super::server::until;

/// The number of conversations that run at the same time.
const AT_ONCE: usize = 32;
/// The number of probes after which the tool recovers.
const FAILED_PROBES: u64 = 3;

struct Run {
    at: Duration,
    is_fine: bool,
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn a_broken_tool_is_probed_by_one_call_in_the_whole_cluster() {
    let is_all = std::env::var("TOOL_DURABLE_HEALTH").is_ok_and(|value| value == "all");
    let (workers, conversations) = if is_all { (8, 400) } else { (3, 24) };
    let mut cluster = Cluster::start();
    (1..workers).for_each(|_| cluster.add_worker());
    let outage = Outage::new(&cluster.server.folder.join("world"));
    let (next, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let summary = || cluster.server.post("ToolHealth/forecast/summary", None).1;
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(conversations / 2) {
            scope.spawn(|| {
                let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < conversations);
                while let Some(number) = take() {
                    let (status, end) = cluster.server.call(&format!("health-{number}"), "ask", Some(&json!("Go.")));
                    assert_eq!((status, &end["answered"]["text"]), (200, &json!("Done.")), "{end}");
                    ended.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        until("some conversations end", || (ended.load(Ordering::Relaxed) >= conversations / 4).then_some(()));
        fs::write(outage.switch(), "").expect("the folder can be written");
        until("probes fail", || (summary()["probes"].as_u64() >= Some(FAILED_PROBES)).then_some(()));
        fs::remove_file(outage.switch()).expect("the file exists");
    });
    let took = begun.elapsed();

    let runs = fs::read_to_string(outage.runs()).expect("the tool has run");
    let mut runs: Vec<Run> = runs.lines().map(read).collect();
    runs.sort_by_key(|run| run.at);
    let fine = runs.iter().filter(|run| run.is_fine).count();
    assert_eq!(fine, conversations * SUCCESSES, "every conversation has its results");
    let texts: Vec<String> =
        (0..conversations).flat_map(|number| cluster.answers(&format!("health-{number}"))).collect();
    let rejected: Vec<&String> = texts.iter().filter(|text| text.contains("throttled")).collect();
    assert!(rejected.iter().all(|text| text.starts_with(r#"{"error_type":"throttled","tool":"forecast","rule":"#)));
    let broken: Vec<&Run> = runs.iter().filter(|run| !run.is_fine).collect();
    assert_eq!(texts.len(), fine + broken.len() + rejected.len(), "every answer is of one of three kinds");

    let summary = summary();
    let (pauses, probes) =
        (summary["pauses"].as_u64().expect("a number"), summary["probes"].as_u64().expect("a number"));
    println!(
        "{conversations} conversations on {workers} workers in {took:.0?}: {} calls, of which {} failed and {} were rejected; \
         {pauses} pauses, {probes} probes; {} calls had begun before the third failure was recorded",
        runs.len(),
        broken.len(),
        rejected.len(),
        broken.len() as u64 - (probes - 1),
    );
    assert_eq!(summary["is_paused"], json!(false));
    assert_eq!(pauses, probes, "one probe runs after each pause");
    // Until the third failure is recorded, each conversation has at most one call whose failure is not recorded, and two failures are recorded.
    assert!(broken.len() as u64 <= AT_ONCE as u64 + 2 + (probes - 1), "calls that had begun and failed probes");

    // The file outside of the cluster shows the same: between two probes, at least the length of the pause has passed.
    let last = runs.iter().rposition(|run| !run.is_fine).expect("the tool was broken");
    let probes = usize::try_from(probes).expect("a small number");
    let probes = &runs[last + 2 - probes..=last + 1];
    let mut pause = PAUSES.first;
    for pair in probes.windows(2) {
        pause = (pause * PAUSES.factor).min(PAUSES.cap);
        let between = pair[1].at.saturating_sub(pair[0].at);
        assert!(between >= pause, "{between:?} between two probes");
    }
}

fn read(line: &str) -> Run {
    let (at, result) = line.split_once(' ').expect("a line is not torn");
    Run { at: Duration::from_millis(at.parse().expect("a time")), is_fine: result == "fine" }
}
