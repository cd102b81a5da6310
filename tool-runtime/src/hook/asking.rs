//! The answer of a hook, immediate or asynchronous: [`Asking`].
//!
//! Invariant: an immediate verdict allocates nothing.

use std::future::Future;
use std::pin::Pin;

use super::Verdict;
use sealed::Sealed;

/// The answer of a hook: a verdict or a future.
///
/// ```
/// use tool_runtime::hook::{Asking, Verdict, IntoAsking};
///
/// assert!(matches!(Verdict::Run.into_asking(), Asking::Decided(Verdict::Run)));
/// assert!(matches!(async { Verdict::Run }.into_asking(), Asking::Pending(_)));
/// ```
pub enum Asking<'a> {
    /// An immediate verdict, without a boxed future.
    Decided(Verdict),
    /// A future that returns a verdict.
    Pending(Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>),
}

/// The return type of a function that implements [`BeforeCall`](super::BeforeCall): a [`Verdict`], or a future that returns one. This trait
/// is sealed.
#[diagnostic::on_unimplemented(
    message = "a hook cannot decide with `{Self}`",
    label = "this is no `Verdict` and no future of one",
    note = "give `tool_runtime::hook::Verdict`, or an `async move` block that borrows nothing and gives one"
)]
pub trait IntoAsking: Sealed {
    /// Converts the result into an [`Asking`].
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
