//! Writes recordings: [`RecordingWriter`], for programs that make the lines themselves, and [`CallRecorder`], for sessions.
//!
//! Invariants: a line contains no secrets. A call has one line, which is written when the call has ended. Results are only recorded if the host asks
//! for them, and up to a number of bytes.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tool_runtime::clock::Clock;
use tool_runtime::event::{EventKind, Observer, ToolEvent};
use tool_runtime::failure::Failure;
use tool_runtime::tool::ToolSpec;
use tool_runtime::{Arguments, Dialect, Toolbox};

use crate::call::SentCall;
use crate::line::{self, CallEndKind, RecordedLine, TokenCounts};
use crate::private::internal;
use crate::private::shape::Text;
use crate::redaction::Redaction;

/// The largest number of lists of tools in a recording. A server can change its list any number of times.
const MOST_LISTS: usize = 1_000;
/// The maximum number of calls that wait for their end. A call beyond it is recorded without its end.
const MOST_PENDING: usize = 10_000;

/// A writer of the lines of a recording.
pub struct RecordingWriter {
    write: Box<dyn FnMut(&str) + Send>,
    /// The hash of the list of tools that was written last; `None` before the first line.
    list: Option<u64>,
    lists: usize,
}

impl RecordingWriter {
    /// Creates a writer that passes each line, without a line break, to a function.
    pub fn from_fn(write: impl FnMut(&str) + Send + 'static) -> Self {
        Self { write: Box::new(write), list: None, lists: 0 }
    }

    /// Records a list of tools, given as JSON texts, unless it is the one that was recorded last.
    pub fn write_tools<'d>(&mut self, definitions: impl Iterator<Item = &'d str> + Clone) {
        let mut hasher = DefaultHasher::new();
        definitions.clone().for_each(|definition| definition.hash(&mut hasher));
        let list = hasher.finish();
        if self.list == Some(list) || self.lists == MOST_LISTS {
            return;
        }
        let is_first = self.list.replace(list).is_none();
        self.lists += 1;
        (self.write)(&line::tools_line(definitions, is_first));
    }

    /// Records a call, a prompt or a text. An empty list of tools is recorded before the first line.
    pub fn write_line(&mut self, line: &RecordedLine) {
        if self.list.is_none() {
            self.write_tools(std::iter::empty());
        }
        (self.write)(&line.to_json());
    }
}

impl fmt::Debug for RecordingWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordingWriter").field("lists", &self.lists).finish_non_exhaustive()
    }
}

/// A recorder of the calls of sessions: an [`Observer`] that writes a recording for `toolbox report`.
///
/// Pass a clone to the builder of the toolbox, and call [`record_toolbox`](Self::record_toolbox) with the built toolbox. Values of sensitive fields, and values under
/// keys that look secret, are not recorded ([`Redaction`]). Before `record_toolbox`, the recorder knows no tools and hides all arguments.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use tool_report::CallRecorder;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: f64,
///     /// Second summand.
///     b: f64,
/// ) -> f64 {
///     a + b
/// }
///
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let file = Arc::clone(&lines);
/// let recorder = CallRecorder::new(move |line| file.lock().unwrap().push(line.to_owned()));
/// let toolbox = Toolbox::builder().tool(AddTool).observer(recorder.clone()).build()?;
/// recorder.record_toolbox(&toolbox);
/// let _ = pollster::block_on(toolbox.session().call("call_1", "add", r#"{"a": "1", "b": 2}"#));
/// let lines = lines.lock().unwrap();
/// assert!(lines[0].starts_with(r#"{"recording":1,"#));
/// assert!(lines[1].contains(r#""tool":"add","arguments":{"a":"1","b":2},"verdict":"repaired","repairs":[{"rule":"text","path":"a","#));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct CallRecorder(Arc<Mutex<RecorderState>>);

struct RecorderState {
    writer: RecordingWriter,
    redaction: Redaction,
    include_results: Option<usize>,
    /// The clock of the toolbox; `None` before the tools are known.
    clock: Option<Arc<dyn Clock>>,
    /// The number of calls so far.
    calls: u64,
    /// The calls that have not ended, by the ids of their session and call.
    pending: HashMap<(String, String), Pending>,
}

/// A call that has not ended.
struct Pending {
    call: SentCall,
    /// The time of the call on the clock of its session.
    since: Duration,
    needs_approval: bool,
}

impl CallRecorder {
    /// Creates a recorder that passes each line, without a line break, to a function.
    pub fn new(write: impl FnMut(&str) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(RecorderState {
            writer: RecordingWriter::from_fn(write),
            redaction: Redaction::new(),
            include_results: None,
            clock: None,
            calls: 0,
            pending: HashMap::new(),
        })))
    }

    /// Adds the answer of each call to the recording, up to this number of bytes: the result, or the text of a failure. By default, no answers are
    /// recorded. The answer of a call that sent a secret is left out.
    #[must_use]
    pub fn include_results(self, bytes: usize) -> Self {
        self.state().include_results = Some(bytes);
        self
    }

    /// Replaces the keys whose values are hidden. [`record_toolbox`](Self::record_toolbox) adds the sensitive fields of the tools; until it is called again, all
    /// arguments are hidden.
    #[must_use]
    pub fn redact(self, redaction: Redaction) -> Self {
        let mut state = self.state();
        (state.redaction, state.clock) = (redaction, None);
        drop(state);
        self
    }

    /// Records the tools of a toolbox, and hides the values of their sensitive fields from now on. Call it again if the toolbox is replaced.
    pub fn record_toolbox<S>(&self, toolbox: &Toolbox<S>) {
        let tools: Vec<(Text, &ToolSpec)> =
            toolbox.tools().map(|(name, tool)| (name.to_owned().into(), tool.spec())).collect();
        let definitions = ToolSpec::definitions_of_tools(&tools, Dialect::MCP);
        let definitions: Vec<String> = definitions.all().iter().map(ToString::to_string).collect();
        let mut state = self.state();
        state.redaction = state.redaction.clone().add_toolbox(toolbox);
        state.clock = Some(internal::clock_of(toolbox));
        state.writer.write_tools(definitions.iter().map(String::as_str));
    }

    /// Records a prompt of the user in a session, given by its id. A conversation of `tool-chat` does this itself.
    pub fn record_prompt(&self, session: &str, text: &str) {
        self.message(session, |redaction| RecordedLine::from_prompt(text, redaction));
    }

    /// Records a text of the model, and the tokens of its request and answer. Calls that follow belong to this text.
    pub fn record_text(&self, session: &str, text: &str, tokens: TokenCounts) {
        self.message(session, |redaction| RecordedLine {
            tokens: Some(tokens),
            ..RecordedLine::from_model_text(text, redaction)
        });
    }

    /// Records the text that the model reads because its answer was not a value of the type that was asked for.
    pub fn record_rejected_answer(&self, session: &str, text: &str) {
        self.message(session, |redaction| RecordedLine::from_rejected_answer(text, redaction));
    }

    fn message(&self, session: &str, line: impl FnOnce(&Redaction) -> RecordedLine) {
        let mut state = self.state();
        let line = line(&state.redaction);
        let line = RecordedLine { session: Some(session.to_owned()), at_ms: Some(state.now_ms()), ..line };
        state.writer.write_line(&line);
    }

    fn state(&self) -> MutexGuard<'_, RecorderState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecorderState {
    /// Returns the time of day in milliseconds, on the clock of the toolbox.
    fn now_ms(&self) -> u64 {
        let clock = self.clock.as_ref();
        clock.map_or_else(line::now_ms, |clock| u64::try_from(clock.unix_time().as_millis()).unwrap_or(u64::MAX))
    }

    fn receive(&mut self, event: &ToolEvent<'_>, name: &str, arguments: &Arguments<'_>) {
        let redaction = self.clock.is_some().then_some(&self.redaction);
        let mut call = SentCall::new(event.call_id, name, arguments, redaction);
        call.line.session = (!event.session_id.is_empty()).then(|| event.session_id.to_owned());
        call.line.at_ms = Some(self.now_ms());
        self.calls += 1;
        call.line.number = Some(self.calls);
        let pending = Pending { call, since: event.at, needs_approval: false };
        let earlier = if self.pending.len() < MOST_PENDING {
            self.pending.insert((event.session_id.to_owned(), event.call_id.to_owned()), pending)
        } else {
            Some(pending)
        };
        if let Some(earlier) = earlier {
            self.open(earlier);
        }
    }

    /// Records a call without its end.
    fn open(&mut self, pending: Pending) {
        self.writer.write_line(&pending.call.end(Some(CallEndKind::Open), "", None, &self.redaction));
    }

    fn pending(&mut self, event: &ToolEvent<'_>) -> Option<&mut Pending> {
        // A key of two borrowed texts would need a hasher of its own.
        self.pending.get_mut(&(event.session_id.to_owned(), event.call_id.to_owned()))
    }

    fn end(&mut self, event: &ToolEvent<'_>, failure: Option<&Failure>, answer: &str) {
        let key = (event.session_id.to_owned(), event.call_id.to_owned());
        let Some(Pending { mut call, since, needs_approval }) = self.pending.remove(&key) else { return };
        let result = match failure {
            None => Some(CallEndKind::Result),
            Some(failure) => call.failed(failure),
        };
        if result.is_some() {
            call.line.ms = Some((event.at.saturating_sub(since).as_secs_f64() * 10_000.0).round() / 10.0);
        }
        if needs_approval && call.line.approval.is_none() && result.is_some_and(|kind| kind != CallEndKind::Cancelled) {
            call.line.approval = Some("accepted".to_owned());
        }
        self.writer.write_line(&call.end(result, answer, self.include_results, &self.redaction));
    }
}

impl Observer for CallRecorder {
    fn event(&self, event: &ToolEvent<'_>) {
        let mut state = self.state();
        match event.kind {
            EventKind::Received { name, arguments } => state.receive(event, name, arguments),
            EventKind::Executed { payload, .. } => state.end(event, None, payload.as_str()),
            EventKind::Rejected { failure, .. } => state.end(event, Some(failure), &failure.to_text()),
            kind => {
                let Some(pending) = state.pending(event) else { return };
                match kind {
                    EventKind::Repaired { repair } => pending.call.repaired(repair.into()),
                    EventKind::Deferred { needs_approval, .. } => pending.needs_approval = needs_approval,
                    EventKind::Expanded { container, is_answer } => {
                        pending.call.line.expands = Some(container.to_owned());
                        if is_answer {
                            state.end(event, None, "");
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

impl fmt::Debug for CallRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallRecorder").field("pending", &self.state().pending.len()).finish_non_exhaustive()
    }
}

impl Drop for RecorderState {
    /// Records the calls that have no end, such as deferred calls that nobody answered.
    fn drop(&mut self) {
        let mut pending: Vec<Pending> = std::mem::take(&mut self.pending).into_values().collect();
        pending.sort_by_key(|pending| pending.call.line.at_ms);
        for pending in pending {
            self.open(pending);
        }
    }
}
