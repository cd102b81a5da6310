//! Events of durable conversations: [`DurableEvent`].

/// An event that only durable conversations have. All other events are reported to the observer of the toolbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DurableEvent<'a> {
    /// A call had started when an earlier process ended, and its end is not known. It does not run again, and the model reads
    /// `effect_unknown`.
    #[non_exhaustive]
    EffectUnknown {
        /// The id of the call.
        call_id: &'a str,
        /// The name that was called.
        tool: &'a str,
    },
    /// The shared health of a tool could not be asked, so only the rules of the conversation decided about the call.
    #[non_exhaustive]
    HealthUnknown {
        /// The id of the call.
        call_id: &'a str,
        /// The name that was called.
        tool: &'a str,
    },
    /// A call had started when an earlier process ended, and runs again because its tool is `idempotent` or `read_only`.
    #[non_exhaustive]
    Repeated {
        /// The id of the call.
        call_id: &'a str,
        /// The name that was called.
        tool: &'a str,
    },
}
