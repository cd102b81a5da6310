//! Counts the allocations of a call, and compares them with a server that is written directly with rmcp. Also checks that memory does not
//! grow over many calls. Only the allocations of the thread of a test are counted.

#[path = "../../examples/cost.rs"]
mod driven;

use allocation_counter::measure;
use driven::Driven;

const CALLS: usize = 1_000;

fn answered(driven: &mut Driven, calls: usize) {
    let answer = driven.call(calls).expect("the server answers");
    assert!(answer.contains(r#""structuredContent":{"city":"Oslo "#), "{answer}");
    assert!(answer.contains(r#""isError":false"#), "{answer}");
}

#[test]
fn a_call_allocates_little_more_than_one_of_a_plain_server() {
    let allocations = |is_ours| {
        let mut driven = Driven::connect(is_ours).expect("a connection");
        answered(&mut driven, CALLS);
        measure(|| answered(&mut driven, CALLS)).count_total / CALLS as u64
    };
    let (ours, plain) = (allocations(true), allocations(false));
    println!("allocations per call: {ours} with a toolbox, {plain} by hand");
    assert!(ours <= plain + ADDED, "{ours} allocations, and {plain} by hand");
}

/// After the first calls, the memory that a call allocates is freed when the call has ended. The variable `CALLS` sets the number of calls.
#[test]
fn the_memory_does_not_grow_with_the_calls() {
    let calls = std::env::var("CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(10 * CALLS);
    let mut driven = Driven::connect(true).expect("a connection");
    answered(&mut driven, CALLS);
    let rest = measure(|| answered(&mut driven, calls));
    println!("bytes after {calls} further calls: {}", rest.bytes_current);
    assert!(rest.bytes_current <= 4_096, "{rest:?}");
}

/// The maximum number of allocations that a toolbox may add to a call.
const ADDED: u64 = 8;
