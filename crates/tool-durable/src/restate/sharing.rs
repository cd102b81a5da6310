//! The settings of shared tool health: [`HealthSharing`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::throttle::HealthRules;

type Rules = dyn Fn(&str) -> HealthRules + Send + Sync;
type Key = dyn Fn(&str, &str) -> Option<String> + Send + Sync;

/// The settings for the health of tools that all conversations share: the rules, and a key for each tool.
///
/// ```
/// use tool_durable::restate::HealthSharing;
/// use tool_runtime::throttle::HealthRules;
///
/// // The search is limited for each customer, and every other tool for all customers together.
/// let sharing = HealthSharing::new(HealthRules::default()).key_fn(|conversation, tool| {
///     let customer = conversation.split('/').next().unwrap_or_default();
///     Some(if tool == "search" { format!("{tool} of {customer}") } else { tool.to_owned() })
/// });
/// # let _ = sharing;
/// ```
#[derive(Clone)]
pub struct HealthSharing {
    rules: Arc<Rules>,
    key: Arc<Key>,
    limit: Duration,
}

impl HealthSharing {
    /// Shares the health of each tool under its advertised name, with the same rules for all tools.
    pub fn new(rules: HealthRules) -> Self {
        let key = |_: &str, tool: &str| Some(tool.to_owned());
        Self { rules: Arc::new(move |_| rules), key: Arc::new(key), limit: Duration::from_secs(10) }
    }

    /// Sets how long a call waits for the answer of the shared health, by a durable timer. By default, it waits for 10 s. If there is no answer
    /// by then, the call runs, and the listener of its conversation gets
    /// [`ListenerEvent::HealthUnknown`](crate::ListenerEvent::HealthUnknown).
    ///
    /// An answer normally takes milliseconds. Under load, the questions about one tool wait for each other.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the function that returns the rules for a key.
    #[must_use]
    pub fn rules_fn(mut self, rules: impl Fn(&str) -> HealthRules + Send + Sync + 'static) -> Self {
        self.rules = Arc::new(rules);
        self
    }

    /// Sets the function that returns the key under which the health of a tool is shared. It receives the id of the conversation and the
    /// advertised name of the tool. If it returns `None`, the health of the tool is not shared.
    #[must_use]
    pub fn key_fn(mut self, key: impl Fn(&str, &str) -> Option<String> + Send + Sync + 'static) -> Self {
        self.key = Arc::new(key);
        self
    }

    pub(super) fn rules(&self, key: &str) -> HealthRules {
        (self.rules)(key)
    }

    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    pub(super) fn key_of(&self, conversation: &str, tool: &str) -> Option<String> {
        (self.key)(conversation, tool)
    }
}

impl fmt::Debug for HealthSharing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HealthSharing").finish_non_exhaustive()
    }
}
