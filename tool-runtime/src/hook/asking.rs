//! The answer of a hook, there at once or to be awaited: [`Asking`].
//!
//! In: a decision, or a future of one. Out: the same in one type. What always holds: a decision that is there at once boxes nothing.

use std::future::Future;
use std::pin::Pin;

use super::Decision;

/// The answer of a hook: decided, or to be awaited.
///
/// ```
/// use tool_runtime::hook::{Asking, Decision, IntoAsking};
///
/// assert!(matches!(Decision::Run.into_asking(), Asking::Decided(Decision::Run)));
/// assert!(matches!(async { Decision::Run }.into_asking(), Asking::Pending(_)));
/// ```
pub enum Asking<'a> {
    /// At once; no future was boxed.
    Decided(Decision),
    /// Later: somebody thinks about it.
    Pending(Pin<Box<dyn Future<Output = Decision> + Send + 'a>>),
}

/// What a function may give to be a [`BeforeCall`](super::BeforeCall): a [`Decision`], or a future of one.
///
/// ```
/// use tool_runtime::hook::{Asking, Decision, IntoAsking};
///
/// fn defer() -> impl IntoAsking {
///     Decision::Defer
/// }
/// assert!(matches!(defer().into_asking(), Asking::Decided(Decision::Defer)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a hook cannot decide with `{Self}`",
    label = "this is no `Decision` and no future of one",
    note = "give `tool_runtime::hook::Decision`, or an `async move` block that borrows nothing and gives one"
)]
pub trait IntoAsking {
    /// The same as one type.
    fn into_asking<'a>(self) -> Asking<'a>;
}

impl IntoAsking for Decision {
    fn into_asking<'a>(self) -> Asking<'a> {
        Asking::Decided(self)
    }
}

impl<F: Future<Output = Decision> + Send + 'static> IntoAsking for F {
    fn into_asking<'a>(self) -> Asking<'a> {
        Asking::Pending(Box::pin(self))
    }
}
