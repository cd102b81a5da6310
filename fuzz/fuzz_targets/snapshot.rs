//! Fuzz target: any text as a saved session. There is no panic, every call of a restored session is answered, no tool stays paused, and the
//! session can be saved and restored again.
//!
//! Copy `tests/tests/snapshot/version-1.json` into the corpus, so that the first inputs are valid.

#![no_main]

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::session::{Outcome, SessionSetup, SessionState};
use tool_runtime::{Container, Session, Toolbox, tool};

/// Searches the documents.
#[tool]
fn search(
    /// Words to search for.
    query: String,
) -> Vec<String> {
    vec![query]
}

/// Writes a file.
#[tool]
fn write(
    /// Name of the file.
    name: String,
) {
    drop(name);
}

const CALLS: [(&str, &str); 6] = [
    ("search", r#"{"query": "a"}"#),
    ("search", r#"{"query": "a"}"#),
    ("search", r#"{"query": 7}"#),
    ("write", r#"{"name": "b"}"#),
    ("Files", "{}"),
    ("purge", "{}"),
];

fn toolbox(clock: &SimulatedClock) -> Toolbox {
    let files = Container::new("Files", "Files of the project.").tool(WriteTool);
    let builder = Toolbox::builder().tool(SearchTool).container(files).clock(clock.clone());
    builder.build().expect("a valid toolbox")
}

fn answer(session: &Session, name: &str, arguments: &str) -> Outcome {
    match pin!(session.call("call_1", name, arguments)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => panic!("a sync tool is done at the first poll"),
    }
}

fuzz_target!(|text: &str| {
    let Ok(state) = serde_json::from_str::<SessionState>(text) else { return };
    let clock = SimulatedClock::new();
    let Ok(session) = toolbox(&clock).restore(state, SessionSetup::new()) else { return };
    for (name, arguments) in CALLS {
        assert!(!answer(&session, name, arguments).to_text().is_empty());
    }
    let saved = session.snapshot().expect("no tool has a sensitive parameter");
    let json = serde_json::to_string(&saved).expect("a saved session is JSON");
    let saved = serde_json::from_str(&json).expect("a saved session can be read");
    let again = toolbox(&clock).restore(saved, SessionSetup::new()).expect("a saved session can be restored");
    // No pause is longer than a day.
    clock.advance(Duration::from_secs(2 * 24 * 60 * 60));
    for session in [&session, &again] {
        let outcome = answer(session, "search", r#"{"query": "later"}"#);
        assert!(outcome.is_ok(), "{}", outcome.to_text());
    }
});
