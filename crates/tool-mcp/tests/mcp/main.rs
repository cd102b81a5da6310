//! Tests of the server with a client of rmcp, and with lines of JSON in the form in which other clients write them. Tests of the client
//! with servers that follow the protocol or break it.
//!
//! All integration tests of this package are in this program, because each program is linked with every dependency. Another program, `memory`,
//! has a `main` of its own.

mod client;
mod cost;
#[cfg(feature = "http")]
mod exchange;
mod server;
mod wire;
