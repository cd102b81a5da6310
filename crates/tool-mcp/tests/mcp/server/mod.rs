//! The server.

mod approvals;
mod around;
mod calls;
mod faults;
#[cfg(feature = "http")]
mod http;
mod revisions;
mod running;
mod tools;
