//! How calls are treated: what a host wants otherwise than it is.
//!
//! In: repairs, words, hooks, observers, guards, a clock, limits. Out: the builder with them. What always holds: of a setting that is made
//! twice the last one holds; hooks are added.

use std::sync::Arc;
use std::time::Duration;

use super::ToolboxBuilder;
use crate::clock::Clock;
use crate::event::Observer;
use crate::feedback::Form;
use crate::hook::BeforeCall;
use crate::response::{Guard, OutputCheck};
use crate::shape::RepairPolicy;
use crate::throttle::{Limits, ThrottleText};
use crate::tool::Retry;
use crate::toolbox::Work;

impl ToolboxBuilder {
    /// Whether the model reads the `Display` of an error that is no [`ToolError`](crate::ToolError); it does unless this is `false`.
    /// A tool that says so itself (`#[tool(errors = "hidden")]`) is not overruled.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().show_errors(false).build().is_ok());
    /// ```
    pub fn show_errors(mut self, show_errors: bool) -> Self {
        self.settings.show_errors = show_errors;
        self
    }

    /// Sets the repairs that rejected arguments may have; [`RepairPolicy::Lossless`] by default. A policy of a tool or a field
    /// (`#[tool(repair = "strict")]`) takes precedence.
    ///
    /// ```
    /// use tool_runtime::{RepairPolicy, Toolbox, tool};
    ///
    /// /// Waits.
    /// #[tool]
    /// fn wait(
    ///     /// How many seconds.
    ///     seconds: u8,
    /// ) -> u8 {
    ///     seconds
    /// }
    ///
    /// for (policy, is_ok) in [(RepairPolicy::Lossless, true), (RepairPolicy::Strict, false)] {
    ///     let session = Toolbox::builder().repair(policy).tool(WaitTool).build()?.session();
    ///     let outcome = pollster::block_on(session.call("call_1", "wait", r#"{"seconds": "3"}"#));
    ///     assert_eq!(outcome.is_ok(), is_ok);
    /// }
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn repair(mut self, policy: RepairPolicy) -> Self {
        self.settings.policy = policy;
        self
    }

    /// Says how a model is told what is wrong with its arguments: wire JSON unless another [`Form`] is chosen here.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, toolbox::Form};
    ///
    /// assert!(Toolbox::builder().feedback(Form::Markdown).build().is_ok());
    /// ```
    pub fn feedback(mut self, form: Form) -> Self {
        self.settings.feedback = form;
        self
    }

    /// Says where `#[tool(blocking)]` tools run; with tokio, `|work| { tokio::task::spawn_blocking(work); }`.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let toolbox = Toolbox::builder().spawner(|work| {
    ///     std::thread::spawn(work);
    /// });
    /// assert!(toolbox.build().is_ok());
    /// ```
    pub fn spawner(mut self, spawner: impl Fn(Work) + Send + Sync + 'static) -> Self {
        self.settings.spawner = Some(Box::new(spawner));
        self
    }

    /// Asks before a tool runs; see [`BeforeCall`]. Of several hooks each is asked in this order, until one does not say
    /// [`Verdict::Run`](crate::hook::Verdict::Run). The arguments of a call are decoded before a hook is asked, and the tool runs with what was decoded.
    ///
    /// ```
    /// use tool_runtime::Toolbox;
    /// use tool_runtime::hook::{Verdict, ProposedCall};
    ///
    /// let hook = |call: &ProposedCall<'_>| match call.spec().settings.annotations.destructive {
    ///     Some(true) => Verdict::Defer,
    ///     _ => Verdict::Run,
    /// };
    /// assert!(Toolbox::builder().before_call(hook).build().is_ok());
    /// ```
    pub fn before_call(mut self, hook: impl BeforeCall) -> Self {
        self.settings.hooks.push(Box::new(hook));
        self
    }

    /// Sets who learns of every decision. Without one, nothing is recorded and nothing is paid.
    ///
    /// ```
    /// # use tool_runtime::{event::{Observer, ToolEvent}, Toolbox};
    /// struct Log;
    ///
    /// impl Observer for Log {
    ///     fn event(&self, event: &ToolEvent<'_>) {
    ///         eprintln!("{event:?}");
    ///     }
    /// }
    /// assert!(Toolbox::builder().observer(Log).build().is_ok());
    /// ```
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.settings.observer = Some(Box::new(observer));
        self
    }

    /// Says what is doubtful about results, and what is done about it; warnings only, unless this says otherwise.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, toolbox::Guard};
    ///
    /// let guard = Guard::new().large(Some(20_000)).cut_to(Some(50_000));
    /// assert!(Toolbox::builder().response(guard).build().is_ok());
    /// ```
    pub fn response(mut self, guard: Guard) -> Self {
        self.responses.set(guard);
        self
    }

    /// Sets the check of results against output schemas (`#[tool(output_schema)]`); a result that does not fit gets a warning and is passed
    /// on unchanged. Without a check, output schemas are only shown. `tool_dynamic::OutputSchemaCheck` is one that uses the `jsonschema` crate.
    ///
    /// ```
    /// use tool_dynamic::OutputSchemaCheck;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// #[derive(serde::Serialize, schemars::JsonSchema)]
    /// struct Share(#[schemars(range(max = 1.0))] f64);
    ///
    /// /// Says how much of the disk is used.
    /// #[tool(output_schema)]
    /// fn disk_usage() -> Share {
    ///     Share(87.5)
    /// }
    /// let session = Toolbox::builder().tool(DiskUsageTool).output_check(OutputSchemaCheck).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "disk_usage", "{}"));
    /// assert_eq!(outcome.to_text(), "87.5");
    /// assert_eq!(outcome.warnings(), ["Result does not fit its output schema."]);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn output_check(mut self, check: impl OutputCheck + 'static) -> Self {
        self.output_check = Some(Arc::new(check));
        self
    }

    /// Overrides the response guard for one tool, given by its advertised name.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, toolbox::Guard, tool};
    ///
    /// /// What there is to do.
    /// #[tool]
    /// fn tasks() -> Vec<String> {
    ///     Vec::new()
    /// }
    /// let builder = Toolbox::builder().tool(TasksTool).response_of("tasks", Guard::new().empty(false));
    /// let session = builder.build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "tasks", "")).warnings().is_empty());
    /// assert!(Toolbox::builder().response_of("task", Guard::OFF).build().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn response_of(mut self, tool: impl Into<String>, guard: Guard) -> Self {
        self.responses.set_for(tool.into(), guard);
        self
    }

    /// Sets where the time comes from. Without it events have the time of a [`SystemClock`](crate::clock::SystemClock), and the throttle reads
    /// the cheaper [`CoarseClock`](crate::clock::CoarseClock); a clock that is set here is for both.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, clock::SimulatedClock};
    ///
    /// assert!(Toolbox::builder().clock(SimulatedClock::new()).build().is_ok());
    /// ```
    pub fn clock(mut self, clock: impl Clock) -> Self {
        (self.settings.clock, self.settings.throttle_clock) = (Arc::new(clock), None);
        self
    }

    /// Replaces the texts of the throttle: warnings, refusals, and the guidance of refusals. The function is given each text with its facts, and
    /// returns the host's own, or `None` for the text as it is.
    ///
    /// A replacement has the bounds of the other texts: one line of at most 600 bytes, 480 for guidance, with hidden characters escaped.
    /// If it is blank, or the function panics, the original text is used. Codes and numbers of the answer are never replaced.
    ///
    /// ```
    /// use tool_runtime::throttle::{ThrottleText, ThrottleTextKind};
    /// use tool_runtime::{ToolError, Toolbox, tool};
    ///
    /// /// Searches.
    /// #[tool]
    /// fn search() -> Result<(), ToolError> {
    ///     Err(ToolError::new("The index is not there."))
    /// }
    ///
    /// let own = |text: &ThrottleText<'_>| match text.kind {
    ///     ThrottleTextKind::Refusal => Some(format!("{} rests after {} failures.", text.tool, text.count)),
    ///     ThrottleTextKind::Guidance => Some("Ask the user how to go on.".to_owned()),
    ///     _ => None,
    /// };
    /// let session = Toolbox::builder().tool(SearchTool).throttle_texts(own).build()?.session();
    /// let call = || pollster::block_on(session.call("call_1", "search", "{}"));
    /// let [.., outcome] = [call(), call(), call(), call()];
    /// let refusal = outcome.to_text();
    /// assert!(refusal.contains(r#""error_message":"search rests after 3 failures.""#));
    /// assert!(refusal.contains(r#""retry_guidance":"Ask the user how to go on.""#));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn throttle_texts(
        mut self,
        texts: impl Fn(&ThrottleText<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.settings.throttle_texts = Some(Box::new(texts));
        self
    }

    /// Says what spans and events hold besides names and kinds: nothing unless it is asked for here.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, event::Tracing};
    ///
    /// assert!(Toolbox::builder().tracing(Tracing::new().arguments(true)).build().is_ok());
    /// ```
    #[cfg(feature = "tracing")]
    pub fn tracing(mut self, tracing: crate::event::Tracing) -> Self {
        self.settings.tracing = tracing;
        self
    }

    /// Says when calls that lead nowhere are paused; every session has the default [`Limits`] unless this says otherwise.
    ///
    /// ```
    /// # use tool_runtime::{Toolbox, throttle::Limits};
    /// let mut limits = Limits::default();
    /// limits.run_budget = Some(40);
    /// assert!(Toolbox::builder().throttle(limits).build().is_ok());
    /// ```
    pub fn throttle(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// No call is ever paused, and nothing is counted: a session has no [`statistics`](crate::Session::statistics). With
    /// [`throttle`](Self::throttle) and [`Limits::NONE`] nothing is paused either, and all is counted.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// let session = Toolbox::builder().no_throttle().build()?.session();
    /// for _ in 0..100 {
    ///     let outcome = pollster::block_on(session.call("call_1", "add", "{}"));
    ///     assert!(outcome.to_text().contains("unknown_tool"));
    /// }
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn no_throttle(mut self) -> Self {
        self.limits = None;
        self
    }

    /// How long a call of a tool may take, for all that do not say so themselves (`#[tool(timeout_ms = 5_000)]`). It needs a clock with
    /// a timer.
    ///
    /// It holds where something is waited for: an async tool, a blocking one, the pause before a further attempt. A sync tool runs to its
    /// end. A call that is late is answered with `timeout` and its future is dropped; a blocking tool goes on unheard.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::{Toolbox, clock::SimulatedClock};
    ///
    /// let limited = || Toolbox::builder().time_limit(Duration::from_secs(30));
    /// assert!(limited().clock(SimulatedClock::new()).build().is_ok());
    /// assert!(limited().build().is_err()); // the limit would never be heard
    /// ```
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.run_limits.time_limit = Some(limit);
        self
    }

    /// How often the runtime itself calls an `idempotent` tool that cannot answer at the moment, for all that do not say so themselves
    /// (`#[tool(idempotent, retry(attempts = 3))]`). It needs a clock with a timer; without this, nothing is called again.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, clock::SimulatedClock, tool::Retry};
    ///
    /// let builder = Toolbox::builder().clock(SimulatedClock::new()).retry(Retry { attempts: 4, ..Retry::DEFAULT });
    /// assert!(builder.build().is_ok());
    /// ```
    pub fn retry(mut self, retry: Retry) -> Self {
        self.run_limits.retry = Some(retry);
        self
    }

    /// How many calls of a batch run at the same time; 0 is read as 1, and without this all of them do.
    ///
    /// ```
    /// assert!(tool_runtime::Toolbox::builder().max_concurrency(8).build().is_ok());
    /// ```
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.settings.max_concurrency = Some(calls.max(1));
        self
    }
}
