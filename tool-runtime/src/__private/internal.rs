//! Views of a toolbox and of a session that only the other crates of this project need.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::context::Report;
use crate::failure::ThrottleRule;
use crate::hook::HostArguments;
pub use crate::session::call_durability::DetachedCall;
use crate::session::{CompletionError, Listening, Openness, Outcome, RecordedMoment, Session, SessionState};
use crate::shape::Ref;
use crate::spill::READ_RESULT;
use crate::throttle::ThrottledCall;
use crate::tool::{ContentParts, ToolSpec};
use crate::toolbox::{CALL_TOOL, Item, States, Toolbox};

/// Returns `true` if a tool or a container is advertised under exactly this name.
pub fn has_name<S>(toolbox: &Toolbox<S>, name: &str) -> bool {
    toolbox.parts().catalog.find(name).is_some()
}

/// Returns the container that has to be expanded before a tool can be called; `None` if the tool is always visible or
/// unknown.
pub fn container_of<'t, S>(toolbox: &'t Toolbox<S>, name: &str) -> Option<&'t str> {
    let catalog = &toolbox.parts().catalog;
    let Some(Item::Tool(index)) = catalog.find(name) else { return None };
    let [container, ..] = catalog.tools[index].owners[..] else { return None };
    (!catalog.tools[index].always).then(|| &*catalog.containers[container].spec.name)
}

/// Begins a session for a protocol without conversations: the tool definitions never change, and every member of a container can be called
/// at any time, directly or through `call_tool`. If `states` lacks a state that the toolbox declares, calls of the tools that need this
/// state fail.
pub fn open_session<S>(toolbox: &Toolbox<S>, states: States) -> Session {
    Session::new(toolbox, states, Openness::Open)
}

/// Begins a session like [`Toolbox::session_with_states`], but does not fail if a declared state is missing in `states`. Calls of the tools
/// that need this state fail instead.
pub fn session<S>(toolbox: &Toolbox<S>, states: States) -> Session {
    Session::new(toolbox, states, Openness::Gated)
}

/// Returns the tool that calls members of containers that are not expanded.
pub fn call_tool() -> &'static ToolSpec {
    &CALL_TOOL
}

/// Returns `true` for `read_result`, the built-in tool that reads the kept results of earlier calls.
pub fn reads_results(tool: &str) -> bool {
    tool == READ_RESULT
}

/// Returns the arguments of a deferred call of a tool, as the tool gets them, as JSON text.
pub fn deferred_arguments(session: &Session, call_id: &str) -> Option<String> {
    session.deferred_arguments(call_id)
}

/// Gives the results that a session keeps from now on handles that cannot be guessed, because several clients share the session.
pub fn seal_results(session: &Session) {
    session.seal_results();
}

/// Keeps a text that is longer than a limit in the first store of a session's toolbox. Returns its beginning, with a notice about reading on
/// with `read_result`. Returns `None` if the text fits, or if the store does not take it.
pub fn keep_text(session: &Session, text: String, limit: usize) -> Option<String> {
    session.keep_text(text, limit)
}

/// Applies a function to every text of a result. Structured data is dropped, because it repeats the texts; if there are no other parts, it
/// becomes a text.
pub fn map_texts(parts: &ContentParts, map: impl Fn(&str) -> String) -> ContentParts {
    parts.map_texts(map)
}

/// Returns the shape of each tool's arguments as the model sends them, keyed by the tool's advertised name. Hidden tools are included.
pub fn inputs(session: &Session) -> HashMap<String, Ref> {
    session.inputs()
}

/// Returns the shape of a tool's arguments as the model sends them, if the tool's definition was rewritten for a provider; otherwise,
/// returns `None`.
pub fn shown_input(session: &Session, name: &str) -> Option<Ref> {
    session.shown_input(name)
}

/// A progress report of a running call.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub call_id: &'a str,
    /// The advertised name of the tool.
    pub tool: &'a str,
    pub done: f64,
    pub total: Option<f64>,
    pub message: &'a str,
}

/// A listener to the progress of a session's calls. It listens until it is dropped.
#[must_use = "dropping it ends the listening"]
pub struct ProgressListener(#[expect(dead_code, reason = "it acts when it is dropped")] Listening);

/// Adds a listener to the progress of all calls of a session.
pub fn listen(session: &Session, listener: impl Fn(Progress<'_>) + Send + Sync + 'static) -> ProgressListener {
    ProgressListener(session.listen(move |tool, &Report { call_id, done, total, message, .. }| {
        listener(Progress { call_id, tool, done, total, message });
    }))
}

/// The start or the end of a call.
#[derive(Clone, Copy, Debug)]
pub enum CallMoment<'a> {
    /// The tool with this advertised name is about to run. `is_repeatable` is `true` if a second call with the same arguments does no harm,
    /// because the tool is `idempotent` or `read_only`.
    Starts { call_id: &'a str, tool: &'a str, is_repeatable: bool },
    /// A call of a batch has ended. `index` is the position of the call in its batch.
    Ends { index: usize, outcome: &'a Outcome },
}

/// Sets the function that records the start of each tool, and the end of each call of a batch. A tool runs only after the recorder's future
/// for its start has returned `true`. A call of a batch counts as answered once its end is recorded. The start of a repaired call may be
/// recorded twice. Returns `false` if the calls of the session are already recorded or detached.
pub fn record_calls<F>(session: &Session, recorder: impl Fn(CallMoment<'_>) -> F + Send + Sync + 'static) -> bool
where
    F: Future<Output = bool> + Send + 'static,
{
    session.record_calls(Arc::new(move |moment| {
        Box::pin(recorder(match moment {
            RecordedMoment::Starts { call_id, tool, is_repeatable } => {
                CallMoment::Starts { call_id, tool, is_repeatable }
            }
            RecordedMoment::Ends { index, outcome } => CallMoment::Ends { index, outcome },
        }))
    }))
}

/// Answers a call that started in an earlier process and whose outcome is unknown, with the failure `effect_unknown`. Nothing runs.
pub fn effect_unknown(session: &Session, call_id: &str, tool: &str, arguments: &str) -> Outcome {
    session.answer_unknown(call_id, tool, arguments)
}

/// Lets the tools of a session run in other sessions. Each call that the hooks and the throttle admit becomes a deferred call. Returns
/// `false` if the calls of the session are already recorded or detached.
pub fn detach_calls(session: &Session) -> bool {
    session.detach_calls()
}

/// Answers a deferred call with a rejection of the throttle, without running it.
///
/// # Errors
///
/// Fails if no call with this id waits.
pub fn throttle_detached(
    session: &Session,
    call_id: &str,
    rejection: ThrottledCall,
) -> Result<Outcome, CompletionError> {
    session.reject_deferred(call_id, rejection)
}

/// Creates the rejection of a call that another program has rejected.
pub fn throttled_call(
    tool: &str,
    rule: ThrottleRule,
    count: u32,
    message: String,
    retry_after: Option<Duration>,
) -> ThrottledCall {
    ThrottledCall { tool: tool.to_owned().into(), rule, count, message, retry_after, admits_others: false }
}

/// Removes and returns the calls that were detached since the previous call of this function. They stay deferred.
pub fn take_detached(session: &Session) -> Vec<DetachedCall> {
    session.take_detached()
}

/// Returns the description of a deferred call that the host has approved, so that another session can run it.
pub fn detached_of_deferred(session: &Session, call_id: &str) -> Option<DetachedCall> {
    session.detached_of_deferred(call_id)
}

/// Returns a copy of the state for the session that runs this call. The copy contains no other deferred calls, except for sealed calls.
pub fn state_of_call(state: &SessionState, call_id: &str) -> SessionState {
    state.with_deferred(call_id)
}

/// Runs a deferred call on behalf of another session, with values for its host parameters. The result is not inspected.
///
/// # Errors
///
/// Fails if no deferred call has this id.
pub async fn run_detached(session: &Session, call_id: &str, values: HostArguments) -> Result<Outcome, CompletionError> {
    session.run_for_another();
    session.run_deferred(call_id, values).await
}

/// Answers a deferred call that another session ran, with the outcome from that session. Counts the outcome, and inspects the result.
///
/// # Errors
///
/// Fails if no deferred call has this id.
pub fn put_back(session: &Session, call_id: &str, outcome: Outcome) -> Result<Outcome, CompletionError> {
    session.put_back(call_id, outcome)
}

/// Returns the maximum number of calls of a batch that run at the same time, if the toolbox limits it.
pub fn max_concurrency(session: &Session) -> Option<usize> {
    session.max_concurrency()
}

/// Returns the clock of the toolbox of a session.
pub fn clock(session: &Session) -> Arc<dyn Clock> {
    session.clock()
}

/// Returns the clock of a toolbox.
pub fn clock_of<S>(toolbox: &Toolbox<S>) -> Arc<dyn Clock> {
    Arc::clone(&toolbox.parts().settings.clock)
}

/// Returns the answer to a deferred call for which the host no longer waits.
pub fn cancelled(outcome: &Outcome) -> Outcome {
    outcome.cancelled()
}

/// Returns the answer of a call that is cancelled before a session has seen it.
pub fn cancelled_call(call_id: &str, tool: &str) -> Outcome {
    Outcome::of_cancelled(call_id, tool)
}

/// Returns `true` if the answer lists the members of an expanded container.
pub fn is_expansion(outcome: &Outcome) -> bool {
    outcome.is_expansion()
}

/// Returns an internal error as the answer to a deferred call that the host has answered without passing the outcome on.
pub fn lost(outcome: &Outcome) -> Outcome {
    outcome.lost()
}
