//! The table of deferred calls: [`DeferredCall`].
//!
//! In: calls that were not run. Out: each call once, for the first answer to it. Invariants: an id that several waiting calls have had in
//! common never finds one of them. No code of a tool or host runs under the lock. No call is dropped without an answer.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::deferred_answer::CompletionError;
use super::run_interruptible::guarded;
use crate::fast_hash::RandomHashState;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::{Field, Text};
use crate::throttle::Batch;
use crate::tool::HostArguments;
use crate::toolbox::{Entry, NeedsSessionState, Toolbox};

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
/// let waiting = session.deferred_calls();
/// assert_eq!((waiting[0].tool_name(), &*waiting[0].arguments_text()), ("delete_file", r#"{"path": "/tmp/a"}"#));
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
    pub(super) origin: Option<(Toolbox<NeedsSessionState>, usize)>,
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

/// The way in which a host names a deferred call.
#[derive(Clone, Copy)]
pub(super) enum Which<'c> {
    Id(&'c str),
    Call(&'c Arc<Waiting>),
}

impl DeferredCall {
    pub(super) const fn which(&self) -> Which<'_> {
        Which::Call(&self.0)
    }

    /// Returns the id under which the model reads the answer. If calls with the same id waited together, the id names none of them:
    /// [`resume_call`](crate::Session::resume_call) and [`complete_call`](crate::Session::complete_call) take the call itself.
    pub fn call_id(&self) -> &str {
        &self.0.call_id
    }

    /// Returns the advertised name of the tool.
    pub fn tool_name(&self) -> &str {
        &self.0.name
    }

    /// Returns the arguments with which the tool would run, including secrets.
    pub fn arguments(&self) -> &Arguments<'static> {
        &self.0.arguments
    }

    /// Returns the arguments as JSON text, including secrets.
    pub fn arguments_text(&self) -> Cow<'_, str> {
        self.0.arguments.to_text()
    }

    /// Returns the required host parameters that have no value yet. [`resume_with_host_arguments`](crate::Session::resume_with_host_arguments) takes their values.
    pub fn missing_host_parameters(&self) -> Vec<Field> {
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
    by_id: HashMap<String, Group, RandomHashState>,
}

/// The waiting calls with one id.
#[derive(Default)]
struct Group {
    calls: VecDeque<Arc<Waiting>>,
    /// `true` if two of the calls waited at the same time. This holds until none of them waits.
    is_shared: bool,
}

impl Calls {
    fn add(&mut self, waiting: Waiting, is_shared: bool) {
        let group = self.by_id.entry(waiting.call_id.clone()).or_default();
        group.is_shared |= is_shared || !group.calls.is_empty();
        group.calls.push_back(Arc::new(waiting));
    }
}

impl Group {
    /// Returns the position of a call.
    fn find(&self, which: Which<'_>) -> Result<usize, CompletionError> {
        match which {
            Which::Id(call_id) if self.is_shared => Err(CompletionError::Ambiguous { call_id: call_id.to_owned() }),
            Which::Id(_) => Ok(0),
            Which::Call(call) => {
                let position = self.calls.iter().position(|waiting| Arc::ptr_eq(waiting, call));
                position.ok_or_else(|| which.not_waiting())
            }
        }
    }
}

impl Which<'_> {
    pub(super) fn call_id(&self) -> &str {
        match self {
            Self::Id(call_id) => call_id,
            Self::Call(call) => &call.call_id,
        }
    }

    fn not_waiting(self) -> CompletionError {
        CompletionError::NotWaiting { call_id: self.call_id().to_owned() }
    }
}

impl Table {
    pub(super) fn add(&self, waiting: Waiting) {
        let mut calls = self.calls();
        let waiting = Waiting { number: calls.next, ..waiting };
        calls.next += 1;
        calls.add(waiting, false);
    }

    /// Removes and returns a call.
    pub(super) fn take(&self, which: Which<'_>) -> Result<Arc<Waiting>, CompletionError> {
        let by_id = &mut self.calls().by_id;
        let removed = by_id.remove_entry(which.call_id());
        let (call_id, mut group) = removed.ok_or_else(|| which.not_waiting())?;
        let taken =
            group.find(which).and_then(|position| group.calls.remove(position).ok_or_else(|| which.not_waiting()));
        if !group.calls.is_empty() {
            by_id.insert(call_id, group);
        }
        taken
    }

    /// Returns a call. It stays deferred.
    pub(super) fn get(&self, which: Which<'_>) -> Result<Arc<Waiting>, CompletionError> {
        let calls = self.calls();
        let group = calls.by_id.get(which.call_id()).ok_or_else(|| which.not_waiting())?;
        group.calls.get(group.find(which)?).cloned().ok_or_else(|| which.not_waiting())
    }

    pub(super) fn take_all(&self, call_id: &str) -> VecDeque<Arc<Waiting>> {
        self.calls().by_id.remove(call_id).unwrap_or_default().calls
    }

    pub(super) fn all(&self) -> Vec<DeferredCall> {
        let mut all: Vec<_> =
            self.calls().by_id.values().flat_map(|group| &group.calls).cloned().map(DeferredCall).collect();
        all.sort_unstable_by_key(|call| call.0.number);
        all
    }

    /// Returns the number of deferrals so far, and the deferred calls in order, each with `true` if its id was that of another one too.
    pub(super) fn saved(&self) -> (u64, Vec<(Arc<Waiting>, bool)>) {
        let calls = self.calls();
        let of_group = |group: &Group| {
            let is_shared = group.is_shared;
            group.calls.iter().map(|waiting| (Arc::clone(waiting), is_shared)).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = calls.by_id.values().flat_map(of_group).collect();
        all.sort_unstable_by_key(|(waiting, _)| waiting.number);
        (calls.next, all)
    }

    /// Creates the table from the calls that [`saved`](Self::saved) returned. At least `next` calls were deferred before.
    pub(super) fn resumed(all: Vec<(Waiting, bool)>, next: u64) -> Self {
        let next = all.last().map_or(next, |(last, _)| next.max(last.number + 1));
        let mut calls = Calls { next, ..Calls::default() };
        for (waiting, is_shared) in all {
            calls.add(waiting, is_shared);
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

    /// Returns the tool as it was when the call was deferred.
    pub(super) fn entry(&self) -> Option<&Entry> {
        let (toolbox, tool) = self.origin.as_ref()?;
        toolbox.parts().catalog.tools.get(*tool)
    }
}
