//! The server.

mod approvals;
mod calls;
mod fallback_handler;
mod faults;
#[cfg(feature = "http")]
pub(crate) mod http;
mod revisions;
mod running;
#[cfg(feature = "http")]
mod states;
mod tools;
