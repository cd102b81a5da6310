//! The client.

mod calls;
mod faults;
#[cfg(feature = "http-client")]
mod http;
#[cfg(feature = "http-client")]
mod http_lists;
mod lists;
mod live;
#[cfg(feature = "http-client")]
mod loopback;
mod modern;
mod process;
mod questions;
mod script;
mod tasks;
