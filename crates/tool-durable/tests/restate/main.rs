//! Conversations on a real Restate server. `scripts/judges-restate` installs the server and runs these tests.
//!
//! The workers are child processes, so that the tests can kill them.

mod cluster;
#[path = "../crash/compare.rs"]
mod compare;
mod conversations;
mod crash;
mod many;
#[path = "../crash/script.rs"]
mod script;
mod server;
#[path = "../crash/tools.rs"]
mod tools;
mod worker;
