//! The server, driven from outside: by a client of rmcp, and by lines of JSON as other clients write them. The client, against servers that
//! follow the protocol or break it.

mod client;
#[cfg(feature = "proxy")]
mod proxy;
mod server;
mod wire;
