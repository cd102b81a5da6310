//! Two complete agents: one answers questions about the weather; the other inspects a folder, writes a report, and checks services.
//!
//! Each is a program (`weather_agent`, `ops_agent`) that consists of tools, a [`Conversation`](tool_chat::conversation::Conversation) and a
//! model. The model is a script unless the environment names a server ([`endpoint`]), so both run offline. The scripts are not recordings:
//! they read the messages that they are sent ([`reading`]), correct a call from its hint, and report the results.

pub mod endpoint;
pub mod exchange;
pub mod ops;
pub mod program;
pub mod reading;
pub mod weather;
