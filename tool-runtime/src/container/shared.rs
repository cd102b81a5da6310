//! A tool that may stand in several places: [`SharedTool`].
//!
//! In: a tool. Out: a handle, and how to know it again. What always holds: a tool that is added twice can be known as one ([`Identity`]),
//! where its handle is shared or its type has no value but one.

use std::any::{Any, TypeId};
use std::sync::Arc;

use crate::tool::Tool;

/// A tool, and how to know it again.
#[derive(Clone)]
pub(crate) struct SharedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) identity: Option<Identity>,
}

/// Two tools of one identity are one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    /// A type that has one value only.
    Unit(TypeId),
    /// The place of a value that several handles share; it lives as long as any of them.
    Shared(usize),
}

impl SharedTool {
    pub(crate) fn new<T: Tool>(tool: T) -> Self {
        let shared = tool.shared_at().map(Identity::Shared);
        let unit = || (size_of::<T>() == 0).then(|| Identity::Unit(TypeId::of::<T>()));
        let identity = shared.or_else(unit);
        // A handle is not wrapped in another one.
        let tool = match (&tool as &dyn Any).downcast_ref::<Arc<dyn Tool>>() {
            Some(handle) => Arc::clone(handle),
            None => Arc::new(tool),
        };
        Self { tool, identity }
    }
}
