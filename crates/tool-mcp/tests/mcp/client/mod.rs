//! The use of servers, honest and otherwise.

mod calls;
mod faults;
#[cfg(feature = "http-client")]
mod http;
mod lists;
mod live;
mod modern;
mod process;
mod script;
