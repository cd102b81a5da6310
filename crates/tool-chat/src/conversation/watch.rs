//! Arguments read while they come: [`Watch`].
//!
//! In: the pieces of calls. Out: whether nothing that may follow can make JSON of one, and once what does not fit its tool. What always
//! holds: an answer is given up only where the session would refuse the call whatever followed; a misfit may still be repaired, so it is
//! told and the answer is read on.

use std::collections::HashMap;

use tool_runtime::Issue;
use tool_runtime::session::{Advertised, Session};
use tool_runtime::tool_schema::repair::{Progress, Stream};
use tool_runtime::tool_schema::shape::{Ref, Resolved};

use crate::private::siblings;

/// The arguments of the visible tools, as a model sends them.
pub(super) fn inputs(session: &Session) -> Vec<(String, Ref)> {
    let tools = session.tools().into_iter();
    let inputs = tools.filter_map(|tool| match tool {
        Advertised::Tool { name, input, .. } => {
            Some((name.to_string(), siblings::shown_input(session, name).unwrap_or(input)))
        }
        Advertised::Container { .. } => None,
    });
    inputs.collect()
}

/// What they have to be.
pub(super) type Shapes<'s> = HashMap<&'s str, Resolved<'s>>;

pub(super) fn shapes(inputs: &[(String, Ref)]) -> Shapes<'_> {
    inputs.iter().map(|(name, input)| (name.as_str(), input.shape())).collect()
}

pub(super) struct Watch<'s> {
    shapes: &'s Shapes<'s>,
    /// The text of each call so far, by the place of the call in the answer.
    calls: HashMap<usize, Stream<'s>>,
}

impl<'s> Watch<'s> {
    pub(super) fn new(shapes: &'s Shapes<'s>) -> Self {
        Self { shapes, calls: HashMap::new() }
    }

    /// Takes the next piece of a call; whether all that may follow is in vain.
    pub(super) fn is_lost(&mut self, place: usize, tool: &str, piece: &str, doubt: impl FnOnce(&[Issue])) -> bool {
        if piece.is_empty() {
            return false;
        }
        let stream = self
            .calls
            .entry(place)
            .or_insert_with(|| self.shapes.get(tool).map_or_else(Stream::new, |shape| Stream::with_shape(shape)));
        if stream.push(piece) == Progress::Refused {
            doubt(stream.issues());
            let mut text = Stream::new();
            text.push(stream.text());
            *stream = text;
        }
        stream.progress() == Progress::Unreadable
    }
}
