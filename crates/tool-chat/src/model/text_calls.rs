//! [`TextCallModel`]: a model whose calls are read from its text.
//!
//! In: the answers of a model that writes calls as text, because its server does not recognize them. Out: the same answers with the calls as
//! calls. Invariants: calls in the provider's own form take precedence; an answer that was cut off has no calls from its text; and a call
//! that also occurs in a prompt or in a result never counts. Everything after this model treats the calls like any others.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use tool_formats::{AnswerPart, CallFormat, CallReader, FoundCall};
use tool_runtime::Dialect;
use tool_runtime::tool_schema::shape::{Ref, Shape};

use super::{ChatModel, Delta, DeltaStream, Deltas, Message, ModelError, Request, ResponseFuture};
use super::{StopReason, ToolCall, ToolChoice};

/// A model whose calls are read from the text of its answers.
///
/// Use it for a model behind a server that passes calls on as text. Name the format of the model, or [`CallFormat::AUTO`] for all formats.
/// A call counts if its markup is complete, its name is the name of a tool in the request, and it is neither in a block of reasoning nor
/// in code or a quotation. Markup that also occurs in a prompt of the user, in a result or in the definition of a tool never counts, because
/// the model may only repeat it. If an answer has calls in the provider's own form, or was cut off, its text stays as it is.
///
/// The calls get ids of nine letters and digits, which Mistral requires: the number of messages in the request, and that of the call. A streamed
/// answer shows no markup; its calls are the last pieces, because only the end shows that the answer was not cut off. Text after the first call
/// is shown at the end, too.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::{ScriptedModel, TextCallModel};
/// use tool_formats::CallFormat;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: i64,
///     /// Second summand.
///     b: i64,
/// ) -> i64 {
///     a + b
/// }
///
/// let written = "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>\n</function>\n</tool_call>";
/// let model = ScriptedModel::new().text(written).text("Three.");
/// let model = TextCallModel::new(model, &[CallFormat::QWEN3_CODER]);
/// let mut conversation = Conversation::new(Toolbox::builder().tool(AddTool).build()?.session(), model);
/// assert_eq!(pollster::block_on(conversation.ask("What is one and two?")).text(), Some("Three."));
/// assert!(conversation.transcript().calls().all(|call| call.outcome.to_text() == "3"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextCallModel<M> {
    model: M,
    formats: Vec<CallFormat>,
}

impl<M: ChatModel> TextCallModel<M> {
    /// Wraps a model that writes its calls in one of these formats.
    pub fn new(model: M, formats: &[CallFormat]) -> Self {
        Self { model, formats: formats.to_vec() }
    }

    /// Returns a reader for the answer to a request; `None` if the model may not call tools.
    fn reader<'a>(&self, request: Request<'a>) -> Option<CallReader<'a>> {
        if request.options.tool_choice == ToolChoice::None {
            return None;
        }
        let (tools, messages) = (request.tools, request.messages);
        // The session checks the arguments by the input of the tool.
        let input = move |name: &str| tools.iter().any(|tool| tool.name() == name).then_some(Ref::Static(Shape::ANY));
        let seen = messages.iter().filter(|message| matches!(message, Message::User(_) | Message::Tool { .. }));
        // A description may come from a server that somebody else wrote.
        let described = tools.iter().map(ToString::to_string);
        Some(
            CallReader::new(&self.formats, input).ignore_echoes_of(seen.map(Message::text)).ignore_echoes_of(described),
        )
    }
}

/// Creates the calls of an answer.
fn calls(request: Request<'_>, found: Vec<FoundCall>) -> impl Iterator<Item = ToolCall> {
    let messages = request.messages.len();
    let call = move |(index, FoundCall { name, arguments, .. }): (usize, FoundCall)| {
        ToolCall::new(format!("t{messages:05}{:03}", index + 1), name, arguments)
    };
    found.into_iter().enumerate().map(call)
}

/// Returns `true` if the whole answer has arrived.
const fn is_whole(stop: StopReason) -> bool {
    matches!(stop, StopReason::Finished | StopReason::ToolCalls)
}

impl<M: ChatModel> ChatModel for TextCallModel<M> {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            let mut response = self.model.complete(request).await?;
            let Some(reader) = self.reader(request).filter(|_| response.calls.is_empty() && is_whole(response.stop))
            else {
                return Ok(response);
            };
            let answer = reader.read(&response.text);
            if answer.calls.is_empty() {
                return Ok(response);
            }
            answer.text.trim().clone_into(&mut response.text);
            Ok(response.with_calls(calls(request, answer.calls)))
        })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        let stream = self.model.stream(request);
        let Some(readers) = self.reader(request).zip(self.reader(request)) else { return stream };
        let (written, held, ready) = (String::new(), Vec::new(), VecDeque::new());
        Box::pin(Reading { request, stream, readers: Some(readers), written, held, stop: None, ready })
    }

    fn dialect(&self) -> Dialect {
        self.model.dialect()
    }

    fn has_answer_forms(&self) -> bool {
        self.model.has_answer_forms()
    }
}

/// A streamed answer whose text is read.
struct Reading<'a> {
    request: Request<'a>,
    stream: DeltaStream<'a>,
    /// The reader of the pieces, which decides what is shown, and the reader of the whole text, which decides what counts. So the calls are
    /// the same as without streaming. `None` once the answer has ended, or has a call in the provider's own form.
    readers: Option<(CallReader<'a>, CallReader<'a>)>,
    /// The text so far.
    written: String,
    /// The first call, and everything after it. It is shown at the end, without the calls that count.
    held: Vec<AnswerPart>,
    stop: Option<StopReason>,
    /// The pieces to return before the stream is asked again.
    ready: VecDeque<Delta>,
}

impl Reading<'_> {
    fn add(&mut self, parts: Vec<AnswerPart>) {
        for part in parts {
            match part {
                AnswerPart::Text(text) if self.held.is_empty() => self.ready.push_back(Delta::Text(text)),
                part => self.held.push(part),
            }
        }
    }

    /// Ends the reading. A call that does not count stays text.
    fn end(&mut self, is_whole: bool) {
        let Some((pieces, whole)) = self.readers.take() else { return };
        self.add(pieces.finish());
        let counted = if is_whole { whole.read(&self.written).calls } else { Vec::new() };
        let mut end = 0;
        for part in std::mem::take(&mut self.held) {
            let text = match part {
                AnswerPart::Text(text) => Some(text),
                // The calls of one list have the same range.
                AnswerPart::Call(FoundCall { span, .. })
                    if span.start >= end && counted.iter().all(|call| call.span != span) =>
                {
                    end = span.end;
                    self.written.get(span).map(str::to_owned)
                }
                AnswerPart::Call(_) => None,
            };
            self.ready.extend(text.map(Delta::Text));
        }
        if !counted.is_empty() {
            self.stop = Some(StopReason::ToolCalls);
        }
        for (index, ToolCall { id, name, arguments }) in calls(self.request, counted).enumerate() {
            self.ready.push_back(Delta::Call { index, id: Some(id), name: Some(name), arguments });
        }
        self.ready.extend(self.stop.map(Delta::Stop));
    }
}

impl Deltas for Reading<'_> {
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(delta)));
            }
            let Poll::Ready(piece) = self.stream.as_mut().poll_next(cx) else { return Poll::Pending };
            let this = &mut *self;
            match (piece, &mut this.readers) {
                (Some(Ok(Delta::Text(text))), Some((pieces, _))) => {
                    let parts = pieces.push(&text);
                    this.written.push_str(&text);
                    this.add(parts);
                }
                (Some(Ok(call @ Delta::Call { .. })), Some(_)) => {
                    this.end(false);
                    this.ready.push_back(call);
                }
                (Some(Ok(Delta::Stop(stop))), Some(_)) => this.stop = Some(stop),
                (None, Some(_)) => this.end(is_whole(this.stop.unwrap_or_default())),
                (piece, _) => return Poll::Ready(piece),
            }
        }
    }
}
