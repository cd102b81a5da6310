//! The id of a call, stored without an allocation: [`CallId`].
//!
//! Invariant: an id of at most [`INLINE`] bytes is stored without an allocation, and a longer id is stored completely. The ids of the usual
//! providers are short enough.

use std::fmt;

/// The length of `toolu_` and 24 characters is 30; an id with `call_` is shorter.
const INLINE: usize = 31;

#[derive(Clone)]
pub(crate) struct CallId {
    short: Short,
    /// An id that is too long for `short`, which is empty then.
    long: Option<Box<str>>,
}

/// A short id. It is aligned, because an id is copied several times for each call, and copying it in unequal parts takes longer.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Short {
    bytes: [u8; INLINE],
    length: u8,
}

impl CallId {
    pub(crate) const EMPTY: Self = Self { short: Short { bytes: [0; INLINE], length: 0 }, long: None };

    /// Overwrites an empty id in place, which is cheaper than moving the new id. The function is not inlined, because the compiler would then
    /// load the bytes again at once, and a processor waits if it loads bytes together that were just stored in parts.
    #[inline(never)]
    pub(crate) fn write(&mut self, id: &str) {
        if let (Some(short), Ok(length)) = (self.short.bytes.get_mut(..id.len()), u8::try_from(id.len())) {
            short.copy_from_slice(id.as_bytes());
            self.short.length = length;
        } else {
            self.long = Some(id.into());
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        if let Some(long) = &self.long {
            return long;
        }
        let Short { bytes, length } = &self.short;
        // The bytes are a complete text, so the conversion never fails.
        bytes.get(..usize::from(*length)).and_then(|id| std::str::from_utf8(id).ok()).unwrap_or_default()
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
    fn a_call_id_is_not_larger_than_six_words() {
        assert!(size_of::<CallId>() <= 6 * size_of::<u64>());
    }
}
