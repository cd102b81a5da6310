//! The calls of one decision of the model, answered together: [`BatchFuture`].
//!
//! In: calls, in the order in which the model made them. Out: one [`Outcome`] for each, in that order. Invariants: calls start in the order
//! of the batch. The throttle decides about all calls before any of them runs, but each name is resolved only when its call starts. A call
//! of a `sequential` tool runs alone. One future owns all calls, and dropping it leaves nothing behind.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use super::admit_batch::{decide_all, runs_alone};
use super::attempt::{Attempt, BatchDecision, CallStorage, End, Member, NO_ARGUMENTS};
use super::batch_outcome::BatchOutcome;
use super::call_durability::RecordedMoment;
use super::find_name;
use super::join::Join;
use super::queue::{CallLabel, Queue};
use super::run_interruptible::guarded;
use super::session_with_toolbox::{Current, SessionView};
use super::traced;
use super::{Outcome, Session};
use crate::clock::Sleep;
use crate::event::EventKind;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::shape::Text;
use crate::throttle::{self, Throttle};

type Call<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A future that runs and answers a batch of calls. [`Session::call_batch`] creates it.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Measures the temperature.
/// #[tool]
/// async fn measure(
///     /// The number of the sensor.
///     sensor: u8,
///     #[tool(state)] clock: &SimulatedClock,
/// ) -> u8 {
///     if sensor == 2 {
///         clock.advance(Duration::from_secs(60));
///         std::future::pending::<()>().await; // this sensor never answers
///     }
///     sensor
/// }
///
/// let clock = SimulatedClock::new();
/// let session = Toolbox::builder().tool(MeasureTool).state(clock.clone()).clock(clock).build()?.session();
/// let calls = [("1", "measure", r#"{"sensor": 1}"#), ("2", "measure", r#"{"sensor": 2}"#), ("3", "measure", r#"{"sensor": 3}"#)];
/// let batch = session.call_batch(calls).max_concurrency(1).time_limit(Duration::from_secs(30))?;
/// let outcomes = pollster::block_on(batch).into_outcomes();
/// let answers = outcomes.iter().map(|outcome| outcome.failure().map_or("ok", |failure| failure.error_type()));
/// assert_eq!(answers.collect::<Vec<_>>(), ["ok", "timeout", "timeout"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing runs before the batch is awaited"]
pub struct BatchFuture<'a> {
    session: &'a Session,
    /// The calls that have not started; `None` once the batch has begun.
    queue: Option<Queue<'a>>,
    max_concurrency: Option<usize>,
    time_limit: Option<Duration>,
    batch: StartedCall<'a>,
}

/// A running batch.
#[expect(clippy::large_enum_variant, reason = "a batch under the first toolbox is not boxed")]
enum StartedCall<'a> {
    NotYet,
    /// The batch runs under the first toolbox of the session.
    Here(Run<'a>),
    /// The batch runs under a later toolbox, and keeps the toolbox alive.
    Elsewhere(Pin<Box<dyn Future<Output = BatchOutcome> + Send + 'a>>),
}

/// The calls of a batch, under one toolbox.
struct Run<'a> {
    view: &'a SessionView,
    queue: Queue<'a>,
    running: Join<Call<'a>>,
    outcomes: Vec<Option<Outcome>>,
    /// The number of calls without an answer.
    open: usize,
    /// `true` while a `sequential` tool runs.
    is_alone: bool,
    /// `Some(true)` if the next call must run alone; `None` until this is known.
    next_is_alone: Option<bool>,
    max_concurrency: usize,
    time_limit: Option<Duration>,
    deadline: Option<Sleep>,
    has_begun: bool,
    /// The number under which the throttle counts the calls as one decision.
    batch: Option<throttle::Batch>,
    /// The throttle's decision about each call; `None` once the call has started.
    decided: Vec<Option<BatchDecision<'a>>>,
}

/// The error for setting a time limit on a batch when the clock of the toolbox has no timer.
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
pub struct NoTimerError;

impl<'a> BatchFuture<'a> {
    pub(super) fn new(session: &'a Session, queue: Queue<'a>) -> Self {
        Self { session, queue: Some(queue), max_concurrency: None, time_limit: None, batch: StartedCall::NotYet }
    }
}

impl<'a> Run<'a> {
    fn new(
        view: &'a SessionView,
        queue: Queue<'a>,
        max_concurrency: Option<usize>,
        time_limit: Option<Duration>,
    ) -> Self {
        let open = queue.len();
        let max_concurrency = max_concurrency.or(view.toolbox.parts().settings.max_concurrency);
        Self {
            view,
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

impl BatchFuture<'_> {
    /// Sets the maximum number of calls that run at the same time. It replaces the toolbox's setting; 0 is treated as 1.
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.max_concurrency = Some(calls.max(1));
        self
    }

    /// Sets the time limit of the whole batch, counted from its first poll. When it is reached, running and waiting calls are answered with
    /// `timeout`. The limit does not extend a tool's own time limit, and the throttle does not count such a `timeout` as a failure of the
    /// tool.
    ///
    /// # Errors
    ///
    /// Fails if the clock of the toolbox has no timer, because the limit would never take effect.
    pub fn time_limit(mut self, limit: Duration) -> Result<Self, NoTimerError> {
        if !self.session.current().toolbox.parts().settings.clock.has_timer() {
            return Err(NoTimerError);
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

    /// Starts waiting calls in order, until the next one has to wait.
    fn start(&mut self) {
        while !self.is_alone && self.running.running() < self.max_concurrency {
            let Some((label, arguments)) = self.queue.next() else { return };
            // The result is kept, because this code runs again each time another call is answered.
            let is_alone = *self.next_is_alone.get_or_insert_with(|| runs_alone(self.view, &label.name, arguments));
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
                // The call was cancelled after it left the queue and before it was registered as running.
                let outcome = stopped(self.view, &label, Failure::cancelled);
                self.answered(index, outcome);
            }
        }
    }

    fn call(&mut self, index: usize, label: Arc<CallLabel<'a>>, arguments: Arguments<'a>) -> Call<'a> {
        let (view, decision) = (self.view, self.decision(index));
        let (batch, is_cut_off) = (self.batch, label.is_cut_off);
        let member = (batch.is_some() || is_cut_off).then(|| Box::new(Member { batch, decision, is_cut_off }));
        Box::pin(async move {
            let trace = traced::trace(view, &label.id, &label.name, &arguments);
            let mut cx = None;
            let answer = view.answer(&label.id, &label.name, &arguments, member, &mut cx);
            let outcome = trace.around(answer).await;
            if let Some(recorder) = view.shared.durability.recorder() {
                // The call has its answer, whether or not it is recorded.
                let _ = recorder(RecordedMoment::Ends { index, outcome: &outcome }).await;
            }
            outcome
        })
    }

    /// Removes and returns the throttle's decision about a call.
    fn decision(&mut self, index: usize) -> Option<BatchDecision<'a>> {
        self.decided.get_mut(index).and_then(Option::take)
    }

    /// Answers a call that never started.
    fn stop_waiting(
        &mut self,
        index: usize,
        label: &CallLabel<'_>,
        arguments: &Arguments<'_>,
        failure: fn(&str) -> Failure,
    ) {
        drop(self.decision(index));
        self.view.observe(&label.id, || EventKind::Received { name: &label.name, arguments });
        let outcome = stopped(self.view, label, failure);
        self.answered(index, outcome);
    }

    /// Answers all remaining calls when the time is up.
    fn expire(&mut self) {
        let late: fn(&str) -> Failure = |tool| Failure::timeout(tool, None);
        for index in 0..self.outcomes.len() {
            if self.running.stop(index) {
                let label = self.queue.label(index);
                if let Some(outcome) = label.map(|label| stopped(self.view, &label, late)) {
                    self.answered(index, outcome);
                }
            }
        }
        while let Some((index, label, arguments)) = self.queue.take() {
            let failure = if self.queue.is_cancelled() { Failure::cancelled } else { late };
            self.stop_waiting(index, &label, &arguments, failure);
        }
    }

    /// Returns `true` if the time limit has been reached.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(deadline) = &mut self.deadline else { return false };
        // The clock belongs to the host. If it panics, the limit counts as reached, because no later poll would help.
        guarded(|| deadline.as_mut().poll(cx)).map_or(true, |polled| polled.is_ready())
    }
}

impl Future for BatchFuture<'_> {
    type Output = BatchOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BatchOutcome> {
        let Self { session, queue, max_concurrency, time_limit, batch } = &mut *self;
        let (most, limit) = (*max_concurrency, *time_limit);
        if let Some(queue) = queue.take() {
            *batch = match session.current() {
                Current::First(view) => StartedCall::Here(Run::new(view, queue, most, limit)),
                Current::Later(view) => {
                    StartedCall::Elsewhere(Box::pin(async move { Run::new(&view, queue, most, limit).await }))
                }
            };
        }
        match batch {
            StartedCall::Here(run) => Pin::new(run).poll(cx),
            StartedCall::Elsewhere(run) => run.as_mut().poll(cx),
            StartedCall::NotYet => Poll::Pending,
        }
    }
}

impl Future for Run<'_> {
    type Output = BatchOutcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BatchOutcome> {
        let this = &mut *self;
        if !this.has_begun {
            this.has_begun = true;
            this.batch = this.view.throttle.as_ref().map(Throttle::batch);
            if let Some(batch) = this.batch {
                this.decided = decide_all(this.view, this.queue.waiting(), batch);
            }
            let clock = &this.view.toolbox.parts().settings.clock;
            let sleep = |limit| guarded(|| clock.sleep(limit)).unwrap_or_else(|_| Box::pin(std::future::ready(())));
            this.deadline = this.time_limit.map(sleep);
        }
        for index in this.running.woken(cx.waker()) {
            if let Poll::Ready(outcome) = this.running.poll(index) {
                this.answered(index, outcome);
            }
        }
        // The time limit is checked before more calls start, because these would be late.
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

/// Returns the answer to a batch call that was cancelled while it waited, or that the batch's time limit stopped.
fn stopped(view: &SessionView, label: &CallLabel<'_>, failure: fn(&str) -> Failure) -> Outcome {
    let (tool, repair) = match find_name::find(view, &label.name) {
        Ok(found) => (view.catalog().name(found.item).clone(), found.repair),
        Err(_) => (Text::from(label.name.to_string()), None),
    };
    let storage = CallStorage::default();
    let mut call = Attempt::named(&label.id, &tool, &NO_ARGUMENTS, &storage);
    call.ledger.extend(repair);
    view.settle(&mut call, Err(End::Denied(failure(&tool))))
}
