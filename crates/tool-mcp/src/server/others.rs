//! The handler of a server that only has tools: [`ToolsOnly`].

use rmcp::ServerHandler;

/// The default handler of a [`Server`](super::Server) for everything except its tools: it has no prompts and no resources. Use
/// [`around`](super::Server::with_fallback_handler) to replace it.
#[derive(Clone, Copy, Debug)]
pub struct ToolsOnly;

impl ServerHandler for ToolsOnly {}
