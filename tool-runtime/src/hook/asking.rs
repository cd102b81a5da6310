//! The answer of a hook, there at once or to be awaited: [`Asking`].
//!
//! In: a verdict, or a future of one. Out: the same in one type. What always holds: a verdict that is there at once boxes nothing.

use std::future::Future;
use std::pin::Pin;

use super::Verdict;
use sealed::Sealed;

/// The answer of a hook: decided, or to be awaited.
///
/// ```
/// use tool_runtime::hook::{Asking, Verdict, IntoAsking};
///
/// assert!(matches!(Verdict::Run.into_asking(), Asking::Decided(Verdict::Run)));
/// assert!(matches!(async { Verdict::Run }.into_asking(), Asking::Pending(_)));
/// ```
pub enum Asking<'a> {
    /// At once; no future was boxed.
    Decided(Verdict),
    /// Later: somebody thinks about it.
    Pending(Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>),
}

/// The result of a function that is a [`BeforeCall`](super::BeforeCall): a [`Verdict`], or a future of one. Sealed.
///
/// ```
/// use tool_runtime::hook::{Asking, Verdict, IntoAsking};
///
/// fn defer() -> impl IntoAsking {
///     Verdict::Defer
/// }
/// assert!(matches!(defer().into_asking(), Asking::Decided(Verdict::Defer)));
/// ```
#[diagnostic::on_unimplemented(
    message = "a hook cannot decide with `{Self}`",
    label = "this is no `Verdict` and no future of one",
    note = "give `tool_runtime::hook::Verdict`, or an `async move` block that borrows nothing and gives one"
)]
pub trait IntoAsking: Sealed {
    /// The same as one type.
    fn into_asking<'a>(self) -> Asking<'a>;
}

impl IntoAsking for Verdict {
    fn into_asking<'a>(self) -> Asking<'a> {
        Asking::Decided(self)
    }
}

impl<F: Future<Output = Verdict> + Send + 'static> IntoAsking for F {
    fn into_asking<'a>(self) -> Asking<'a> {
        Asking::Pending(Box::pin(self))
    }
}

impl Sealed for Verdict {}
impl<F: Future<Output = Verdict> + Send + 'static> Sealed for F {}

mod sealed {
    pub trait Sealed {}
}
