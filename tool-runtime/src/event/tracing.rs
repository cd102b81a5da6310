//! What spans and events of feature `tracing` hold: [`Tracing`].
//!
//! What always holds: nothing of arguments, results or errors unless the host asks for it.

/// What spans and events hold besides names, kinds and sizes. Nothing of it is recorded unless it is asked for: arguments, results and
/// errors may be sensitive and large, and the conventions leave them to the host.
///
/// ```
/// use tool_runtime::{Toolbox, event::Tracing};
///
/// let builder = Toolbox::builder().tracing(Tracing::new().arguments(true).results(true));
/// assert!(builder.build().is_ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tracing {
    pub(crate) arguments: bool,
    pub(crate) results: bool,
    pub(crate) details: bool,
}

impl Tracing {
    /// Names, kinds and sizes only.
    ///
    /// ```
    /// use tool_runtime::event::Tracing;
    ///
    /// assert_eq!(Tracing::new(), Tracing::default());
    /// ```
    pub const fn new() -> Self {
        Self { arguments: false, results: false, details: false }
    }

    /// Whether `gen_ai.tool.call.arguments` is recorded: the arguments as the tool was given them, without the values of sensitive fields.
    ///
    /// ```
    /// # use tool_runtime::event::Tracing;
    /// assert_ne!(Tracing::new().arguments(true), Tracing::new());
    /// ```
    #[must_use]
    pub const fn arguments(mut self, recorded: bool) -> Self {
        self.arguments = recorded;
        self
    }

    /// Whether `gen_ai.tool.call.result` is recorded, without the secrets of the call.
    ///
    /// ```
    /// # use tool_runtime::event::Tracing;
    /// assert_ne!(Tracing::new().results(true), Tracing::new());
    /// ```
    #[must_use]
    pub const fn results(mut self, recorded: bool) -> Self {
        self.results = recorded;
        self
    }

    /// Whether `exception.message` is recorded: what only the observer is told of a failure, the chain of an error or the message of a
    /// panic; and of a warning what it quotes. Nothing is redacted in it.
    ///
    /// ```
    /// # use tool_runtime::event::Tracing;
    /// assert_ne!(Tracing::new().details(true), Tracing::new());
    /// ```
    #[must_use]
    pub const fn details(mut self, recorded: bool) -> Self {
        self.details = recorded;
        self
    }
}
