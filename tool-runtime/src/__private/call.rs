//! Calls in generated code: of async tools, and of the members of a container.

use std::future::Future;

use crate::context::CallContext;
use crate::decode::Rejected;
use crate::input::Arguments;
use crate::tool::{Answer, Invocation, TypedTool};

/// The arguments of a tool: those that were decoded before the call, or those that are decoded now.
#[inline]
pub fn arguments<'a, T: TypedTool>(arguments: &Arguments<'a>, cx: &CallContext) -> Result<T::Args, Box<Rejected<'a>>> {
    match cx.take_prepared(arguments) {
        Some(prepared) => Ok(prepared),
        None => T::decode_arguments(arguments),
    }
}

/// The call of an async tool.
pub fn pending<'a>(answer: impl Future<Output = Answer> + Send + 'a) -> Invocation<'a> {
    Invocation::Pending(Box::pin(answer))
}

/// A member of a container, as a session calls it.
///
/// The container is a parameter and no associated type, so that it may be less public than its member.
pub trait CallMember<C> {
    fn call<'a>(container: &'a C, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a>;
}
