//! `List`: a slice that is either `'static` or shared.
//!
//! In come the items that a macro wrote or that were read at run time; out goes one type for both. What always holds: cloning never
//! allocates, and a `const fn` can walk what a macro wrote.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A slice that costs nothing to clone: `'static`, or shared.
///
/// ```
/// use tool_schema::shape::List;
///
/// let written: List<u8> = List::new(&[1, 2]);
/// assert_eq!(&*List::from(vec![1, 2]), &*written);
/// ```
pub enum List<T: 'static> {
    /// Written by a macro, in read-only data.
    Static(&'static [T]),
    /// Read at run time.
    Shared(Arc<[T]>),
}

impl<T> List<T> {
    /// No element at all.
    ///
    /// ```
    /// assert!(tool_schema::shape::List::<u8>::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self::Static(&[]);

    /// A list that lives as long as the program.
    ///
    /// ```
    /// use tool_schema::shape::List;
    ///
    /// const DIGITS: List<u8> = List::new(&[1, 2]);
    /// assert_eq!(DIGITS.len(), 2);
    /// ```
    pub const fn new(items: &'static [T]) -> Self {
        Self::Static(items)
    }

    /// The elements, where a macro wrote them: what a `const fn` can walk.
    ///
    /// ```
    /// use tool_schema::shape::List;
    ///
    /// assert_eq!(List::new(&[1]).as_static(), Some(&[1][..]));
    /// assert_eq!(List::from(vec![1]).as_static(), None);
    /// ```
    pub const fn as_static(&self) -> Option<&'static [T]> {
        match self {
            Self::Static(items) => Some(items),
            Self::Shared(_) => None,
        }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(items) => Self::Static(items),
            Self::Shared(items) => Self::Shared(Arc::clone(items)),
        }
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Static(items) => items,
            Self::Shared(items) => items,
        }
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(items: Vec<T>) -> Self {
        Self::Shared(items.into())
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
