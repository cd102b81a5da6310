//! The proxy between a client and a server that follow the protocol or break it.

mod approvals;
mod calls;
mod containers;
mod faults;
#[cfg(all(feature = "http", feature = "proxy-http"))]
mod http;
mod kept;
mod lists;
mod rig;
mod rounds;
mod rules;
mod strictness;
mod translate;
mod unchanged;
