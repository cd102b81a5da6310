//! The locks of a connection: [`locked`].

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value. No code under a lock can panic, but for that of the layers, whose panic ends the proxy anyway.
pub(super) fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
