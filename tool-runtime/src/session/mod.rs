//! One conversation over a toolbox: [`Session`].
//!
//! In: calls as a model made them, possibly in parallel. Out: one [`Outcome`] for each, under its call id. Read `call.rs` first: it lists
//! the stages of a call from top to bottom. Invariants: every call is answered, whatever the model, the tool or the host does. A call of a
//! sync tool by its exact name boxes nothing. A call whose future is dropped leaves nothing behind.

mod admit;
mod admit_batch;
mod advertised_item;
mod approve;
mod ask_shared_health;
mod attempt;
mod batch;
mod batch_outcome;
mod begin;
mod call;
pub(crate) mod call_durability;
mod conditional_tools;
mod decode;
mod decoded;
mod deferred;
mod deferred_answer;
mod deferred_table;
mod definitions;
mod events;
mod expand;
mod fast;
mod find_name;
mod for_sibling_crates;
mod health_permit;
mod host_reminders;
mod inspect_result;
mod invoke;
mod join;
mod member_call;
mod oneshot_channel;
mod outcome;
mod queue;
mod record_start;
mod rejected_before;
mod render;
mod repair_rejected;
mod replace;
mod replace_throttle_texts;
mod resolve;
mod retry;
mod run_interruptible;
mod run_single_attempt;
mod running_calls;
mod sent_arguments;
mod session_age;
mod session_with_toolbox;
mod settle;
mod setup;
mod show_found;
mod snapshot;
mod stable_tool_numbers;
mod stored_outcome;
mod stream;
mod suggestions;
mod supply;
mod time_limit;
mod traced;
mod undo_dialect;
mod visible;

use std::fmt;
use std::sync::Arc;

use tool_schema::dialect::{Definitions, Dialect};

pub use advertised_item::AdvertisedItem;
pub use batch::{BatchFuture, NoTimerError};
pub use batch_outcome::BatchOutcome;
pub(crate) use call_durability::RecordedMoment;
pub use deferred_answer::{Completion, CompletionError};
pub use deferred_table::DeferredCall;
pub(crate) use events::Listening;
pub use outcome::Outcome;
pub use queue::CallRequest;
pub use replace::ToolboxChange;
pub use setup::SessionSetup;
pub use snapshot::{Cipher, CipherError, RestoreError, SessionState, SnapshotError};
pub(crate) use visible::Openness;

use self::events::listen;
use self::session_with_toolbox::{Current, SessionView, Views};
use self::visible::Visible;
use crate::context::States;
use crate::failure::Failure;
use crate::repair::Stream;
use crate::throttle::{Statistics, Throttle};
use crate::toolbox::{Catalog, Item, MissingSessionState, Toolbox};

/// One conversation with its expanded containers and running calls. A session is a cheap handle: clones share the same
/// session.
///
/// ```
/// use tool_runtime::{Container, Session, Toolbox, tool};
///
/// /// The hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
///
/// let clock = Container::new("Clock", "What a clock can do.").tool(HourTool);
/// let session = Toolbox::builder().container(clock).build()?.session();
/// let names = |session: &Session| session.tools().iter().map(|tool| tool.name().to_owned()).collect::<Vec<_>>();
/// assert_eq!(names(&session), ["Clock"]);
/// # pollster::block_on(async {
/// let outcome = session.call("call_1", "Clock", "{}").await;
/// assert!(outcome.to_text().starts_with(r#"{"expanded":"Clock""#));
/// assert_eq!(names(&session), ["Clock", "hour"]);
/// assert_eq!(session.call("call_2", "hour", "{}").await.to_text(), "12");
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Session(Arc<Views>);

impl Session {
    pub(crate) fn new<S>(toolbox: &Toolbox<S>, session: States, openness: Openness) -> Self {
        let first = SessionView::first(toolbox.erased(), session, openness);
        listen(&first.scope, &first.toolbox, first.beginning);
        Self::from_view(first)
    }

    fn from_view(first: SessionView) -> Self {
        Self(Arc::new(Views::new(first)))
    }

    /// Returns the id of the session. It is random unless the host [sets it](SessionSetup::id), and does not change when the session is
    /// [saved](Self::snapshot) and restored.
    pub fn id(&self) -> &str {
        self.0.first.scope.id.get()
    }

    fn set_id(&self, id: String) {
        self.0.first.scope.id.set(id);
    }

    /// Returns the current view. It stays valid if the toolbox is replaced in the meantime.
    #[inline]
    fn current(&self) -> Current<'_> {
        self.0.current()
    }

    /// Returns the tools and containers that the model can currently call: first the registered ones, then the members of each expanded
    /// container in the order of expansion, then the items that a [new toolbox](Self::replace_toolbox) has added.
    pub fn tools(&self) -> Vec<AdvertisedItem> {
        let current = self.current();
        let (catalog, visible) = (current.catalog(), &current.visible);
        visible.look(catalog, &current.scope);
        let seen = visible.seen();
        visible.items(catalog).into_iter().map(|item| AdvertisedItem::from_item(catalog, item, &seen)).collect()
    }

    /// Returns the definitions of all tools and containers that the model can currently call, in the dialect that was
    /// [chosen for the toolbox](crate::toolbox::ToolboxBuilder::for_provider), or else in [`Dialect::OPENAI`]. They are rendered once and
    /// kept until the [`revision`](Self::revision) changes.
    ///
    /// The result dereferences to the tools that the provider accepts; a tool that it would reject is left out, with
    /// [notes](tool_schema::dialect::Definition::notes) that give the reasons. The session remembers which tools it has advertised in a rewritten form. From then
    /// on, it converts the arguments of calls of these tools back.
    ///
    /// ```
    /// use tool_runtime::tool_schema::dialect::EffectiveStrictness;
    /// use tool_runtime::{Dialect, Toolbox, tool};
    ///
    /// /// Stores any value.
    /// #[tool]
    /// fn store(
    ///     /// The value.
    ///     value: serde_json::Value,
    /// ) -> String {
    ///     value.to_string()
    /// }
    ///
    /// let session = Toolbox::builder().tool(StoreTool).for_provider(Dialect::ANTHROPIC_STRICT).build()?.session();
    /// let definitions = session.definitions();
    /// assert!(definitions.to_string().starts_with(r#"[{"name":"store","description":"Stores any value.","input_schema":{"#));
    /// let store = definitions.get("store").ok_or("it is visible")?;
    /// assert_eq!(store.strictness(), EffectiveStrictness::Plain);
    /// assert_eq!(store.notes()[0].reason(), "not strict: value: accepts any value");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn definitions(&self) -> Arc<Definitions> {
        self.definitions_in(self.dialect().unwrap_or(Dialect::OPENAI))
    }

    /// Returns the [definitions](Self::definitions) in another dialect than that of the toolbox, for example if one conversation goes on
    /// with the model of another provider.
    pub fn definitions_in(&self, dialect: Dialect) -> Arc<Definitions> {
        let current = self.current();
        current.visible.look(current.catalog(), &current.scope);
        let provider = current.toolbox.parts().providers.get(dialect);
        current.visible.definitions(current.catalog(), &provider)
    }

    /// Returns the dialect that was [chosen for the toolbox](crate::toolbox::ToolboxBuilder::for_provider); `None` if none was chosen.
    pub fn dialect(&self) -> Option<Dialect> {
        self.current().toolbox.parts().providers.chosen()
    }

    /// Returns a number that changes whenever the definitions change. If tools depend on a state, this method calls their functions, such
    /// as `available_if`, to detect changes. Calls are still checked against the definitions that the model saw last, until new
    /// [definitions](Self::definitions) are requested.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// let before = session.revision();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert_ne!(session.revision(), before);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn revision(&self) -> u64 {
        let current = self.current();
        current.visible.peek(current.catalog(), &current.scope);
        current.visible.revision()
    }

    /// Gives the session another toolbox, for example because a remote server has changed its list of tools. All handles of the session use
    /// the new toolbox at once.
    ///
    /// - If a tool has the same advertised name in both toolboxes, it keeps its throttle state (pauses, repetitions, statistics) and its
    ///   position in the list. New tools are appended, so that the beginning of a cached prompt stays the same. Expanded containers that
    ///   still exist stay expanded.
    /// - A call of a removed tool is answered with `tool_removed`, which says that the tool is no longer available.
    /// - A running call keeps its toolbox until it ends. A [deferred](Self::deferred_calls) call of a removed tool can still
    ///   be [completed](Self::complete); if it is [resumed](Self::resume), it is answered with `tool_removed`.
    /// - Long results that were [kept](crate::toolbox::Guard::spill) before can still be read, if the new toolbox keeps results too.
    /// - From the next call on, the session uses the settings, hooks, observer and shared state of the new toolbox. It keeps
    ///   its own state.
    ///
    /// You may call this method while calls run, even in a tool or a hook.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Reads a page.
    /// #[tool]
    /// fn read_page() -> &'static str {
    ///     "…"
    /// }
    ///
    /// /// Searches the web.
    /// #[tool]
    /// fn search() -> &'static str {
    ///     "…"
    /// }
    ///
    /// let session = Toolbox::builder().tool(ReadPageTool).build()?.session();
    /// let replaced = session.replace_toolbox(&Toolbox::builder().tool(SearchTool).build()?)?;
    /// assert_eq!(replaced.added, ["search"]);
    /// assert_eq!(replaced.removed, ["read_page"]);
    ///
    /// let outcome = pollster::block_on(session.call("call_1", "read_page", "{}"));
    /// assert!(outcome.to_text().contains("read_page is no longer available."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the new toolbox [declares](crate::toolbox::ToolboxBuilder::require_session_state) states that the session does not have. The error
    /// names each of them. In this case, the session is not changed.
    pub fn replace_toolbox<S>(&self, toolbox: &Toolbox<S>) -> Result<ToolboxChange, MissingSessionState> {
        replace::replace(&self.0, &toolbox.erased())
    }

    /// Returns all containers, visible or not, in the order of registration, followed by nested containers. If the members of a container
    /// depend on the state, the result contains the members that the model saw last.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let files = Container::new("Files", "All about files.").container(Container::new("Writing", "Writing of files."));
    /// let session = Toolbox::builder().container(files).build()?.session();
    /// let names: Vec<_> = session.containers().iter().map(|container| container.name().to_owned()).collect();
    /// assert_eq!(names, ["Files", "Writing"]);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn containers(&self) -> Vec<AdvertisedItem> {
        let current = self.current();
        let catalog = current.catalog();
        let seen = current.visible.seen();
        (0..catalog.containers.len())
            .map(|index| AdvertisedItem::from_item(catalog, Item::Container(index), &seen))
            .collect()
    }

    /// Returns `true` if a container is expanded. Returns `false` if it is not expanded, or if there is no such container.
    pub fn is_expanded(&self, container: &str) -> bool {
        let current = self.current();
        current.catalog().find_container(container).is_some_and(|index| current.visible.is_expanded(index))
    }

    /// Collapses a container, and the containers inside it that no other container shows. Returns `true` if it was
    /// expanded.
    ///
    /// A tool that another expanded container also shows stays visible. A container that never collapses
    /// stays expanded.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert!(session.collapse_container("Files"));
    /// assert!(!session.collapse_container("Files"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn collapse_container(&self, container: &str) -> bool {
        self.collapse(|catalog, visible| {
            catalog.find_container(container).map_or_else(Vec::new, |index| visible.release(catalog, index))
        })
    }

    /// Begins a turn, which lasts from a message of the user to the final answer. If the previous turn has not ended, it ends now. The
    /// failure budget is restored.
    pub fn begin_turn(&self) {
        self.collapse(|catalog, visible| visible.end_turn(catalog));
        self.0.first.shared.reminders.begin();
        self.current().begin_run();
    }

    /// Ends a turn and collapses the containers that were expanded for it.
    pub fn end_turn(&self) {
        self.0.first.shared.reminders.end();
        self.collapse(|catalog, visible| visible.end_turn(catalog));
    }

    /// Collapses containers of the current toolbox. Returns `true` if there were any.
    fn collapse(&self, collapse: impl FnOnce(&Catalog, &Visible) -> Vec<usize>) -> bool {
        let held = self.0.first.shared.hold();
        let current = self.current();
        let collapsed = collapse(current.catalog(), &current.visible);
        drop(held);
        current.report_collapsed("", &collapsed);
        !collapsed.is_empty()
    }

    /// Returns the text for the system prompt: a block for each expanded container that has a
    /// [`system_prompt`](crate::Container::system_prompt). Containers that never collapse come first. If there is no such container, the
    /// text is empty. Call this method before each request to the model.
    ///
    /// With [fixed definitions](crate::container::ExpansionSettings::fixed_definitions), the text only contains the blocks of containers that never
    /// collapse, so that the system prompt does not change. The other prompts are part of the answers to expansions.
    ///
    /// ```
    /// use tool_runtime::{Container, Toolbox};
    ///
    /// let files = Container::new("Files", "Reading of files.").system_prompt("Never read secrets.");
    /// let session = Toolbox::builder().container(files).build()?.session();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert_eq!(session.instructions(), "## Files\n\nNever read secrets.");
    /// session.collapse_container("Files");
    /// assert_eq!(session.instructions(), "");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn instructions(&self) -> String {
        let current = self.current();
        let containers = &current.catalog().containers;
        let open = (0..containers.len()).filter(|&index| containers[index].open);
        let expanded = if current.visible.is_fixed() { Vec::new() } else { current.visible.expanded() };
        let mut blocks = Vec::new();
        for index in open.chain(expanded) {
            let spec = &containers[index].spec;
            if let Some(text) = current.text_from_state(spec.system_prompt_from.as_ref(), spec.system_prompt.as_ref()) {
                blocks.push(format!("## {}\n\n{}", spec.name, text.trim()));
            }
        }
        blocks.join("\n\n")
    }

    /// Adds a reminder for the model. It lasts for the current turn or, if no turn is running, for the next one.
    ///
    /// White space is replaced by single spaces, and a text of more than 512 bytes is truncated. At most four different reminders are kept;
    /// a newer one replaces the oldest. A conversation of `tool-chat` sends the reminders. Other hosts send the text of
    /// [`reminders`](Self::reminders) themselves.
    pub fn add_reminder(&self, text: impl AsRef<str>) {
        self.0.first.shared.reminders.add(text.as_ref());
    }

    /// Returns the reminders of the turn as one block of text; `None` if there are none. Send it after the outcomes of the calls.
    ///
    /// Send the block with the next request only, and do not keep it in the history.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().build()?.session();
    /// session.add_reminder("The build is red.");
    /// session.begin_turn();
    /// let lead = "This is from the application, not from the user. Do not mention it to the user.";
    /// let block = format!("<reminder>\n{lead}\n- The build is red.\n</reminder>");
    /// assert_eq!(session.reminders(), Some(block));
    /// session.end_turn();
    /// assert_eq!(session.reminders(), None);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn reminders(&self) -> Option<String> {
        self.0.first.shared.reminders.block()
    }

    /// Returns a stream for the arguments of a call that is still being written. The arguments are checked against the schema that the
    /// model saw last for this tool. They are [rejected](crate::repair::Progress::Rejected) as soon as no continuation can make them
    /// acceptable without repairs.
    ///
    /// Wrong types and wrappers are not repaired here. If you want repairs, wait for the whole text and use [`call`](Self::call).
    /// Requesting a stream neither expands a container nor answers a call.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    /// use tool_runtime::tool_schema::repair::Progress;
    ///
    /// /// Waits.
    /// #[tool]
    /// fn wait(
    ///     /// How long.
    ///     seconds: u8,
    /// ) {
    ///     let _ = seconds;
    /// }
    ///
    /// let session = Toolbox::builder().tool(WaitTool).build()?.session();
    /// let mut stream = session.stream_arguments("wait").map_err(|failure| failure.to_text())?;
    /// assert_eq!(stream.push("{\"sec"), Progress::Open);
    /// assert_eq!(stream.push("onds\": \""), Progress::Rejected);
    /// assert_eq!(stream.issues()[0].message(), "seconds must be an integer");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the model cannot currently call a tool with this name. The error is the failure with which such a call would be answered.
    pub fn stream_arguments(&self, name: &str) -> Result<Stream, Box<Failure>> {
        stream::open(&self.current(), name)
    }

    /// Answers the running calls of this id with `cancelled` at once. Returns `true` if there was one.
    ///
    /// The future of an async tool is dropped. A blocking tool keeps running, but its answer is ignored; the tool can check
    /// [`is_cancelled`](crate::CallContext::is_cancelled). A sync tool is never interrupted. A [deferred](Self::deferred_calls) call of this id
    /// is cancelled too. To get the outcome for the model, use [`complete`](Self::complete) with [`Completion::cancelled`] instead.
    pub fn cancel(&self, call_id: &str) -> bool {
        // `|` evaluates both operands, so both kinds of calls are cancelled.
        self.0.first.shared.running.cancel(call_id) | self.current().cancel_deferred(call_id)
    }

    /// Returns the statistics of all calls in the session so far, including calls of containers. The statistics are empty if the throttle
    /// is [disabled](crate::toolbox::ToolboxBuilder::no_throttle).
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, tool};
    /// /// The hour of the day.
    /// #[tool]
    /// fn hour() -> u8 {
    ///     12
    /// }
    /// let session = Toolbox::builder().tool(HourTool).build()?.session();
    /// pollster::block_on(session.call("call_1", "hour", "{}"));
    ///
    /// let statistics = session.statistics();
    /// assert_eq!(statistics.most_called_tools(1), [("hour", 1)]);
    /// assert_eq!(statistics.tools[0].first_try_rate(), Some(1.0));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn statistics(&self) -> Statistics {
        self.current().throttle.as_ref().map_or_else(Statistics::default, Throttle::statistics)
    }

    /// Ends every pause and resets every count, including the statistics.
    pub fn reset_throttle(&self) {
        if let Some(throttle) = &self.current().throttle {
            throttle.reset();
        }
    }

    /// Ends the pauses of one tool or container, given by its advertised name, and resets its counts and statistics.
    /// Returns `true` if a tool or container has the name.
    pub fn reset_tool_throttle(&self, tool: &str) -> bool {
        let current = self.current();
        let Some(item) = current.catalog().find(tool) else { return false };
        if let Some(throttle) = &current.throttle {
            throttle.reset_tool(current.subject(item));
        }
        true
    }

    /// Returns the session as data: the expanded containers, the forms in which tools were advertised, pauses and counts of the throttle,
    /// rejected paths, deferred calls, reminders and statistics. [`Toolbox::restore`](crate::Toolbox::restore) takes this data.
    ///
    /// Running calls and the host's state are not part of the data. For finished calls, only hashes of arguments, results and errors are
    /// saved. For tools with sensitive parameters, even the hashes are left out, so once the session is restored, repetitions of such calls
    /// are counted from the beginning. [`snapshot_with`](Self::snapshot_with) saves these hashes too.
    ///
    /// See [`SessionState`] for an example.
    ///
    /// # Errors
    ///
    /// Fails if a call of a tool with sensitive parameters is deferred, because its arguments cannot be saved.
    pub fn snapshot(&self) -> Result<SessionState, SnapshotError> {
        snapshot::saved(&self.current(), None)
    }

    /// Returns the session as data, like [`snapshot`](Self::snapshot), and adds a part that the cipher seals: the deferred calls of tools
    /// with sensitive parameters, and the hashes by which repeated calls of these tools are recognized. See [`Cipher`] for an example.
    ///
    /// # Errors
    ///
    /// Fails if the cipher fails.
    pub fn snapshot_with(&self, cipher: &dyn Cipher) -> Result<SessionState, SnapshotError> {
        snapshot::saved(&self.current(), Some(cipher))
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("revision", &self.current().visible.revision()).finish_non_exhaustive()
    }
}
