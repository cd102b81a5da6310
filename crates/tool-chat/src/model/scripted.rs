//! A model with scripted answers: [`ScriptedModel`], for tests and examples.
//!
//! Invariants: the model waits only on its clock. If a request comes after the last answer of the script, the test is wrong, so the model
//! panics and says where the script ended. Within `run_with_error_when_exhausted` it returns an error instead, so that a scenario can report the
//! conversation up to that point.

mod script;

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::private::bounded;
use tool_runtime::Dialect;
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::tool_schema::dialect::Definitions;

use super::delta::in_pieces;
use super::{ChatModel, DeltaStream, Message, ModelError, ModelErrorKind, Options, Request, Response, ResponseFuture};

/// A model with scripted answers. Clones share one script.
///
/// Its answers take no time, so all its calls arrive at once. Therefore the [throttle](tool_runtime::throttle) rejects the sixth call of
/// the same tool, and the eleventh call overall, as it would if a real model were that fast. [`default_delay`](Self::default_delay) makes the answers take
/// time.
///
/// ```
/// use tool_chat::conversation::{Conversation, TurnEnd};
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
///
/// /// The time of day.
/// #[tool]
/// fn now() -> String {
///     "12:00".to_owned()
/// }
///
/// let model = ScriptedModel::new().call("now", "{}").text("It is noon.");
/// let session = Toolbox::builder().tool(NowTool).build()?.session();
/// let end = pollster::block_on(Conversation::new(session, model.clone()).ask("What time is it?"));
/// assert!(matches!(end, TurnEnd::Answered { text, .. } if text == "It is noon."));
/// assert_eq!(model.requests()[1].messages.last().map(|message| message.text().to_owned()).as_deref(), Some("12:00"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone)]
pub struct ScriptedModel(Arc<Inner>);

struct Inner {
    state: Mutex<State>,
    answer: Option<Box<Answer>>,
}

thread_local! {
    static EXHAUSTED_IS_ERROR: Cell<bool> = const { Cell::new(false) };
}

/// Runs a future. While it runs, a scripted model without remaining answers returns an error instead of panicking. The flag for this is
/// only set during each poll of the future, so it does not affect other code on the thread.
pub async fn run_with_error_when_exhausted<T>(future: impl Future<Output = T>) -> T {
    use std::future::poll_fn;
    use std::pin::pin;

    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            EXHAUSTED_IS_ERROR.set(self.0);
        }
    }
    let mut future = pin!(future);
    poll_fn(|cx| {
        let _restore = Restore(EXHAUSTED_IS_ERROR.replace(true));
        future.as_mut().poll(cx)
    })
    .await
}

type Answer = dyn Fn(Request<'_>) -> Result<Response, ModelError> + Send + Sync;

struct State {
    script: VecDeque<Line>,
    enqueued: usize,
    calls: usize,
    asked: Vec<RecordedRequest>,
    clock: Arc<dyn Clock>,
    /// The time that an answer takes if it has no delay of its own.
    pace: Duration,
    dialect: Dialect,
    has_answer_forms: bool,
    piece: Option<usize>,
}

struct Line {
    answer: Result<Response, ModelError>,
    delay: Option<Duration>,
}

/// A request that a scripted model received.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The messages so far.
    pub messages: Vec<Message>,
    /// The definitions of the tools.
    pub tools: Definitions,
    /// The options.
    pub options: Options,
}

impl ScriptedModel {
    /// Creates a model with an empty script.
    pub fn new() -> Self {
        Self::with(None)
    }

    /// Creates a model that answers by calling a function.
    pub fn from_fn(answer: impl Fn(Request<'_>) -> Result<Response, ModelError> + Send + Sync + 'static) -> Self {
        Self::with(Some(Box::new(answer)))
    }

    fn with(answer: Option<Box<Answer>>) -> Self {
        let state = State {
            script: VecDeque::new(),
            enqueued: 0,
            calls: 0,
            asked: Vec::new(),
            clock: Arc::new(SystemClock::new()),
            pace: Duration::ZERO,
            dialect: Dialect::OPENAI,
            has_answer_forms: true,
            piece: None,
        };
        Self(Arc::new(Inner { state: Mutex::new(state), answer }))
    }

    /// Returns the requests so far, oldest first.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.state().asked.clone()
    }

    /// Returns the number of remaining answers.
    pub fn remaining(&self) -> usize {
        self.state().script.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the request and returns the next line of the script, or `None` if a function answers.
    fn next(&self, request: Request<'_>) -> Result<Option<Line>, ModelError> {
        let mut state = self.state();
        state.asked.push(RecordedRequest {
            messages: request.messages.to_vec(),
            tools: request.tools.clone(),
            options: request.options.clone(),
        });
        let line = state.script.pop_front();
        let (asked, enqueued) = (state.asked.len(), state.enqueued);
        drop(state);
        if line.is_none() && self.0.answer.is_none() {
            let last = last(request.messages);
            let dry = format!(
                "the script has run dry: this is request {asked}, and {enqueued} answers were enqueued; {last}"
            );
            // Outside of a scenario, nothing else would report this error, so only a panic stops the test at its cause.
            assert!(EXHAUSTED_IS_ERROR.get(), "{dry}");
            return Err(ModelError::new(ModelErrorKind::Mismatch, dry));
        }
        Ok(line)
    }

    /// Waits for the duration of an answer.
    async fn take(&self, delay: Option<Duration>) {
        let (delay, clock) = {
            let state = self.state();
            (delay.unwrap_or(state.pace), Arc::clone(&state.clock))
        };
        if !delay.is_zero() {
            // A panic is more helpful than a test that never ends.
            assert!(
                clock.has_timer(),
                "an answer takes {delay:?}, and the clock has no timer: add `.clock(TestClock::new())` to the model, the \
                 clock of the toolbox, or another one that has a timer"
            );
            clock.sleep(delay).await;
        }
    }
}

/// Describes the last message briefly.
fn last(messages: &[Message]) -> String {
    const MOST: usize = 200;
    let Some(message) = messages.last() else { return "there is no message".to_owned() };
    let speaker = match message {
        Message::System(_) => "the host said",
        Message::User(_) => "the user said",
        Message::Assistant { .. } => "the model said",
        Message::Tool { name, .. } => &format!("{name} answered"),
    };
    format!("{speaker} last: {:?}", bounded::text(message.text(), MOST))
}

impl Default for ScriptedModel {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedModel").field("remaining", &self.remaining()).finish_non_exhaustive()
    }
}

impl ChatModel for ScriptedModel {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let line = self.next(request)?;
            self.take(line.as_ref().and_then(|line| line.delay)).await;
            match (line, &self.0.answer) {
                (Some(line), _) => line.answer,
                (None, Some(answer)) => answer(request),
                // Not reached: `next` has returned an error in this case.
                (None, None) => Ok(Response::default()),
            }
        })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        let piece = self.state().piece.unwrap_or(usize::MAX);
        in_pieces(self.complete(request), piece)
    }

    fn dialect(&self) -> Dialect {
        self.state().dialect
    }

    fn has_answer_forms(&self) -> bool {
        self.state().has_answer_forms
    }
}
