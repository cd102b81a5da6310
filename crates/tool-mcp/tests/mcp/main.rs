//! Tests of the server with a client of rmcp, and with lines of JSON in the form in which other clients write them. Tests of the client
//! with servers that follow the protocol or break it.

mod client;
#[cfg(feature = "proxy")]
mod proxy;
mod server;
mod wire;
