//! [`RequiredState`], a type of state that a tool needs.

use std::any::TypeId;
use std::fmt;

/// A type of state that a tool needs.
///
/// ```
/// use tool_runtime::{TypedTool, tool};
///
/// struct Db;
///
/// /// Lists the tables.
/// #[tool]
/// fn tables(#[tool(state)] _db: &Db) {}
///
/// assert!((TablesTool::SPEC.state[0].name)().ends_with("Db"));
/// ```
#[derive(Clone, Copy)]
pub struct RequiredState {
    /// The id of the type.
    pub id: fn() -> TypeId,
    /// The name of the type, for errors about missing state.
    pub name: fn() -> &'static str,
}

impl RequiredState {
    /// Returns the key of `T`.
    pub const fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>, name: std::any::type_name::<T> }
    }
}

impl fmt::Debug for RequiredState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.name)())
    }
}
