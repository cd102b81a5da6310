//! Secrets that a model sends are in no answer, whatever else is wrong with the call.
//!
//! The tests make calls with an issue in, around or next to a `#[tool(sensitive)]` field, each with the same secret. Every call is rejected,
//! and the text for the model must not contain the secret. Values that are not secret must still appear, or a model could not correct the
//! call.

// The tools are only called with arguments that they reject; rules take references for every type.
#![allow(dead_code, clippy::needless_pass_by_value, clippy::ref_option, clippy::zero_sized_map_values)]

mod faults;
mod messages;
mod misplaced;
mod tools;

use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{RepairPolicy, Session};

use self::tools::session_of;

const SECRET: &str = "hunter2";

/// Returns a session without repairs, so that every issue is reported.
fn session() -> Session {
    session_in(FeedbackForm::Json)
}

fn session_in(form: FeedbackForm) -> Session {
    session_of(form, RepairPolicy::Strict)
}

/// Returns the answer without repairs, after asserting that the answer with repairs does not contain the secret.
fn rejected(name: &str, arguments: &str) -> String {
    let repaired =
        pollster::block_on(session_of(FeedbackForm::Json, RepairPolicy::Assisted).call("call_1", name, arguments));
    let told = format!("{} {:?}", repaired.to_text(), repaired.repairs());
    assert!(!told.contains(SECRET), "the answer to {arguments} contains the secret: {told}");
    rejected_by(&session(), name, arguments)
}

fn rejected_by(session: &Session, name: &str, arguments: &str) -> String {
    let outcome = pollster::block_on(session.call("call_1", name, arguments));
    assert!(!outcome.is_ok(), "{arguments} should be rejected");
    outcome.to_text().into_owned()
}

/// Returns the answers in every form, to the first and to the second call.
fn rejected_in_all_forms(name: &str, arguments: &str) -> Vec<String> {
    let told = |form| {
        let session = session_in(form);
        [rejected_by(&session, name, arguments), rejected_by(&session, name, arguments)]
    };
    [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown].into_iter().flat_map(told).collect()
}
