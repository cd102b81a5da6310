//! The requested calls of a batch, [`CallRequest`], and the queue in which they wait to start.
//!
//! In: calls in the order in which the model made them. Out: one call after the other, with its position in the batch. Invariant:
//! `session.cancel` finds a waiting call by its id until the call starts or the queue is dropped.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use super::running_calls::Running;
use crate::context::Cancellation;
use crate::input::Arguments;

/// A call that a model made, for [`call_batch`](super::Session::call_batch).
///
/// A tuple of an id, a name and arguments converts into a `CallRequest`.
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
    /// The id of the call, which is repeated in its answer.
    pub id: Cow<'a, str>,
    /// The name that was called.
    pub name: Cow<'a, str>,
    /// The arguments as the model sent them.
    pub arguments: Arguments<'a>,
    /// `true` if the output limit of the model cut off the answer that contains the call. See [`cut_off`](Self::cut_off).
    pub is_cut_off: bool,
}

impl<'a> CallRequest<'a> {
    /// Creates a call from its parts.
    pub fn new(
        id: impl Into<Cow<'a, str>>,
        name: impl Into<Cow<'a, str>>,
        arguments: impl Into<Arguments<'a>>,
    ) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into(), is_cut_off: false }
    }

    /// Sets whether the output limit of the model cut off the answer that contains the call: the stop reason `length` or `max_tokens` of a
    /// provider. If the arguments are incomplete JSON, or if required ones are missing, the model then reads that it has to send less in one call.
    /// Valid arguments run. Set it for the last call of the answer, because the calls before it are complete.
    ///
    /// ```
    /// use tool_runtime::session::CallRequest;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Writes a file.
    /// #[tool]
    /// fn write_file(
    ///     /// The text of the file.
    ///     text: String,
    /// ) -> usize {
    ///     text.len()
    /// }
    ///
    /// let session = Toolbox::builder().tool(WriteFileTool).build()?.session();
    /// let call = CallRequest::new("call_1", "write_file", r#"{"text": "Once upon a ti"#).cut_off(true);
    /// let outcomes = pollster::block_on(session.call_batch([call])).into_outcomes();
    /// let message = outcomes[0].failure().map(|failure| failure.message());
    /// let expected = "write_file was not run: your answer reached its output limit, which cut off the arguments of this call.";
    /// assert_eq!(message.as_deref(), Some(expected));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[must_use]
    pub fn cut_off(self, is_cut_off: bool) -> Self {
        Self { is_cut_off, ..self }
    }
}

impl<'a, I: Into<Cow<'a, str>>, N: Into<Cow<'a, str>>, A: Into<Arguments<'a>>> From<(I, N, A)> for CallRequest<'a> {
    fn from((id, name, arguments): (I, N, A)) -> Self {
        Self::new(id, name, arguments)
    }
}

/// The facts about a call that are kept while it runs.
pub(super) struct CallLabel<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) name: Cow<'a, str>,
    pub(super) is_cut_off: bool,
}

pub(super) struct Queue<'a> {
    running: &'a Running,
    labels: Vec<Arc<CallLabel<'a>>>,
    /// The arguments of the waiting calls.
    arguments: VecDeque<Arguments<'a>>,
    /// The registrations of the waiting calls; empty before the first poll.
    places: VecDeque<Place>,
    /// The registration of the call that was taken last.
    taken: Option<Place>,
    has_waited: bool,
}

/// The entry of a waiting call in the table of calls that can be cancelled.
struct Place {
    index: usize,
    ticket: u64,
    cancellation: Cancellation,
}

impl<'a> Queue<'a> {
    pub(super) fn new(running: &'a Running, calls: impl Iterator<Item = CallRequest<'a>>) -> Self {
        let split =
            |CallRequest { id, name, arguments, is_cut_off }| (Arc::new(CallLabel { id, name, is_cut_off }), arguments);
        let (labels, arguments) = calls.map(split).unzip();
        Self { running, labels, arguments, places: VecDeque::new(), taken: None, has_waited: false }
    }

    /// Returns the number of calls in the batch.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the waiting calls, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (&CallLabel<'a>, &Arguments<'a>)> {
        self.labels.iter().skip(self.turn()).map(|label| &**label).zip(&self.arguments)
    }

    pub(super) fn label(&self, index: usize) -> Option<Arc<CallLabel<'a>>> {
        self.labels.get(index).cloned()
    }

    /// Returns the next call.
    pub(super) fn next(&self) -> Option<(&CallLabel<'a>, &Arguments<'a>)> {
        Some((self.labels.get(self.turn())?, self.arguments.front()?))
    }

    /// Takes the next call out of the queue. It stays in the table until [`take`](Self::take) or [`settle`](Self::settle) is called
    /// again.
    pub(super) fn take(&mut self) -> Option<(usize, Arc<CallLabel<'a>>, Arguments<'a>)> {
        let index = self.turn();
        let place = self.places.pop_front();
        self.leave(place);
        let arguments = self.arguments.pop_front()?;
        Some((index, self.label(index)?, arguments))
    }

    /// Returns `true` if the call that was taken last was cancelled while it waited.
    pub(super) fn is_cancelled(&self) -> bool {
        self.taken.as_ref().is_some_and(|place| place.cancellation.is_given())
    }

    /// Removes the call that was taken last from the table, because it is now registered as a running call.
    pub(super) fn settle(&mut self) {
        self.leave(None);
    }

    /// Registers the calls that could not start yet, so that they can be cancelled.
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

    /// Removes the most recently taken call from the table, and remembers `next` as the registration of the call that is taken now.
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
