//! Error messages on standard error.

use std::fmt;

use crate::private::visible;

use super::style;

/// Prints an error message.
pub(super) fn complain(fault: &dyn fmt::Display) {
    anstream::eprintln!("{}error:{:#} {}", style::BAD, style::BAD, visible::escaped(&fault.to_string()));
}
