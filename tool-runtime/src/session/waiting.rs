//! The table of deferred calls: [`DeferredCall`].
//!
//! In: calls that were not run. Out: each call once, for the first answer to it. Invariants: if several calls have the same id, the oldest
//! is taken first. No code of a tool or host runs under the lock. No call is dropped without an answer.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::attempt::{Attempt, Changed};
use super::completion::CompletionError;
use super::invoke::guarded;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::{Field, Text};
use crate::throttle::Batch;
use crate::tool::HostArguments;
use crate::toolbox::{Entry, Toolbox};

/// A deferred call, which waits for the host's answer.
///
/// ```
/// use tool_runtime::hook::{Verdict, ProposedCall};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Deletes a file.
/// #[tool(destructive)]
/// fn delete_file(
///     /// Which one.
///     path: String,
/// ) -> String {
///     format!("{path} is gone")
/// }
///
/// # pollster::block_on(async {
/// let builder = Toolbox::builder().tool(DeleteFileTool).before_call(|_: &ProposedCall<'_>| Verdict::Defer);
/// let session = builder.build().map_err(|error| error.to_string())?.session();
/// assert!(session.call("call_1", "delete_file", r#"{"path": "/tmp/a"}"#).await.is_deferred());
///
/// let waiting = session.deferred();
/// assert_eq!((waiting[0].tool(), &*waiting[0].to_text()), ("delete_file", r#"{"path": "/tmp/a"}"#));
/// let outcome = session.resume("call_1").await.map_err(|error| error.to_string())?; // the human said yes
/// assert_eq!(outcome.to_text(), "/tmp/a is gone");
/// # Ok::<(), String>(())
/// # })?;
/// # Ok::<(), String>(())
/// ```
#[derive(Clone)]
pub struct DeferredCall(Arc<Waiting>);

pub(super) struct Waiting {
    /// The number of the deferral, counted from the beginning of the session.
    pub(super) number: u64,
    pub(super) call_id: String,
    /// The toolbox with which the call began, and the position of the tool in it. `None` if the call was restored from saved data, and the
    /// toolbox no longer had the tool.
    pub(super) origin: Option<(Toolbox, usize)>,
    pub(super) name: Text,
    pub(super) is_external: bool,
    pub(super) arguments: Arguments<'static>,
    pub(super) is_repaired: bool,
    pub(super) repairs: Vec<Repair>,
    /// The values of host parameters that hooks supplied.
    pub(super) supplied: HostArguments,
    /// The batch of the call, if it belongs to one.
    pub(super) batch: Option<Batch>,
}

impl DeferredCall {
    /// Returns the id under which the call must be answered.
    pub fn call_id(&self) -> &str {
        &self.0.call_id
    }

    /// Returns the advertised name of the tool.
    pub fn tool(&self) -> &str {
        &self.0.name
    }

    /// Returns the arguments with which the tool would run, including secrets.
    pub fn arguments(&self) -> &Arguments<'static> {
        &self.0.arguments
    }

    /// Returns the arguments as JSON text, including secrets.
    pub fn to_text(&self) -> Cow<'_, str> {
        self.0.arguments.to_text()
    }

    /// Returns the required host parameters that have no value yet, for [`resume_with`](crate::Session::resume_with).
    pub fn missing(&self) -> Vec<Field> {
        let host = self.0.entry().and_then(|entry| entry.tool.spec().host.as_ref());
        host.map_or_else(Vec::new, |host| host.missing(&self.0.supplied))
    }

    /// Returns the repairs that were applied to the call.
    pub fn repairs(&self) -> &[Repair] {
        &self.0.repairs
    }

    /// Returns `true` if the tool has no handler, so that only [`complete`](crate::Session::complete) can answer.
    pub fn is_external(&self) -> bool {
        self.0.is_external
    }
}

impl fmt::Debug for DeferredCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The arguments are omitted, because they may contain secrets.
        let Waiting { call_id, name, .. } = &*self.0;
        f.debug_struct("DeferredCall").field("call_id", call_id).field("tool", name).finish_non_exhaustive()
    }
}

/// The deferred calls of a session.
#[derive(Default)]
pub(super) struct Table(Mutex<Calls>);

#[derive(Default)]
struct Calls {
    next: u64,
    by_id: HashMap<String, VecDeque<Arc<Waiting>>>,
}

impl Table {
    pub(super) fn add(&self, waiting: Waiting) {
        let mut calls = self.calls();
        let waiting = Waiting { number: calls.next, ..waiting };
        calls.next += 1;
        calls.by_id.entry(waiting.call_id.clone()).or_default().push_back(Arc::new(waiting));
    }

    /// Removes and returns the oldest call with an id, if the given check allows it.
    pub(super) fn take(
        &self,
        call_id: &str,
        may: impl FnOnce(&Waiting) -> Result<(), CompletionError>,
    ) -> Result<Arc<Waiting>, CompletionError> {
        let none = || CompletionError::NotWaiting { call_id: call_id.to_owned() };
        let mut calls = self.calls();
        let same_id = calls.by_id.get_mut(call_id).ok_or_else(none)?;
        may(same_id.front().ok_or_else(none)?)?;
        let taken = same_id.pop_front().ok_or_else(none)?;
        if same_id.is_empty() {
            calls.by_id.remove(call_id);
        }
        Ok(taken)
    }

    /// Returns the oldest call with an id. The call stays deferred.
    pub(super) fn oldest(&self, call_id: &str) -> Result<Arc<Waiting>, CompletionError> {
        let oldest = self.calls().by_id.get(call_id).and_then(VecDeque::front).cloned();
        oldest.ok_or_else(|| CompletionError::NotWaiting { call_id: call_id.to_owned() })
    }

    pub(super) fn take_all(&self, call_id: &str) -> VecDeque<Arc<Waiting>> {
        self.calls().by_id.remove(call_id).unwrap_or_default()
    }

    pub(super) fn all(&self) -> Vec<DeferredCall> {
        let mut all: Vec<_> = self.calls().by_id.values().flatten().cloned().map(DeferredCall).collect();
        all.sort_unstable_by_key(|call| call.0.number);
        all
    }

    /// Returns the number of deferrals so far, and the deferred calls in order.
    pub(super) fn saved(&self) -> (u64, Vec<Arc<Waiting>>) {
        let (next, mut all): (_, Vec<_>) = {
            let calls = self.calls();
            (calls.next, calls.by_id.values().flatten().cloned().collect())
        };
        all.sort_unstable_by_key(|waiting| waiting.number);
        (next, all)
    }

    /// Creates the table from deferred calls, which must be in order. At least `next` calls were deferred before.
    pub(super) fn resumed(all: Vec<Waiting>, next: u64) -> Self {
        let mut calls = Calls { next: all.last().map_or(next, |last| next.max(last.number + 1)), ..Calls::default() };
        for waiting in all {
            calls.by_id.entry(waiting.call_id.clone()).or_default().push_back(Arc::new(waiting));
        }
        Self(Mutex::new(calls))
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        // No code of a tool or host runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    pub(super) fn can_run(&self) -> Result<(), CompletionError> {
        if self.is_external {
            let (call_id, tool) = (self.call_id.clone(), self.name.to_string());
            return Err(CompletionError::NoHandler { call_id, tool });
        }
        Ok(())
    }

    /// Checks the values of the host parameters.
    pub(super) fn can_run_with(&self, supplied: &HostArguments) -> Result<(), CompletionError> {
        // A panic is ignored here: a rule that panics will panic again in the call, which reports the panic.
        let host = self.entry().and_then(|entry| entry.tool.spec().host.as_ref());
        let issues = host.and_then(|host| guarded(|| host.issues(supplied)).ok()).unwrap_or_default();
        if issues.is_empty() {
            return Ok(());
        }
        let issues = issues.iter().map(|issue| (issue.path.clone(), issue.message())).collect();
        Err(CompletionError::HostArguments { call_id: self.call_id.clone(), tool: self.name.to_string(), issues })
    }

    /// Checks that `other` is the same deferral. Otherwise, the call was answered meanwhile.
    pub(super) fn is(&self, other: &Self) -> Result<(), CompletionError> {
        let is_same = self.number == other.number;
        is_same.then_some(()).ok_or_else(|| CompletionError::NotWaiting { call_id: self.call_id.clone() })
    }

    /// Returns the tool as it was when the call was deferred.
    pub(super) fn entry(&self) -> Option<&Entry> {
        let (toolbox, tool) = self.origin.as_ref()?;
        toolbox.parts().catalog.tools.get(*tool)
    }

    /// Returns the call as it was when it was deferred.
    pub(super) fn attempt(&self) -> Attempt<'_> {
        let mut attempt = Attempt::new(&self.call_id, &self.name, &self.arguments, self.repairs.clone());
        if self.is_repaired {
            attempt.changed = Some(Changed::Repaired(&self.arguments));
        }
        attempt
    }
}
