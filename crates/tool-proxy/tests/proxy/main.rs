//! The proxy between a client and a server that follow the protocol or break it.
//!
//! All integration tests of this package are in this program, because each program is linked with every dependency.

mod approval_2026;
mod approvals;
mod calls;
mod containers;
#[cfg(feature = "http")]
mod cost;
// A link to the file of `tool-mcp`, which cargo follows when it packages this crate.
#[cfg(feature = "http")]
mod exchange;
mod faults;
#[cfg(feature = "http")]
mod http;
mod kept;
mod lists;
mod pins;
#[cfg(feature = "remote")]
mod remote;
mod rig;
mod rules;
mod strictness;
mod translate;
mod unchanged;
