//! Two complete agents: one asks about the weather, the other looks into a folder, writes a report and asks services how they are.
//!
//! Each is a program (`weather_agent`, `ops_agent`) over the same parts: tools, a [`Conversation`](tool_chat::conversation::Conversation),
//! a model. The model is a script unless the environment names a server ([`endpoint`]), so both run offline. The scripts are no recordings:
//! they read what they are sent ([`reading`]), correct a call from its hint, and say what came of it.

pub mod endpoint;
pub mod exchange;
pub mod ops;
pub mod program;
pub mod reading;
pub mod weather;
