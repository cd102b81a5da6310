//! Code of the host's or of a tool's, run so that its panic goes no further: [`caught`].
//!
//! In: what is to be run. Out: what it gave, or the message of its panic. What always holds: nothing of the panic is left behind, not even
//! where what it was thrown with panics when it is let go.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What it gives, or what its panic says.
#[inline]
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(message)
}

#[cold]
fn message(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
    let message = text.unwrap_or("a panic without a message").to_owned();
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        // Dropped as well, it might throw the next one, and so on. Its few bytes are given up.
        std::mem::forget(another);
    }
    message
}
