//! Two complete agents. One answers questions about the weather. The other inspects a folder, writes a report, and checks services.
//!
//! Each agent is a program (`weather_agent`, `ops_agent`) that consists of tools, a [`Conversation`](tool_chat::conversation::Conversation)
//! and a model. The model is a script unless environment variables name a server ([`endpoint`]), so both programs run offline. The scripts
//! are not recordings: they read the messages of each request ([`reading`]), correct a call with the help of its hint, and report the
//! results.

pub mod endpoint;
pub mod exchange;
pub mod ops;
pub mod program;
pub mod reading;
pub mod weather;
