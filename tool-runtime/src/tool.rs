//! Callable tools: [`Tool`], its description ([`ToolSpec`]), and the typed interface that `#[tool]` generates ([`TypedTool`]).
//!
//! A call takes the arguments as sent and the context, and returns an [`AnswerOrFuture`]: a finished answer for a sync function, a boxed future
//! for an async one. A tool decodes its own arguments, because only it knows their type, but never formats an answer for the model.

mod answer;
pub(crate) mod computed_properties;
mod conditions;
mod content;
mod content_parts;
mod decode_fn;
mod describe;
mod display_metadata;
pub(crate) mod external;
mod host_arguments;
mod host_parameters;
mod host_spec;
mod json_text;
mod output_schema;
mod portable_name;
mod required_state;
mod retry;
mod settings;
mod spec;
mod stored_payload;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

pub use crate::context::DecodedArguments;
pub use answer::{Answer, CallError, Payload};
pub use computed_properties::{ParameterPropertyFromState, PropertyFromState};
pub(crate) use conditions::Now;
pub use content::{Content, Media, Resource, ResourceLink};
pub use content_parts::ContentParts;
pub use decode_fn::DecodeFn;
pub(crate) use describe::Wanted;
pub use display_metadata::{DisplayMetadata, Icon};
pub use external::ExternalTool;
pub use host_arguments::HostArguments;
pub use host_parameters::HostParameters;
pub(crate) use host_parameters::{Complete, Incomplete};
pub use json_text::JsonText;
pub use output_schema::OutputSchema;
pub use portable_name::portable_name;
pub use required_state::RequiredState;
pub use retry::Retry;
pub use settings::{Annotations, ToolSettings};
pub use spec::ToolSpec;

use crate::context::CallContext;
use crate::decode::{Care, Rejected};
use crate::input::{Arguments, ToolInput};
use crate::issue::ValidationError;

/// A tool that a model can call.
///
/// `#[tool]` implements this trait. Implement it by hand for a tool whose schema is only known at run time.
///
/// ```
/// use tool_runtime::{CallContext, Arguments, tool::{AnswerOrFuture, Payload, Tool, ToolSpec}};
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
///
/// struct Ping(ToolSpec);
///
/// impl Tool for Ping {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///     fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
///         AnswerOrFuture::Ready(Ok(Payload::Done))
///     }
/// }
///
/// let ping = Ping(ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY)));
/// assert!(matches!(ping.call("{}".into(), &CallContext::for_test()), AnswerOrFuture::Ready(Ok(Payload::Done))));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "`Tool` is not implemented for it",
    note = "for a function `get_weather` with `#[tool]`, write `GetWeatherTool`",
    note = "a type with `#[plugin_container]` is registered with `.tools(…)`, or with `.container(…)` if the model shall expand it first"
)]
pub trait Tool: Send + Sync + 'static {
    /// Returns the specification of the tool.
    fn spec(&self) -> &ToolSpec;

    /// Checks arguments without running anything. Rejects exactly the arguments that [`call`](Self::call) would reject.
    ///
    /// # Errors
    ///
    /// Returns every issue of the arguments, in declaration order.
    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        let spec = self.spec();
        match spec.decode {
            Some(decode) => decode(arguments).map(drop).map_err(|rejected| rejected.into_error()),
            None => crate::decode::check_arguments(&spec.input, arguments),
        }
    }

    /// Decodes arguments without running anything. A session calls this method if a hook has to decide about the call, or if the call has
    /// to be compared with other calls. The value is kept in the [context](CallContext::take_decoded_arguments) of the call, so [`call`](Self::call)
    /// need not decode the arguments again. If the tool has no type for its arguments, they are only [checked](Self::check).
    ///
    /// # Errors
    ///
    /// Returns every issue of the arguments, in declaration order, for exactly the arguments that [`call`](Self::call) would reject.
    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<DecodedArguments>, Box<Rejected<'a>>> {
        match self.spec().decode {
            Some(decode) => decode(arguments).map(Some),
            None => self.check(arguments).map(|()| None).map_err(|error| Box::new(error.into())),
        }
    }

    /// Decodes the arguments and runs the tool.
    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a>;

    /// Returns `true` if the tool uses nothing of its context but the decoded arguments. Then the context of a call need not share the state of
    /// the session.
    #[doc(hidden)]
    fn ignores_context(&self) -> bool {
        false
    }

    /// Returns the address of the tool if it is in an `Arc`. Two tools with the same address are one tool, for example if two containers
    /// contain clones of the `Arc`.
    #[doc(hidden)]
    fn shared_at(&self) -> Option<usize> {
        None
    }
}

impl<T: Tool + ?Sized> Tool for Arc<T> {
    fn spec(&self) -> &ToolSpec {
        (**self).spec()
    }

    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        (**self).check(arguments)
    }

    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<DecodedArguments>, Box<Rejected<'a>>> {
        (**self).prepare(arguments)
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        (**self).call(arguments, cx)
    }

    fn ignores_context(&self) -> bool {
        (**self).ignores_context()
    }

    fn shared_at(&self) -> Option<usize> {
        // An `Arc` of an `Arc` is a handle to the same tool.
        (**self).shared_at().or_else(|| Some(Arc::as_ptr(self).cast::<()>().addr()))
    }
}

/// The state of a call that [`Tool::call`] has started: the answer, a future of the answer, or rejected arguments.
///
/// ```
/// use tool_runtime::tool::{AnswerOrFuture, Tool};
/// use tool_runtime::{CallContext, tool};
///
/// /// Answers at once.
/// #[tool]
/// async fn ping() -> &'static str {
///     "pong"
/// }
///
/// assert!(matches!(PingTool.call("{}".into(), &CallContext::for_test()), AnswerOrFuture::Pending(_)));
/// ```
#[non_exhaustive]
pub enum AnswerOrFuture<'a> {
    /// The answer of a sync tool, without a boxed future.
    Ready(Answer),
    /// The future of an async tool.
    Pending(Pin<Box<dyn Future<Output = Answer> + Send + 'a>>),
    /// The arguments were rejected and nothing ran. [`CallError::Invalid`] means the same, but this variant contains intermediate results,
    /// which a session would otherwise have to compute again before repairing the arguments.
    Rejected(Box<Rejected<'a>>),
}

/// The typed interface of a tool generated by `#[tool]`.
///
/// This trait is sealed: only `#[tool]` implements it. A tool written by hand implements only [`Tool`].
///
/// ```
/// use tool_runtime::{TypedTool, tool};
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
/// assert_eq!(AddTool::SPEC.name, "add");
/// let arguments: <AddTool as TypedTool>::Args = AddTool::decode(r#"{"a": 1, "b": 2}"#)?;
/// assert!(arguments.a < arguments.b);
/// # Ok::<(), tool_runtime::ValidationError>(())
/// ```
pub trait TypedTool {
    /// The parameters as a struct with public fields.
    type Args: ToolInput;

    /// The specification of the tool.
    const SPEC: &'static ToolSpec;

    /// Decodes arguments as a call would, without running anything: `decode(r#"{"a": 1, "b": 2}"#)`.
    ///
    /// # Errors
    ///
    /// Returns every issue of the arguments, in declaration order.
    fn decode<'a>(arguments: impl Into<Arguments<'a>>) -> Result<Self::Args, ValidationError> {
        Self::decode_arguments(&arguments.into()).map_err(|rejected| rejected.into_error())
    }

    /// Returns the cell in which generated code remembers whether serde can decode the arguments before they are checked. Members of a
    /// generic container have no such cell, because all instances of the generic type would share one static, although their arguments
    /// differ.
    ///
    /// Only generated code can name the type, which seals the trait.
    #[doc(hidden)]
    fn care() -> Option<&'static OnceLock<Care>>;

    #[doc(hidden)]
    #[expect(clippy::inline_always, reason = "returning the arguments from a function would move them once more")]
    #[inline(always)]
    fn decode_arguments<'a>(arguments: &Arguments<'a>) -> Result<Self::Args, Box<Rejected<'a>>> {
        match Self::care() {
            Some(care) => crate::private::decode(care, arguments),
            None => crate::decode::decode_or_reject(arguments),
        }
    }
}
