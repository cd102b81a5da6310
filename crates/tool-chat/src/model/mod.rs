//! The interface to chat models: the trait [`ChatModel`], its requests and its answers.
//!
//! Invariants: the arguments of a call are the text that the model sent, and nothing here validates this text. An adapter to a real client
//! has to implement only one method, and may use any HTTP client and any executor.

mod delta;
mod delta_assembler;
mod error;
pub(crate) mod find_call_markup;
mod message;
mod partial_arguments;
mod prefix;
mod record;
mod recorded_exchange;
mod redaction;
mod replay;
mod request;
mod response;
mod response_future;
pub(crate) mod scripted;
mod text_calls;

use std::sync::Arc;

pub use delta::{Delta, DeltaStream, Deltas, next_delta};
pub use delta_assembler::DeltaAssembler;
pub use error::{ModelError, ModelErrorKind};
pub use message::{Message, ToolCall};
pub use prefix::{PrefixLoss, PromptPart, PromptPrefix};
pub use record::RecordingModel;
pub use replay::ReplayModel;
pub use request::{Options, Request, ToolChoice};
pub use response::{Response, StopReason, Usage};
pub use response_future::ResponseFuture;
pub use scripted::{RecordedRequest, ScriptedModel};
pub use text_calls::TextCallModel;
pub use tool_report::Redaction;

use tool_runtime::Dialect;

/// A model that answers messages and may call tools.
///
/// ```
/// use tool_chat::model::{ChatModel, ResponseFuture, Message, Options, Request, Response};
///
/// /// Repeats the last message.
/// struct Echo;
///
/// impl ChatModel for Echo {
///     fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
///         Box::pin(async move {
///             let last = request.messages.last().map_or("", Message::text);
///             Ok(Response::from_text(last))
///         })
///     }
/// }
///
/// let messages = [Message::User("Hello".to_owned())];
/// let (tools, options) = (Default::default(), Options::default());
/// let request = Request::new(&messages, &tools, &options);
/// assert_eq!(pollster::block_on(Echo.complete(request))?.text, "Hello");
/// # Ok::<(), tool_chat::model::ModelError>(())
/// ```
pub trait ChatModel: Send + Sync {
    /// Returns one answer of the model to the messages so far.
    ///
    /// # Errors
    ///
    /// Returns any error that prevented an answer.
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a>;

    /// Returns the answer as a stream. By default, the whole answer arrives at once.
    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        delta::at_once(self.complete(request))
    }

    /// Returns the dialect of the definitions that the model's provider expects in [`Request::tools`]. A dialect that was chosen for the
    /// toolbox takes precedence.
    fn dialect(&self) -> Dialect {
        Dialect::OPENAI
    }

    /// Returns `true` if the model sends [`Options::answer`] to its provider. If it does not, a tool stands for a
    /// [typed answer](crate::conversation::Conversation::answer).
    fn has_answer_forms(&self) -> bool {
        false
    }
}

impl<M: ChatModel + ?Sized> ChatModel for Arc<M> {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        (**self).complete(request)
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        (**self).stream(request)
    }

    fn dialect(&self) -> Dialect {
        (**self).dialect()
    }

    fn has_answer_forms(&self) -> bool {
        (**self).has_answer_forms()
    }
}
