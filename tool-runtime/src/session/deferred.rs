//! The calls that wait for the host: [`DeferredCall`], and how they are answered.
//!
//! In: calls that a hook deferred, and those of tools without a handler. Out: one final [`Outcome`] for each, when the host completes or
//! resumes it. What always holds: a call is answered once, whoever is faster; of several with one id the oldest is meant; what is not
//! answered stays, so it is the host that bounds the memory, by completing or cancelling.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::before::Judged;
use super::completion::{Answered, Completion, CompletionError};
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::event::ToolEvent;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::Text;
use crate::tool::CallError;
use crate::toolbox::{Entry, Item};

/// A call that waits for the host's answer.
///
/// ```
/// use tool_runtime::hook::{Decision, ProposedCall};
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
/// let builder = Toolbox::builder().tool(DeleteFileTool).before_call(|_: &ProposedCall<'_>| Decision::Defer);
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

struct Waiting {
    /// The order of deferral.
    number: u64,
    call_id: String,
    tool: usize,
    name: Text,
    is_external: bool,
    arguments: Arguments<'static>,
    is_read: bool,
    repairs: Vec<Repair>,
}

impl DeferredCall {
    /// The id under which it is to be answered.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(session.deferred().iter().all(|call| call.call_id() != "call_1"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn call_id(&self) -> &str {
        &self.0.call_id
    }

    /// The advertised name of the tool.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(session.deferred().iter().all(|call| call.tool() != "add"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tool(&self) -> &str {
        &self.0.name
    }

    /// The arguments with which the tool would run; secrets included.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(session.deferred().iter().all(|call| call.arguments().is_empty()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn arguments(&self) -> &Arguments<'static> {
        &self.0.arguments
    }

    /// The arguments as JSON text; secrets included.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(session.deferred().iter().all(|call| call.to_text() == "{}"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn to_text(&self) -> Cow<'_, str> {
        self.0.arguments.to_text()
    }

    /// What was read otherwise than the model wrote it.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(session.deferred().iter().all(|call| call.repairs().is_empty()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn repairs(&self) -> &[Repair] {
        &self.0.repairs
    }

    /// Whether the tool has no handler, so that only [`complete`](Session::complete) answers.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(!session.deferred().iter().any(|call| call.is_external()));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn is_external(&self) -> bool {
        self.0.is_external
    }
}

impl fmt::Debug for DeferredCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the arguments, which may hold secrets.
        let Waiting { call_id, name, .. } = &*self.0;
        f.debug_struct("DeferredCall").field("call_id", call_id).field("tool", name).finish_non_exhaustive()
    }
}

/// What waits in a session.
#[derive(Default)]
pub(super) struct Table(Mutex<Calls>);

#[derive(Default)]
struct Calls {
    next: u64,
    by_id: HashMap<String, VecDeque<Arc<Waiting>>>,
}

impl Table {
    fn add(&self, waiting: Waiting) {
        let mut calls = self.calls();
        let waiting = Waiting { number: calls.next, ..waiting };
        calls.next += 1;
        calls.by_id.entry(waiting.call_id.clone()).or_default().push_back(Arc::new(waiting));
    }

    /// Takes out the oldest call of an id, if it may be.
    fn take(
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

    fn take_all(&self, call_id: &str) -> VecDeque<Arc<Waiting>> {
        self.calls().by_id.remove(call_id).unwrap_or_default()
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        // Nothing of a tool's or a host's runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    /// Every call that waits for the host's answer, in the order of deferral.
    ///
    /// A call waits until it is [completed](Self::complete), [resumed](Self::resume) or [cancelled](Self::cancel); nothing else ends it,
    /// so the memory for them is as large as the host lets it grow.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert!(Toolbox::builder().build()?.session().deferred().is_empty());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn deferred(&self) -> Vec<DeferredCall> {
        let calls = self.0.deferred.calls();
        let mut all: Vec<_> = calls.by_id.values().flatten().cloned().map(DeferredCall).collect();
        drop(calls);
        all.sort_unstable_by_key(|call| call.0.number);
        all
    }

    /// Answers a call that waits, instead of its tool: with a result, a [`ToolError`](crate::ToolError), or a
    /// [denial](Completion::denied). Nothing runs. The outcome is the final one for this id, to be handed to the model.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::tool::ExternalTool;
    /// use tool_runtime::{ToolInput, Toolbox};
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// struct Question {
    ///     /// What to ask, in one sentence.
    ///     question: String,
    /// }
    ///
    /// # pollster::block_on(async {
    /// let ask_user = ExternalTool::typed::<Question>("ask_user", "Asks the user a question.");
    /// let session = Toolbox::builder().tool(ask_user).build()?.session();
    /// let outcome = session.call("call_1", "ask_user", r#"{"question": "Which colour?"}"#).await;
    /// assert!(outcome.is_deferred());
    ///
    /// let outcome = session.complete("call_1", "Blue.")?;
    /// assert_eq!(outcome.to_text(), "Blue.");
    /// assert!(session.complete("call_1", "Red.").is_err()); // once is all
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When nothing waits under this id (any more), or what is handed over as JSON text is none; then the call goes on waiting.
    pub fn complete(&self, call_id: &str, completion: impl Into<Completion>) -> Result<Outcome, CompletionError> {
        let completion = completion.into();
        let is_sound = completion.is_sound();
        let may = |_: &Waiting| match is_sound {
            true => Ok(()),
            false => Err(CompletionError::NotJson { call_id: call_id.to_owned() }),
        };
        let waiting = self.0.deferred.take(call_id, may)?;
        let entry = &self.catalog().tools[waiting.tool];
        let result = match completion.0 {
            Answered::Result(payload) => Ok(self.executed(call_id, entry, payload)),
            Answered::Failed(error) => Err(self.fail(call_id, entry, CallError::Tool(error), &waiting.arguments)),
            Answered::Denied(reason) => Err(self.reject(call_id, &entry.name, Failure::denied(&entry.name, &reason))),
            Answered::Cancelled => Err(self.reject(call_id, &entry.name, Failure::cancelled(&entry.name))),
        };
        let cx = CallContext::new(call_id.to_owned(), Arc::clone(&self.0.scope));
        Ok(waiting.judged().answered(cx, entry, result))
    }

    /// Runs a call that waits, with the arguments that it was deferred with: the human has said yes. No hook is asked again.
    ///
    /// The call stops waiting at the first poll. From then on it is a running call: [`cancel`](Self::cancel) ends it, and a future that
    /// is dropped leaves no answer.
    ///
    /// ```
    /// # let session = tool_runtime::Toolbox::builder().build()?.session();
    /// assert!(pollster::block_on(session.resume("call_1")).is_err()); // nothing waits
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When nothing waits under this id (any more), or its tool has no handler; then the call goes on waiting.
    pub async fn resume(&self, call_id: &str) -> Result<Outcome, CompletionError> {
        let waiting = self.0.deferred.take(call_id, Waiting::can_run)?;
        let entry = &self.catalog().tools[waiting.tool];
        let cx = CallContext::new(call_id.to_owned(), Arc::clone(&self.0.scope));
        if !self.0.visible.is_available(entry) {
            let failure = self.reject(call_id, &entry.name, Failure::unavailable(&entry.name, None));
            return Ok(waiting.judged().answered(cx, entry, Err(failure)));
        }
        Ok(self.run_judged(cx, entry, waiting.judged()).await)
    }

    /// Lets a call wait for the host.
    pub(super) fn defer(&self, call_id: &str, entry: &Entry, judged: Judged<'_>) -> Outcome {
        let Some(Item::Tool(tool)) = self.catalog().find(&entry.name) else {
            // Every tool is found by its own name.
            return self.refuse(call_id, &entry.name, Failure::internal(&entry.name, "the tool is not in its catalog"));
        };
        let outcome = {
            let cx = CallContext::new(call_id.to_owned(), Arc::clone(&self.0.scope));
            let copy = Judged::approved(judged.arguments.lent(), judged.is_read, judged.repairs.clone());
            copy.answered(cx, entry, Err(Failure::deferred(&entry.name)))
        };
        self.0.deferred.add(Waiting {
            number: 0,
            call_id: call_id.to_owned(),
            tool,
            name: entry.name.clone(),
            is_external: entry.tool.spec().external,
            arguments: judged.arguments.into_owned(),
            is_read: judged.is_read,
            repairs: judged.repairs,
        });
        // Whoever learns of it finds it waiting.
        self.observe(|| ToolEvent::Deferred { call_id, tool: &entry.name });
        outcome
    }

    /// Ends every wait under an id; whether there was one.
    pub(super) fn cancel_deferred(&self, call_id: &str) -> bool {
        let cancelled = self.0.deferred.take_all(call_id);
        for waiting in &cancelled {
            self.reject(call_id, &waiting.name, Failure::cancelled(&waiting.name));
        }
        !cancelled.is_empty()
    }
}

impl Waiting {
    fn can_run(&self) -> Result<(), CompletionError> {
        if self.is_external {
            let (call_id, tool) = (self.call_id.clone(), self.name.to_string());
            return Err(CompletionError::NoHandler { call_id, tool });
        }
        Ok(())
    }

    /// The arguments as they were judged.
    fn judged(&self) -> Judged<'_> {
        Judged::approved(self.arguments.lent(), self.is_read, self.repairs.clone())
    }
}
