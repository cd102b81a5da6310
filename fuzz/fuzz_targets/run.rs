//! Fuzz target: any text as a stored run, followed by records, one in each line. There is no panic, a record that does not fit changes
//! nothing, the stored run can be read back and is the same, and no request contains a call without an answer.
//!
//! Join `tests/tests/run/fixtures/run-1.json` and `records-1.jsonl` in the corpus, so that the first inputs are valid.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tool_chat::model::Message;
use tool_chat::run::{Next, Record, Run};

fn stored(run: &Run) -> String {
    serde_json::to_string(run).expect("a run is JSON")
}

/// Checks that the answers to the calls of a message follow it, in order.
fn check(messages: &[Message]) {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        match message {
            Message::Tool { call_id, .. } => {
                assert!(
                    open.first().is_some_and(|id| id == call_id),
                    "{call_id} is answered out of place: {messages:#?}"
                );
                open.remove(0);
            }
            _ => assert!(open.is_empty(), "{open:?} are not answered: {messages:#?}"),
        }
        if let Message::Assistant { calls, .. } = message {
            open = calls.iter().map(|call| &*call.id).collect();
        }
    }
    assert!(open.is_empty(), "{open:?} are not answered: {messages:#?}");
}

fn look(run: &mut Run) {
    run.set_session_texts("", Some("One task is open."));
    if let Next::Ask(ask) = run.next() {
        check(ask.messages);
    }
    let text = stored(run);
    let again: Run = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(stored(&again), text);
}

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    let mut run = match first {
        "" => Run::new(),
        text => match serde_json::from_str::<Run>(text) {
            Ok(run) => run,
            Err(_) => return,
        },
    };
    look(&mut run);
    for line in lines {
        let Ok(record) = serde_json::from_str::<Record>(line) else { continue };
        let before = stored(&run);
        if run.apply_record(record).is_err() {
            assert_eq!(stored(&run), before);
        }
        look(&mut run);
    }
    // Whatever happened, the next prompt stops it and begins a turn.
    run.apply_record(Record::from_prompt("What next?")).expect("a prompt always fits");
    look(&mut run);
    assert!(matches!(run.next(), Next::Ask(_) | Next::Done(_)));
});
