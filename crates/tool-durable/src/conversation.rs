//! Conversations that survive a restart: [`DurableConversations`] opens a conversation, which is a [`DurableConversation`].
//!
//! Invariant: after a future of a conversation was dropped or has failed, all its methods that change something fail until it is opened
//! again, because its log may contain more than its run.

use std::fmt;
use std::pin::pin;
use std::sync::Arc;

use tool_chat::conversation::{AnswerError, TurnEnd};
use tool_chat::model::PromptPrefix;
use tool_chat::run::{AnswerType, Next, Record, Run};
use tool_chat::transcript::Transcript;
use tool_runtime::Session;
use tool_runtime::hook::HostArguments;
use tool_runtime::session::{Completion, CompletionError, Outcome, SessionSetup};
use tool_runtime::tool::Annotations;
use tool_runtime::tool_schema::ToolInput;
use tool_runtime::toolbox::{NeedsSessionState, Toolbox};

use crate::call_record_queue::CallRecordQueue;
use crate::engine_trait::drive;
use crate::entry::{Recorded, Started, StartedCall, replay};
use crate::error::DurableError;
use crate::listener_event::ListenerEvent;
use crate::local_engine::LocalEngine;
use crate::private::internal;
use crate::setup::ConversationSetup;
use crate::store::{ListedConversation, OpenedLog, Store};

/// A driver of conversations that survive a restart of the program.
///
/// ```
/// use tool_chat::model::ScriptedModel;
/// use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool(read_only)]
/// fn add(
///     /// First summand.
///     a: f64,
///     /// Second summand.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// # pollster::block_on(async {
/// let toolbox = Toolbox::builder().tool(AddTool).build()?;
/// let model = ScriptedModel::new().call("add", r#"{"a": 1, "b": 2}"#).text("Three.");
/// let durable = DurableConversations::new(InMemoryStore::new());
/// let mut conversation = durable.open("sum 7", ConversationSetup::new(&toolbox, model.clone())).await?;
/// let end = conversation.ask("What is one and two?").await?;
/// assert_eq!(end.text(), Some("Three."));
/// drop(conversation); // or the process ends, at any moment
///
/// let mut conversation = durable.open("sum 7", ConversationSetup::new(&toolbox, model)).await?;
/// assert_eq!(conversation.resume().await?.text(), Some("Three.")); // nothing runs again
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DurableConversations(Arc<dyn Store>);

impl DurableConversations {
    /// Creates a driver of the conversations in a store.
    pub fn new(store: impl Store + 'static) -> Self {
        Self(Arc::new(store))
    }

    /// Opens the conversation with this id, or begins it if the id is new. The id is also the [id of its
    /// session](tool_runtime::Session::id), so each [idempotency key](tool_runtime::CallContext::idempotency_key) contains it.
    ///
    /// # Errors
    ///
    /// Fails if the conversation is already open, in this process or in another one; if its records cannot be read; or if its session
    /// cannot be restored.
    pub async fn open(&self, id: &str, setup: ConversationSetup) -> Result<DurableConversation, DurableError> {
        let OpenedLog { log, records, torn_bytes, damaged_at } = self.0.open(id).await?;
        let ConversationSetup { toolbox, model, run, states, cipher, listener, recorder, health, answering } = setup;
        let session_setup = SessionSetup::new().id(id).states(states);
        let session_setup = match health {
            Some(health) => session_setup.shared_health(health),
            None => session_setup,
        };
        let (mut run, session, mut started, is_new) = match replay(&records)? {
            None => (run, toolbox.begin_session(session_setup)?, Started::new(), true),
            Some(Recorded { run, session, started }) => {
                let session_setup = match &cipher {
                    Some(cipher) => session_setup.restore_cipher(&**cipher),
                    None => session_setup,
                };
                (run, toolbox.restore(session, session_setup)?, started, false)
            }
        };
        let event = match damaged_at {
            Some(offset) => Some(ListenerEvent::DamagedEnd { offset, bytes: torn_bytes }),
            None => (torn_bytes > 0).then_some(ListenerEvent::TornEnd { bytes: torn_bytes }),
        };
        if let (Some(event), Some(listener)) = (event, &listener) {
            listener(&event);
        }
        if damaged_at.is_some() {
            count_as_started(&mut run, &mut started, &toolbox);
        }
        match run.next() {
            // Before the crash, the session may have deferred a call, and its log does not contain the outcome. The call runs again, so its
            // deferral is removed.
            Next::Call(calls) => calls.iter().for_each(|open| {
                session.cancel(&open.call.id);
            }),
            Next::Done(_) => session.end_turn(),
            _ => {}
        }
        let clock = internal::clock(&session);
        let queue = CallRecordQueue::of(&session).ok_or(DurableError::Interrupted)?;
        let bytes = records.iter().map(Vec::len).sum();
        let recorded = clock.now();
        let compact_bytes = records.first().map_or(0, Vec::len);
        let mut engine = LocalEngine {
            session,
            model,
            clock,
            cipher,
            listener,
            recorder,
            queue,
            log,
            started,
            recorded,
            bytes,
            compact_bytes,
            prefix: PromptPrefix::default(),
            answering,
        };
        if is_new {
            engine.compact(&run).await?;
        }
        Ok(DurableConversation { run, engine, answer_type: answering, is_busy: false, torn_bytes })
    }

    /// Returns up to `most` conversations, in the order of their ids. `after` is the last id of the previous list. An empty list means that
    /// there are no more.
    ///
    /// ```
    /// use tool_chat::model::ScriptedModel;
    /// use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
    /// use tool_runtime::Toolbox;
    ///
    /// # pollster::block_on(async {
    /// let durable = DurableConversations::new(InMemoryStore::new());
    /// let setup = ConversationSetup::new(&Toolbox::builder().build()?, ScriptedModel::new());
    /// for id in ["order 7", "order 8", "order 9"] {
    ///     durable.open(id, setup.clone()).await?;
    /// }
    /// let (mut ids, mut last) = (Vec::new(), None);
    /// loop {
    ///     let page = durable.list(last.as_deref(), 2).await?;
    ///     let Some(listed) = page.last() else { break };
    ///     last = Some(listed.id.clone());
    ///     ids.extend(page.into_iter().map(|listed| listed.id));
    /// }
    /// assert_eq!(ids, ["order 7", "order 8", "order 9"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the store cannot be read, or if it cannot list conversations.
    pub async fn list(&self, after: Option<&str>, most: usize) -> Result<Vec<ListedConversation>, DurableError> {
        Ok(self.0.list(after, most).await?)
    }

    /// Removes a conversation with all its records. Returns `false` if there was none.
    ///
    /// # Errors
    ///
    /// Fails if the conversation is open, here or in another process; if the store cannot be written; or if it cannot remove conversations.
    pub async fn remove(&self, id: &str) -> Result<bool, DurableError> {
        Ok(self.0.remove(id).await?)
    }
}

impl fmt::Debug for DurableConversations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Durable").finish_non_exhaustive()
    }
}

/// A conversation that survives a restart of the program, opened by [`DurableConversations::open`]. Until this value is dropped, nobody else can open
/// the conversation.
///
/// If the future of a method is dropped or fails, later calls fail with [`DurableError::Interrupted`]. Then open the conversation again and
/// [resume](Self::resume) it.
pub struct DurableConversation {
    run: Run,
    engine: LocalEngine,
    /// The type of the answer to each prompt, if the setup has one.
    answer_type: Option<AnswerType>,
    is_busy: bool,
    torn_bytes: u64,
}

impl DurableConversation {
    /// Sends a prompt, and runs the model's calls until it answers, cannot continue, or reaches a limit.
    ///
    /// If the previous turn has not ended, it is stopped first. The model reads that its deferred calls were cancelled, and that the effect
    /// of its interrupted calls is unknown.
    ///
    /// # Errors
    ///
    /// Fails if something cannot be recorded, or if an earlier operation was interrupted.
    pub async fn ask(&mut self, prompt: impl Into<String>) -> Result<TurnEnd, DurableError> {
        self.prompt(prompt.into(), None).await
    }

    /// Sends a prompt, and returns the answer as a value, as [`Conversation::answer`](tool_chat::conversation::Conversation::answer) does.
    /// Each rejected answer is recorded with the text that the model reads.
    ///
    /// ```
    /// use tool_chat::model::ScriptedModel;
    /// use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore};
    /// use tool_runtime::Toolbox;
    ///
    /// # pollster::block_on(async {
    /// let toolbox = Toolbox::builder().build()?;
    /// let model = ScriptedModel::new().text("Six or seven.").text(r#"{"value": 7}"#);
    /// let durable = DurableConversations::new(InMemoryStore::new());
    /// let mut conversation = durable.open("count", ConversationSetup::new(&toolbox, model.clone())).await?;
    /// assert_eq!(conversation.answer::<u8>("How many?").await??, 7);
    /// drop(conversation);
    ///
    /// let mut conversation = durable.open("count", ConversationSetup::new(&toolbox, model)).await?;
    /// assert_eq!(conversation.resume_answer::<u8>().await??, 7); // the model is not asked again
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`ask`](Self::ask) does. Within, returns an [`AnswerError`] if the turn ended without a value.
    pub async fn answer<T: ToolInput>(
        &mut self,
        prompt: impl Into<String>,
    ) -> Result<Result<T, AnswerError>, DurableError> {
        let end = self.prompt(prompt.into(), Some(AnswerType::new::<T>())).await?;
        Ok(self.value(end))
    }

    /// Continues a turn, as [`resume`](Self::resume) does, and returns the answer as a value. The log contains no type, so after the
    /// conversation was opened again, a turn for a typed answer must be continued with this method.
    ///
    /// # Errors
    ///
    /// Fails as [`resume`](Self::resume) does. Within, returns an [`AnswerError`] if the turn ended without a value.
    pub async fn resume_answer<T: ToolInput>(&mut self) -> Result<Result<T, AnswerError>, DurableError> {
        self.engine.answering = Some(AnswerType::new::<T>());
        let end = self.resume().await?;
        Ok(self.value(end))
    }

    fn value<T: ToolInput>(&self, end: TurnEnd) -> Result<T, AnswerError> {
        let (session, model) = (&self.engine.session, &*self.engine.model);
        AnswerType::new::<T>().value(end, session, model)
    }

    async fn prompt(&mut self, prompt: String, answering: Option<AnswerType>) -> Result<TurnEnd, DurableError> {
        self.begin()?;
        self.engine.answering = answering.or(self.answer_type);
        self.stop().await?;
        self.engine.session.begin_turn();
        self.engine.recorded = self.engine.clock.now();
        self.engine.record(&mut self.run, vec![Record::from_prompt(prompt)]).await?;
        self.continue_turn().await
    }

    /// Continues a turn after the conversation was opened again, or after deferred calls were answered. If the last turn has already ended,
    /// returns how it ended.
    ///
    /// Finished calls do not run again. A call that had started and has no recorded end runs again only if its tool is `idempotent` or
    /// `read_only`. Otherwise, the model reads `effect_unknown`.
    ///
    /// # Errors
    ///
    /// Fails if there is no prompt yet, if something cannot be recorded, or if an earlier operation was interrupted.
    pub async fn resume(&mut self) -> Result<TurnEnd, DurableError> {
        self.begin()?;
        self.engine.recorded = self.engine.clock.now();
        self.continue_turn().await
    }

    /// Runs a deferred call, for example after a human has approved it. `values` are the values of the tool's host parameters. Afterwards,
    /// [`resume`](Self::resume) continues the turn.
    ///
    /// If an earlier process may have run the call, it does not run again, unless its tool is `idempotent` or `read_only`: the model reads
    /// `effect_unknown`, and the call does not wait any more.
    ///
    /// # Errors
    ///
    /// Fails if no call with this id waits, if the call cannot run and therefore stays deferred, or if something cannot be recorded.
    pub async fn approve(&mut self, call_id: &str, values: HostArguments) -> Result<(), DurableError> {
        self.waiting(call_id)?;
        self.begin()?;
        self.engine.recorded = self.engine.clock.now();
        // An earlier process may have begun to run the call.
        self.engine.answer_orphans(&mut self.run, true).await?;
        let Ok(call) = self.waiting(call_id) else {
            self.is_busy = false;
            return Err(DurableError::NotDeferred { call_id: call_id.to_owned() });
        };
        let session = self.engine.session.clone();
        let calls = [(call, call_id.to_owned())];
        let resumed = pin!(session.resume_with_host_arguments(call_id, values));
        let outcome = self.engine.attend(&mut self.run, &calls, resumed).await?;
        self.record_end(call, outcome).await
    }

    /// Answers a deferred call without running its tool. Afterwards, [`resume`](Self::resume) continues the turn.
    ///
    /// # Errors
    ///
    /// Fails if no call with this id waits, or if something cannot be recorded.
    pub async fn complete(&mut self, call_id: &str, completion: impl Into<Completion>) -> Result<(), DurableError> {
        let call = self.waiting(call_id)?;
        self.begin()?;
        // The host knows the result of this call. Other calls that may have started are answered before a record replaces a damaged end.
        self.engine.started.remove(&call);
        self.engine.answer_orphans(&mut self.run, true).await?;
        let completed = self.engine.session.complete(call_id, completion);
        self.record_end(call, completed).await
    }

    async fn record_end(&mut self, call: usize, outcome: Result<Outcome, CompletionError>) -> Result<(), DurableError> {
        if let Ok(outcome) = outcome {
            self.engine.record(&mut self.run, vec![Record::from_call_end(call, outcome)]).await?;
            self.is_busy = false;
            return Ok(());
        }
        self.is_busy = false;
        outcome.map(drop).map_err(DurableError::from)
    }

    /// Returns the transcript so far.
    pub const fn transcript(&self) -> &Transcript {
        self.run.transcript()
    }

    /// Returns the run, which says what the conversation does next.
    pub const fn run_state(&self) -> &Run {
        &self.run
    }

    /// Returns the session whose tools are called. Calls that you make in it yourself are not part of the conversation.
    pub const fn session(&self) -> &Session {
        &self.engine.session
    }

    /// Returns `true` if the last turn has not ended, so [`resume`](Self::resume) would continue it.
    pub fn is_unfinished(&self) -> bool {
        !matches!(self.run.next(), Next::Prompt | Next::Done(_))
    }

    /// Returns the number of bytes at the end of the log that were ignored when the log was opened, because the machine had crashed while
    /// writing them.
    pub const fn torn_bytes(&self) -> u64 {
        self.torn_bytes
    }

    fn begin(&mut self) -> Result<(), DurableError> {
        if std::mem::replace(&mut self.is_busy, true) { Err(DurableError::Interrupted) } else { Ok(()) }
    }

    async fn continue_turn(&mut self) -> Result<TurnEnd, DurableError> {
        let end = drive(&mut self.run, &mut self.engine).await?;
        self.is_busy = false;
        let end = end.ok_or(DurableError::NoPrompt)?;
        if !matches!(end, TurnEnd::Deferred { .. }) {
            self.engine.session.end_turn();
        }
        Ok(end)
    }

    /// Stops the last turn if it has not ended.
    async fn stop(&mut self) -> Result<(), DurableError> {
        if !self.is_unfinished() {
            return Ok(());
        }
        self.engine.answer_orphans(&mut self.run, false).await?;
        if let Next::Wait(calls) = self.run.next() {
            for waits in calls {
                self.engine.session.cancel(waits.call.outcome.call_id());
            }
        }
        if self.is_unfinished() {
            self.engine.record(&mut self.run, vec![Record::from_stopped_turn([])]).await?;
        }
        Ok(())
    }

    /// Returns the index of a deferred call in its step.
    fn waiting(&self, call_id: &str) -> Result<usize, DurableError> {
        let Next::Wait(calls) = self.run.next() else {
            return Err(DurableError::NotDeferred { call_id: call_id.to_owned() });
        };
        let call = calls.iter().find(|waits| waits.call.outcome.call_id() == call_id);
        call.map(|waits| waits.index).ok_or_else(|| DurableError::NotDeferred { call_id: call_id.to_owned() })
    }
}

/// Lets all open calls count as started, because the record of their start or end may be lost. A call counts as repeatable only if it names
/// its tool exactly, and its tool is.
fn count_as_started(run: &mut Run, started: &mut Started, toolbox: &Toolbox<NeedsSessionState>) {
    let open: Vec<(usize, String)> = match run.next() {
        Next::Call(calls) => calls.iter().map(|open| (open.index, open.call.name.clone())).collect(),
        Next::Wait(calls) => {
            calls.iter().map(|waits| (waits.index, waits.call.outcome.tool_name().to_owned())).collect()
        }
        _ => return,
    };
    for (index, tool) in open {
        let is_repeatable = toolbox.tool(&tool).is_some_and(|tool| {
            let Annotations { read_only, idempotent, .. } = tool.spec().settings.annotations;
            read_only == Some(true) || idempotent == Some(true)
        });
        started.entry(index).or_insert(StartedCall { tool, is_repeatable });
        // The run rejects this for a deferred call, which is not an error.
        let _ = run.apply_record(Record::from_call_start(index));
    }
}

impl fmt::Debug for DurableConversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DurableConversation").field("turns", &self.run.turn_count()).finish_non_exhaustive()
    }
}
