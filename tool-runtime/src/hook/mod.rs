//! What a host may decide before a tool runs: [`BeforeCall`].
//!
//! In: a call whose arguments are acceptable, as the tool would read them. Out: a [`Verdict`]: run it, refuse it, or answer it later.
//! What always holds: nothing has run yet when a hook is asked; the arguments that it sees are those with which the tool runs.

mod asking;
mod proposed;

pub use asking::{Asking, IntoAsking};
pub use proposed::ProposedCall;

pub use crate::tool::HostArguments;

/// What becomes of a call.
///
/// ```
/// use tool_runtime::hook::Verdict;
///
/// assert_eq!(Verdict::deny("Not now."), Verdict::Deny("Not now.".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The tool runs.
    Run,
    /// The tool runs with these values of its [host parameters](HostArguments), together with those of earlier hooks. A tool without host parameters ignores
    /// them.
    RunWith(HostArguments),
    /// It does not; the model reads the reason, in one line of at most 600 bytes, as the failure `denied`.
    Deny(String),
    /// It does not yet: `session.resume` runs it, `session.complete` answers for it.
    Defer,
}

impl Verdict {
    /// A refusal with its reason, a sentence for the model.
    ///
    /// ```
    /// use tool_runtime::hook::Verdict;
    ///
    /// assert!(matches!(Verdict::deny("The user said no."), Verdict::Deny(reason) if reason.ends_with("no.")));
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// Who is asked before a tool runs: a rule of the host's, or a human.
///
/// A function of the [`ProposedCall`] is one, whether it gives a [`Verdict`] or a future of one. Such a future cannot borrow from the
/// call; implement the trait where it should.
///
/// ```
/// use tool_runtime::hook::{Verdict, ProposedCall};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Deletes a file.
/// #[tool(destructive)]
/// fn delete_file(
///     /// Which one.
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
/// A human who is asked while the call waits:
///
/// ```
/// use tool_runtime::Toolbox;
/// use tool_runtime::hook::{Verdict, ProposedCall};
///
/// async fn ask_the_user(question: String) -> bool {
///     !question.contains("delete")
/// }
///
/// let hook = |call: &ProposedCall<'_>| {
///     let question = format!("May {} run with {}?", call.name(), call.to_text());
///     async move { if ask_the_user(question).await { Verdict::Run } else { Verdict::deny("The user said no.") } }
/// };
/// assert!(Toolbox::builder().before_call(hook).build().is_ok());
/// ```
pub trait BeforeCall: Send + Sync + 'static {
    /// What is to become of the call. A panic, also one of the future, is answered with `internal_error`, and nothing runs.
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> Asking<'a>;
}

impl<F, D> BeforeCall for F
where
    F: Fn(&ProposedCall<'_>) -> D + Send + Sync + 'static,
    D: IntoAsking,
{
    fn before_call<'a>(&'a self, call: &'a ProposedCall<'a>) -> Asking<'a> {
        self(call).into_asking()
    }
}
