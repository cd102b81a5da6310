//! The calls of one decision of the model, answered together: [`BatchCall`].
//!
//! In: calls, in the order in which the model made them. Out: one [`Outcome`] for each, in that order. What always holds: calls start in the
//! order of the batch, and what their names mean is decided as they start, while the throttle decides about all of them before any runs; a
//! `sequential` one runs alone; one future holds them all, and dropping it leaves nothing behind.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::attempt::{Attempt, End, NO_ARGUMENTS};
use super::batch_outcome::BatchOutcome;
use super::generation::{Current, Generation};
use super::invoke::guarded;
use super::join::Join;
use super::member::{Decision as Decided, Member};
use super::queue::{CallRequest, Label, Queue};
use super::{Outcome, Session};
use crate::clock::Sleep;
use crate::event::Decision;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::shape::Text;
use crate::throttle::{self, Throttle};

type Call<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// The calls of one decision of the model, to be awaited; from [`Session::call_batch`].
///
/// ```
/// # use tool_runtime::Toolbox;
/// let session = Toolbox::builder().build()?.session();
/// let batch = session.call_batch([("call_1", "add", "{}"), ("call_2", "add", "{}")]).max_concurrency(1);
/// assert_eq!(pollster::block_on(batch).outcomes().len(), 2);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[must_use = "nothing runs before the batch is awaited"]
pub struct BatchCall<'a> {
    session: &'a Session,
    /// Until it begins.
    queue: Option<Queue<'a>>,
    max_concurrency: Option<usize>,
    time_limit: Option<Duration>,
    batch: Begun<'a>,
}

/// A batch on its way.
#[expect(clippy::large_enum_variant, reason = "a batch under the first toolbox is not boxed")]
enum Begun<'a> {
    NotYet,
    /// Under the first toolbox of the session.
    Here(Run<'a>),
    /// Under a later toolbox, which it keeps.
    Elsewhere(Pin<Box<dyn Future<Output = BatchOutcome> + Send + 'a>>),
}

/// The calls of a batch, under one toolbox.
struct Run<'a> {
    generation: &'a Generation,
    queue: Queue<'a>,
    running: Join<Call<'a>>,
    outcomes: Vec<Option<Outcome>>,
    /// How many are not answered yet.
    open: usize,
    /// The one that runs is `sequential`.
    is_alone: bool,
    /// The one whose turn is next is `sequential`, once that is known.
    next_is_alone: Option<bool>,
    max_concurrency: usize,
    time_limit: Option<Duration>,
    deadline: Option<Sleep>,
    has_begun: bool,
    /// Tells the throttle that the calls are one decision.
    batch: Option<throttle::Batch>,
    /// What it has decided about each of them, until they start.
    decided: Vec<Option<Decided<'a>>>,
}

/// A batch has a time limit, and the clock of the toolbox has no timer that would tell it.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::Toolbox;
///
/// let session = Toolbox::builder().build()?.session();
/// let limited = session.call_batch([("call_1", "add", "{}")]).time_limit(Duration::from_secs(30));
/// assert!(limited.is_err_and(|error| error.to_string().contains("has no timer")));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the batch has a time limit, and the clock has no timer: add `.clock(TokioClock::new())` (feature `tokio`) to the toolbox, or another clock that has one"
)]
#[non_exhaustive]
pub struct NoTimer;

impl Session {
    /// Answers the calls of one decision of the model: they run at the same time, and each is answered under its own id.
    ///
    /// The calls start in the given order, and what a name means is decided when its call starts: a member that is called behind its
    /// container is there, one that is called before it is not. A tool that is `sequential` starts when all calls before it are
    /// answered, and what follows it waits until it is. [`max_concurrency`](BatchCall::max_concurrency) bounds how many run at once.
    ///
    /// [`cancel`](Self::cancel) reaches the calls that run and those that wait for their turn. Two calls of one id are both answered.
    /// Nothing happens before the batch is awaited; no executor is needed, and nothing is spawned.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, failure::Recovery, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool]
    /// async fn add(
    ///     /// First summand.
    ///     a: f64,
    ///     /// Second summand.
    ///     b: f64,
    /// ) -> f64 {
    ///     a + b
    /// }
    ///
    /// let session = Toolbox::builder().tool(AddTool).build()?.session();
    /// let calls = [("call_1", "add", r#"{"a": 1, "b": 2}"#), ("call_2", "add", r#"{"a": 1}"#)];
    /// let batch = pollster::block_on(session.call_batch(calls));
    /// assert_eq!(batch.outcomes()[0].to_text(), "3.0");
    /// assert_eq!((batch.outcomes()[1].call_id(), batch.recovery()), ("call_2", Some(Recovery::CorrectCall)));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn call_batch<'a, C: Into<CallRequest<'a>>>(&'a self, calls: impl IntoIterator<Item = C>) -> BatchCall<'a> {
        let queue = Queue::new(&self.0.first.shared.running, calls.into_iter().map(Into::into));
        BatchCall { session: self, queue: Some(queue), max_concurrency: None, time_limit: None, batch: Begun::NotYet }
    }
}

impl<'a> Run<'a> {
    fn new(
        generation: &'a Generation,
        queue: Queue<'a>,
        max_concurrency: Option<usize>,
        time_limit: Option<Duration>,
    ) -> Self {
        let open = queue.len();
        let max_concurrency = max_concurrency.or(generation.toolbox.parts().settings.max_concurrency);
        Self {
            generation,
            queue,
            running: Join::new(),
            outcomes: std::iter::repeat_with(|| None).take(open).collect(),
            open,
            is_alone: false,
            next_is_alone: None,
            max_concurrency: max_concurrency.unwrap_or(usize::MAX),
            time_limit,
            deadline: None,
            has_begun: false,
            batch: None,
            decided: Vec::new(),
        }
    }
}

impl Generation {
    /// The answer to a call of a batch that is stopped from outside: cancelled while it waited, or late with the whole batch.
    fn stopped(&self, label: &Label<'_>, failure: fn(&str) -> Failure) -> Outcome {
        let (tool, repair) = match self.find(&label.name) {
            Ok(found) => (self.catalog().name(found.item).clone(), found.repair),
            Err(_) => (Text::from(label.name.to_string()), None),
        };
        let attempt = Attempt::new(&label.id, &tool, &NO_ARGUMENTS, repair.into_iter().collect());
        self.settle(attempt, End::Refused(failure(&tool)))
    }
}

impl BatchCall<'_> {
    /// How many calls run at the same time, whatever the toolbox says; 0 is read as 1.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// let one_by_one = session.call_batch([("call_1", "add", "{}")]).max_concurrency(1);
    /// # let _ = one_by_one;
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.max_concurrency = Some(calls.max(1));
        self
    }

    /// How long the whole batch may take, from its first poll. What is not answered by then is answered with `timeout`, whether it runs
    /// or waits for its turn; no tool's time limit is longer for it. The host set this limit for all, so it is not held against a tool.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::{Toolbox, clock::SimulatedClock};
    ///
    /// let session = Toolbox::builder().clock(SimulatedClock::new()).build()?.session();
    /// let batch = session.call_batch([("call_1", "add", "{}")]).time_limit(Duration::from_secs(30))?;
    /// assert_eq!(pollster::block_on(batch).outcomes().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the clock of the toolbox has no timer, so that the limit would never be heard.
    pub fn time_limit(mut self, limit: Duration) -> Result<Self, NoTimer> {
        if !self.session.current().toolbox.parts().settings.clock.has_timer() {
            return Err(NoTimer);
        }
        self.time_limit = Some(limit);
        Ok(self)
    }
}

impl<'a> Run<'a> {
    fn answered(&mut self, index: usize, outcome: Outcome) {
        if let Some(place @ None) = self.outcomes.get_mut(index) {
            *place = Some(outcome);
            self.open -= 1;
        }
        self.is_alone = false;
    }

    /// Starts what may start, in order.
    fn start(&mut self) {
        while !self.is_alone && self.running.running() < self.max_concurrency {
            let Some((label, arguments)) = self.queue.next() else { return };
            // Kept, because it may be asked whenever another call is answered.
            let is_alone =
                *self.next_is_alone.get_or_insert_with(|| self.generation.runs_alone(&label.name, arguments));
            if is_alone && self.running.running() > 0 {
                return;
            }
            self.next_is_alone = None;
            let Some((index, label, arguments)) = self.queue.take() else { return };
            if self.queue.is_cancelled() {
                self.running.skip();
                self.stop_waiting(index, &label, &arguments, Failure::cancelled);
                continue;
            }
            self.is_alone = is_alone;
            let call = self.call(index, Arc::clone(&label), arguments);
            let started = self.running.start(call);
            if let Poll::Ready(outcome) = started {
                self.answered(index, outcome);
            } else if self.queue.is_cancelled() && self.running.stop(index) {
                // It was cancelled between its turn and its own place among the running calls.
                let outcome = self.generation.stopped(&label, Failure::cancelled);
                self.answered(index, outcome);
            }
        }
    }

    fn call(&mut self, index: usize, label: Arc<Label<'a>>, arguments: Arguments<'a>) -> Call<'a> {
        let (generation, decision) = (self.generation, self.decision(index));
        let member = self.batch.map(|batch| Box::new(Member { batch, decision }));
        Box::pin(async move {
            let trace = generation.trace(&label.id, &label.name, &arguments);
            trace.around(generation.answer(&label.id, &label.name, arguments, member)).await
        })
    }

    /// Takes what was decided about a call.
    fn decision(&mut self, index: usize) -> Option<Decided<'a>> {
        self.decided.get_mut(index).and_then(Option::take)
    }

    /// Answers a call that never started.
    fn stop_waiting(
        &mut self,
        index: usize,
        label: &Label<'_>,
        arguments: &Arguments<'_>,
        failure: fn(&str) -> Failure,
    ) {
        drop(self.decision(index));
        self.generation.observe(&label.id, || Decision::Received { name: &label.name, arguments });
        let outcome = self.generation.stopped(label, failure);
        self.answered(index, outcome);
    }

    /// The time is up: answers what is left.
    fn expire(&mut self) {
        let late: fn(&str) -> Failure = |tool| Failure::timeout(tool, None);
        for index in 0..self.outcomes.len() {
            if self.running.stop(index) {
                let label = self.queue.label(index);
                if let Some(outcome) = label.map(|label| self.generation.stopped(&label, late)) {
                    self.answered(index, outcome);
                }
            }
        }
        while let Some((index, label, arguments)) = self.queue.take() {
            let failure = if self.queue.is_cancelled() { Failure::cancelled } else { late };
            self.stop_waiting(index, &label, &arguments, failure);
        }
    }

    /// Whether the time is up.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(deadline) = &mut self.deadline else { return false };
        // The clock is the host's. One that panics will not tell the time any more.
        guarded(|| deadline.as_mut().poll(cx)).map_or(true, |polled| polled.is_ready())
    }
}

impl Future for BatchCall<'_> {
    type Output = BatchOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BatchOutcome> {
        let Self { session, queue, max_concurrency, time_limit, batch } = &mut *self;
        let (most, limit) = (*max_concurrency, *time_limit);
        if let Some(queue) = queue.take() {
            *batch = match session.current() {
                Current::First(generation) => Begun::Here(Run::new(generation, queue, most, limit)),
                Current::Later(generation) => {
                    Begun::Elsewhere(Box::pin(async move { Run::new(&generation, queue, most, limit).await }))
                }
            };
        }
        match batch {
            Begun::Here(run) => Pin::new(run).poll(cx),
            Begun::Elsewhere(run) => run.as_mut().poll(cx),
            Begun::NotYet => Poll::Pending,
        }
    }
}

impl Future for Run<'_> {
    type Output = BatchOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BatchOutcome> {
        let this = &mut *self;
        if !this.has_begun {
            this.has_begun = true;
            this.batch = this.generation.throttle.as_ref().map(Throttle::batch);
            if let Some(batch) = this.batch {
                this.decided = this.generation.decide_all(this.queue.waiting(), batch);
            }
            let clock = &this.generation.toolbox.parts().settings.clock;
            let sleep = |limit| guarded(|| clock.sleep(limit)).unwrap_or_else(|_| Box::pin(std::future::ready(())));
            this.deadline = this.time_limit.map(sleep);
        }
        for index in this.running.woken(cx.waker()) {
            if let Poll::Ready(outcome) = this.running.poll(index) {
                this.answered(index, outcome);
            }
        }
        // Asked before anything more starts: what starts now would be late.
        if this.open > 0 && this.is_late(cx) {
            this.expire();
        }
        this.start();
        this.queue.settle();
        if this.open > 0 {
            this.queue.wait();
            return Poll::Pending;
        }
        this.deadline = None;
        Poll::Ready(BatchOutcome::new(std::mem::take(&mut this.outcomes).into_iter().flatten().collect()))
    }
}
