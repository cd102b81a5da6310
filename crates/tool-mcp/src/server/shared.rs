//! The parts of a server that all of its connections share: [`Shared`].

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{ServerConfig, Tool};
use tool_runtime::toolbox::States;
use tool_runtime::{Format, Toolbox};

use super::output::Outputs;
use crate::private::siblings;

pub(super) type NewStates = dyn Fn() -> States + Send + Sync;

/// The settings of a server.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) toolbox: Toolbox,
    pub(super) info: ServerConfig,
    pub(super) unknown_tools_as_results: bool,
    /// Creates the state that a session brings.
    pub(super) states: Arc<NewStates>,
}

pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) outputs: Outputs,
    calls: AtomicU64,
}

impl Shared {
    pub(super) fn new(settings: Settings) -> Self {
        let outputs = Outputs::of(&settings.toolbox);
        Self { settings, outputs, calls: AtomicU64::new(0) }
    }

    /// Returns the definition of a tool, visible or not, without rendering those of all others.
    pub(super) fn definition(&self, name: &str) -> Option<Tool> {
        let (_, tool) = siblings::tools(&self.settings.toolbox).find(|(advertised, _)| *advertised == name)?;
        serde_json::from_value(tool.spec().definition(Format::Mcp).to_value()).ok()
    }

    /// Returns a call id that no other call of this server has.
    pub(super) fn next_call_id(&self) -> String {
        format!("mcp_{}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
