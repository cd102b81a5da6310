//! The function of the host that records each tool before it runs: [`Starts`].

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

/// Records the start of a call: its id, the advertised name of its tool, and whether the tool is `idempotent` or `read_only`. If the result is
/// `false`, the tool does not run.
pub(super) type StartRecorder = dyn Fn(&str, &str, bool) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync;

/// The recorder of a session, if it has one.
#[derive(Default)]
pub(super) struct Starts(OnceLock<Arc<StartRecorder>>);

impl Starts {
    #[inline]
    pub(super) fn are_recorded(&self) -> bool {
        self.0.get().is_some()
    }

    pub(super) fn recorder(&self) -> Option<&StartRecorder> {
        self.0.get().map(|recorder| &**recorder)
    }

    /// Sets the recorder. Returns `false` if there is one already.
    pub(super) fn record_with(&self, recorder: Arc<StartRecorder>) -> bool {
        self.0.set(recorder).is_ok()
    }
}
