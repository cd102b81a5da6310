//! The records of a conversation, as JSON: [`Entry`].
//!
//! Invariants: the first entry of a log is a whole conversation. Applying the other entries to it, in order, gives the current state. The
//! names of the variants are stored in logs, so they must not change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tool_chat::run::{Next, Record, Run};
use tool_runtime::session::SessionState;

use crate::error::DurableError;

/// A record of a conversation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entry {
    /// The whole conversation, which replaces all earlier entries.
    Conversation { run: Box<Run>, session: Box<SessionState> },
    /// Something happened in the run.
    Run(Box<Record>),
    /// The session after the things that happened.
    Session(Box<SessionState>),
    /// The call with this index in its step has started. `tool` is the advertised name of its tool. The call is repeatable if running it
    /// twice does no harm.
    Started { call: usize, tool: String, is_repeatable: bool },
}

impl Entry {
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, DurableError> {
        serde_json::to_vec(self).map_err(|error| DurableError::Unwritable { error })
    }
}

/// A call that has started but not ended.
pub(crate) struct StartedCall {
    pub(crate) tool: String,
    pub(crate) is_repeatable: bool,
}

/// The calls of a step that have started but not ended, keyed by their index in the step.
pub(crate) type Started = BTreeMap<usize, StartedCall>;

/// A conversation as read from its log.
pub(crate) struct Recorded {
    pub(crate) run: Run,
    pub(crate) session: SessionState,
    pub(crate) started: Started,
}

/// Returns the conversation of a log; `None` if the log is empty.
pub(crate) fn replay(records: &[Vec<u8>]) -> Result<Option<Recorded>, DurableError> {
    let mut known: Option<Recorded> = None;
    for (number, record) in records.iter().enumerate() {
        let unreadable = |reason: String| DurableError::Unreadable { number, reason };
        let entry = serde_json::from_slice(record).map_err(|error| unreadable(error.to_string()))?;
        match (entry, &mut known) {
            (Entry::Conversation { run, session }, _) => {
                known = Some(Recorded { run: *run, session: *session, started: Started::new() });
            }
            (_, None) => return Err(unreadable("the conversation before it is missing".to_owned())),
            (Entry::Session(session), Some(known)) => known.session = *session,
            (Entry::Started { call, tool, is_repeatable }, Some(known)) => {
                known.started.insert(call, StartedCall { tool, is_repeatable });
                // A deferred call that the host has approved starts while the run waits. The run rejects a record of such a start, which is
                // not an error.
                let _ = known.run.apply_record(Record::from_call_start(call));
            }
            (Entry::Run(record), Some(known)) => {
                if let Record::Ended { call, .. } = &*record {
                    known.started.remove(call);
                }
                known.run.apply_record(*record).map_err(|error| unreadable(error.to_string()))?;
                if !matches!(known.run.next(), Next::Call(_) | Next::Wait(_)) {
                    known.started.clear();
                }
            }
        }
    }
    Ok(known)
}
