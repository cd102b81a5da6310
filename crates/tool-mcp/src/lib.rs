//! Tools of [`tool_runtime`] and the Model Context Protocol (MCP): [`Server`] serves a toolbox to every MCP host, and
//! [`connect()`] makes the tools of an MCP server available to a toolbox.
//!
//! ```no_run
//! use tool_mcp::Server;
//! use tool_runtime::{Toolbox, tool};
//!
//! /// Adds two numbers.
//! #[tool]
//! fn add(
//!     /// First summand.
//!     a: f64,
//!     /// Second summand.
//!     b: f64,
//! ) -> f64 {
//!     a + b
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     Ok(Server::new(Toolbox::builder().tool(AddTool).build()?).stdio().await?)
//! }
//! ```
//!
//! The protocol itself comes from [`rmcp`], the official SDK, which this crate exports.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `client` (default) | [`connect()`]: the tools of a server that runs as a child process or is reached over a stream |
//! | `http-client` | `client::Endpoint::http`: the tools of a server with a URL |
//! | `output-check` (default) | the server checks results against the output schemas of their tools, with the `jsonschema` crate |
//! | `server` (default) | [`Server`]: a toolbox served over stdio or any other stream |
//! | `http` | [`Server::http`]: streamable HTTP |
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "__http")]
mod http;
#[cfg(feature = "server")]
pub mod server;
#[cfg(any(feature = "client", feature = "server"))]
mod unsent_messages;

#[cfg(feature = "client")]
pub use client::{RemoteServer, connect};
pub use rmcp;
#[cfg(feature = "server")]
pub use server::{ServeError, Server};

use tool_runtime::__private_0_1_0 as private;

/// Parts that `tool-proxy` shares with this crate. They may change with every version.
#[doc(hidden)]
pub mod __private_0_1_0 {
    #[cfg(feature = "client")]
    pub use crate::client::id_search::IdSearch;
    #[cfg(feature = "client")]
    pub use crate::client::lines::{Line, Lines};
    #[cfg(feature = "client")]
    pub use crate::client::remote_tools::truncate_description;

    #[cfg(feature = "http-client")]
    pub mod client {
        pub use crate::client::http::{client_builder, redacted_url};
    }

    #[cfg(feature = "__http")]
    pub mod http {
        pub use crate::http::connections;
        pub use crate::http::{BodyUntilStopped, Gate, HttpAnswer, SESSION, body_of, json, reject, too_many_sessions};
    }
}

/// The guides to this crate.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/conformance.md")]
    pub mod conformance {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/moved-servers.md")]
    pub mod moved_servers {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/serve-your-tools.md")]
    pub mod serve_your_tools {}

    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/use-a-servers-tools.md")]
    pub mod use_a_servers_tools {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
