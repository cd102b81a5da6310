//! All integration tests of this package in one program, because each program is linked with every dependency.

mod conversation;
mod crash;
mod files;
mod http;
mod ingress;
#[cfg(feature = "__serve")]
mod restate;
mod script;
