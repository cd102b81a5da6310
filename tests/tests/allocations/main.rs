//! Limits for allocations: of a call, and of a rejection in proportion to its issues. Allocations are counted; time is not measured.

mod rejected;

use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use allocation_counter::measure;
use serde::{Deserialize, Serialize};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::{CallContext, Failure, ToolInput, Toolbox, tool};
use tool_schema::decode::decode;

const SMALL: &str = r#"{"location": "Paris, France", "days": 3}"#;

#[derive(Deserialize)]
struct Arguments {
    location: String,
    days: Option<u8>,
}

#[derive(Serialize)]
struct Report {
    location: String,
    days: u8,
}

/// Current weather for a city.
#[tool]
fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80))]
    location: String,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> Report {
    Report { location, days: days.unwrap_or(1) }
}

/// Lines to be kept.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Lines {
    /// The lines.
    #[allow(dead_code)]
    lines: Vec<Line>,
}

/// One line.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Line {
    /// Number of items.
    #[tool(range(min = 1, max = 9))]
    #[allow(dead_code)]
    count: u8,
}

#[test]
fn unobserved_progress_allocates_nothing() {
    let cx = CallContext::for_test();
    let reports = measure(|| (1..=100).for_each(|done| cx.progress(black_box(done).into(), 100.0, "a message")));
    assert_eq!(reports.count_total, 0);
}

#[test]
fn a_sync_call_makes_at_most_two_more_allocations_than_handwritten_code() {
    let by_hand = measure(|| {
        let Ok(Arguments { location, days }) = serde_json::from_str(black_box(SMALL)) else { panic!("it decodes") };
        black_box(serde_json::to_string(&get_weather(location, days)).ok());
    });
    let clock = SimulatedClock::new();
    let builder = Toolbox::builder().tool(GetWeatherTool).clock(clock.clone());
    let session = builder.build().expect("one tool has no clashes").session();
    let call = |arguments: &str| {
        clock.advance(Duration::from_secs(3));
        let call = pin!(session.call("call_1", "get_weather", black_box(arguments)));
        let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else { panic!("it is sync") };
        assert!(outcome.is_ok() && !black_box(outcome.to_text()).is_empty());
    };
    // The first calls allocate data that is created once, such as the random keys of the thread, and the memory of the throttle.
    for city in 0..40 {
        call(&format!(r#"{{"location": "City {city}", "days": 3}}"#));
    }
    let through_session = measure(|| call(SMALL));
    assert!(
        through_session.count_total <= by_hand.count_total + 2,
        "{} by hand, {} through a session",
        by_hand.count_total,
        through_session.count_total
    );
}

#[test]
fn decoding_a_valid_call_allocates_no_more_than_serde() {
    let text = lines(100, 5);
    let bare = measure(|| assert!(serde_json::from_str::<Lines>(black_box(&text)).is_ok()));
    let decoded = || assert!(decode::<Lines>(&black_box(&text).into()).is_ok());
    decoded();
    assert_eq!(measure(decoded).count_total, bare.count_total);
}

#[test]
fn a_rejection_allocates_in_proportion_to_its_faults() {
    let bytes = |faults: usize| {
        let text = lines(faults, 10);
        let rejection = measure(|| {
            let Err(error) = decode::<Lines>(&black_box(&text).into()) else { panic!("every line has a fault") };
            assert_eq!(error.issues().len(), faults);
            black_box(Failure::validation("keep", error).to_json());
        });
        (rejection.count_total, rejection.bytes_total)
    };
    bytes(1);
    let mut faults = 1;
    while faults < 512 {
        let (before, after) = (bytes(faults), bytes(2 * faults));
        // The answer is bounded and vectors double their capacity, so the limits allow some more than twice the amount.
        assert!(after.0 <= 2 * before.0 + 16, "{faults} faults: {before:?}, twice as many: {after:?}");
        assert!(after.1 <= 3 * before.1, "{faults} faults: {before:?}, twice as many: {after:?}");
        faults *= 2;
    }
}

fn lines(many: usize, count: u8) -> String {
    format!(r#"{{"lines": [{}]}}"#, vec![format!(r#"{{"count": {count}}}"#); many].join(", "))
}
