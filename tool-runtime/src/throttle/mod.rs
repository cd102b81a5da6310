//! Recognising a model that goes round in circles, and letting go again: [`Throttle`], a state machine on an injected clock.
//!
//! In: each call before it runs, and how it ended. Out: whether it may run, a warning beside an answer, a pause with its end, statistics
//! as data. The rules, their counts and their pauses are the table of WIRE §5, one file a family: `failures`, `repeats`, `rates`, `run`.
//! What always holds: no rule pauses before it has warned where it has a warning, a refused call is told when to come back, every pause
//! ends by itself, memory is bounded however long a session is, and equal inputs give equal outputs.

mod admission;
mod canonical;
mod decided;
mod exit;
mod failures;
mod host;
mod limits;
mod overrides;
mod pause;
mod policy;
mod rates;
mod repeats;
mod run;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod ticket;
mod words;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use exit::Exit;
pub use limits::{Backoff, Limits, Rate, Streak, UnknownNames};
pub use overrides::Overrides;
pub use policy::Policy;
pub use statistics::{HintStatistics, Statistics, ToolStatistics};
pub use ticket::{Batch, Ticket};
pub use words::{Refusal, Warning};

use self::admission::Wish;
use self::pause::Probes;
use self::rates::nanoseconds;
use self::run::Invented;
use self::state::State;
use crate::bounded;
use crate::clock::Clock;
use crate::failure::ThrottleRule;
use crate::input::Arguments;

/// The throttle of one session.
///
/// [`admit`](Self::admit) before a call, [`report`](Ticket::report) after each, however it ended. Both take one short lock; nothing of
/// a tool's or a host's runs under it but the clock of neither.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::shape::{Ref, Shape};
/// use tool_runtime::throttle::{Exit, Limits, Overrides, Policy, Throttle};
///
/// let mut policy = Policy::new(Limits::default());
/// let search = policy.tool("search", Ref::Static(Shape::ANY), &Overrides::NONE);
/// let clock = SimulatedClock::new();
/// let throttle = Throttle::new(Arc::new(policy), Arc::new(clock.clone()));
///
/// for query in [r#"{"q": "a"}"#, r#"{"q": "b"}"#, r#"{"q": "c"}"#] {
///     let ticket = throttle.admit(search, &query.into(), None)?;
///     ticket.report(&query.into(), Exit::Failed { error: "The index is not there." });
/// }
/// let paused = throttle.admit(search, &"{}".into(), None).err();
/// assert_eq!(paused.and_then(|refusal| refusal.retry_after), Some(Duration::from_secs(30)));
///
/// clock.advance(Duration::from_secs(30));
/// let probe = throttle.admit(search, &"{}".into(), None)?;
/// probe.report(&"{}".into(), Exit::Succeeded { result: "[]", repairs: 0 });
/// assert!(throttle.admit(search, &"{}".into(), None).is_ok());
/// # Ok::<(), tool_runtime::throttle::Refusal>(())
/// ```
pub struct Throttle {
    policy: Arc<Policy>,
    clock: Arc<dyn Clock>,
    batches: AtomicU64,
    state: Mutex<State>,
}

impl Throttle {
    /// A session in which nothing has happened yet.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SystemClock, throttle::{Limits, Policy, Throttle}};
    /// let throttle = Throttle::new(Arc::new(Policy::new(Limits::default())), Arc::new(SystemClock::new()));
    /// assert!(throttle.statistics().tools.is_empty());
    /// ```
    pub fn new(policy: Arc<Policy>, clock: Arc<dyn Clock>) -> Self {
        Self { policy, clock, batches: AtomicU64::new(0), state: Mutex::default() }
    }

    /// Begins a batch: several calls that the model decided on at once.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, shape::{Ref, Shape}};
    /// # use tool_runtime::throttle::{Limits, Overrides, Policy, Throttle};
    /// # let mut policy = Policy::new(Limits::default());
    /// # let read = policy.tool("read", Ref::Static(Shape::ANY), &Overrides::NONE);
    /// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
    /// let batch = Some(throttle.batch());
    /// let tickets = (0..8).map(|page| throttle.admit(read, &page.to_string().into(), batch));
    /// assert!(tickets.collect::<Vec<_>>().iter().all(Result::is_ok)); // eight different calls count as one
    /// ```
    pub fn batch(&self) -> Batch {
        Batch(self.batches.fetch_add(1, Ordering::Relaxed))
    }

    /// Asks whether a call may run. A tool that the policy does not know always may.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, throttle::{Limits, Policy, Throttle}};
    /// # let throttle = Throttle::new(Arc::new(Policy::new(Limits::default())), Arc::new(SimulatedClock::new()));
    /// assert!(throttle.admit(7, &"{}".into(), None).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// With the rule, its sentence and the time after which the call may be made again.
    pub fn admit(&self, tool: usize, arguments: &Arguments<'_>, batch: Option<Batch>) -> Result<Ticket<'_>, Refusal> {
        let now = self.clock.now();
        let number = batch.map(|Batch(number)| number);
        let began = nanoseconds(now);
        let ticket = |probes| Ticket { throttle: self, tool, batch: number, began, probes, is_settled: false };
        let Some(subject) = self.policy.subject(tool) else { return Ok(ticket(Probes::default())) };
        let limits = self.policy.of(subject);
        let mut state = self.state();
        state.minute.note(now);
        state.run.known();
        if limits.unlimited {
            return Ok(ticket(Probes::default()));
        }
        let wish = Wish { tool, subject, limits, batch: number, now };
        let text = || ticket::fingerprint(arguments, &ticket::as_text(arguments));
        let admitted = state.admit(&self.policy, &wish, text, || canonical::arguments(arguments, &subject.input));
        match admitted {
            Ok(probes) => Ok(ticket(probes)),
            Err(refusal) => {
                state.tool(tool).counters.throttled += 1;
                Err(*refusal)
            }
        }
    }

    /// A name was called that no tool has: after a few of them a warning, then the refusal that shrinks the answer to the list of `tools`.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use tool_runtime::{clock::SimulatedClock, throttle::{Limits, Policy, Throttle}};
    /// # let throttle = Throttle::new(Arc::new(Policy::new(Limits::default())), Arc::new(SimulatedClock::new()));
    /// let mut invent = || throttle.unknown("seach", ["search", "load"], None);
    /// for _ in 0..5 {
    ///     invent()?;
    /// }
    /// assert_eq!(
    ///     invent().err().map(|refusal| refusal.message).as_deref(),
    ///     Some("5 names in a row were invented. The tools are: search, load."),
    /// );
    /// # Ok::<(), tool_runtime::throttle::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it is enough. The answer `unknown_tool` is replaced by this one, until a name is called that exists.
    pub fn unknown<'n>(
        &self,
        name: &str,
        tools: impl IntoIterator<Item = &'n str>,
        batch: Option<Batch>,
    ) -> Result<Option<Warning>, Refusal> {
        let now = self.clock.now();
        let batch = batch.map(|Batch(number)| number);
        let session = self.policy.limits();
        let mut state = self.state();
        state.minute.note(now);
        state.unknown_names += 1;
        state.run.fail(batch);
        let Some(limits) = session.unknown_tools else { return Ok(None) };
        let invented = state.run.invented(limits, batch);
        drop(state);
        match invented {
            Invented::Nothing => Ok(None),
            Invented::Warn(count) => Ok(Some(words::invented(count))),
            Invented::Shrink(count) => Err(Refusal {
                tool: bounded::name(name).into_owned().into(),
                rule: ThrottleRule::UnknownTools,
                message: words::shrunk(count, tools),
                retry_after: None,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing of a caller's runs under the lock but the text of its arguments, and every count is whole between two statements.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Throttle").field("policy", &self.policy).finish_non_exhaustive()
    }
}
