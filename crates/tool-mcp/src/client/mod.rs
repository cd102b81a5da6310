//! Tools of an MCP server as tools of a toolbox: [`connect`](connect()).
//!
//! Each definition of the server becomes a [`DynamicTool`](tool_dynamic::DynamicTool). So arguments are checked before anything is sent:
//! faulty ones are repaired, or the model reads what is wrong. Results pass the guards of the toolbox.
//!
//! Invariants: each call has exactly one answer, whatever the server does. Nothing that the server sends makes memory grow without bound.
//! References in schemas are never fetched.

mod call;
mod check_x_mcp_header;
mod connect;
mod connection;
mod elicitation;
mod endpoint;
mod error;
mod fault;
mod handler;
#[cfg(feature = "http-client")]
pub(crate) mod http;
#[cfg(feature = "http-client")]
mod http_fault;
pub(crate) mod id_search;
mod line_transport;
pub(crate) mod lines;
mod list;
mod observed_transport;
mod page;
mod reconnecting_link;
mod remote;
pub(crate) mod remote_tools;
mod result;
mod shared_connection_state;

pub use connect::{Connect, connect};
pub use elicitation::{Elicitation, ElicitationKind, ElicitationReply};
pub use endpoint::Endpoint;
pub use error::{ConnectError, SkippedTool};
pub use remote::RemoteServer;
