//! The checks of calls, by a session over the tools of the server: [`Checker`].
//!
//! In: a call. Out: what the server gets, or the texts that the model gets. A checked call is deferred by its session until
//! [`end`](Checker::end), so nothing here waits. Invariant: a call of a tool whose definition is known only passes if the schema of the tool
//! accepts it, apart from unknown keys that resemble no absent key.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rmcp::model::RequestId;
use serde_json::value::RawValue;
use tool_report::line::{self, ByteCounts};
use tool_report::{CallEndKind, CallVerdict, RecordedLine};
use tool_runtime::failure::Failure;
use tool_runtime::session::Completion;
use tool_runtime::tool_schema::shape::Text;
use tool_runtime::toolbox::{Guard as Response, InMemoryResultStore, ToolboxBuilder};
use tool_runtime::{BuildError, Outcome, Session, ToolError, Toolbox};

use super::call::Call;
use super::frame::{Frame, json_id};
use super::outcome::CallOutcome;

use super::redact::{REDACTED, Redaction, Shown, mentions};
use super::server_tools::{Called, ServerTools};
use super::settings::{Grouping, Settings};
use super::sync::locked;
use crate::private::json::{DEPTH_LIMIT, well_formed};
use crate::private::{bounded, internal};

/// The reason for rejecting a call of a tool about which nothing is known.
const NOT_LISTED: &str = "The server has not listed it, and only calls of listed tools are allowed.";

/// The reason for denying a call of a tool whose definition is not approved.
const WITHHELD: &str =
    "The server has changed the definition of this tool, or has added the tool, and the user has not approved that.";

/// The largest number of long results that are kept.
const KEPT: usize = 256;

/// Checks the calls of one connection.
pub(super) struct Checker {
    pub(super) settings: Arc<Settings>,
    /// The store of long results; `None` if they are not kept.
    pub(super) spill: Option<Response>,
    pub(super) session: Session,
    pub(super) server_tools: ServerTools,
    /// The revision of the session's list that the client knows about.
    pub(super) announced: u64,
    /// `true` once a request has shown the kind of protocol revision.
    pub(super) has_revision: bool,
    /// `true` if clients that do not know each other share the connection.
    pub(super) is_shared: bool,
    /// `true` once the names in the settings have been compared with a list.
    pub(super) has_compared: bool,
    /// The text about names in the settings that no tool has; `None` if there are none, or if they are not an error.
    pub(super) misnamed: Option<String>,
    /// The number of calls so far.
    calls: u64,
    /// The repairs and issues of the call that is being checked, for the recording.
    found: RecordedLine,
}

/// A call that the server has to answer.
pub(super) struct Running {
    /// The id in the session; `None` if the session does not know the call.
    call_id: Option<String>,
    /// `true` if the bounds of the check were not sufficient, so that nothing is known about the arguments.
    is_unclear: bool,
    /// The server's name of the tool; `None` if the server does not list it.
    tool: Option<String>,
    since: Duration,
    unlisted: Option<Unlisted>,
    /// The text about unknown keys, in case that the server rejects the call.
    remark: Option<String>,
    /// The call for the recording; `None` if calls are not recorded.
    entry: Option<Box<RecordedLine>>,
}

/// The answer to a call of a tool that the server does not list. The server may have the tool nevertheless, so it is only used if the server
/// rejects the call.
struct Unlisted {
    texts: Vec<String>,
    /// `true` if a listed tool has a similar name.
    has_suggestion: bool,
}

/// The part of the answer to a call that the proxy adds.
pub(super) enum Added {
    Nothing,
    /// A further text.
    Text(String),
    /// Texts that replace the answer.
    ThrottledCall(Vec<String>),
}

/// The reason for denying a call: what a recording says about the approval, and what the model reads.
pub(super) type Denial = (&'static str, &'static str);

/// The result of a check.
pub(super) enum Checked {
    /// The server gets the call, with another line if it was repaired.
    Passed(Running, Option<String>),
    /// A tool of the proxy has answered the call with these texts.
    Answered(Vec<String>),
    /// The call is rejected with these texts.
    Rejected(CallVerdict, Vec<String>),
}

impl Running {
    fn unchecked(since: Duration) -> Self {
        Self { call_id: None, is_unclear: false, tool: None, since, unlisted: None, remark: None, entry: None }
    }

    /// Returns the server's name of the tool; `None` if the server does not list it.
    pub(super) fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }

    /// Notes the decision of the user for the recording.
    pub(super) fn set_approval(&mut self, approval: &'static str) {
        if let Some(entry) = &mut self.entry {
            entry.approval = Some(approval.to_owned());
        }
    }

    /// Returns `true` if the call was checked.
    pub(super) fn is_checked(&self) -> bool {
        self.call_id.is_some() && !self.is_unclear
    }

    /// Returns `true` if the bounds of the check were not sufficient, so that nothing is known about the arguments.
    pub(super) fn is_unclear(&self) -> bool {
        self.is_unclear
    }
}

impl Checker {
    /// Fails if the settings contradict each other.
    pub(super) fn new(settings: Arc<Settings>) -> Result<Self, BuildError> {
        let session = builder(&settings).build()?.session();
        let containers = settings.containers.iter().map(Grouping::container);
        containers.fold(builder(&settings), ToolboxBuilder::container).build()?;
        let store = |bytes| Response::OFF.spill(InMemoryResultStore::with_bounds(bytes, KEPT));
        let spill = settings.keep_results.filter(|_| !settings.dry_run).map(store);
        Ok(Self {
            settings,
            spill,
            session,
            server_tools: ServerTools::default(),
            announced: 0,
            has_revision: false,
            is_shared: false,
            has_compared: false,
            misnamed: None,
            calls: 0,
            found: RecordedLine::default(),
        })
    }

    /// Checks a call.
    pub(super) fn check(&mut self, id: &RequestId, call: &Call<'_>, frame: &Frame) -> Checked {
        let mut checked = self.checked(call, frame);
        if self.settings.recorder.is_some() {
            self.note(id, call, frame, &mut checked);
        }
        checked
    }

    /// Records a call that was rejected, and notes any other one until its end.
    fn note(&mut self, id: &RequestId, call: &Call<'_>, frame: &Frame, checked: &mut Checked) {
        let mut entry = std::mem::take(&mut self.found);
        let (verdict, is_unclear) = match &*checked {
            Checked::Answered(_) => return,
            Checked::Rejected(verdict, _) => (*verdict, false),
            Checked::Passed(running, _) if !running.is_checked() => (CallVerdict::Unchecked, running.is_unclear()),
            Checked::Passed(_, Some(_)) => (CallVerdict::Repaired, false),
            Checked::Passed(_, None) => (CallVerdict::Ok, false),
        };
        let shown = self.shown(call, is_unclear);
        entry.id = RawValue::from_string(json_id(id)).ok();
        entry.at_ms = Some(line::now_ms());
        entry.redacted = shown.name != call.name || shown.arguments != call.arguments;
        entry.tool = Some(shown.name.into_owned());
        // Arguments in a message are JSON, and need not be an object.
        let arguments = RawValue::from_string(shown.arguments.into_owned());
        entry.arguments = arguments.ok();
        entry.verdict = Some(verdict);
        if !verdict.never_reached_tool() {
            // The call is forwarded although its tool is not known.
            entry.issues.clear();
        }
        entry.bytes = Some(ByteCounts { call: frame.line().len() as u64, answer: 0 });
        if entry.redacted {
            entry.hide_repair_and_issue_details();
        }
        match checked {
            Checked::Passed(running, _) => running.entry = Some(Box::new(entry)),
            Checked::Rejected(_, texts) => self.record(Some(entry.into()), None, texts, length(texts)),
            Checked::Answered(_) => {}
        }
    }

    /// Records the end of a call that began at a time. `texts` are what the model gets, in an answer with a number of bytes.
    fn record(
        &self,
        entry: Option<Box<RecordedLine>>,
        ended: Option<(CallEndKind, Duration)>,
        texts: &[String],
        answer: usize,
    ) {
        let (Some(mut entry), Some(recorder)) = (entry, &self.settings.recorder) else { return };
        if let Some((kind, since)) = ended {
            let time = self.settings.clock.now().saturating_sub(since);
            (entry.result, entry.ms) = (Some(kind), Some((time.as_secs_f64() * 10_000.0).round() / 10.0));
        }
        if let Some(bytes) = &mut entry.bytes {
            bytes.answer = answer as u64;
        }
        entry.answer = self.settings.record_results.map(|limit| {
            let text = texts.join("\n");
            // The answer may repeat a value that is hidden in the arguments.
            let is_hidden = entry.redacted || mentions(&self.settings.redacted, &text);
            if is_hidden { REDACTED.to_owned() } else { bounded::exact_text(&text, limit).into_owned() }
        });
        locked(recorder).write_line(&entry);
    }

    fn checked(&mut self, call: &Call<'_>, frame: &Frame) -> Checked {
        let since = self.settings.clock.now();
        let called = match self.server_tools.find(&call.name) {
            // The parser has a limit for the depth, and the server may have none.
            Called::Tool(_) if is_deep(call.arguments) => {
                let running = Running { is_unclear: true, ..self.pass(call) };
                self.count_unchecked(running.tool());
                return Checked::Passed(running, None);
            }
            Called::Tool(portable) => portable,
            Called::Withheld => return self.withheld(&call.name, Some(&call.name)),
            Called::Unknown | Called::Own => &call.name,
            Called::Unchecked
                if !self.server_tools.has(&call.name)
                    && (self.server_tools.is_hidden(&call.name) || !self.settings.allows_unlisted(&call.name)) =>
            {
                if self.server_tools.is_withheld(&call.name) {
                    return self.withheld(&call.name, None);
                }
                self.settings.count(None, |tool| (tool.calls, tool.rejected) = (tool.calls + 1, tool.rejected + 1));
                let name = bounded::name(&call.name);
                return Checked::Rejected(CallVerdict::Rejected, vec![format!("{name} was not called. {NOT_LISTED}")]);
            }
            Called::Unchecked => {
                let tool = self.server_tools.has(&call.name).then(|| call.name.clone());
                self.count_unchecked(tool.as_deref());
                return Checked::Passed(Running { tool, ..Running::unchecked(since) }, None);
            }
        };
        self.calls += 1;
        let call_id = ["call_", &self.calls.to_string()].concat();
        // The server gets halves of surrogate pairs, unless the call is repaired.
        let arguments = &*well_formed(call.arguments);
        let Some(outcome) = at_once(self.session.call(&call_id, called, arguments)) else {
            let text = "The call could not be checked, so it was not sent.";
            return Checked::Rejected(CallVerdict::Rejected, vec![text.to_owned()]);
        };
        if self.settings.recorder.is_some() {
            self.found.add_outcome(&outcome);
        }
        let tool = self.server_tools.name_of(outcome.tool_name());
        let is_unclear = self.server_tools.take_undecided(tool);
        let counted = Some(tool).filter(|tool| self.server_tools.has(tool) || self.server_tools.is_own(tool));
        let failure = outcome.failure().filter(|_| !outcome.is_deferred());
        let error_type = failure.map(Failure::error_type);
        let is_unknown = matches!(error_type, Some("unknown_tool" | "ambiguous_tool" | "tool_removed"));
        // Also the name in the arguments of `call_tool`.
        if is_unknown && self.server_tools.is_withheld(outcome.tool_name()) {
            return self.withheld(outcome.tool_name(), None);
        }
        let is_unlisted = is_unknown
            && !self.server_tools.is_hidden(&call.name)
            && self.settings.allows_unlisted(&call.name)
            && self.settings.approval.allows_unlisted(&call.name);
        let is_throttled = error_type == Some("throttled");
        self.settings.count(counted, |tool| {
            tool.calls += 1;
            tool.throttled += u64::from(is_throttled);
            tool.rejected += u64::from(error_type.is_some() && !is_unlisted && !is_throttled);
            tool.repaired += u64::from(outcome.is_deferred() && !outcome.repairs().is_empty());
            tool.unchecked += u64::from(outcome.is_deferred() && is_unclear);
        });
        if !outcome.is_deferred() {
            let texts = self.texts(&outcome);
            return match failure {
                None => Checked::Answered(texts),
                Some(failure) if is_unlisted => {
                    let has_suggestion = failure.to_value()["did_you_mean"].is_array();
                    let unlisted = Some(Unlisted { texts, has_suggestion });
                    Checked::Passed(Running { unlisted, ..Running::unchecked(since) }, None)
                }
                Some(_) if is_throttled => Checked::Rejected(CallVerdict::Throttled, texts),
                Some(_) => Checked::Rejected(CallVerdict::Rejected, texts),
            };
        }
        let name = (tool != call.name).then_some(tool);
        // `null` counts as no arguments, but servers expect an object.
        let empty = (!call.arguments.is_empty() && !call.arguments.starts_with('{')).then_some("{}");
        // A call through `call_tool` has the arguments inside its own.
        let inner = name.and_then(|_| internal::deferred_arguments(&self.session, &call_id));
        let inner = inner.map(|inner| if inner.is_empty() { "{}".to_owned() } else { inner });
        let remark =
            self.server_tools.remark(tool, outcome.repaired_arguments().or(inner.as_deref()).unwrap_or(arguments));
        let repaired = call.with(frame, name, outcome.repaired_arguments().or(inner.as_deref()).or(empty));
        Checked::Passed(
            Running {
                call_id: Some(call_id),
                tool: Some(tool.to_owned()),
                is_unclear,
                remark,
                ..Running::unchecked(since)
            },
            repaired,
        )
    }

    /// Returns a call as it may be recorded, logged and shown. If nothing is known about its arguments, they are redacted as a whole.
    pub(super) fn shown<'c>(&self, call: &'c Call<'_>, is_unclear: bool) -> Shown<'c> {
        let names = &*self.settings.redacted;
        if names.is_empty() {
            return Shown { name: (&*call.name).into(), arguments: call.arguments.into() };
        }
        if is_unclear {
            return Shown::without_arguments(call);
        }
        let (schemas, is_exact) = self.server_tools.schemas(&call.name);
        Redaction::new(names, schemas, is_exact).shown(call)
    }

    /// Returns the rejection of a call of a tool that is withheld, and counts it for a tool of the server.
    fn withheld(&self, name: &str, tool: Option<&str>) -> Checked {
        self.settings.count(tool, |tool| (tool.calls, tool.rejected) = (tool.calls + 1, tool.rejected + 1));
        Checked::Rejected(CallVerdict::Rejected, vec![Failure::denied(name, WITHHELD).to_json()])
    }

    fn count_unchecked(&self, tool: Option<&str>) {
        self.settings.count(tool, |tool| (tool.calls, tool.unchecked) = (tool.calls + 1, tool.unchecked + 1));
    }

    /// Returns a rejected call that is forwarded nevertheless.
    pub(super) fn pass(&self, call: &Call<'_>) -> Running {
        let tool = self.server_tools.has(&call.name).then(|| call.name.clone());
        Running { tool, ..Running::unchecked(self.settings.clock.now()) }
    }

    /// Ends a call with an answer of the server, which has a number of bytes.
    pub(super) fn end(&mut self, mut running: Running, outcome_of_call: CallOutcome, bytes: usize) -> Added {
        let CallOutcome { completion, end, texts } = outcome_of_call;
        let entry = running.entry.take();
        self.record(entry, Some((end, running.since)), &texts, bytes);
        let is_failure = matches!(end, CallEndKind::Failure | CallEndKind::Error);
        if let Some(Unlisted { texts, has_suggestion }) = running.unlisted.take() {
            let time = self.settings.clock.now().saturating_sub(running.since);
            self.settings.count(None, |tool| {
                tool.time += time;
                tool.rejected += u64::from(is_failure);
                tool.unchecked += u64::from(!is_failure);
            });
            return match end {
                CallEndKind::Error => Added::ThrottledCall(texts),
                CallEndKind::Failure if has_suggestion => Added::Text(texts.join("\n")),
                _ => Added::Nothing,
            };
        }
        let remark = running.remark.take();
        let outcome = self.complete(running, completion, is_failure);
        let warnings = outcome.as_ref().and_then(|outcome| self.warnings(outcome));
        match (end, remark, outcome) {
            (CallEndKind::Failure, Some(remark), _) => {
                Added::Text(warnings.into_iter().chain([remark]).collect::<Vec<_>>().join("\n"))
            }
            // Hosts may hide an error of the protocol, and a text cannot be added to it.
            (CallEndKind::Error, Some(remark), Some(outcome)) => {
                Added::ThrottledCall(self.texts(&outcome).into_iter().chain([remark]).collect())
            }
            _ => warnings.map_or(Added::Nothing, Added::Text),
        }
    }

    /// Ends a call without an answer that can be forwarded. Returns the texts for the model.
    pub(super) fn fail(&mut self, mut running: Running, result: CallEndKind, failure: ToolError) -> Vec<String> {
        let text = failure.to_string();
        let (entry, since) = (running.entry.take(), running.since);
        let texts = match self.complete(running, failure.into(), true) {
            Some(outcome) => self.texts(&outcome),
            None => vec![text],
        };
        self.record(entry, Some((result, since)), &texts, length(&texts));
        texts
    }

    /// Returns `true` if the user has to approve a call.
    pub(super) fn needs_approval(&self, running: &Running) -> bool {
        let is_needed = running.tool().map(|tool| self.server_tools.needs_approval(tool));
        is_needed.unwrap_or_else(|| self.settings.approval.is_needed_unlisted())
    }

    /// Ends a call that the user has not approved. Returns the texts for the model.
    pub(super) fn deny(&mut self, mut running: Running, (approval, reason): Denial) -> Vec<String> {
        let tool = running.tool().map(str::to_owned);
        self.settings.count(tool.as_deref(), |tool| tool.rejected += 1);
        running.set_approval(approval);
        let entry = running.entry.take();
        let texts = match self.complete(running, Completion::denied(reason), false) {
            Some(outcome) => self.texts(&outcome),
            None => vec![Failure::denied(tool.as_deref().unwrap_or("The tool"), reason).to_json()],
        };
        self.record(entry, None, &texts, length(&texts));
        texts
    }

    /// Ends a call that the client repeats with the decision of the user. It counts once, when it is repeated.
    pub(super) fn suspend(&mut self, running: Running, is_repaired: bool) {
        self.settings.count(running.tool(), |tool| {
            tool.calls = tool.calls.saturating_sub(1);
            tool.repaired = tool.repaired.saturating_sub(u64::from(is_repaired));
            tool.unchecked = tool.unchecked.saturating_sub(u64::from(!running.is_checked()));
        });
        self.complete(running, Completion::cancelled(), false);
    }

    /// Ends a call without a result: cancelled by the client, with a question of the server, or lost before the server got the call.
    pub(super) fn cancel(&mut self, mut running: Running, result: CallEndKind) {
        let (entry, since) = (running.entry.take(), running.since);
        self.complete(running, Completion::cancelled(), false);
        self.record(entry, Some((result, since)), &[], 0);
    }

    /// Ends a call in the session. `None` if the call was not checked.
    fn complete(&mut self, running: Running, completion: Completion, has_failed: bool) -> Option<Outcome> {
        let Running { call_id, tool, since, .. } = running;
        let time = self.settings.clock.now().saturating_sub(since);
        self.settings.count(tool.as_deref(), |tool| {
            tool.failed += u64::from(has_failed);
            tool.time += time;
        });
        self.session.complete(&call_id?, completion).ok()
    }

    /// Returns the texts of a call that did not succeed.
    fn texts(&self, outcome: &Outcome) -> Vec<String> {
        let text = self.server_tools.in_own_names(&outcome.to_text());
        [text].into_iter().chain(self.warnings(outcome)).collect()
    }

    fn warnings(&self, outcome: &Outcome) -> Option<String> {
        let warnings: Vec<&str> =
            outcome.remark().into_iter().chain(outcome.warnings().iter().map(Text::as_str)).collect();
        (!warnings.is_empty()).then(|| self.server_tools.in_own_names(&warnings.join("\n")))
    }
}

fn length(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

/// Returns a builder with the settings of the host, without tools.
pub(super) fn builder(settings: &Settings) -> ToolboxBuilder {
    // Results belong to the server: they are neither checked nor changed.
    let builder = Toolbox::builder().guard(Response::OFF).repair(settings.policy).clock(Arc::clone(&settings.clock));
    match &settings.limits {
        Some(limits) => builder.throttle(*limits),
        None => builder.no_throttle(),
    }
}

/// Returns `true` for JSON text that is nested more deeply than the parser allows.
fn is_deep(json: &str) -> bool {
    let (mut depth, mut is_text, mut bytes) = (0_usize, false, json.bytes());
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' if is_text => drop(bytes.next()),
            b'[' | b'{' if !is_text => depth += 1,
            b']' | b'}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH_LIMIT {
            return true;
        }
    }
    false
}

/// Returns the output of a future that never waits.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_deep;
    use crate::private::json::Json;

    proptest! {
        #[test]
        fn json_is_deep_if_the_parser_says_so(
            levels in prop::collection::vec(prop::sample::select(vec!["[", "{\"a\":"]), 118..136),
            text in "[\\[\\]{}\"\\\\a]{0,12}",
        ) {
            let text = serde_json::Value::from(text).to_string();
            let ends = levels.iter().rev().map(|level| if *level == "[" { "]" } else { "}" });
            let json = format!("[[], {{\"[\": {{}}}}, {}{text}{}]", levels.concat(), ends.collect::<String>());
            prop_assert_eq!(is_deep(&json), Json::parse(&json).is_err(), "{}", json);
        }
    }
}
