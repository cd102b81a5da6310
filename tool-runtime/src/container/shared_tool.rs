//! A tool that may be registered several times: [`SharedTool`].
//!
//! Invariant: a tool that is added twice is recognized by its [`Identity`] if both handles share one value or its type has only one value.

use std::any::{Any, TypeId};
use std::sync::Arc;

use crate::tool::Tool;

/// A tool with its identity.
#[derive(Clone)]
pub(crate) struct SharedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) identity: Option<Identity>,
}

/// The identity of a tool. Two entries with equal identities are the same tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// The id of a type with only one value.
    Unit(TypeId),
    /// The address of a value that several handles share; the value lives as long as any of them.
    Shared(usize),
}

impl SharedTool {
    pub(crate) fn new<T: Tool>(tool: T) -> Self {
        let shared = tool.shared_at().map(Identity::Shared);
        let unit = || (size_of::<T>() == 0).then(|| Identity::Unit(TypeId::of::<T>()));
        let identity = shared.or_else(unit);
        // An `Arc<dyn Tool>` is cloned, not wrapped in another `Arc`.
        let tool = match (&tool as &dyn Any).downcast_ref::<Arc<dyn Tool>>() {
            Some(handle) => Arc::clone(handle),
            None => Arc::new(tool),
        };
        Self { tool, identity }
    }
}
