//! The methods of a session that only our other crates call.

use std::collections::HashMap;
use std::sync::Arc;

use super::attempt::{Attempt, CallStorage, End};
use super::call_durability::{CallRecorder, DetachedCall};
use super::deferred_answer::CompletionError;
use super::deferred_table::Which;
use super::events::Listening;
use super::inspect_result::inspect_result;
use super::record_start::is_repeatable;
use super::traced;
use super::{Outcome, Session};
use crate::context::Report;
use crate::hook::HostArguments;
use crate::result_guard::kept_text;
use crate::shape::Ref;
use crate::throttle::{SharedHealth, ThrottledCall};
use crate::toolbox::{CALL_TOOL, Entry};

impl Session {
    /// Returns the maximum number of calls of a batch that run at the same time, if the toolbox limits it.
    pub(crate) fn max_concurrency(&self) -> Option<usize> {
        self.current().toolbox.parts().settings.max_concurrency
    }

    /// Returns the clock of this session.
    pub(crate) fn clock(&self) -> Arc<dyn crate::clock::Clock> {
        Arc::clone(&self.current().toolbox.parts().settings.clock)
    }

    /// Returns the shape of a tool's arguments as the model sends them, if the tool was advertised in a provider's
    /// form.
    pub(crate) fn shown_input(&self, name: &str) -> Option<Ref> {
        let current = self.current();
        let advertisement = current.rewritten(current.catalog().find_tool(name)?)?;
        Some(advertisement.shown_input().clone())
    }

    /// Returns the shapes of the arguments as the model sends them, keyed by the advertised names of the tools.
    pub(crate) fn inputs(&self) -> HashMap<String, Ref> {
        let current = self.current();
        let input = |entry: &Entry| match current.rewritten(entry) {
            Some(advertisement) => advertisement.shown_input().clone(),
            None => entry.tool.spec().input.clone(),
        };
        let tools = current.catalog().tools.iter().map(|entry| (entry.name.to_string(), input(entry)));
        let gone = current.numbers.all_removed().iter().map(|gone| (gone.name.to_string(), gone.input.clone()));
        gone.chain(tools).chain([(CALL_TOOL.name.to_string(), CALL_TOOL.input.clone())]).collect()
    }

    /// Adds a listener to the progress of calls, until the guard is dropped. The listener also receives the name of the
    /// tool.
    pub(crate) fn listen(&self, listener: impl Fn(&str, &Report<'_>) + Send + Sync + 'static) -> Listening {
        let current = self.current();
        let (toolbox, scope) = (current.toolbox.clone(), Arc::clone(&current.scope));
        let id = scope.listeners.add(Arc::new(move |report: &Report<'_>| {
            listener(&toolbox.parts().catalog.tools[report.tool].name, report);
        }));
        Listening { scope, id }
    }

    /// Gives kept results handles that cannot be guessed.
    pub(crate) fn seal_results(&self) {
        self.current().scope.results.seal();
    }

    /// Keeps a text that is longer than a limit in the first store of the toolbox. Returns its beginning, with a notice about reading on;
    /// `None` if the text fits or is not kept.
    pub(crate) fn keep_text(&self, text: String, limit: usize) -> Option<String> {
        let current = self.current();
        let store = current.catalog().stores.first()?;
        kept_text(text, limit, |text| current.scope.results.keep(&**store, text, false))
    }

    pub(crate) fn record_calls(&self, recorder: Arc<CallRecorder>) -> bool {
        self.0.first.shared.durability.record_with(recorder)
    }

    pub(crate) fn answer_unknown(&self, call_id: &str, tool: &str, arguments: &str) -> Outcome {
        self.current().answer_unknown(call_id, &tool.to_owned().into(), &arguments.into())
    }

    pub(super) fn share_health(&self, health: Option<Arc<dyn SharedHealth>>) {
        if let Some(health) = health {
            self.0.first.shared.durability.share(health);
        }
    }

    /// Returns the arguments of a deferred call, as JSON text.
    pub(crate) fn deferred_arguments(&self, call_id: &str) -> Option<String> {
        let waiting = self.0.first.shared.deferred.get(Which::Id(call_id)).ok()?;
        Some(waiting.arguments.to_text().into_owned())
    }

    pub(crate) fn detach_calls(&self) -> bool {
        self.0.first.shared.durability.detach()
    }

    pub(crate) fn run_for_another(&self) -> bool {
        self.0.first.shared.durability.run_elsewhere()
    }

    pub(crate) fn take_detached(&self) -> Vec<DetachedCall> {
        self.0.first.shared.durability.take()
    }

    /// Returns the description of a deferred call that the host has approved, as a detached call.
    pub(crate) fn detached_of_deferred(&self, call_id: &str) -> Option<DetachedCall> {
        let current = self.current();
        let waiting = current.shared.deferred.get(Which::Id(call_id)).ok()?;
        let entry = current.entry_of(&waiting);
        Some(DetachedCall {
            call_id: call_id.to_owned(),
            tool: waiting.name.to_string(),
            is_repeatable: entry.is_some_and(|entry| is_repeatable(entry.tool.spec().settings.annotations)),
            runs_alone: entry.is_some_and(|entry| entry.tool.spec().settings.sequential),
        })
    }

    /// Runs a deferred call. If the value of a host parameter is missing, the call ends, because nobody can add the value here.
    pub(crate) async fn run_deferred(&self, call_id: &str, values: HostArguments) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let mut supplied = waiting.supplied.clone();
        supplied.extend(values);
        let trace = traced::trace(&current, call_id, &waiting.name, &waiting.arguments);
        Ok(trace.around(current.run_approved(&waiting, supplied)).await)
    }

    /// Ends a deferred call that the shared health of its tool rejects.
    pub(crate) fn reject_deferred(&self, call_id: &str, rejection: ThrottledCall) -> Result<Outcome, CompletionError> {
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let storage = CallStorage::default();
        Ok(current.settle(&mut Attempt::from_waiting(&waiting, &storage), Err(End::Throttled(rejection))))
    }

    /// Ends a deferred call with its outcome from another session.
    pub(crate) fn put_back(&self, call_id: &str, outcome: Outcome) -> Result<Outcome, CompletionError> {
        let failure = match outcome.result() {
            Ok(payload) => return self.complete(call_id, payload),
            Err(failure) => failure,
        };
        let current = self.current();
        let waiting = current.shared.deferred.take(Which::Id(call_id))?;
        let storage = CallStorage::default();
        let mut call = Attempt::from_waiting(&waiting, &storage);
        call.ticket = current.pass_waiting(&waiting);
        let mut outcome = current.settle(&mut call, Err(End::Denied(failure)));
        if let Some(entry) = current.entry_of(&waiting) {
            inspect_result(&current, entry, &waiting.arguments, &mut outcome);
        }
        Ok(outcome)
    }
}
