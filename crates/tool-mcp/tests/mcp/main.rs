//! The server, driven from outside: by a client of rmcp, and by lines of JSON as other clients write them.

mod server;
mod wire;
