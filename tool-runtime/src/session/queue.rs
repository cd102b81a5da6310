//! The calls of a batch until they start: [`CallRequest`], and the queue in which they wait for their turn.
//!
//! In: calls in the order of the model. Out: one after the other, with its place in the batch. What always holds: a call that waits is known
//! to `session.cancel` under its id, until it starts or the queue is dropped.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use super::running::Running;
use crate::context::Cancellation;
use crate::input::Arguments;

/// A call as a model made it, for [`call_batch`](super::Session::call_batch).
///
/// Three parts in a tuple are one as well.
///
/// ```
/// use tool_runtime::session::CallRequest;
///
/// let call = CallRequest::new("call_1", "get_weather", r#"{"location": "Paris"}"#);
/// assert_eq!((&*call.id, &*call.name), ("call_1", "get_weather"));
/// let call: CallRequest<'_> = (String::from("call_2"), "get_time", serde_json::json!({})).into();
/// assert!(call.arguments.is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallRequest<'a> {
    /// The id under which it is answered.
    pub id: Cow<'a, str>,
    /// The name that was called.
    pub name: Cow<'a, str>,
    /// The arguments as they came.
    pub arguments: Arguments<'a>,
}

impl<'a> CallRequest<'a> {
    /// A call from its parts.
    ///
    /// ```
    /// assert_eq!(tool_runtime::session::CallRequest::new("call_1", "get_time", "{}").name, "get_time");
    /// ```
    pub fn new(
        id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        arguments: impl Into<Arguments<'a>>,
    ) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

impl<'a, I: Into<Cow<'a, str>>, N: Into<Cow<'a, str>>, A: Into<Arguments<'a>>> From<(I, N, A)> for CallRequest<'a> {
    fn from((id, name, arguments): (I, N, A)) -> Self {
        Self::new(id, name, arguments)
    }
}

/// What stays known of a call while it runs.
pub(super) struct Label<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
}

pub(super) struct Queue<'a> {
    running: &'a Running,
    labels: Vec<Arc<Label<'a>>>,
    /// Of the calls that wait.
    arguments: VecDeque<Arguments<'a>>,
    /// Of the calls that wait, once the first poll has left them waiting.
    places: VecDeque<Place>,
    /// Of the call that was taken last.
    taken: Option<Place>,
    has_waited: bool,
}

/// A waiting call's place in the table of those that can be cancelled.
struct Place {
    index: usize,
    ticket: u64,
    cancellation: Cancellation,
}

impl<'a> Queue<'a> {
    pub(super) fn new(running: &'a Running, calls: impl Iterator<Item = CallRequest<'a>>) -> Self {
        let split = |CallRequest { id, name, arguments }| (Arc::new(Label { id, name }), arguments);
        let (labels, arguments) = calls.map(split).unzip();
        Self { running, labels, arguments, places: VecDeque::new(), taken: None, has_waited: false }
    }

    /// How many calls the batch has.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The calls that wait, in their order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&Label<'a>, &Arguments<'a>)> {
        self.labels.iter().skip(self.turn()).map(|label| &**label).zip(&self.arguments)
    }

    pub(super) fn label(&self, index: usize) -> Option<Arc<Label<'a>>> {
        self.labels.get(index).cloned()
    }

    /// The call whose turn is next.
    pub(super) fn next(&self) -> Option<(&Label<'a>, &Arguments<'a>)> {
        Some((self.labels.get(self.turn())?, self.arguments.front()?))
    }

    /// Takes the call whose turn it is. It stays in the table until the one after it is taken, or none is for now.
    pub(super) fn take(&mut self) -> Option<(usize, Arc<Label<'a>>, Arguments<'a>)> {
        let index = self.turn();
        let place = self.places.pop_front();
        self.leave(place);
        let arguments = self.arguments.pop_front()?;
        Some((index, self.label(index)?, arguments))
    }

    /// Whether the call that was taken last was cancelled while it waited.
    pub(super) fn is_cancelled(&self) -> bool {
        self.taken.as_ref().is_some_and(|place| place.cancellation.is_given())
    }

    /// Nothing more is taken for now: the call that was taken last can be cancelled where it runs.
    pub(super) fn settle(&mut self) {
        self.leave(None);
    }

    /// What could not start by now waits, and can be cancelled.
    pub(super) fn wait(&mut self) {
        if !self.has_waited {
            self.has_waited = true;
            for (index, label) in self.labels.iter().enumerate().skip(self.turn()) {
                let cancellation = Cancellation::default();
                let ticket = self.running.enter(&label.id, &cancellation);
                self.places.push_back(Place { index, ticket, cancellation });
            }
        }
    }

    fn turn(&self) -> usize {
        self.labels.len() - self.arguments.len()
    }

    /// Takes the last call out of the table, and keeps another in mind.
    fn leave(&mut self, next: Option<Place>) {
        if let Some(Place { index, ticket, .. }) = std::mem::replace(&mut self.taken, next)
            && let Some(label) = self.labels.get(index)
        {
            self.running.leave(&label.id, ticket);
        }
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        while !self.places.is_empty() {
            let place = self.places.pop_front();
            self.leave(place);
        }
        self.leave(None);
    }
}
