//! Streamed answers: [`pieces`].
//!
//! Invariants: streams in the dialects of `OpenAI` are parsed from the raw events, because genai hides the call to which a piece belongs,
//! and drops calls that do not arrive in pieces. Nothing follows an error. If a stream ends before the answer does, that is an error.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_core::Stream;
use genai::chat::{ChatStream, ChatStreamEvent, StreamEnd, ToolCall};
use serde_json::Value;
use tool_chat::model::{Delta, DeltaStream, Deltas, ModelError, ModelErrorKind, Request};

use super::answer_limits::Framing;
use super::size_limiting_relay::Relay;
use super::sse_parser::SseParser;
use super::stop_reason::normal_stop_reason;
use super::{GenAi, convert_answer, convert_error, definitions, request, thought_signatures};

/// Raw events of the server that were not parsed yet.
type Unread = Arc<Mutex<VecDeque<String>>>;

pub(super) fn pieces<'a>(model: &'a GenAi, request: Request<'a>) -> DeltaStream<'a> {
    let unread = Unread::default();
    let events = SseParser::new(definitions::search_name(&request).unwrap_or_default());
    let sink = Arc::clone(&unread);
    let opening = async move {
        let (messages, options) =
            request::translate(request, &model.target, model.media, model.defers(), model.own_body())?;
        let (client, spec, relay) = model.reach(&request, Framing::of_streams).await?;
        let options = options.with_raw_frame_fn(move |_, frame| {
            sink.lock().unwrap_or_else(PoisonError::into_inner).push_back(frame.data.to_owned());
        });
        let opened = client.exec_chat_stream(spec, messages, Some(&options)).await;
        opened.map(|opened| (Box::pin(opened.stream), relay)).map_err(convert_error::model_error)
    };
    Box::pin(Pieces {
        model,
        state: State::Opening(Box::pin(opening)),
        unread,
        events,
        calls: HashMap::new(),
        count: 0,
        has_text: false,
        is_ended: false,
        ready: VecDeque::new(),
    })
}

type Opened = (Pin<Box<ChatStream>>, Relay);

type Opening<'a> = Pin<Box<dyn Future<Output = Result<Opened, ModelError>> + Send + 'a>>;

enum State<'a> {
    Opening(Opening<'a>),
    Open(Opened),
    Over,
}

struct Pieces<'a> {
    model: &'a GenAi,
    state: State<'a>,
    unread: Unread,
    events: SseParser,
    /// For each call, keyed by id: its index, and the number of bytes of its arguments that were emitted.
    calls: HashMap<String, (usize, usize)>,
    count: usize,
    has_text: bool,
    is_ended: bool,
    ready: VecDeque<Result<Delta, ModelError>>,
}

impl Deltas for Pieces<'_> {
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        let this = &mut *self;
        loop {
            if let Some(piece) = this.ready.pop_front() {
                return Poll::Ready(Some(piece));
            }
            match &mut this.state {
                State::Over => return Poll::Ready(None),
                State::Opening(opening) => match opening.as_mut().poll(cx) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(Ok(opened)) => this.state = State::Open(opened),
                    Poll::Ready(Err(error)) => this.fail(error),
                },
                State::Open((stream, relay)) => {
                    relay.poll(cx);
                    let polled = stream.as_mut().poll_next(cx);
                    if let Err(error) = this.read_events() {
                        this.fail(error);
                        continue;
                    }
                    match polled {
                        // If pieces are ready, they are emitted first. Polling continues afterwards.
                        Poll::Pending if this.ready.is_empty() => return Poll::Pending,
                        Poll::Pending => {}
                        Poll::Ready(Some(Ok(event))) => this.take(event),
                        Poll::Ready(Some(Err(failed))) => this.fail(convert_error::model_error(failed)),
                        Poll::Ready(None) if this.is_ended || this.events.is_ended() => this.state = State::Over,
                        Poll::Ready(None) => this.fail(broken_off()),
                    }
                }
            }
        }
    }
}

impl Pieces<'_> {
    fn read_events(&mut self) -> Result<(), ModelError> {
        let unread = std::mem::take(&mut *self.unread.lock().unwrap_or_else(PoisonError::into_inner));
        unread.iter().try_for_each(|data| self.events.read(data, |delta| self.ready.push_back(Ok(delta))))
    }

    fn take(&mut self, event: ChatStreamEvent) {
        // The raw events already contain everything.
        if self.events.is_spoken() {
            return;
        }
        match event {
            ChatStreamEvent::Chunk(chunk) => {
                self.has_text |= !chunk.content.is_empty();
                self.ready.push_back(Ok(Delta::Text(chunk.content)));
            }
            ChatStreamEvent::ToolCallChunk(chunk) => self.call(chunk.tool_call),
            ChatStreamEvent::End(end) => self.end(&end),
            _ => {}
        }
    }

    fn call(&mut self, mut call: ToolCall) {
        if !call.fn_arguments.is_string() {
            call.call_id = self.model.calls.id(call.call_id, &call.fn_name);
        }
        let place = self.calls.get(&call.call_id).map_or(self.count, |(index, _)| *index);
        if let Some(signed) = thought_signatures::signed(&call, &call.call_id, place) {
            self.ready.push_back(Ok(Delta::Thought(signed)));
        }
        let ToolCall { call_id, fn_name, fn_arguments, .. } = call;
        let Value::String(arguments) = fn_arguments else {
            // The call arrived as a whole.
            self.ready.push_back(Ok(Delta::Call {
                index: self.count,
                id: Some(call_id),
                name: Some(fn_name),
                arguments: convert_answer::arguments(fn_arguments),
            }));
            self.count += 1;
            return;
        };
        // genai returns the whole text of the arguments so far each time.
        let (index, given) = self.calls.entry(call_id.clone()).or_insert_with(|| {
            self.count += 1;
            (self.count - 1, 0)
        });
        let more = arguments.get(*given..).unwrap_or_default().to_owned();
        *given = arguments.len().max(*given);
        self.ready.push_back(Ok(Delta::Call {
            index: *index,
            id: Some(call_id),
            name: Some(fn_name),
            arguments: more,
        }));
    }

    fn end(&mut self, end: &StreamEnd) {
        self.is_ended = true;
        if let Some(usage) = &end.captured_usage {
            self.ready.push_back(Ok(Delta::Usage(convert_answer::usage(usage))));
        }
        // If a stream ends early, genai reports an end without a stop reason.
        let Some(reason) = &end.captured_stop_reason else { return self.fail(broken_off()) };
        match convert_answer::stop(Some(reason), self.has_text || self.count > 0) {
            Ok(stop) => self.ready.push_back(Ok(Delta::Stop(normal_stop_reason(stop, self.count > 0, false)))),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: ModelError) {
        let error = match &mut self.state {
            State::Open((_, relay)) => relay.reason(error),
            _ => error,
        };
        self.state = State::Over;
        self.ready.push_back(Err(error));
    }
}

fn broken_off() -> ModelError {
    ModelError::new(ModelErrorKind::Transport, "the stream ended before the answer did")
}
