//! The parts of a server that all of its connections share: [`Shared`].

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{RequestStateCodec, Tool};
use tool_runtime::Dialect;

use super::conversation::Conversation;
use super::output_schemas::OutputSchemas;
use super::settings::{Principal, Settings};
use super::used_answers::{Nonce, UsedAnswers};
use crate::private::internal;

/// The maximum number of users whose conversations are kept. The conversation that was idle longest is dropped first.
const MOST_USERS: usize = 1_000;

pub(super) struct Shared {
    pub(super) settings: Settings,
    pub(super) outputs: OutputSchemas,
    /// The codec that seals the state which clients send back; `None` if the system could not provide a random key.
    pub(super) codec: Option<RequestStateCodec>,
    definitions: Mutex<HashMap<String, Tool>>,
    calls: AtomicU64,
    users: Mutex<Users>,
    used: Mutex<UsedAnswers>,
}

/// The conversations of users in protocol versions without connections, each with the number of its last use.
#[derive(Default)]
struct Users {
    now: u64,
    conversations: HashMap<String, (u64, Arc<Conversation>)>,
}

impl Shared {
    pub(super) fn new(mut settings: Settings) -> Self {
        let outputs = OutputSchemas::from_toolbox(&settings.toolbox);
        let random = || {
            let mut key = vec![0; 32];
            getrandom::fill(&mut key).ok().map(|()| key)
        };
        let codec = settings.state_key.take().or_else(random).map(RequestStateCodec::new_unchecked);
        Self {
            settings,
            outputs,
            codec,
            definitions: Mutex::default(),
            calls: AtomicU64::new(0),
            users: Mutex::default(),
            used: Mutex::default(),
        }
    }

    /// Returns `true` if a tool or a container has exactly this name, visible or not.
    pub(super) fn has_tool(&self, name: &str) -> bool {
        internal::has_name(&self.settings.toolbox, name) || name == &*internal::call_tool().name
    }

    /// Returns the definition of a tool, visible or not. Each definition is rendered once, because rmcp needs one for every call over HTTP.
    pub(super) fn definition(&self, name: &str) -> Option<Tool> {
        let mut known = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tool) = known.get(name) {
            return Some(tool.clone());
        }
        let tool = self.settings.toolbox.tool(name)?;
        let tool: Tool = serde_json::from_value(tool.spec().definition(Dialect::MCP).to_value()).ok()?;
        known.insert(name.to_owned(), tool.clone());
        Some(tool)
    }

    /// Returns the conversation of a user, and begins it if necessary.
    pub(super) fn conversation_of(&self, user: &Principal) -> Arc<Conversation> {
        let mut users = self.users.lock().unwrap_or_else(PoisonError::into_inner);
        users.now += 1;
        let now = users.now;
        if let Some((last_used, conversation)) = users.conversations.get_mut(&user.0) {
            *last_used = now;
            return Arc::clone(conversation);
        }
        if users.conversations.len() >= MOST_USERS {
            let idle = users.conversations.iter().min_by_key(|(_, (last_used, _))| *last_used);
            if let Some(idle) = idle.map(|(name, _)| name.clone()) {
                users.conversations.remove(&idle);
            }
        }
        let conversation = Arc::new(Conversation::without_connection(&self.settings, Some(user)));
        users.conversations.insert(user.0.clone(), (now, Arc::clone(&conversation)));
        conversation
    }

    /// Returns `true` if an answer, which counts for a limited time, was not used before.
    pub(super) fn first_use(&self, nonce: Nonce, valid: Duration) -> bool {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).first_use(nonce, Instant::now(), valid)
    }

    /// Returns a new call id, unique within this server.
    pub(super) fn next_call_id(&self) -> String {
        format!("mcp_{}", self.calls.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
