//! The settings for the content of spans and events, with the feature `tracing`: [`TracingSettings`].
//!
//! Invariant: the content of arguments, results and errors is not recorded unless the host enables it.

/// The settings that add content to spans and events, which otherwise record only names, kinds and sizes. By default, no content is added:
/// arguments, results and errors may be sensitive and large, and the OpenTelemetry conventions leave the decision to the host.
///
/// ```
/// use tool_runtime::{Toolbox, event::TracingSettings};
///
/// let toolbox = Toolbox::builder().traced_contents(TracingSettings::new().arguments(true).results(true)).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TracingSettings {
    pub(crate) arguments: bool,
    pub(crate) results: bool,
    pub(crate) details: bool,
}

impl TracingSettings {
    /// Creates settings that record only names, kinds and sizes.
    pub const fn new() -> Self {
        Self { arguments: false, results: false, details: false }
    }

    /// Records `gen_ai.tool.call.arguments`: the arguments of the tool, without the values of sensitive fields.
    #[must_use]
    pub const fn arguments(mut self, recorded: bool) -> Self {
        self.arguments = recorded;
        self
    }

    /// Records `gen_ai.tool.call.result`: the result, without the secrets that the call sent.
    #[must_use]
    pub const fn results(mut self, recorded: bool) -> Self {
        self.results = recorded;
        self
    }

    /// Records `exception.message`: the [`details`](crate::Failure::observer_details) of a failure, such as an error with its causes or the message
    /// of a panic. A recorded warning then also contains the texts that it quotes, and a progress report its message. Details and quoted
    /// texts are left out if they may repeat the value of a sensitive field; nothing else is redacted.
    #[must_use]
    pub const fn failure_details(mut self, recorded: bool) -> Self {
        self.details = recorded;
        self
    }
}
