//! The id of a call, stored without an allocation: [`CallId`].
//!
//! Invariant: an id of at most [`INLINE`] bytes is stored without an allocation, and a longer id is stored completely. The ids of the usual
//! providers are short enough.

use std::fmt;

/// The length of `toolu_` and 24 characters; an id with `call_` is shorter.
const INLINE: usize = 30;

#[derive(Clone)]
pub(crate) enum CallId {
    Short { length: u8, bytes: [u8; INLINE] },
    Long(Box<str>),
}

impl CallId {
    pub(super) const EMPTY: Self = Self::Short { length: 0, bytes: [0; INLINE] };

    /// Overwrites an empty id in place, which is cheaper than moving the new id.
    #[inline]
    pub(super) fn write(&mut self, id: &str) {
        if let Self::Short { length, bytes } = self
            && let (Some(short), Ok(written)) = (bytes.get_mut(..id.len()), u8::try_from(id.len()))
        {
            short.copy_from_slice(id.as_bytes());
            *length = written;
        } else {
            *self = Self::Long(id.into());
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            // The bytes are a complete text, so the conversion never fails.
            Self::Short { length, bytes } => {
                bytes.get(..usize::from(*length)).and_then(|id| std::str::from_utf8(id).ok()).unwrap_or_default()
            }
            Self::Long(id) => id,
        }
    }
}

impl From<&str> for CallId {
    #[inline]
    fn from(id: &str) -> Self {
        let mut empty = Self::EMPTY;
        empty.write(id);
        empty
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_round_trips() {
        for length in 0..100 {
            let id = "é7".repeat(length).chars().take(length).collect::<String>();
            assert_eq!(CallId::from(&*id).as_str(), id);
        }
    }

    #[test]
    fn a_call_id_is_not_larger_than_four_words() {
        assert!(size_of::<CallId>() <= 4 * size_of::<u64>());
    }
}
