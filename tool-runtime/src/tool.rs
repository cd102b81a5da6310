//! A callable handle: [`Tool`], what it says of itself ([`ToolSpec`]), and the typed side that `#[tool]` writes ([`TypedTool`]).
//!
//! In: the arguments as they came and the context of the call. Out: an [`Invocation`], ready at once for a sync function, a boxed
//! future for an async one. A tool decodes its own arguments, because only it knows their type; it never words an answer.

mod answer;
mod conditions;
mod content;
mod decode_fn;
mod describe;
pub(crate) mod external;
pub(crate) mod from_state;
mod host;
mod host_arguments;
mod host_spec;
mod json_text;
mod parts;
mod portable_name;
mod retry;
mod settings;
mod spec;
mod state_key;

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

pub use crate::context::Prepared;
pub use answer::{Answer, CallError, Payload};
pub(crate) use conditions::Now;
pub use content::{Content, Media, Resource, ResourceLink};
pub use decode_fn::DecodeFn;
pub use external::ExternalTool;
pub use from_state::{FromState, OfParameter};
pub use host::HostInput;
pub(crate) use host::{Complete, Incomplete};
pub use host_arguments::HostArguments;
pub use json_text::JsonText;
pub use parts::Parts;
pub use portable_name::portable_name;
pub use retry::Retry;
pub use settings::{Annotations, ToolSettings};
pub use spec::ToolSpec;
pub use state_key::StateKey;

use crate::context::CallContext;
use crate::decode::{Care, Rejected};
use crate::input::{Arguments, ToolInput};
use crate::issue::ValidationError;

/// Something that a model can call.
///
/// `#[tool]` implements it; implement it by hand for a tool whose schema is only known at run time.
///
/// ```
/// use tool_runtime::{CallContext, Arguments, tool::{Invocation, Payload, Tool, ToolSpec}};
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
///
/// struct Ping(ToolSpec);
///
/// impl Tool for Ping {
///     fn spec(&self) -> &ToolSpec {
///         &self.0
///     }
///     fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> Invocation<'a> {
///         Invocation::Ready(Ok(Payload::Done))
///     }
/// }
///
/// let ping = Ping(ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY)));
/// assert!(matches!(ping.call("{}".into(), &CallContext::test()), Invocation::Ready(Ok(Payload::Done))));
/// ```
pub trait Tool: Send + Sync + 'static {
    /// What the tool says of itself.
    fn spec(&self) -> &ToolSpec;

    /// Every fault of arguments, without running anything: exactly those that [`call`](Self::call) would refuse are refused.
    ///
    /// # Errors
    ///
    /// Every fault of the arguments, in declaration order.
    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        let spec = self.spec();
        match spec.decode {
            Some(decode) => decode(arguments).map(drop).map_err(|rejected| rejected.into_error()),
            None => crate::decode::check_arguments(&spec.input, arguments),
        }
    }

    /// Decodes arguments without running anything, for a call that a hook is asked about or that is compared with others. The value waits in the
    /// [context](CallContext::take_prepared) of the call, so that [`call`](Self::call) need not decode once more. A tool that has no value to
    /// keep only [checks](Self::check) the arguments.
    ///
    /// # Errors
    ///
    /// Every fault of the arguments, in declaration order: exactly those that [`call`](Self::call) would refuse are refused.
    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<Prepared>, Box<Rejected<'a>>> {
        match self.spec().decode {
            Some(decode) => decode(arguments).map(Some),
            None => self.check(arguments).map(|()| None).map_err(|error| Box::new(error.into())),
        }
    }

    /// Decodes the arguments and runs the tool.
    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a>;

    /// Where the value lies that several handles share, so that two containers with the same `Arc` have one tool.
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

    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<Prepared>, Box<Rejected<'a>>> {
        (**self).prepare(arguments)
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a> {
        (**self).call(arguments, cx)
    }

    fn shared_at(&self) -> Option<usize> {
        // A handle of a handle is a handle of the same tool.
        (**self).shared_at().or_else(|| Some(Arc::as_ptr(self).cast::<()>().addr()))
    }
}

/// The running of a tool: finished, or to be awaited.
///
/// ```
/// use tool_runtime::tool::{Invocation, Tool};
/// use tool_runtime::{CallContext, tool};
///
/// /// Answers at once.
/// #[tool]
/// async fn ping() -> &'static str {
///     "pong"
/// }
///
/// assert!(matches!(PingTool.call("{}".into(), &CallContext::test()), Invocation::Pending(_)));
/// ```
#[non_exhaustive]
pub enum Invocation<'a> {
    /// A sync tool; no future was boxed.
    Ready(Answer),
    /// An async tool.
    Pending(Pin<Box<dyn Future<Output = Answer> + Send + 'a>>),
    /// The arguments were rejected, and nothing ran. [`CallError::Invalid`] says the same; this brings what was found out about the arguments,
    /// which a session would have to find out again before it repairs them.
    Rejected(Box<Rejected<'a>>),
}

/// The typed side of a tool that `#[tool]` wrote.
///
/// Sealed: `#[tool]` implements it, and nothing else can. A tool by hand implements [`Tool`] alone.
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
    /// The parameters, as a struct with a public field for each.
    type Args: ToolInput;

    /// What the tool says of itself.
    const SPEC: &'static ToolSpec;

    /// Decodes arguments as a call would, without running anything: `decode(r#"{"a": 1, "b": 2}"#)`.
    ///
    /// # Errors
    ///
    /// Every fault of the arguments, in declaration order.
    fn decode<'a>(arguments: impl Into<Arguments<'a>>) -> Result<Self::Args, ValidationError> {
        Self::decode_arguments(&arguments.into()).map_err(|rejected| rejected.into_error())
    }

    /// Returns where a macro remembers whether serde may see the arguments first. A static is one for all parameters of a generic
    /// container, whose arguments differ, so the members of one have none.
    ///
    /// Its type can be named by generated code alone, which seals the trait.
    #[doc(hidden)]
    fn care() -> Option<&'static OnceLock<Care>>;

    #[doc(hidden)]
    fn decode_arguments<'a>(arguments: &Arguments<'a>) -> Result<Self::Args, Box<Rejected<'a>>> {
        match Self::care() {
            Some(care) => crate::private::decode(care, arguments),
            None => crate::decode::decode_or_reject(arguments),
        }
    }
}
