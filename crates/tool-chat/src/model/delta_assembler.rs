//! Assembly of deltas into an answer: [`DeltaAssembler`].
//!
//! Invariants: the calls do not depend on where the stream is cut into pieces. A call never runs with a part of its arguments: if it is not
//! certain to which call a piece belongs, the calls that could have lost it are left incomplete, and incomplete arguments are rejected. The
//! text of all other arguments is exactly what was sent, without an empty object before it. Calls are in the order in which they began. The
//! time to add a piece depends only on the length of the piece.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde_json::Value;

use super::partial_arguments::PartialArguments;
use super::{Delta, Response, StopReason, ToolCall, Usage};

/// Assembles an answer from its pieces.
///
/// ```
/// use tool_chat::model::{DeltaAssembler, Delta, ToolCall};
///
/// let piece = |id: Option<&str>, name: Option<&str>, arguments: &str| Delta::Call {
///     index: 0,
///     id: id.map(str::to_owned),
///     name: name.map(str::to_owned),
///     arguments: arguments.to_owned(),
/// };
/// let mut assembler = DeltaAssembler::new();
/// assembler.push(piece(Some("call_1"), Some("get_weather"), ""));
/// assembler.push(piece(None, None, "{\"location\": "));
/// assembler.push(piece(None, None, "\"Paris\"}"));
/// assert_eq!(assembler.finish().calls, [ToolCall::new("call_1", "get_weather", r#"{"location": "Paris"}"#)]);
/// ```
#[derive(Clone, Default)]
pub struct DeltaAssembler {
    text: String,
    calls: Vec<Assembly>,
    thoughts: Vec<Value>,
    /// The last call at each index of the provider.
    places: HashMap<usize, Place>,
    /// The last call with each id.
    by_id: HashMap<String, usize>,
    /// The calls whose arguments are not a complete object.
    unfinished: BTreeSet<usize>,
    /// The calls whose object is complete and empty. It may be a placeholder.
    empty: BTreeSet<usize>,
    /// The number of pieces so far. A piece that completes an object and continues counts as several.
    time: u64,
    /// The time at which a further object followed a complete one, and may have been meant for another call.
    surplus: Option<u64>,
    /// The calls to which the last delta was added, and where in their arguments.
    added: Vec<(usize, usize)>,
    usage: Usage,
    stop: Option<StopReason>,
}

/// The call at an index of the provider.
#[derive(Clone, Copy)]
struct Place {
    call: usize,
    /// `true` if the index was unknown, and the call was the only one that could continue.
    is_guessed: bool,
}

/// A call as assembled so far.
#[derive(Clone)]
struct Assembly {
    call: ToolCall,
    text: PartialArguments,
    /// The id and the name after a complete object, which begin another call if a text follows.
    next: Option<Header>,
    began: u64,
    /// The time at which the object was complete.
    completed: u64,
    /// The previous call at the same index.
    before: Option<Place>,
    /// `true` if the call began without a name at an unknown index while several calls were open.
    is_unplaced: bool,
}

#[derive(Clone, Default)]
struct Header {
    id: Option<String>,
    name: Option<String>,
    /// White space after the header.
    blank: String,
}

impl fmt::Debug for DeltaAssembler {
    /// Shows the amount of data, but no arguments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeltaAssembler")
            .field("text_bytes", &self.text.len())
            .field("calls", &self.calls.iter().map(|assembly| &assembly.call).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl DeltaAssembler {
    /// Creates an empty answer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next piece.
    ///
    /// Servers do not agree on indices, so these rules say to which call a piece belongs:
    ///
    /// - A name with a new id begins a call, even at a known index. So does a different name after arguments, and a name or a new id
    ///   between a complete object and a further text. Without such a text, a repeated name begins nothing, nor does it after `{}`, which
    ///   some servers send before the arguments; the arguments then replace it.
    /// - A piece with the id of an earlier call belongs to that call.
    /// - A piece without id and name at an unknown index belongs to the only call whose object is not complete. If there is no such call,
    ///   or several, its name may still follow at the same index.
    ///
    /// Each reported usage is a total, so the largest value is kept.
    ///
    /// ```
    /// use tool_chat::model::{DeltaAssembler, Delta};
    ///
    /// let mut assembler = DeltaAssembler::new();
    /// for id in ["call_1", "call_2"] {
    ///     assembler.push(Delta::Call { index: 0, id: Some(id.to_owned()), name: Some("now".to_owned()), arguments: "{}".to_owned() });
    /// }
    /// assert_eq!(assembler.finish().calls.len(), 2);
    /// ```
    pub fn push(&mut self, delta: Delta) {
        self.added.clear();
        match delta {
            Delta::Text(text) => self.text.push_str(&text),
            Delta::Call { index, id, name, arguments } => {
                let [id, name] = [id, name].map(|text| text.filter(|text| !text.is_empty()));
                if id.is_some() || name.is_some() {
                    self.header(index, Header { id, name, blank: String::new() });
                }
                self.arguments(index, &arguments);
            }
            Delta::Thought(thought) => self.thoughts.push(thought),
            Delta::Usage(usage) => {
                self.usage.input_tokens = self.usage.input_tokens.max(usage.input_tokens);
                self.usage.output_tokens = self.usage.output_tokens.max(usage.output_tokens);
            }
            Delta::Stop(stop) => self.stop = Some(stop),
        }
    }

    /// Adds an id and a name, or one of them, at an index.
    fn header(&mut self, index: usize, header: Header) {
        self.time += 1;
        if let Some(call) = self.with_id(index, &header) {
            self.places.insert(index, Place { call, is_guessed: false });
        }
        let Some(&Place { call: place, is_guessed }) = self.places.get(&index) else {
            return self.begin(index, header);
        };
        let Assembly { call, text, next, .. } = &mut self.calls[place];
        let waits = next.take();
        let known = waits.as_ref().and_then(|waits| waits.id.as_deref()).filter(|id| *id != call.id);
        let has_other_id =
            known.is_some() || header.id.as_ref().is_some_and(|id| !call.id.is_empty() && call.id != *id);
        let has_other_name = header.name.as_ref().is_some_and(|name| !call.name.is_empty() && call.name != *name);
        let is_own = is_guessed && text.is_complete() || has_other_id;
        if header.name.is_some() && is_own || has_other_name && !text.is_blank() {
            let waits = waits.unwrap_or_default();
            let header = Header { id: header.id.or(waits.id), name: header.name, blank: waits.blank };
            return self.begin_again(index, header);
        }
        let is_again = header.name.is_some() && !call.name.is_empty() || has_other_id;
        if text.is_complete() && !text.is_empty() && is_again {
            let waits = waits.unwrap_or_default();
            *next = Some(Header { id: header.id.or(waits.id), name: header.name.or(waits.name), blank: waits.blank });
            return;
        }
        *next = waits;
        if let Some(name) = header.name.filter(|name| *name != call.name) {
            call.name.push_str(&name);
        }
        if let Some(id) = header.id.filter(|_| call.id.is_empty()) {
            call.id.clone_from(&id);
            self.by_id.insert(id, place);
        }
    }

    /// Returns the earlier call with the id of a header, unless the header begins another call with this id.
    fn with_id(&self, index: usize, header: &Header) -> Option<usize> {
        let place = *self.by_id.get(header.id.as_deref()?)?;
        let Assembly { call, text, .. } = &self.calls[place];
        let is_same = header.name.as_ref().is_none_or(|name| call.name == *name && !text.is_complete());
        let is_elsewhere = self.places.get(&index).is_none_or(|known| known.call != place);
        (is_same && is_elsewhere).then_some(place)
    }

    /// Begins another call at a known index. Without an id, its text may belong to a call that is still open.
    fn begin_again(&mut self, index: usize, header: Header) {
        let known = self.places.get(&index).map(|place| place.call);
        let may_be_open = !self.unfinished.is_empty() || self.empty.last().copied() > known;
        if header.id.is_none() && may_be_open {
            self.surplus.get_or_insert(self.time);
        }
        self.begin(index, header);
    }

    fn begin(&mut self, index: usize, Header { id, name, blank }: Header) {
        self.time += 1;
        let place = self.calls.len();
        let before = self.places.insert(index, Place { call: place, is_guessed: false });
        if let Some(id) = &id {
            self.by_id.insert(id.clone(), place);
        }
        self.unfinished.insert(place);
        self.calls.push(Assembly {
            call: ToolCall::new(id.unwrap_or_default(), name.unwrap_or_default(), blank),
            text: PartialArguments::default(),
            next: None,
            began: self.time,
            completed: 0,
            before,
            is_unplaced: false,
        });
    }

    /// Adds a text at an index. What follows a complete object is placed like another piece, so that cuts make no difference.
    fn arguments(&mut self, index: usize, mut text: &str) {
        while !text.is_empty() {
            self.time += 1;
            let is_blank = text.starts_with(char::is_whitespace);
            let Some(place) = self.place(index, text) else {
                // Only white space waits for the call that may begin after it.
                let (blank, rest) = split_blank(text);
                if let Some(next) = self.places.get(&index).and_then(|place| self.calls[place.call].next.as_mut()) {
                    next.blank.push_str(blank);
                }
                text = rest;
                continue;
            };
            let assembly = &mut self.calls[place];
            let start = assembly.call.arguments.len();
            let was_complete = assembly.text.is_complete();
            let end = if was_complete && is_blank { split_blank(text).0.len() } else { assembly.text.push(text) };
            let (more, rest) = text.split_at(end);
            assembly.call.arguments.push_str(more);
            self.added.push((place, start));
            if !was_complete && assembly.text.is_complete() {
                assembly.completed = self.time;
                self.unfinished.remove(&place);
                if assembly.text.is_empty() {
                    self.empty.insert(place);
                }
            }
            text = rest;
        }
    }

    /// Returns the call to which the next part of a text belongs. Returns `None` for white space that may belong to the next call.
    fn place(&mut self, index: usize, text: &str) -> Option<usize> {
        let Some(&Place { call: place, is_guessed }) = self.places.get(&index) else {
            if let Some(call) = self.only_unfinished() {
                self.places.insert(index, Place { call, is_guessed: true });
                return Some(call);
            }
            let is_unplaced = !self.unfinished.is_empty();
            self.begin(index, Header::default());
            let began = self.calls.len() - 1;
            self.calls[began].is_unplaced = is_unplaced;
            return Some(began);
        };
        let assembly = &mut self.calls[place];
        if !assembly.text.is_complete() {
            return Some(place);
        }
        if text.starts_with(char::is_whitespace) {
            return if assembly.next.is_some() { None } else { Some(place) };
        }
        if let Some(next) = assembly.next.take() {
            self.begin_again(index, next);
            return self.places.get(&index).map(|place| place.call);
        }
        let is_last = place + 1 == self.calls.len() && self.unfinished.is_empty();
        let assembly = &mut self.calls[place];
        if assembly.text.is_empty() && text.starts_with('{') && is_last {
            assembly.call.arguments.clear();
            assembly.text = PartialArguments::default();
            self.empty.remove(&place);
            self.unfinished.insert(place);
            return Some(place);
        }
        if is_guessed && let Some(call) = self.only_unfinished() {
            self.places.insert(index, Place { call, is_guessed });
            return Some(call);
        }
        if text.starts_with('{') {
            self.surplus.get_or_insert(self.time);
        }
        Some(place)
    }

    /// Returns the only call that can continue.
    fn only_unfinished(&self) -> Option<usize> {
        let first = self.unfinished.first().copied().filter(|_| self.unfinished.len() == 1)?;
        self.empty.last().is_none_or(|empty| *empty < first).then_some(first)
    }

    /// Returns the calls to which the last delta was added, as assembled so far, each with its index in the answer and the new part of its
    /// arguments. If this part is all of the arguments, earlier parts were replaced.
    pub(crate) fn added(&self) -> impl Iterator<Item = (usize, &ToolCall, &str)> {
        self.added.iter().enumerate().map(|(at, &(place, start))| {
            let call = &self.calls[place].call;
            let next = self.added[at + 1..].iter().find(|(other, _)| *other == place).map(|(_, start)| *start);
            let end = next.filter(|next| *next >= start).unwrap_or(call.arguments.len());
            (place, call, call.arguments.get(start..end).unwrap_or_default())
        })
    }

    /// Returns the answer. A call without an id gets an id made from its position. If the provider sent no stop reason, the stop reason is
    /// [`ToolCalls`](StopReason::ToolCalls) if there are calls, and [`Finished`](StopReason::Finished) otherwise.
    ///
    /// ```
    /// use tool_chat::model::{DeltaAssembler, Delta, StopReason};
    ///
    /// let mut assembler = DeltaAssembler::new();
    /// assembler.push(Delta::Call { index: 0, id: None, name: Some("now".to_owned()), arguments: String::new() });
    /// let response = assembler.finish();
    /// assert_eq!((response.calls[0].id.as_str(), response.stop), ("call_1", StopReason::ToolCalls));
    /// ```
    pub fn finish(mut self) -> Response {
        for assembly in &mut self.calls {
            let Some(next) = assembly.next.take() else { continue };
            assembly.call.arguments.push_str(&next.blank);
            if let Some(id) = next.id.filter(|_| assembly.call.id.is_empty()) {
                assembly.call.id = id;
            }
        }
        for place in self.losses() {
            let arguments = &mut self.calls[place].call.arguments;
            arguments.truncate(arguments.trim_end().len());
            arguments.pop();
            if !arguments.trim_start().starts_with('{') {
                "{".clone_into(arguments);
            }
        }
        let is_kept: Vec<bool> = self.calls.iter().map(|assembly| self.is_kept(assembly)).collect();
        let calls = self.calls.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
        let mut calls: Vec<ToolCall> = calls.map(|(assembly, _)| assembly.call).collect();
        for (place, call) in calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{}", place + 1);
            }
        }
        let implied = if calls.is_empty() { StopReason::Finished } else { StopReason::ToolCalls };
        let stop = self.stop.unwrap_or(implied);
        Response { text: self.text, calls, thoughts: self.thoughts, usage: self.usage, stop }
    }

    /// Returns the calls that could run although a part of their arguments may be missing.
    fn losses(&self) -> BTreeSet<usize> {
        let is_unplaced =
            |assembly: &&Assembly| assembly.is_unplaced || assembly.call.name.is_empty() && !assembly.text.is_blank();
        let unplaced = self.calls.iter().filter(is_unplaced).map(|assembly| assembly.began).chain(self.surplus).min();
        let mut losses = BTreeSet::new();
        for (place, assembly) in self.calls.iter().enumerate().filter(|(_, assembly)| !assembly.call.name.is_empty()) {
            let was_open = unplaced.is_some_and(|time| assembly.began <= time && time < assembly.completed);
            if unplaced.is_some() && assembly.is_bare() || was_open || assembly.is_unplaced {
                losses.insert(place);
            }
            let Some(Place { call, is_guessed }) = assembly.before else { continue };
            // The earlier pieces of this index may belong to this call.
            if is_guessed && assembly.is_bare() {
                losses.extend([place, call]);
            }
            // Some servers begin a call with each piece, because each has a new id.
            let is_broken = !assembly.text.is_blank() && !assembly.text.is_complete();
            if is_broken && self.calls[call].is_bare() && self.calls[call].call.name == assembly.call.name {
                losses.insert(call);
            }
        }
        losses
    }

    /// Returns `false` for a call without any content, and for a call that a server has sent again as a whole.
    fn is_kept(&self, Assembly { call, text, before, .. }: &Assembly) -> bool {
        let has_content = !(call.name.is_empty() && call.id.is_empty() && text.is_blank());
        let arguments = |text: &str| serde_json::from_str::<Value>(text).ok();
        let is_repeated = before.is_some_and(|before| {
            let known = &self.calls[before.call].call;
            let is_same =
                known.name == call.name && !known.id.is_empty() && (call.id.is_empty() || call.id == known.id);
            let known = arguments(&known.arguments).filter(|_| is_same);
            known.is_some() && known == arguments(&call.arguments)
        });
        has_content && !is_repeated
    }
}

impl Assembly {
    /// Returns `true` if the call has no arguments, so it would run without any.
    const fn is_bare(&self) -> bool {
        self.text.is_blank() || self.text.is_complete() && self.text.is_empty()
    }
}

/// Splits a text after its leading white space.
fn split_blank(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start().len())
}
