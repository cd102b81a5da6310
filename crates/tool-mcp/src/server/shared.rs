//! The parts of a server that all of its connections share: [`Shared`].

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::ServerConfig;
use tool_runtime::Toolbox;

use super::output::Outputs;

pub(super) struct Shared {
    pub(super) toolbox: Toolbox,
    pub(super) info: ServerConfig,
    pub(super) unknown_tools_as_results: bool,
    pub(super) outputs: Outputs,
    calls: AtomicU64,
}

impl Shared {
    pub(super) fn new(toolbox: Toolbox, info: ServerConfig, unknown_tools_as_results: bool) -> Self {
        let outputs = Outputs::of(&toolbox);
        Self { toolbox, info, unknown_tools_as_results, outputs, calls: AtomicU64::new(0) }
    }

    /// Returns a call id that no other call of this server has.
    pub(super) fn next_call_id(&self) -> String {
        format!("mcp_{}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
