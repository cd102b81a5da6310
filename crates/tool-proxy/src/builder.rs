//! The settings of a proxy, one method for each: [`ProxyBuilder`].

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_report::RecordingWriter;
use tool_runtime::RepairPolicy;
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::throttle::SessionLimits;

use crate::access::{Access, Approval};
use crate::pins::{PinMode, Pins};
use crate::settings::{Grouping, Restart, Settings, ToolOptions, VersionTranslation};

/// The settings of a [`Proxy`](super::Proxy).
#[must_use = "nothing runs before a proxy is built and connected"]
pub struct ProxyBuilder(pub(super) Settings);

impl ProxyBuilder {
    pub(super) fn new() -> Self {
        Self(Settings {
            policy: RepairPolicy::Words,
            limits: Some(SessionLimits::default()),
            clock: Arc::new(SystemClock::new()),
            message_limit: 8 * 1_024 * 1_024,
            list_time_limit: Duration::from_secs(10),
            time_limit: None,
            result_bytes: None,
            keep_results: None,
            containers: Vec::new(),
            access: Access::new(),
            approval: Approval::new(),
            pins: None,
            strict_names: false,
            tools: HashMap::new(),
            redacted: Vec::new(),
            restart: None,
            translation: VersionTranslation::Auto,
            dry_run: false,
            recorder: None,
            record_results: None,
            report: Mutex::default(),
            log: Box::new(|_| {}),
        })
    }

    /// Sets which repairs of rejected arguments are allowed; [`RepairPolicy::Words`] by default.
    pub fn repair(mut self, policy: RepairPolicy) -> Self {
        self.0.policy = policy;
        self
    }

    /// Sets the limits of the throttle; [`SessionLimits::default`] by default.
    pub fn throttle(mut self, limits: SessionLimits) -> Self {
        self.0.limits = Some(limits);
        self
    }

    /// Disables the throttle.
    pub fn no_throttle(mut self) -> Self {
        self.0.limits = None;
        self
    }

    /// Sets the largest size of one message in bytes, 8 MiB by default. A longer request or answer is replaced by an error.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.0.message_limit = bytes;
        self
    }

    /// Sets the maximum time that calls wait for the server's list of tools, 10 seconds by default. After this time, calls are forwarded
    /// unchecked until the list arrives. With [containers](Self::container), a request of the client for the list is then answered with an
    /// error. One of several servers is missing in a list that it has not answered in this time, and loses its turn for a resource that no
    /// server lists.
    pub fn list_time_limit(mut self, limit: Duration) -> Self {
        self.0.list_time_limit = limit;
        self
    }

    /// Sets the maximum time that the server may take to answer a call; unlimited by default. After this time, the call is answered with an
    /// error, the server gets a cancellation, and a late answer is dropped.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.0.time_limit = Some(limit);
        self
    }

    /// Sets the maximum number of bytes of all texts in a result together; unlimited by default. Longer texts are cut, and a notice says
    /// so. A number below 256 is treated as 256. `structuredContent` is not cut, because clients check it against the schema of the server.
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.0.result_bytes = Some(bytes);
        self
    }

    /// Keeps the whole texts of results that are longer than [`result_bytes`](Self::result_bytes), or than 16 KiB if there is no such limit:
    /// at most `bytes` bytes and 256 results of each connection, in memory; the oldest are removed first. The model gets the beginning of a
    /// long text with a handle, and reads on with the tool `read_result`, which the proxy adds to the list of tools and answers itself. A
    /// limit below 1,024 is treated as 1,024. Off by default; long texts are then cut.
    ///
    /// If the server has a tool with the name `read_result`, the log says so, and long texts are cut. [`Access`] and [`Approval`] are about
    /// the tools of the server and do not apply to `read_result`.
    pub fn keep_results(mut self, bytes: usize) -> Self {
        self.0.keep_results = Some(bytes);
        self
    }

    /// Puts the tools whose names match one of these patterns into a container, for clients that have too many tools. A pattern is compared
    /// with the name that the server gave the tool; `*` matches any text. The client sees one tool with this name and description instead,
    /// until the model calls it; see [`Container`](tool_runtime::Container). The proxy then requests and answers lists of tools itself, each
    /// with one page.
    ///
    /// Until protocol version 2025-11-25, the client gets `notifications/tools/list_changed`, and its next list has the members. In revision
    /// 2026-07-28, the list is fixed: the answer of the container has the definitions of its members, which can be called at any time,
    /// directly or through the tool `call_tool`.
    ///
    /// A tool without a usable definition stays outside of containers. If the server has a tool with the name of the container, the log says
    /// so, and there is no such container.
    pub fn container(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        tools: impl IntoIterator<Item: Into<String>>,
    ) -> Self {
        let tools = tools.into_iter().map(Into::into).collect();
        self.0.containers.push(Grouping { name: name.into(), description: description.into(), tools });
        self
    }

    /// Sets the tools that the client may see and call; all of them by default.
    pub fn access(mut self, access: Access) -> Self {
        self.0.access = access;
        self
    }

    /// Sets the tools whose calls the user has to approve; none by default. The proxy asks by elicitation, if the client has declared that it can;
    /// otherwise, such calls are rejected.
    pub fn require_approval(mut self, approval: Approval) -> Self {
        self.0.approval = approval;
        self
    }

    /// Remembers the definitions of tools, so that a server cannot change them unnoticed; off by default. A dry run treats
    /// [`PinMode::Hold`] as [`PinMode::Warn`].
    pub fn pins(mut self, pins: Pins, mode: PinMode) -> Self {
        self.0.pins = Some((pins, mode));
        self
    }

    /// Sets whether a name or pattern of the settings that no tool has is an error: lists and calls are then answered with an error that names
    /// it. Off by default; the [log](Self::log_with) then says so after the first list. A dry run only says so.
    pub fn require_known_names(mut self, strict: bool) -> Self {
        self.0.strict_names = strict;
        self
    }

    /// Sets the options of one tool, given by the name that the server gave it.
    pub fn tool(mut self, name: impl Into<String>, options: ToolOptions) -> Self {
        self.0.tools.insert(name.into(), options);
        self
    }

    /// Lets the proxy restart the server after it has exited by itself; off by default. Only [`Proxy::serve_stdio`](super::Proxy::serve_stdio) can do this. Open requests
    /// are answered with an error, and no request is sent twice. The new server gets the handshake of the client; subscriptions and the log
    /// level are lost.
    pub fn restart(mut self, restart: Restart) -> Self {
        self.0.restart = Some(restart);
        self
    }

    /// Sets when messages are translated between a client and a server of different revisions of the protocol; [`VersionTranslation::Auto`] by
    /// default. A dry run does not translate.
    pub fn translate_versions(mut self, translation: VersionTranslation) -> Self {
        self.0.translation = translation;
        self
    }

    /// Sets whether everything is forwarded unchanged, and the [log](Self::log_with) only gets remarks about what the proxy would have changed.
    /// The remarks contain the values of arguments that are not [redacted](Self::redact). The report counts what would have
    /// happened; the server is not restarted.
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.0.dry_run = dry_run;
        self
    }

    /// Hides the values of arguments with these names in everything that is recorded, logged or shown to the user, at any depth and under
    /// similar names. A model can write a value in many ways, so the following is hidden too: anything else in place of an object that has
    /// such a name in the schema, texts and keys that mention a name and say more, and all arguments of a call if a text in them is a name.
    pub fn redact(mut self, arguments: impl IntoIterator<Item: Into<String>>) -> Self {
        self.0.redacted = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the function that receives the lines of a recording, which `toolbox check` and `toolbox report` read. The first line has the version of
    /// the format and the tools of the server. Each call has a line when it has ended: when it was sent, the arguments as the client sent
    /// them, the verdict, the repairs and issues, the decision of the user, the kind of the result, the duration, and the sizes.
    pub fn record_with(mut self, record: impl FnMut(&str) + Send + 'static) -> Self {
        self.0.recorder = Some(Mutex::new(RecordingWriter::from_fn(record)));
        self
    }

    /// Adds the answer of each call to the recording, up to this number of bytes: the texts that the model gets. By default, no answers are
    /// recorded. An answer that mentions the name of a [redacted](Self::redact) argument is left out.
    pub fn record_results(mut self, bytes: usize) -> Self {
        self.0.record_results = Some(bytes);
        self
    }

    /// Sets the clock of the throttle and of the report.
    pub fn clock(mut self, clock: impl Clock) -> Self {
        self.0.clock = Arc::new(clock);
        self
    }

    /// Sets the function that receives remarks about the connection, such as a definition that cannot be used. Except for those of a [dry
    /// run](Self::dry_run), they contain no arguments and no results. A line that is not a message is shown with at most 60 bytes of its
    /// beginning, up to its parameters or its result.
    pub fn log_with(mut self, log: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.0.log = Box::new(log);
        self
    }
}

impl fmt::Debug for ProxyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { policy, message_limit, .. } = &self.0;
        f.debug_struct("ProxyBuilder")
            .field("policy", policy)
            .field("message_limit", message_limit)
            .finish_non_exhaustive()
    }
}
