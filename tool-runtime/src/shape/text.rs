//! `Text`, `List` and `Ref`: strings, slices and edges that are either `'static` or shared.
//!
//! They make one type out of a shape that a macro wrote (`const` data, nothing allocated) and a shape that was read from a
//! schema at run time (owned, cheap to clone). Cloning any of them never allocates. What always holds: a `Ref` that comes from
//! a macro and closes a cycle of types is `Lazy`, so a `const` never has to contain itself.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, Weak};

use super::Shape;

/// A string that costs nothing to clone: `'static`, or shared.
///
/// ```
/// use tool_runtime::shape::Text;
///
/// const CITY: Text = Text::new("City and country");
/// assert_eq!(&*CITY, "City and country");
/// assert_eq!(Text::from(String::from("read at run time")), Text::new("read at run time"));
/// ```
#[derive(Clone)]
pub enum Text {
    /// Written by a macro, in read-only data.
    Static(&'static str),
    /// Read at run time.
    Shared(Arc<str>),
}

impl Text {
    /// No text at all.
    ///
    /// ```
    /// assert!(tool_runtime::shape::Text::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self::Static("");

    /// A text that lives as long as the program.
    ///
    /// ```
    /// use tool_runtime::shape::Text;
    ///
    /// const CITY: Text = Text::new("city");
    /// assert_eq!(CITY.as_str(), "city");
    /// ```
    pub const fn new(text: &'static str) -> Self {
        Self::Static(text)
    }

    /// The text itself.
    ///
    /// ```
    /// use tool_runtime::shape::Text;
    ///
    /// assert_eq!(Text::new("city").as_static(), Some("city"));
    /// assert_eq!(Text::from(String::from("city")).as_static(), None);
    /// ```
    pub const fn as_static(&self) -> Option<&'static str> {
        match self {
            Self::Static(text) => Some(text),
            Self::Shared(_) => None,
        }
    }

    /// The text itself.
    ///
    /// ```
    /// use tool_runtime::shape::Text;
    ///
    /// assert_eq!(Text::from(String::from("city")).as_str(), "city");
    /// ```
    pub fn as_str(&self) -> &str {
        self
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl From<&'static str> for Text {
    fn from(text: &'static str) -> Self {
        Self::Static(text)
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Shared(text.into())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        // Paths of a thousand faults may share a long key.
        std::ptr::eq(self.as_str(), other.as_str()) || **self == **other
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self.as_str(), other.as_str()) { Ordering::Equal } else { (**self).cmp(&**other) }
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        self
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// A slice that costs nothing to clone: `'static`, or shared.
///
/// ```
/// use tool_runtime::shape::List;
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
    /// assert!(tool_runtime::shape::List::<u8>::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self::Static(&[]);

    /// A list that lives as long as the program.
    ///
    /// ```
    /// use tool_runtime::shape::List;
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
    /// use tool_runtime::shape::List;
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

/// An edge from one shape to another.
///
/// ```
/// use tool_runtime::{ToolInput, shape::Ref};
///
/// let direct = Ref::Static(bool::SHAPE);
/// let through_the_heap = Ref::Lazy(|| bool::SHAPE);
/// assert_eq!(direct.shape().kind.name(), through_the_heap.shape().kind.name());
/// ```
#[derive(Clone)]
pub enum Ref {
    /// A direct edge, which the compiler can walk.
    Static(&'static Shape),
    /// The edge of a heap type (`Vec`, `Box`, maps …): every cycle of types passes through one.
    Lazy(fn() -> &'static Shape),
    /// An edge of a shape that was read at run time.
    Shared(Arc<Shape>),
    /// An edge that closes a cycle of a shape that was read at run time; its owner is the definition it points to.
    Weak(Weak<Shape>),
}

impl Ref {
    /// The shape at the end of the edge.
    ///
    /// A `Weak` edge whose definition is gone leads to a shape that accepts anything; as long as the tool that owns the
    /// definition is there, that cannot be.
    ///
    /// ```
    /// use tool_runtime::{ToolInput, shape::Ref};
    ///
    /// assert_eq!(Ref::Lazy(|| bool::SHAPE).shape().kind.name(), "boolean");
    /// ```
    pub fn shape(&self) -> Resolved<'_> {
        match self {
            Self::Static(shape) => Resolved::Borrowed(shape),
            Self::Lazy(shape) => Resolved::Borrowed(shape()),
            Self::Shared(shape) => Resolved::Borrowed(shape),
            Self::Weak(shape) => shape.upgrade().map_or(Resolved::Borrowed(Shape::ANY), Resolved::Shared),
        }
    }
}

impl fmt::Debug for Ref {
    /// Names the kind at the end only: shapes may be recursive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        if shape.name.is_empty() { write!(f, "Ref({})", shape.kind.name()) } else { write!(f, "Ref({})", shape.name) }
    }
}

/// The end of a [`Ref`]; reads like a `&Shape`.
///
/// ```
/// use tool_runtime::shape::{Ref, Resolved, Shape};
///
/// let edge = Ref::Static(Shape::ANY);
/// assert!(matches!(edge.shape(), Resolved::Borrowed(shape) if shape.name.is_empty()));
/// ```
pub enum Resolved<'a> {
    /// Owned by somebody who outlives the edge.
    Borrowed(&'a Shape),
    /// Kept alive while it is looked at.
    Shared(Arc<Shape>),
}

impl Deref for Resolved<'_> {
    type Target = Shape;

    fn deref(&self) -> &Shape {
        match self {
            Self::Borrowed(shape) => shape,
            Self::Shared(shape) => shape,
        }
    }
}
