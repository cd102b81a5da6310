//! A session with the data that the protocol needs for it: [`Conversation`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use tool_runtime::toolbox::States;
use tool_runtime::{Format, Session};

use super::settings::{Principal, Settings};
use crate::private::siblings;

/// A session, its list of tools, and the revision of the list that the client knows about.
pub(super) struct Conversation {
    pub(super) session: Session,
    /// The definitions, converted once for each revision.
    listed: Mutex<Option<(u64, Arc<[Tool]>)>>,
    announced: AtomicU64,
}

impl Conversation {
    /// Begins the conversation of a connection. Expansions change its list.
    pub(super) fn of_connection(settings: &Settings, user: Option<&Principal>) -> Self {
        Self::new(siblings::session(&settings.toolbox, states(settings, user)))
    }

    /// Begins a conversation whose list never changes, for revisions of the protocol without connections.
    pub(super) fn without_connection(settings: &Settings, user: Option<&Principal>) -> Self {
        Self::new(siblings::open_session(&settings.toolbox, states(settings, user)))
    }

    fn new(session: Session) -> Self {
        let announced = AtomicU64::new(session.revision());
        Self { session, listed: Mutex::default(), announced }
    }

    /// Returns the definitions of all tools that the client can see.
    pub(super) fn tools(&self) -> Arc<[Tool]> {
        let definitions = self.session.definitions(Format::Mcp);
        // Read after the definitions: reading them changes it if the state has changed.
        let revision = self.session.revision();
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        match &*listed {
            Some((known, tools)) if *known == revision => Arc::clone(tools),
            _ => {
                // A definition in the form of the protocol always fits the type.
                let tools: Arc<[Tool]> =
                    definitions.iter().filter_map(|one| serde_json::from_str(&one.to_string()).ok()).collect();
                *listed = Some((revision, Arc::clone(&tools)));
                tools
            }
        }
    }

    /// Returns `true` if the list has changed since the last question.
    pub(super) fn has_news(&self) -> bool {
        let revision = self.session.revision();
        self.announced.swap(revision, Ordering::AcqRel) != revision
    }
}

fn states(settings: &Settings, user: Option<&Principal>) -> States {
    (settings.states)(user.map(|user| user.0.as_str()))
}
