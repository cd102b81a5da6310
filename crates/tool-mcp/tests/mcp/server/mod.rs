//! The server.

mod approvals;
mod calls;
mod faults;
#[cfg(feature = "http")]
mod http;
mod revisions;
mod running;
mod tools;
