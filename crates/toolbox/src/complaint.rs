//! Complaints to a person, on standard error.

use std::fmt;

use crate::private::visible;

use super::style;

/// Tells a person what is wrong.
pub(super) fn complain(fault: &dyn fmt::Display) {
    anstream::eprintln!("{}error:{:#} {}", style::BAD, style::BAD, visible::escaped(&fault.to_string()));
}
