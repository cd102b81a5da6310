//! State, keyed by its type. The toolbox shares it, or a session provides it.
//!
//! Invariant: there is one value for each type, and the session's own value hides the shared one.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::progress::Listeners;
use super::session_id::SessionId;
use crate::spill::KeptResults;

/// Values keyed by their type, for a session that provides more than one state.
///
/// ```
/// use tool_runtime::{Toolbox, toolbox::States};
///
/// struct User(u32);
/// struct Tenant(&'static str);
///
/// let toolbox = Toolbox::builder().require_session_state::<User>().require_session_state::<Tenant>().build()?;
/// let session = toolbox.session_with_states(States::new().with(User(7)).with(Tenant("acme")))?;
///
/// let error = toolbox.session_with_states(States::new().with(User(7))).expect_err("the tenant is missing");
/// assert!(error.to_string().contains("Tenant"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    /// Creates a collection without values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, replacing an earlier one of the same type.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.insert(state);
        self
    }

    /// Adds a value; returns `true` if there was none of its type.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, state: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Arc::new(state)).is_none()
    }

    pub(crate) fn contains(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }

    fn find<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "States({})", self.0.len())
    }
}

/// All state that a call can access.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) shared: Arc<States>,
    pub(crate) session: States,
    /// The results that the session has kept outside of the conversation.
    pub(crate) results: Arc<KeptResults>,
    /// The listeners to the progress of calls.
    pub(crate) listeners: Listeners,
    pub(crate) id: Arc<SessionId>,
}

impl Scope {
    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.session.find().or_else(|| self.shared.find())
    }

    /// Returns `true` if the session or the toolbox has a state of this type.
    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.session.contains(id) || self.shared.contains(id)
    }
}
