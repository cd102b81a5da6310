//! A fast hash of bytes and numbers with `foldhash`. The same input has the same hash within one run of the program.
//!
//! The hash does not resist deliberate collisions. The throttle can use it nevertheless, because a collision there only pauses the
//! attacker's own call. Tables use [`RandomHashState`], whose hashers differ between tables. `docs/decisions/0001-libraries-and-own-code.md` compares the crates.

use std::hash::{BuildHasher, Hasher};

use foldhash::quality::{FixedState, FoldHasher};

const STATE: FixedState = FixedState::with_seed(0x9e37_79b9_7f4a_7c15);

/// A hash to which input is added in steps.
#[derive(Clone)]
pub struct Mixer(FoldHasher<'static>);

#[expect(clippy::new_without_default, reason = "a hash starts empty, it has no default")]
impl Mixer {
    /// Creates the hash of an empty input.
    #[inline]
    pub fn new() -> Self {
        Self(STATE.build_hasher())
    }

    /// Adds a number to the input.
    #[must_use]
    #[inline]
    pub fn word(mut self, word: u64) -> Self {
        self.0.write_u64(word);
        self
    }

    /// Adds a text to the input.
    #[must_use]
    #[inline]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.write(bytes);
        // With the length, `"ab"` followed by `"c"` has another hash than `"a"` followed by `"bc"`.
        self.word(bytes.len() as u64)
    }

    /// Returns the hash of the whole input.
    #[inline]
    pub fn sum(self) -> u64 {
        self.0.finish()
    }
}

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        self.0.write_u8(byte);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

/// The source of the hashers of one hash table. The hashers are fast, and have a different seed for each table, so that nobody can
/// construct names that collide.
pub type RandomHashState = foldhash::fast::RandomState;

/// Returns the hash of one text.
#[inline]
pub fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = STATE.build_hasher();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn equal_input_has_one_hash() {
        assert_eq!(hash(b"{}"), hash(b"{}"));
        assert_eq!(Mixer::new().word(1).bytes(b"a").sum(), Mixer::new().word(1).bytes(b"a").sum());
    }

    #[test]
    fn texts_that_differ_in_one_bit_or_in_length_differ() {
        let text: Vec<u8> = (0..200).collect();
        let mut seen: HashSet<u64> = (0..text.len()).map(|length| hash(&text[..length])).collect();
        for bit in 0..text.len() * 8 {
            let mut other = text.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            seen.insert(hash(&other));
        }
        let zeros = [0; 101];
        seen.extend((2..101).map(|length| hash(&zeros[..length])));
        assert_eq!(seen.len(), 200 + 1600 + 99);
    }

    #[test]
    fn the_same_bytes_cut_at_another_position_differ() {
        let two = |first: &[u8], second: &[u8]| Mixer::new().bytes(first).bytes(second).sum();
        assert_ne!(two(b"ab", b"c"), two(b"a", b"bc"));
        assert_ne!(two(b"", b"abc"), two(b"abc", b""));
    }
}
