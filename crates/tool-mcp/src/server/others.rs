//! The handler of a server that only has tools: [`ToolsOnly`].

use rmcp::ServerHandler;

/// The handler of a [`Server`](super::Server) that is not [around](super::Server::around) another one: it has no prompts and no resources.
#[derive(Clone, Copy, Debug)]
pub struct ToolsOnly;

impl ServerHandler for ToolsOnly {}
