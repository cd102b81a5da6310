//! A fast hash that gives the same number on every machine and in every run.
//!
//! In: bytes and numbers. Out: 64 bits. Sixteen bytes are folded at a time by one multiplication of 64 × 64 bits, as wyhash does it.
//! It is no defence against somebody who makes up collisions: all that they would reach is a pause of their own call.

use std::hash::Hasher;

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const OTHER: u64 = 0xe703_7ed1_a0b4_28db;

/// What was hashed so far.
#[derive(Clone, Copy)]
pub(super) struct Mixer(u64);

impl Mixer {
    pub(super) const fn new() -> Self {
        Self(SEED)
    }

    #[must_use]
    pub(super) fn word(self, word: u64) -> Self {
        Self(fold(self.0 ^ word, OTHER))
    }

    #[must_use]
    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        let (blocks, rest) = bytes.as_chunks::<16>();
        let state = blocks.iter().fold(self.0 ^ bytes.len() as u64, |state, block| mix(state, *block));
        if rest.is_empty() {
            return Self(fold(state, OTHER));
        }
        let mut block = [0; 16];
        block[..rest.len()].copy_from_slice(rest);
        Self(fold(mix(state, block), OTHER))
    }

    pub(super) const fn sum(self) -> u64 {
        self.0
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        *self = self.bytes(bytes);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of one text.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    Mixer::new().bytes(bytes).sum()
}

#[allow(clippy::cast_possible_truncation)] // Both halves are taken.
fn mix(state: u64, block: [u8; 16]) -> u64 {
    let both = u128::from_le_bytes(block);
    fold(both as u64 ^ SEED, (both >> 64) as u64 ^ state)
}

#[allow(clippy::cast_possible_truncation)] // Both halves are taken.
const fn fold(left: u64, right: u64) -> u64 {
    let product = left as u128 * right as u128;
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn it_never_changes() {
        // Worked out by another program, from the definition.
        assert_eq!(hash(b""), 0x0850_f979_4d51_08b4);
        assert_eq!(hash(b"{\"path\":\"a.txt\"}"), 0x7b53_b668_f1ae_0089);
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
}
