//! The server.

mod calls;
mod faults;
mod revisions;
mod running;
mod tools;
