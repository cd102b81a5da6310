//! `Text`: a string that is either `'static` or shared.
//!
//! With [`List`](super::List) and [`Ref`](super::Ref) it makes one type out of a shape that a macro wrote (`const` data, nothing
//! allocated) and a shape that was read from a schema at run time (owned, cheap to clone). What always holds: cloning never allocates.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A string that costs nothing to clone: `'static`, or shared.
///
/// ```
/// use tool_schema::shape::Text;
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
    /// assert!(tool_schema::shape::Text::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self::Static("");

    /// A text that lives as long as the program.
    ///
    /// ```
    /// use tool_schema::shape::Text;
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
    /// use tool_schema::shape::Text;
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
    /// use tool_schema::shape::Text;
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
