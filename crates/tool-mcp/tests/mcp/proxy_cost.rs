//! Counts the allocations of a call through the proxy, beside a bare pipe, and checks that the memory does not grow over many calls.
//!
//! `CALLS=1000000 cargo test --release -p tool-mcp --features proxy --test all proxy_cost::` makes a million calls. Only the
//! allocations of the thread of a test are counted.

#[path = "../../examples/proxy_cost.rs"]
mod driven;

use allocation_counter::{AllocationInfo, measure};
use driven::Driven;

const CALLS: u64 = 1_000;

fn answered(driven: &mut Driven, calls: u64) {
    for _ in 0..calls {
        let answer = driven.call().expect("the server answers");
        assert!(answer.contains("\"text\":\"Rain, "), "{answer}");
    }
}

/// Measures calls after the first `warm_up` ones.
fn of_calls(is_proxied: bool, padding: usize, (warm_up, calls): (u64, u64)) -> AllocationInfo {
    let mut driven = Driven::connect(is_proxied, padding).expect("a connection");
    answered(&mut driven, warm_up);
    measure(|| answered(&mut driven, calls))
}

#[test]
fn a_forwarded_call_allocates_little() {
    let [proxy, pipe] = [true, false].map(|is_proxied| of_calls(is_proxied, 0, (CALLS, CALLS)));
    let added = (proxy.count_total - pipe.count_total) / CALLS;
    println!(
        "allocations per call: {} with the proxy, {} without",
        proxy.count_total / CALLS,
        pipe.count_total / CALLS
    );
    assert!(added <= MOST_ALLOCATIONS, "{added} allocations");
}

#[test]
fn a_long_call_is_copied_a_few_times() {
    const LENGTH: usize = 100_000;
    let bytes = |is_proxied| {
        let bytes = |padding| of_calls(is_proxied, padding, (50, 50)).bytes_total / 50;
        bytes(LENGTH) - bytes(0)
    };
    let added = bytes(true) - bytes(false);
    println!("bytes allocated for {LENGTH} bytes of a call: {added}");
    assert!(added <= MOST_COPIES * LENGTH as u64, "{added} bytes");
}

/// After the first calls, the memory that a call allocates is freed when the call has ended.
#[test]
fn the_memory_does_not_grow_with_the_calls() {
    let calls = std::env::var("CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(20 * CALLS);
    let rest = of_calls(true, 0, (2 * CALLS, calls));
    println!("bytes after {calls} further calls: {}, and at most {} during them", rest.bytes_current, rest.bytes_max);
    assert!(rest.bytes_current <= 16 * 1_024 && rest.bytes_max <= 64 * 1_024, "{rest:?}");
}

/// The maximum number of allocations that the proxy may add to a call.
const MOST_ALLOCATIONS: u64 = 40;
/// The maximum number of bytes that the proxy may allocate for each byte of a call.
const MOST_COPIES: u64 = 5;
