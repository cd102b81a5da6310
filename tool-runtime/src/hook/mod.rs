//! Hooks that decide before a tool runs: [`BeforeCall`].
//!
//! A hook sees a call with acceptable arguments and returns a [`Verdict`]: run it, deny it, or defer it. Invariant: nothing has run when a
//! hook is called, and the tool gets exactly the arguments that the hook saw.

mod proposed_call;
mod verdict_or_future;

pub use proposed_call::ProposedCall;
pub use verdict_or_future::{IntoVerdict, VerdictOrFuture};

pub use crate::tool::HostArguments;

/// The decision of a hook.
///
/// ```
/// use tool_runtime::hook::{ProposedCall, Verdict};
/// use tool_runtime::session::Completion;
/// use tool_runtime::{Toolbox, tool};
///
/// /// Formats the disk.
/// #[tool(destructive)]
/// fn format_disk() {}
///
/// let hook = |call: &ProposedCall<'_>| match call.spec().settings.annotations.destructive {
///     Some(true) => Verdict::Defer, // a human decides later
///     _ => Verdict::Run,
/// };
/// let session = Toolbox::builder().tool(FormatDiskTool).before_call(hook).build()?.session();
/// assert!(pollster::block_on(session.call("call_1", "format_disk", "{}")).is_deferred());
/// let outcome = session.complete("call_1", Completion::denied("The user said no."))?;
/// assert_eq!(outcome.failure().map(|failure| failure.error_type()), Some("denied"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Runs the tool.
    Run,
    /// Runs the tool with these values for its host parameters, in addition to the values of earlier hooks. A tool without host parameters
    /// ignores them.
    RunWith(HostArguments),
    /// Does not run the tool. The model gets the failure `denied` with the reason, in one line of at most 600 bytes.
    Deny(String),
    /// Does not run the tool yet: `session.resume` runs it later, or `session.complete` answers for it.
    Defer,
}

impl Verdict {
    /// Creates a denial with its reason, a sentence for the model.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// A hook that decides about each call before its tool runs. The decision comes from a rule of the host or from a human.
///
/// A function that takes the [`ProposedCall`] implements this trait if it returns a [`Verdict`] or a future that returns one. Such a future
/// cannot borrow from the call. If your future has to borrow, implement the trait for a type of your own.
///
/// ```
/// use tool_runtime::hook::{Verdict, ProposedCall};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Deletes a file.
/// #[tool(destructive)]
/// fn delete_file(
///     /// The path of the file.
///     path: String,
/// ) {
///     drop(path);
/// }
///
/// let only_temporary = |call: &ProposedCall<'_>| match call.argument("path") {
///     Some(path) if path.as_str().is_some_and(|path| path.starts_with("/tmp/")) => Verdict::Run,
///     _ => Verdict::deny("Only temporary files may be deleted."),
/// };
/// let session = Toolbox::builder().tool(DeleteFileTool).before_call(only_temporary).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "delete_file", r#"{"path": "/tmp/a"}"#));
/// assert!(outcome.is_ok());
/// let outcome = pollster::block_on(session.call("call_2", "delete_file", r#"{"path": "/etc/passwd"}"#));
/// assert!(outcome.to_text().starts_with(r#"{"error_type":"denied","tool":"delete_file""#));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
///
/// A human can decide while the call waits:
///
/// ```
/// use tool_runtime::hook::{ProposedCall, Verdict};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Formats the disk.
/// #[tool(destructive)]
/// fn format_disk() {}
///
/// async fn ask_the_user(question: String) -> bool {
///     !question.contains("format_disk")
/// }
///
/// let hook = |call: &ProposedCall<'_>| {
///     let question = format!("May {} run with {}?", call.name(), call.arguments_text());
///     async move { if ask_the_user(question).await { Verdict::Run } else { Verdict::deny("The user said no.") } }
/// };
/// let session = Toolbox::builder().tool(FormatDiskTool).before_call(hook).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "format_disk", "{}"));
/// assert!(outcome.to_text().contains("The user said no."));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub trait BeforeCall: Send + Sync + 'static {
    /// Decides about the call. If this method or its future panics, the call is answered with `internal_error`, and nothing runs.
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> VerdictOrFuture<'a>;
}

impl<F, D> BeforeCall for F
where
    F: Fn(&ProposedCall<'_>) -> D + Send + Sync + 'static,
    D: IntoVerdict,
{
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> VerdictOrFuture<'a> {
        self(call).into_verdict()
    }
}
