//! The definitions of a session in the types of rmcp.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use tool_runtime::{Format, Session};

/// The definitions of one session, converted once for each revision of its list.
#[derive(Default)]
pub(super) struct Listed(Mutex<Option<(u64, Arc<[Tool]>)>>);

impl Listed {
    pub(super) fn of(&self, session: &Session) -> Arc<[Tool]> {
        let definitions = session.definitions(Format::Mcp);
        // The revision is read after the definitions, because reading the definitions can change the revision, if the
        // state has changed.
        let revision = session.revision();
        let mut listed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*listed {
            Some((known, tools)) if *known == revision => Arc::clone(tools),
            _ => {
                let tools: Arc<[Tool]> = definitions.iter().filter_map(|one| tool(&one.to_string())).collect();
                *listed = Some((revision, Arc::clone(&tools)));
                tools
            }
        }
    }
}

/// Converts a definition. A definition in the form of the protocol always fits the type.
fn tool(definition: &str) -> Option<Tool> {
    serde_json::from_str(definition).ok()
}
