//! A model that says what a script says: [`ScriptedModel`], for tests and examples.
//!
//! In: answers, in the order in which they are to be given, or a function. Out: those answers; and what the model was asked. What always
//! holds: it waits on the clock it was given and nowhere else; a script that runs dry panics and says where, because the test is wrong then;
//! within `dry_is_error` the model fails instead, so that a scenario can report what happened until then.

mod script;

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::private::bounded;
use tool_runtime::Format;
use tool_runtime::clock::{Clock, SystemClock};
use tool_runtime::tool_schema::schema::Definitions;

use super::delta::in_pieces;
use super::{ChatModel, DeltaStream, Message, ModelError, ModelErrorKind, Options, Request, Response, ResponseFuture};

/// A model that says what a script says. Clones are the same model.
///
/// It answers in no time, so that its calls all come at once. The [throttle](tool_runtime::throttle) refuses the sixth of one tool and the eleventh of
/// all, as it would where a model really is so fast. [`pace`](Self::pace) gives its answers time.
///
/// ```
/// use tool_chat::conversation::{Conversation, End};
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
/// assert!(matches!(end, End::Answered { text, .. } if text == "It is noon."));
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
    static DRY_IS_ERROR: Cell<bool> = const { Cell::new(false) };
}

/// Polls a future whose scripted models fail where their script runs dry. The flag is set for the time of one poll, so that nothing else
/// on the thread sees it.
pub async fn dry_is_error<T>(future: impl Future<Output = T>) -> T {
    use std::future::poll_fn;
    use std::pin::pin;

    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            DRY_IS_ERROR.set(self.0);
        }
    }
    let mut future = pin!(future);
    poll_fn(|cx| {
        let _restore = Restore(DRY_IS_ERROR.replace(true));
        future.as_mut().poll(cx)
    })
    .await
}

type Answer = dyn Fn(Request<'_>) -> Result<Response, ModelError> + Send + Sync;

struct State {
    script: VecDeque<Line>,
    enqueued: usize,
    calls: usize,
    asked: Vec<Asked>,
    clock: Arc<dyn Clock>,
    /// How long an answer takes that has no delay of its own.
    pace: Duration,
    format: Format,
    piece: Option<usize>,
}

struct Line {
    answer: Result<Response, ModelError>,
    delay: Option<Duration>,
}

/// What a model was asked.
///
/// ```
/// use tool_chat::model::ScriptedModel;
///
/// assert!(ScriptedModel::new().requests().is_empty());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Asked {
    /// What was said so far.
    pub messages: Vec<Message>,
    /// What it could call.
    pub tools: Definitions,
    /// How it was to answer.
    pub options: Options,
}

impl ScriptedModel {
    /// A model without a word to say yet.
    ///
    /// ```
    /// assert!(tool_chat::model::ScriptedModel::new().requests().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::with(None)
    }

    /// A model that answers with a function.
    ///
    /// ```
    /// use tool_chat::model::{Response, ScriptedModel};
    ///
    /// let model = ScriptedModel::from_fn(|request| Ok(Response::text(format!("{} messages", request.messages.len()))));
    /// # let _ = model;
    /// ```
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
            format: Format::OpenAi,
            piece: None,
        };
        Self(Arc::new(Inner { state: Mutex::new(state), answer }))
    }

    /// What it was asked so far, oldest first.
    ///
    /// ```
    /// assert_eq!(tool_chat::model::ScriptedModel::new().requests().len(), 0);
    /// ```
    pub fn requests(&self) -> Vec<Asked> {
        self.state().asked.clone()
    }

    /// How many answers are left.
    ///
    /// ```
    /// assert_eq!(tool_chat::model::ScriptedModel::new().text("Noon.").remaining(), 1);
    /// ```
    pub fn remaining(&self) -> usize {
        self.state().script.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what was asked; gives the next line of the script, unless a function answers.
    fn next(&self, request: Request<'_>) -> Result<Option<Line>, ModelError> {
        let mut state = self.state();
        state.asked.push(Asked {
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
            // Outside a scenario nobody reports it, and only a panic stops the test where it is wrong.
            assert!(DRY_IS_ERROR.get(), "{dry}");
            return Err(ModelError::new(ModelErrorKind::Mismatch, dry));
        }
        Ok(line)
    }

    /// Waits for as long as an answer takes.
    async fn take(&self, delay: Option<Duration>) {
        let (delay, clock) = {
            let state = self.state();
            (delay.unwrap_or(state.pace), Arc::clone(&state.clock))
        };
        if !delay.is_zero() {
            // A test that waits for ever says less than one that panics.
            assert!(
                clock.has_timer(),
                "an answer takes {delay:?}, and the clock has no timer: add `.clock(SkippingClock::new())` to the model, the \
                 clock of the toolbox, or another one that has a timer"
            );
            clock.sleep(delay).await;
        }
    }
}

/// What was said last, shortly.
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
                // `next` has refused it.
                (None, None) => Ok(Response::default()),
            }
        })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        let piece = self.state().piece.unwrap_or(usize::MAX);
        in_pieces(self.complete(request), piece)
    }

    fn format(&self) -> Format {
        self.state().format
    }
}
