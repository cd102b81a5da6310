//! A type of state, by which a tool says what it needs: [`StateKey`].

use std::any::TypeId;
use std::fmt;

/// A type of state that a tool needs.
///
/// ```
/// use std::any::TypeId;
/// use tool_runtime::tool::StateKey;
///
/// assert_eq!((StateKey::of::<u8>().id)(), TypeId::of::<u8>());
/// ```
#[derive(Clone, Copy)]
pub struct StateKey {
    /// Which type.
    pub id: fn() -> TypeId,
    /// Its name, for the error that says it is missing.
    pub name: fn() -> &'static str,
}

impl StateKey {
    /// The key of `T`.
    ///
    /// ```
    /// assert_eq!(format!("{:?}", tool_runtime::tool::StateKey::of::<u8>()), "u8");
    /// ```
    pub const fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>, name: std::any::type_name::<T> }
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str((self.name)())
    }
}
