//! Calls in generated code: of async tools, and of the members of a container.

use std::future::Future;

use crate::context::CallContext;
use crate::input::Arguments;
use crate::tool::{Answer, Invocation};

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
