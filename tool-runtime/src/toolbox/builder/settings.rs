//! Settings of a toolbox that affect calls.
//!
//! Setting a value again replaces it, except for hooks, which are added.

use std::sync::Arc;
use std::time::Duration;

use super::ToolboxBuilder;
use crate::clock::Clock;
use crate::event::Observer;
use crate::feedback::FeedbackForm;
use crate::hook::BeforeCall;
use crate::result_guard::{Guard, OutputSchemaCompiler};
use crate::shape::RepairPolicy;
use crate::throttle::{ReplaceableThrottleText, SessionLimits};
use crate::tool::Retry;
use crate::toolbox::BlockingWork;

impl<S> ToolboxBuilder<S> {
    /// Sets whether the model sees the `Display` text of errors other than [`ToolError`](crate::ToolError). On by default. The setting of a
    /// tool (`#[tool(errors = "hidden")]`) takes precedence.
    pub fn show_errors(mut self, show_errors: bool) -> Self {
        self.settings.show_errors = show_errors;
        self
    }

    /// Sets the repairs that may be applied to rejected arguments; [`RepairPolicy::Lossless`] by default. The policy of a tool or a field
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

    /// Sets the form in which the model reads feedback about invalid arguments. The default is [`FeedbackForm::Sentences`].
    pub fn feedback(mut self, form: FeedbackForm) -> Self {
        self.settings.feedback = form;
        self
    }

    /// Sets the function that runs `#[tool(blocking)]` tools on other threads. With tokio, use `|work| { tokio::task::spawn_blocking(work);
    /// }`.
    ///
    /// ```
    /// use std::thread;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Names the thread.
    /// #[tool(blocking)]
    /// fn thread_name() -> String {
    ///     thread::current().name().unwrap_or_default().to_owned()
    /// }
    ///
    /// let toolbox = Toolbox::builder().tool(ThreadNameTool).blocking_spawner(|work| {
    ///     let _ = thread::Builder::new().name("worker".to_owned()).spawn(work);
    /// });
    /// let session = toolbox.build()?.session();
    /// assert_eq!(pollster::block_on(session.call("call_1", "thread_name", "{}")).to_text(), "worker");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn blocking_spawner(mut self, spawner: impl Fn(BlockingWork) + Send + Sync + 'static) -> Self {
        self.settings.spawner = Some(Box::new(spawner));
        self
    }

    /// Adds a hook that decides about calls before they run; see [`BeforeCall`]. Hooks are asked in order, until one returns another
    /// verdict than [`Verdict::Run`](crate::hook::Verdict::Run). Arguments are decoded before the hooks are asked, and the tool runs with
    /// the decoded value.
    pub fn before_call(mut self, hook: impl BeforeCall) -> Self {
        self.settings.hooks.push(Box::new(hook));
        self
    }

    /// Sets the observer that receives every event. Without an observer, events cost nothing.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.settings.observer = Some(Box::new(observer));
        self
    }

    /// Sets the guard, which checks results and can change doubtful ones. By default, it only adds warnings to them.
    pub fn guard(mut self, guard: Guard) -> Self {
        self.responses.set(guard);
        self
    }

    /// Sets the check of results against output schemas (`#[tool(output_schema)]`). A result that does not match its schema gets a warning,
    /// but is not changed. Without a check, output schemas are only advertised. `tool_dynamic::JsonSchemaOutputCheck` is a check that uses the
    /// `jsonschema` crate.
    ///
    /// ```
    /// use tool_dynamic::JsonSchemaOutputCheck;
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
    /// let session = Toolbox::builder().tool(DiskUsageTool).output_check(JsonSchemaOutputCheck).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "disk_usage", "{}"));
    /// assert_eq!(outcome.to_text(), "87.5");
    /// assert_eq!(outcome.warnings(), ["Result does not fit its output schema."]);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn output_check(mut self, check: impl OutputSchemaCompiler + 'static) -> Self {
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
    /// let builder = Toolbox::builder().tool(TasksTool).tool_guard("tasks", Guard::new().warn_empty(false));
    /// let session = builder.build()?.session();
    /// assert!(pollster::block_on(session.call("call_1", "tasks", "")).warnings().is_empty());
    /// assert!(Toolbox::builder().tool_guard("task", Guard::OFF).build().is_err());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn tool_guard(mut self, tool: impl Into<String>, guard: Guard) -> Self {
        self.responses.set_for(tool.into(), guard);
        self
    }

    /// Sets the clock of events and of the throttle. By default, events use [`SystemClock`](crate::clock::SystemClock), and the throttle
    /// uses the cheaper [`CoarseClock`](crate::clock::CoarseClock).
    pub fn clock(mut self, clock: impl Clock) -> Self {
        (self.settings.clock, self.settings.throttle_clock) = (Arc::new(clock), None);
        self
    }

    /// Sets a function that may replace the texts of the throttle: warnings, rejections, and the guidance of rejections. The function receives
    /// each text with its kind, tool, rule and count. It returns a replacement, or `None` to keep the text.
    ///
    /// A replacement has the same limits as other texts: one line of at most 600 bytes, or 480 for guidance, with hidden characters
    /// escaped. If it is blank, or the function panics, the original text is used. Codes and numbers in the answer are never replaced.
    pub fn throttle_texts(
        mut self,
        texts: impl Fn(&ReplaceableThrottleText<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.settings.throttle_texts = Some(Box::new(texts));
        self
    }

    /// Sets which contents spans and events include, in addition to names and kinds. By default, they include no contents.
    #[cfg(feature = "tracing")]
    pub fn traced_contents(mut self, tracing: crate::event::TracingSettings) -> Self {
        self.settings.tracing = tracing;
        self
    }

    /// Sets the limits of the throttle, which pauses unproductive calls. The default is [`SessionLimits::default`].
    pub fn throttle(mut self, limits: SessionLimits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Disables the throttle: no call is paused or counted, and sessions have no [`statistics`](crate::Session::statistics). To count calls
    /// without pausing any, use [`throttle`](Self::throttle) with [`SessionLimits::NONE`].
    pub fn no_throttle(mut self) -> Self {
        self.limits = None;
        self
    }

    /// Sets the time limit of calls, for all tools that do not set their own limit (`#[tool(timeout_ms = 5_000)]`). It needs a clock with a
    /// timer.
    ///
    /// The limit applies to async and blocking tools, and includes the pauses between attempts. A sync tool always runs to its end. If a
    /// call takes longer, it is answered with `timeout`, and its future is dropped. A blocking tool continues, but its result is ignored.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_runtime::Toolbox;
    ///
    /// // The default clock has no timer.
    /// let error = Toolbox::builder().time_limit(Duration::from_secs(30)).build().unwrap_err();
    /// assert!(error.to_string().contains("timer"));
    /// ```
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.run_limits.time_limit = Some(limit);
        self
    }

    /// Sets how often an `idempotent` tool is called again while it is temporarily unavailable, for all tools without their own setting
    /// (`#[tool(idempotent, retry(attempts = 3))]`). It needs a clock with a timer. By default, there is only one attempt.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use std::time::Duration;
    /// use tool_runtime::clock::SimulatedClock;
    /// use tool_runtime::tool::Retry;
    /// use tool_runtime::{ToolError, Toolbox, tool};
    ///
    /// /// Reads the temperature.
    /// #[tool(idempotent)]
    /// async fn temperature(#[tool(state)] calls: &AtomicU32) -> Result<u8, ToolError> {
    ///     match calls.fetch_add(1, Ordering::Relaxed) {
    ///         0 | 1 => Err(ToolError::unavailable("The sensor is starting.")),
    ///         _ => Ok(22),
    ///     }
    /// }
    ///
    /// let builder = Toolbox::builder().tool(TemperatureTool).state(AtomicU32::new(0)).clock(SimulatedClock::new());
    /// let session = builder.retry(Retry { first: Duration::ZERO, ..Retry::DEFAULT }).build()?.session();
    /// assert_eq!(pollster::block_on(session.call("call_1", "temperature", "{}")).to_text(), "22");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn retry(mut self, retry: Retry) -> Self {
        self.run_limits.retry = Some(retry);
        self
    }

    /// Sets the maximum number of calls of a batch that run at the same time. The value 0 is treated as 1. By default, all calls run at the
    /// same time.
    pub fn max_batch_concurrency(mut self, calls: usize) -> Self {
        self.settings.max_concurrency = Some(calls.max(1));
        self
    }
}
