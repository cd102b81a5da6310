//! State by its type: what the toolbox shares and what a session brings.
//!
//! In: values. Out: a reference to the value of a type. What always holds: one value a type, and the session's own value hides the
//! shared one.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::spill::Results;

/// Values by their type, for a session that brings more than one.
///
/// ```
/// use tool_runtime::{Toolbox, toolbox::States};
///
/// struct User(u32);
/// struct Tenant(&'static str);
///
/// let toolbox = Toolbox::builder().session_state::<User>().session_state::<Tenant>().build()?;
/// let session = toolbox.session_with_states(States::new().with(User(7)).with(Tenant("acme")))?;
/// assert!(session.tools().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    /// No state.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tool_runtime::toolbox::States::new()), "States(0)");
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value; it takes the place of an earlier one of its type.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tool_runtime::toolbox::States::new().with(5_u8)), "States(1)");
    /// ```
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.insert(state);
        self
    }

    /// Adds a value; whether there was none of its type before.
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

/// All the state that a call can reach.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) shared: Arc<States>,
    pub(crate) session: States,
    /// The results that the session has kept outside of the conversation.
    pub(crate) results: Arc<Results>,
}

impl Scope {
    pub(crate) fn find<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.session.find().or_else(|| self.shared.find())
    }
}
