//! Detects models that repeat themselves without progress, and pauses the tools that they call: [`Throttle`], a state machine on an
//! injected clock.
//!
//! `docs/wire.md` describes the rules, their counts and their pauses. The files `failures`, `repeats`, `rates`
//! and `run` each contain one family of rules.
//!
//! Invariants: a rule with a warning warns before it pauses. A throttled call contains the time until a retry, unless waiting does not help. Every
//! pause ends by itself. The memory of a session is bounded. Equal inputs give equal outputs.

mod admit_approved;
mod argument_values_in_error;
mod canonical;
mod decide;
mod entry;
mod failures;
mod health;
mod host_methods;
mod limits;
mod lock;
mod messages;
mod outcome;
mod overrides;
mod pause_and_probe;
mod policy;
mod rates;
mod recent_call;
mod repeats;
mod replaceable_text;
mod saved;
mod session_rules;
mod shared;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod ticket;

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

pub use health::{HealthEnd, HealthPermit, HealthRules, ToolHealth};
pub use limits::{Backoff, CountingMode, RateLimit, SessionLimits, StreakLimits, UnknownNameLimits};
pub use messages::{ThrottledCall, Warning};
pub use outcome::CallEnd;
pub use overrides::LimitOverrides;
pub use policy::ThrottlePolicy;
pub use replaceable_text::{ReplaceableThrottleText, ThrottleTextKind};
pub use shared::{HealthFuture, NotAdmitted, SharedHealth};
pub use statistics::{HintStatistics, Statistics, StatisticsSummary, ToolStatistics};
pub use ticket::{Batch, Ticket};

pub(crate) use self::recent_call::{CallIdentity, Check};
pub(crate) use self::saved::{Damaged, Details, Digest, SavedThrottle, at_most, count, is_default};

use self::state::State;
use crate::clock::Clock;

/// The throttle of one session.
///
/// Use [`admit`](Self::admit) before each call, and [`report`](Ticket::report) after it, however the call ended. Each of these methods
/// takes at most one short lock, and runs no code of tools or hosts while it holds the lock.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use tool_runtime::clock::SimulatedClock;
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
/// use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
///
/// let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
/// let search = policy.add_tool("search", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
/// let clock = SimulatedClock::new();
/// let throttle = Throttle::new(Arc::new(policy), Arc::new(clock.clone()));
///
/// for query in [r#"{"q": "a"}"#, r#"{"q": "b"}"#, r#"{"q": "c"}"#] {
///     let ticket = throttle.admit(search, &query.into(), None)?;
///     ticket.report(&query.into(), CallEnd::Failed { error: "The index is not there." });
/// }
/// let paused = throttle.admit(search, &"{}".into(), None).err();
/// assert_eq!(paused.and_then(|throttled| throttled.retry_after), Some(Duration::from_secs(30)));
///
/// clock.advance(Duration::from_secs(30));
/// let probe = throttle.admit(search, &"{}".into(), None)?;
/// probe.report(&"{}".into(), CallEnd::Succeeded { result: "[]", repairs: 0 });
/// assert!(throttle.admit(search, &"{}".into(), None).is_ok());
/// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
/// ```
pub struct Throttle {
    policy: Arc<ThrottlePolicy>,
    clock: Arc<dyn Clock>,
    memory: Arc<Memory>,
    /// `true` if only pauses and full windows can throttle a call, so that it may start [without the lock](Memory::open_from).
    is_open: bool,
}

/// The memory of a session. It is kept when the policy is replaced.
#[derive(Default)]
struct Memory {
    batches: AtomicU64,
    state: Mutex<State>,
    /// The time in nanoseconds from which no pause and no full window can throttle a call.
    open_from: AtomicU64,
}

impl Throttle {
    /// Creates the throttle of a new session.
    pub fn new(policy: Arc<ThrottlePolicy>, clock: Arc<dyn Clock>) -> Self {
        Self::with(policy, clock, Memory::default())
    }

    fn with(policy: Arc<ThrottlePolicy>, clock: Arc<dyn Clock>, memory: Memory) -> Self {
        let is_open = policy.limits().counting == CountingMode::Unproductive && policy.limits().run_budget.is_none();
        Self { policy, clock, memory: Arc::new(memory), is_open }
    }

    /// Creates a throttle that continues with another policy. Each number of this policy identifies the same tool as before, or a new tool
    /// if the number is in `fresh`.
    ///
    /// When the calls that the previous throttle admitted end, they are counted here too.
    pub(crate) fn follow(&self, policy: Arc<ThrottlePolicy>, fresh: &[usize]) -> Self {
        for &tool in fresh {
            self.reset_tool(tool);
        }
        self.state().fit(&policy);
        // A call that still runs under the previous policy may judge the windows differently, so every call asks.
        Self { policy, clock: Arc::clone(&self.clock), memory: Arc::clone(&self.memory), is_open: false }
    }
}

impl fmt::Debug for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Throttle").field("policy", &self.policy).finish_non_exhaustive()
    }
}
