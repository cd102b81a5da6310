//! The function of the host that records when a tool starts and when a call of a batch ends: [`Starts`].

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use super::Outcome;

/// A moment of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment<'a> {
    /// The tool is about to run, under its advertised name. It is repeatable if it is `idempotent` or `read_only`.
    Starts { call_id: &'a str, tool: &'a str, is_repeatable: bool },
    /// A call of a batch has an outcome. `index` is the index of the call in its batch.
    Ends { index: usize, outcome: &'a Outcome },
}

/// Records a moment. If the result of a start is `false`, the tool does not run.
pub(super) type CallRecorder = dyn Fn(Moment<'_>) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

/// The recorder of a session, if it has one.
#[derive(Default)]
pub(super) struct Starts(OnceLock<Arc<CallRecorder>>);

impl Starts {
    #[inline]
    pub(super) fn are_recorded(&self) -> bool {
        self.0.get().is_some()
    }

    pub(super) fn recorder(&self) -> Option<&CallRecorder> {
        self.0.get().map(|recorder| &**recorder)
    }

    /// Sets the recorder. Returns `false` if there already is one.
    pub(super) fn record_with(&self, recorder: Arc<CallRecorder>) -> bool {
        self.0.set(recorder).is_ok()
    }
}
