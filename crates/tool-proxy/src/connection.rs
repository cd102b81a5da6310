//! The state that the futures of a connection share: [`Connection`], and the [`Guard`] that decides.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::fate::Sent;
use super::guard::Guard;
use super::outbox::Outbox;
use super::process::Process;
use super::timer::Timer;

pub(super) type Shared = Arc<Mutex<Guard>>;

pub(super) fn locked(guard: &Shared) -> MutexGuard<'_, Guard> {
    // A panic under the lock ends the proxy anyway.
    guard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines that wait for each side, and the process of the current server.
#[derive(Default)]
pub(super) struct Connection {
    pub(super) to_client: Outbox,
    pub(super) to_server: Outbox,
    pub(super) timer: Timer,
    process: Mutex<Option<Process>>,
}

impl Connection {
    pub(super) fn push(&self, sent: Sent) {
        self.to_client.push(sent.to_client);
        self.to_server.push(sent.to_server);
    }

    pub(super) fn set_process(&self, process: Option<Process>) {
        *self.process.lock().unwrap_or_else(PoisonError::into_inner) = process;
    }

    pub(super) fn take_process(&self) -> Option<Process> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
