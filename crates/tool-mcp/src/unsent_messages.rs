//! The messages that a peer has not accepted yet: [`UnsentMessages`].

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The number of messages that may wait for a peer.
const MOST: usize = 1_000;

/// Counts answers until they are sent. While a peer does not accept them, nothing more is read from it, so that a peer that only sends cannot
/// make the memory grow.
#[derive(Clone, Debug)]
pub(crate) struct UnsentMessages(Arc<Semaphore>);

impl UnsentMessages {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }

    /// Counts a message until the returned value is dropped.
    pub(crate) fn add(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).try_acquire_owned().ok()
    }

    /// Waits while too many messages are counted.
    pub(crate) async fn has_room(&self) {
        // The semaphore is never closed.
        drop(self.0.acquire().await);
    }
}
