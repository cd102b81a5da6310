//! The settings of the host: [`Settings`], with [`ToolOptions`] for one tool and [`Restart`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tool_report::RecordingWriter;
use tool_runtime::clock::Clock;
use tool_runtime::container::ContainerSource;
use tool_runtime::throttle::{LimitOverrides, SessionLimits};
use tool_runtime::{Container, RepairPolicy};

use crate::access::{Access, Approval, fits};
use crate::pins::{PinMode, Pins, is_withheld};
use crate::private::bounded;
use crate::private::suggest::nearest;
use crate::report::{ProxyReport, ToolReport};
use crate::sync::locked;

/// The number of bytes above which the texts of a result are kept, if the host sets no limit.
const KEPT_ABOVE: usize = 16 * 1_024;

/// The settings of the host.
pub(super) struct Settings {
    pub(super) policy: RepairPolicy,
    /// `None` disables the throttle.
    pub(super) limits: Option<SessionLimits>,
    pub(super) clock: Arc<dyn Clock>,
    /// The largest number of bytes of a line.
    pub(super) message_limit: usize,
    /// The time for which calls wait for the list of tools.
    pub(super) list_time_limit: Duration,
    /// The time for which the server may work on a call.
    pub(super) time_limit: Option<Duration>,
    /// The largest number of bytes of the texts of a result.
    pub(super) result_bytes: Option<usize>,
    /// The largest number of bytes of all kept results.
    pub(super) keep_results: Option<usize>,
    pub(super) containers: Vec<Grouping>,
    pub(super) access: Access,
    pub(super) approval: Approval,
    /// The remembered definitions; `None` if definitions are not remembered.
    pub(super) pins: Option<(Pins, PinMode)>,
    /// `true` if a name in the settings that no tool has is an error.
    pub(super) strict_names: bool,
    /// The settings of single tools, by the server's names.
    pub(super) tools: HashMap<String, ToolOptions>,
    /// The names of arguments that are not recorded.
    pub(super) redacted: Vec<String>,
    pub(super) restart: Option<Restart>,
    pub(super) translation: VersionTranslation,
    /// `true` if the proxy only says what it would do.
    pub(super) dry_run: bool,
    pub(super) recorder: Option<Mutex<RecordingWriter>>,
    /// The largest number of bytes of an answer in the recording; `None` if answers are not recorded.
    pub(super) record_results: Option<usize>,
    /// The counts of all connections.
    pub(super) report: Mutex<ProxyReport>,
    /// Receives remarks for the log.
    pub(super) log: Box<dyn Fn(&str) + Send + Sync>,
}

impl Settings {
    /// Returns the setting for the translation between revisions.
    pub(super) fn translation(&self) -> VersionTranslation {
        if self.dry_run { VersionTranslation::Never } else { self.translation }
    }

    /// Returns `true` if the client may see all tools.
    pub(super) fn shows_all(&self) -> bool {
        self.access.is_open() && !self.holds()
    }

    /// Returns `true` if tools are withheld until their definitions are approved.
    pub(super) fn holds(&self) -> bool {
        matches!(self.pins, Some((_, PinMode::Hold))) && !self.dry_run
    }

    /// Compares a page of a server's list with the remembered definitions. Returns the page with a mark on each definition that is withheld;
    /// `None` if there is none.
    pub(super) fn withhold(&self, server: &str, result: &str) -> Option<String> {
        let (pins, _) = self.pins.as_ref()?;
        pins.page(server, result, self.holds(), &self.log)
    }

    /// Returns `true` if a tool is withheld until its definition is approved.
    pub(super) fn withholds(&self, definition: &str) -> bool {
        self.holds() && is_withheld(definition)
    }

    /// Returns `true` if a tool that the server does not list may be called.
    pub(super) fn allows_unlisted(&self, name: &str) -> bool {
        !self.holds() && self.access.allows_unlisted(name)
    }

    /// Returns the setting for restarts of servers.
    pub(super) fn restart(&self) -> Option<Restart> {
        self.restart.filter(|_| !self.dry_run)
    }

    /// Counts a call of a tool of the server. Any other name is `None`.
    pub(super) fn count(&self, tool: Option<&str>, count: impl FnOnce(&mut ToolReport)) {
        locked(&self.report).count(tool, count);
    }

    pub(super) fn tool(&self, name: Option<&str>) -> Option<&ToolOptions> {
        self.tools.get(name?)
    }

    /// Returns the time for which the server may work on a call of a tool.
    pub(super) fn time_limit_of(&self, tool: Option<&str>) -> Option<Duration> {
        self.tool(tool).and_then(|options| options.time_limit).or(self.time_limit)
    }

    /// Returns the largest number of bytes of the texts of a tool's result.
    pub(super) fn result_bytes_of(&self, tool: Option<&str>) -> Option<usize> {
        let limit = self.tool(tool).and_then(|options| options.result_bytes).or(self.result_bytes);
        match (limit, self.keep_results) {
            (None, Some(_)) => Some(KEPT_ABOVE),
            (limit, _) => limit,
        }
    }
}

/// The settings of one tool, which take precedence over those of the proxy.
///
/// ```
/// use std::time::Duration;
/// use tool_proxy::{Proxy, ToolOptions};
/// use tool_runtime::throttle::LimitOverrides;
///
/// let build = ToolOptions::new().throttle(LimitOverrides::NONE.polling()).time_limit(Duration::from_secs(600));
/// let proxy = Proxy::builder().tool("build_status", build).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct ToolOptions {
    pub(super) throttle: LimitOverrides,
    time_limit: Option<Duration>,
    result_bytes: Option<usize>,
}

impl ToolOptions {
    /// Creates options that change nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets throttle rules for this tool, which override those of the toolbox.
    pub fn throttle(mut self, overrides: LimitOverrides) -> Self {
        self.throttle = overrides;
        self
    }

    /// Sets the maximum time that the server may take to answer a call.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Sets the maximum number of bytes of all texts in a result together.
    pub fn result_bytes(mut self, bytes: usize) -> Self {
        self.result_bytes = Some(bytes);
        self
    }
}

/// The settings for restarting a server that has exited by itself.
///
/// The pause doubles with each attempt, up to 30 seconds. Once a server has run for a minute, attempts are counted from zero again.
///
/// ```
/// use std::time::Duration;
/// use tool_proxy::Restart;
///
/// assert_eq!(Restart::DEFAULT, Restart { attempts: 5, pause: Duration::from_millis(500) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// The maximum number of attempts in a row.
    pub attempts: u32,
    /// The pause before the first attempt.
    pub pause: Duration,
}

impl Restart {
    /// Five attempts, the first after half a second.
    pub const DEFAULT: Self = Self { attempts: 5, pause: Duration::from_millis(500) };

    /// The longest pause.
    const LONGEST: Duration = Duration::from_secs(30);

    /// Returns the setting for a server that nobody starts: a remote one is tried again without end.
    #[cfg(feature = "remote")]
    pub(super) fn endless(restart: Option<Self>) -> Self {
        Self { attempts: u32::MAX, ..restart.unwrap_or(Self::DEFAULT) }
    }

    /// Returns the pause before an attempt, counted from 0; `None` if there is no such attempt.
    pub(super) fn pause_before(&self, attempt: u32) -> Option<Duration> {
        let pause = self.pause.saturating_mul(2_u32.saturating_pow(attempt));
        (attempt < self.attempts).then_some(pause.min(Self::LONGEST))
    }
}

/// Setting for the translation between a client and a server of different revisions of the protocol.
///
/// ```
/// use tool_proxy::{Proxy, VersionTranslation};
///
/// let proxy = Proxy::builder().translate_versions(VersionTranslation::Always).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum VersionTranslation {
    /// Translates if both sides have no revision in common, as far as the proxy can know. If the server does not know `server/discover`, the
    /// client gets the error of the server, because most clients then use the handshake of an earlier protocol version. If the client sends another
    /// request of protocol version 2026-07-28 instead, its messages are translated.
    #[default]
    Auto,
    /// Also answers `server/discover` in place of a server of an earlier protocol version. This is for clients that speak no earlier revision.
    Always,
    /// Forwards all messages unchanged.
    Never,
}

/// A container as the host describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    pub(super) name: String,
    pub(super) description: String,
    /// The patterns of its members, by the server's names.
    pub(super) tools: Vec<String>,
}

impl Grouping {
    /// Returns `true` if a tool of the server is a member.
    pub(super) fn has(&self, tool: &str) -> bool {
        self.tools.iter().any(|pattern| fits(pattern, tool))
    }

    /// Returns the container without members.
    pub(super) fn container(&self) -> Container {
        Container::new(self.name.clone(), self.description.clone()).source_label(ContainerSource::Mcp)
    }
}

/// The largest number of names that are reported.
const MOST_NAMES: usize = 20;

/// Returns a sentence for each name or pattern of the settings that no tool has, with the nearest name.
pub(super) fn unmatched(settings: &Settings, tools: &[&str]) -> Vec<String> {
    let mut options: Vec<&str> = settings.tools.keys().map(String::as_str).collect();
    options.sort_unstable();
    let options = options.into_iter().map(|name| ("tools", name));
    let patterns = settings.access.patterns().chain(settings.approval.patterns()).chain(options);
    let is_unmatched = |(key, pattern): &(&str, &str)| {
        !tools.iter().any(|tool| if *key == "tools" { tool == pattern } else { fits(pattern, tool) })
    };
    let sentence = |(key, pattern): (&str, &str)| {
        let suggestion = nearest(pattern, tools.iter().copied());
        let suggestion = suggestion.map(|name| format!("; did you mean {}?", bounded::truncated_name(name)));
        format!("{key}: no tool has the name {}{}", bounded::name(pattern), suggestion.unwrap_or_default())
    };
    patterns.filter(is_unmatched).take(MOST_NAMES).map(sentence).collect()
}
