//! A check of arguments while they arrive: [`Watch`].
//!
//! Invariants: an answer is only abandoned if the session would reject the call, whatever the rest of its arguments is. Arguments that do
//! not match the input of the tool may still be repaired, so a mismatch is reported once, and the rest of the answer is read.

use std::collections::HashMap;

use tool_runtime::Issue;
use tool_runtime::session::{AdvertisedItem, Session};
use tool_runtime::tool_schema::repair::{Progress, Stream};
use tool_runtime::tool_schema::shape::Ref;

use crate::private::internal;

/// Returns the name of each visible tool, with its input in the form that the model was shown.
pub(super) fn inputs(session: &Session) -> Vec<(String, Ref)> {
    let tools = session.tools().into_iter();
    let inputs = tools.filter_map(|tool| match tool {
        AdvertisedItem::Tool { name, input, .. } => {
            Some((name.to_string(), internal::shown_input(session, &name).unwrap_or(input)))
        }
        AdvertisedItem::Container { .. } => None,
    });
    inputs.collect()
}

pub(super) struct Watch {
    /// The inputs, by tool name.
    inputs: HashMap<String, Ref>,
    /// The text of each call so far, by the index of the call in the answer.
    calls: HashMap<usize, Stream>,
}

impl Watch {
    pub(super) fn new(inputs: Vec<(String, Ref)>) -> Self {
        Self { inputs: inputs.into_iter().collect(), calls: HashMap::new() }
    }

    /// Adds the next piece of a call, which may replace all earlier ones. Returns `true` if no continuation can become valid JSON.
    pub(super) fn is_lost(
        &mut self,
        place: usize,
        tool: &str,
        arguments: &str,
        piece: &str,
        doubt: impl FnOnce(&[Issue]),
    ) -> bool {
        if piece.is_empty() {
            return false;
        }
        if piece.len() == arguments.len() {
            self.calls.remove(&place);
        }
        let stream = self.calls.entry(place).or_insert_with(|| {
            self.inputs.get(tool).map_or_else(Stream::new, |input| Stream::for_shape(input.clone()))
        });
        if stream.push(piece) == Progress::Rejected {
            doubt(stream.issues());
            let mut text = Stream::new();
            text.push(stream.text());
            *stream = text;
        }
        stream.progress() == Progress::Unreadable
    }
}
