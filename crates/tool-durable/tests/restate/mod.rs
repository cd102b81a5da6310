//! Conversations on a real Restate server. `scripts/judges-restate` installs the server and runs these tests.
//!
//! The workers are child processes, so that the tests can kill them.

mod boundaries;
mod clocks;
mod cluster;
mod conversations;
mod crash;
mod health;
mod many;
mod outage;
mod outside;
mod server;
mod worker;
