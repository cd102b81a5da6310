//! `cargo bench`: measures the time of both sides of every comparison, and prints the ratios at the end.
//!
//! For the ratios, both sides run alternately in rounds, so that a slow machine affects both in the same way.

#![allow(missing_docs)]

use std::time::{Duration, Instant};

use benches::cases::{Comparison, all};
use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let comparisons = all();
    for Comparison { name, ours, other, .. } in &comparisons {
        let mut group = criterion.benchmark_group(*name);
        for side in [ours, other] {
            let job = (side.prepare)();
            group.bench_function(side.name, |bencher| bencher.iter(&job));
        }
        group.finish();
    }
    criterion.final_summary();
    // Under `cargo test`, no ratios are needed: each side has run once, which is enough.
    if std::env::args().any(|argument| argument == "--bench") {
        println!("{:<26}{:>7}{:>8}  ours / other", "comparison", "ratio", "limit");
        for comparison in &comparisons {
            let limit = comparison.limit.map_or(String::from("-"), |limit| format!("{limit:.2}"));
            let sides = format!("{} / {}", comparison.ours.name, comparison.other.name);
            println!("{:<26}{:>7.2}{limit:>8}  {sides}", comparison.name, ratio(comparison));
        }
    }
}

/// Returns our time divided by that of the other side, as the median of rounds in which both run.
fn ratio(comparison: &Comparison) -> f64 {
    const ROUNDS: usize = 101;
    const ROUND: Duration = Duration::from_millis(2);
    let (ours, other) = ((comparison.ours.prepare)(), (comparison.other.prepare)());
    let time = |job: &dyn Fn(), repetitions: u32| {
        let start = Instant::now();
        (0..repetitions).for_each(|_| job());
        start.elapsed()
    };
    let repetitions =
        u32::try_from(ROUND.as_nanos() / (time(&other, 10) / 10).as_nanos().max(1)).map_or(1, |many| many.max(1));
    let mut ratios: Vec<f64> =
        (0..ROUNDS).map(|_| time(&ours, repetitions).as_secs_f64() / time(&other, repetitions).as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}
