//! The events that a durable conversation reports to the host's listener: [`ListenerEvent`].

use tool_chat::model::PrefixLoss;

pub(crate) type Listener = dyn Fn(&ListenerEvent<'_>) + Send + Sync;

/// An event that only durable conversations have. All other events are reported to the observer of the toolbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListenerEvent<'a> {
    /// The model wrote a call as text, in markup such as `<tool_call>`, so nothing was run. Once in a turn, the model
    /// reads this and is asked again.
    #[non_exhaustive]
    CallAsText {
        /// The mark by which the call was noticed.
        mark: &'a str,
    },
    /// The last record of the log is damaged, although it may have been kept, and was ignored. It may have contained the start or the end of
    /// a call, so all open calls count as started: each of them gives an [`EffectUnknown`](Self::EffectUnknown) or a
    /// [`CallRepeated`](Self::CallRepeated).
    #[non_exhaustive]
    DamagedEnd {
        /// The position of the record, in bytes from the start of the log.
        offset: u64,
        /// The number of bytes that were ignored.
        bytes: u64,
    },
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
    /// The next request does not begin with the request before it, so the provider cannot take all of it from its cache. The first request
    /// of a process is not compared.
    #[non_exhaustive]
    PrefixLost {
        /// The part that changed, and the number of bytes.
        loss: PrefixLoss,
    },
    /// A call had started when an earlier process ended, and runs again because its tool is `idempotent` or `read_only`.
    #[non_exhaustive]
    CallRepeated {
        /// The id of the call.
        call_id: &'a str,
        /// The name that was called.
        tool: &'a str,
    },
    /// The log ends with an incomplete record, because the machine stopped while writing it. The record was ignored. Nothing that was reported
    /// as done is lost.
    #[non_exhaustive]
    TornEnd {
        /// The number of bytes that were ignored.
        bytes: u64,
    },
}
