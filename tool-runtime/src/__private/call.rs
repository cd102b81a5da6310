//! Calls in generated code: calls of async tools, and calls of a container's members.

use std::future::Future;
use std::sync::OnceLock;

use crate::context::{CallContext, DecodedArguments};
use crate::decode::{Care, Rejected};
use crate::input::Arguments;
use crate::tool::{Answer, AnswerOrFuture, TypedTool};

/// Takes the value that was decoded from the arguments before the call, or decodes the arguments now.
#[inline]
fn arguments<'a, T: TypedTool>(arguments: &Arguments<'a>, cx: &CallContext) -> Result<T::Args, Box<Rejected<'a>>> {
    match cx.take_decoded_arguments(arguments) {
        Some(prepared) => Ok(prepared),
        None => T::decode_arguments(arguments),
    }
}

/// A cache for the precautions that decoding the type of a tool's arguments requires.
pub type CareCell = OnceLock<Care>;

/// Decodes the arguments of a tool for a toolbox, which keeps them until the call.
pub(super) fn prepare<'a, T: TypedTool>(arguments: &Arguments<'a>) -> Result<DecodedArguments, Box<Rejected<'a>>> {
    T::decode_arguments(arguments).map(DecodedArguments::new)
}

/// Decodes the arguments and runs the tool, or returns the rejection if the arguments cannot be decoded.
#[inline]
pub fn invoke<'a, T: TypedTool>(
    arguments: &Arguments<'a>,
    cx: &'a CallContext,
    run: impl FnOnce(T::Args) -> AnswerOrFuture<'a>,
) -> AnswerOrFuture<'a> {
    match self::arguments::<T>(arguments, cx) {
        Ok(arguments) => run(arguments),
        Err(rejected) => AnswerOrFuture::Rejected(rejected),
    }
}

/// Wraps the answer of a sync tool.
#[inline]
pub fn ready<'a>(answer: Answer) -> AnswerOrFuture<'a> {
    AnswerOrFuture::Ready(answer)
}

/// Wraps the future of an async tool.
pub fn pending<'a>(answer: impl Future<Output = Answer> + Send + 'a) -> AnswerOrFuture<'a> {
    AnswerOrFuture::Pending(Box::pin(answer))
}

/// The function that calls a member of a container of type `C`.
///
/// `C` is a type parameter instead of an associated type, so that the container can be less visible than its member.
pub trait CallMember<C> {
    fn call<'a>(container: &'a C, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a>;
}
