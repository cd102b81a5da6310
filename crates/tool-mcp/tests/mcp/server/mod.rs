//! The server.

mod calls;
mod tools;
