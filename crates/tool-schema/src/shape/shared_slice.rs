//! `SharedSlice`: a slice that is `'static` or shared, from a macro or from a schema parsed at run time.
//!
//! Invariant: cloning never allocates, and a `const fn` can walk a static list.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A slice that is cheap to clone: `'static`, or shared.
///
/// ```
/// use tool_schema::shape::SharedSlice;
///
/// let written: SharedSlice<u8> = SharedSlice::from_static(&[1, 2]);
/// assert_eq!(&*SharedSlice::from(vec![1, 2]), &*written);
/// ```
pub enum SharedSlice<T: 'static> {
    /// A static list from a macro.
    Static(&'static [T]),
    /// A shared list, created at run time.
    Shared(Arc<[T]>),
}

impl<T> SharedSlice<T> {
    /// The empty list.
    pub const EMPTY: Self = Self::Static(&[]);

    /// Creates a static list.
    pub const fn from_static(items: &'static [T]) -> Self {
        Self::Static(items)
    }

    /// Returns the elements of a static list, which a `const fn` can walk.
    pub const fn as_static(&self) -> Option<&'static [T]> {
        match self {
            Self::Static(items) => Some(items),
            Self::Shared(_) => None,
        }
    }
}

impl<T> Default for SharedSlice<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> Clone for SharedSlice<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(items) => Self::Static(items),
            Self::Shared(items) => Self::Shared(Arc::clone(items)),
        }
    }
}

impl<T> Deref for SharedSlice<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Static(items) => items,
            Self::Shared(items) => items,
        }
    }
}

impl<T> From<Vec<T>> for SharedSlice<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Shared(items.into())
    }
}

impl<'a, T> IntoIterator for &'a SharedSlice<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for SharedSlice<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedSlice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
