//! The handler of a server that only has tools: [`ToolsOnly`].

use rmcp::ServerHandler;

/// The other handler of a [`Server`](super::Server) without a call of [`around`](super::Server::around): it has no prompts and no
/// resources.
#[derive(Clone, Copy, Debug)]
pub struct ToolsOnly;

impl ServerHandler for ToolsOnly {}
