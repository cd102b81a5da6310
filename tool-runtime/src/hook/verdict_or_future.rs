//! The answer of a hook, immediate or asynchronous: [`VerdictOrFuture`].
//!
//! Invariant: an immediate verdict allocates nothing.

use std::future::Future;
use std::pin::Pin;

use super::Verdict;
use sealed::Sealed;

/// The answer of a hook: a verdict or a future.
///
/// ```
/// use tool_runtime::hook::{VerdictOrFuture, Verdict, IntoVerdict};
///
/// assert!(matches!(Verdict::Run.into_verdict(), VerdictOrFuture::Decided(Verdict::Run)));
/// assert!(matches!(async { Verdict::Run }.into_verdict(), VerdictOrFuture::Pending(_)));
/// ```
pub enum VerdictOrFuture<'a> {
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
pub trait IntoVerdict: Sealed {
    /// Converts the result into an [`VerdictOrFuture`].
    fn into_verdict<'a>(self) -> VerdictOrFuture<'a>;
}

impl IntoVerdict for Verdict {
    fn into_verdict<'a>(self) -> VerdictOrFuture<'a> {
        VerdictOrFuture::Decided(self)
    }
}

impl<F: Future<Output = Verdict> + Send + 'static> IntoVerdict for F {
    fn into_verdict<'a>(self) -> VerdictOrFuture<'a> {
        VerdictOrFuture::Pending(Box::pin(self))
    }
}

impl Sealed for Verdict {}
impl<F: Future<Output = Verdict> + Send + 'static> Sealed for F {}

mod sealed {
    pub trait Sealed {}
}
