//! A session, and the data about it that the protocol needs: [`Conversation`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use tool_runtime::{Dialect, Session};

use super::settings::{Principal, Settings};
use crate::private::internal;

/// A session, its list of tools, and the revision of the list that the client was last notified of.
pub(super) struct Conversation {
    pub(super) session: Session,
    /// The definitions with their revision, converted once for each revision of the list.
    listed: Mutex<Option<(u64, Arc<[Tool]>)>>,
    announced: AtomicU64,
}

impl Conversation {
    /// Begins the conversation of a connection. Its list of tools changes when a container is expanded.
    pub(super) fn of_connection(settings: &Settings, user: Option<&Principal>) -> Self {
        Self::new(internal::session(&settings.toolbox, settings.states(user)))
    }

    /// Begins a conversation whose list never changes, for revisions of the protocol without connections.
    pub(super) fn without_connection(settings: &Settings, user: Option<&Principal>) -> Self {
        Self::new(internal::open_session(&settings.toolbox, settings.states(user)))
    }

    fn new(session: Session) -> Self {
        let announced = AtomicU64::new(session.revision());
        Self { session, listed: Mutex::default(), announced }
    }

    /// Returns the definitions of all tools that the client can see.
    pub(super) fn tools(&self) -> Arc<[Tool]> {
        let definitions = self.session.definitions_in(Dialect::MCP);
        // Read after the definitions, because reading these may increase the revision.
        let revision = self.session.revision();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        match &*listed {
            Some((known, tools)) if *known == revision => Arc::clone(tools),
            _ => {
                // This always succeeds for a definition in the format of MCP.
                let tools: Arc<[Tool]> =
                    definitions.iter().filter_map(|one| serde_json::from_str(&one.to_string()).ok()).collect();
                *listed = Some((revision, Arc::clone(&tools)));
                tools
            }
        }
    }

    /// Returns `true` if the list has changed since this method was last called.
    pub(super) fn has_news(&self) -> bool {
        let revision = self.session.revision();
        self.announced.swap(revision, Ordering::AcqRel) != revision
    }
}
