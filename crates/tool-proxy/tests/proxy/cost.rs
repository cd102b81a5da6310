//! Counts the allocations of a call through the proxy, beside a bare pipe or a direct HTTP connection, and checks that the memory does not grow
//! over many calls.
//!
//! `CALLS=1000000 cargo test --release -p tool-proxy --features http --test all cost::` makes a million calls. Only the
//! allocations of the thread of a test are counted.

#[path = "../../examples/proxy_cost/main.rs"]
mod driven;

use allocation_counter::{AllocationInfo, measure};
use driven::{Driven, Side};

const CALLS: u64 = 1_000;

fn answered(driven: &mut Driven, calls: u64) {
    for _ in 0..calls {
        let answer = driven.call().expect("the server answers");
        assert!(answer.contains("\"text\":\"Rain, "), "{answer}");
    }
}

/// Measures calls after the first `warm_up` ones.
fn of_calls(side: Side, padding: usize, (warm_up, calls): (u64, u64)) -> AllocationInfo {
    let mut driven = Driven::connect(side, padding).expect("a connection");
    answered(&mut driven, warm_up);
    measure(|| answered(&mut driven, calls))
}

/// Each side, with the side without the proxy, and the maximum number of allocations that the proxy may add to a call.
const MOST_ALLOCATIONS: [(Side, Side, u64); 4] = [
    (Side::Proxy, Side::Pipe, 35),
    (Side::Translated, Side::Pipe, 75),
    (Side::Session, Side::Direct, 68),
    (Side::Stateless, Side::Direct, 92),
];

#[test]
fn a_forwarded_call_allocates_little() {
    for (side, bare, most) in MOST_ALLOCATIONS {
        let [ours, other] = [side, bare].map(|side| of_calls(side, 0, (CALLS, CALLS)).count_total / CALLS);
        println!("allocations per call: {ours} of {side:?}, {other} of {bare:?}");
        assert!(ours - other <= most, "{side:?}: {ours}");
    }
}

#[test]
fn a_long_call_is_copied_a_few_times() {
    const LENGTH: usize = 100_000;
    let bytes = |side| {
        let bytes = |padding| of_calls(side, padding, (50, 50)).bytes_total / 50;
        bytes(LENGTH) - bytes(0)
    };
    for (side, bare, most) in MOST_COPIES {
        let added = bytes(side) - bytes(bare);
        println!("bytes allocated by {side:?} for {LENGTH} bytes of a call: {added}");
        assert!(added <= most * LENGTH as u64, "{side:?}: {added} bytes");
    }
}

/// After the first calls, the memory that a call allocates is freed when the call has ended.
#[test]
fn the_memory_does_not_grow_with_the_calls() {
    let calls = std::env::var("CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(5 * CALLS);
    let rest = of_calls(Side::Proxy, 0, (2 * CALLS, calls));
    println!("bytes after {calls} further calls: {}, and at most {} during them", rest.bytes_current, rest.bytes_max);
    assert!(rest.bytes_current <= 16 * 1_024 && rest.bytes_max <= 64 * 1_024, "{rest:?}");
}

/// Each side, with the side without the proxy, and the maximum number of bytes that the proxy may allocate for each byte of a call.
const MOST_COPIES: [(Side, Side, u64); 2] = [(Side::Proxy, Side::Pipe, 5), (Side::Translated, Side::Pipe, 16)];
