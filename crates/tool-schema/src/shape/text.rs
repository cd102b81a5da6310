//! `Text`: a string that is `'static`, shared, or short enough to be stored in place.
//!
//! Like [`SharedSlice`](super::SharedSlice) and [`Ref`](super::Ref), this type is used both by shapes from a macro (`const` data without allocations) and
//! by shapes parsed from a schema at run time (owned, cheap to clone). Invariant: cloning never allocates.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use arrayvec::ArrayString;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A string that is cheap to clone: `'static`, shared, or short.
///
/// ```
/// use tool_schema::shape::Text;
///
/// const CITY: Text = Text::from_static("City and country");
/// assert_eq!(&*CITY, "City and country");
/// assert_eq!(Text::from(String::from("read at run time")), Text::from_static("read at run time"));
/// ```
#[derive(Clone)]
pub enum Text {
    /// A static text from a macro.
    Static(&'static str),
    /// A shared text, created at run time.
    Shared(Arc<str>),
    /// A text of at most 16 bytes, created at run time. Most values in issues are that short, and each would need an allocation.
    #[doc(hidden)]
    Short(ArrayString<16>),
}

impl Text {
    /// The empty text.
    pub const EMPTY: Self = Self::Static("");

    /// Creates a static text.
    pub const fn from_static(text: &'static str) -> Self {
        Self::Static(text)
    }

    /// Returns the text if it is static.
    pub const fn as_static(&self) -> Option<&'static str> {
        match self {
            Self::Static(text) => Some(text),
            Self::Shared(_) | Self::Short(_) => None,
        }
    }

    /// Copies a text; a short text needs no allocation.
    pub(crate) fn copied(text: &str) -> Self {
        ArrayString::from(text).map_or_else(|_| Self::Shared(text.into()), Self::Short)
    }

    /// Returns the text.
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
            Self::Short(text) => text,
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
        // The addresses are compared first, because the paths of a thousand issues may share a long key.
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

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::copied(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_text_is_equal_and_has_the_same_size() {
        assert_eq!((size_of::<Text>(), size_of::<Option<Text>>()), (24, 24));
        for length in 0..40 {
            let text = "aé🦀".chars().cycle().take(length).collect::<String>();
            assert_eq!(Text::copied(&text).as_str(), text);
            assert_eq!(matches!(Text::copied(&text), Text::Short(_)), text.len() <= 16);
        }
    }
}
