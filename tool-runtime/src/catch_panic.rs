//! Runs code of a host or a tool and catches its panic: [`catch_panic`].
//!
//! Invariant: no panic gets out, even if dropping the payload of a panic would panic again.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of the function, or the message of its panic.
#[inline]
pub(crate) fn catch_panic<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(message)
}

#[cold]
fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    let message = text.unwrap_or("a panic without a message").to_owned();
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        // Dropping this payload could panic again, and so on, so its few bytes are leaked.
        std::mem::forget(another);
    }
    message
}
