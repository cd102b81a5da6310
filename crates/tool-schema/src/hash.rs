//! A fast hash that gives the same number on every machine and in every run.
//!
//! In: bytes and numbers. Out: 64 bits. Sixteen bytes are folded at a time by one multiplication of 64 × 64 bits, as wyhash does it; long
//! texts go through two of them side by side, so that none waits for the one before. It is no defence against somebody who makes up
//! collisions: all that they would reach in the throttle is a pause of their own call. A table is built with [`Seeded`].

use std::hash::{BuildHasher, Hasher, RandomState};

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const OTHER: u64 = 0xe703_7ed1_a0b4_28db;

/// What was hashed so far.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Mixer(u64);

impl Mixer {
    #[doc(hidden)]
    pub const fn new() -> Self {
        Self(SEED)
    }

    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn word(self, word: u64) -> Self {
        Self(fold(self.0 ^ word, OTHER))
    }

    #[must_use]
    #[inline]
    #[doc(hidden)]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        let state = self.0 ^ bytes.len() as u64;
        let (state, rest) = if bytes.len() < STRIPE { (state, bytes) } else { stripes(state, bytes) };
        let (blocks, tail) = rest.as_chunks::<16>();
        let state = blocks.iter().fold(state, |state, block| mix(state, u128::from_le_bytes(*block)));
        let state = if tail.is_empty() { state } else { mix(state, padded(bytes, tail)) };
        Self(fold(state, OTHER))
    }

    #[doc(hidden)]
    pub const fn sum(self) -> u64 {
        self.0
    }
}

impl Hasher for Mixer {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        *self = self.bytes(bytes);
    }

    #[inline]
    fn write_u8(&mut self, byte: u8) {
        *self = self.word(byte.into());
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Makes the hashers of one table: quick, and different in every table, so that nobody knows names that collide.
#[derive(Clone)]
#[doc(hidden)]
pub struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(RandomState::new().hash_one(SEED))
    }
}

impl BuildHasher for Seeded {
    type Hasher = Mixer;

    #[inline]
    fn build_hasher(&self) -> Mixer {
        Mixer(self.0)
    }
}

/// The hash of one text.
#[doc(hidden)]
pub fn hash(bytes: &[u8]) -> u64 {
    Mixer::new().bytes(bytes).sum()
}

/// How many bytes the two lanes take at a time.
const STRIPE: usize = 64;

/// Folds all whole stripes; gives what is left.
fn stripes(state: u64, bytes: &[u8]) -> (u64, &[u8]) {
    let (stripes, rest) = bytes.as_chunks::<STRIPE>();
    let (mut even, mut odd) = (state, !state);
    for stripe in stripes {
        if let ([first, second, third, fourth], _) = stripe.as_chunks::<16>() {
            even = mix(mix(even, u128::from_le_bytes(*first)), u128::from_le_bytes(*third));
            odd = mix(mix(odd, u128::from_le_bytes(*second)), u128::from_le_bytes(*fourth));
        }
    }
    (fold(even ^ SEED, odd ^ OTHER), rest)
}

/// The last bytes, less than sixteen of them, with zeros behind. `tail` is the end of `all`.
fn padded(all: &[u8], tail: &[u8]) -> u128 {
    if let Some(last) = all.last_chunk::<16>() {
        return u128::from_le_bytes(*last) >> (8 * (16 - tail.len()));
    }
    // There is nothing but the tail.
    if let (Some(first), Some(last)) = (tail.first_chunk::<8>(), tail.last_chunk::<8>()) {
        let last = u128::from(u64::from_le_bytes(*last)) << (8 * (tail.len() - 8));
        return u128::from(u64::from_le_bytes(*first)) | last;
    }
    tail.iter().rev().fold(0, |block, &byte| block << 8 | u128::from(byte))
}

#[allow(clippy::cast_possible_truncation)] // Both halves are taken.
#[inline]
fn mix(state: u64, block: u128) -> u64 {
    fold(block as u64 ^ SEED, (block >> 64) as u64 ^ state)
}

#[allow(clippy::cast_possible_truncation)] // Both halves are taken.
#[inline]
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
        assert_eq!(hash(&(0..200).collect::<Vec<u8>>()), 0x2b06_7652_fac4_3a65);
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
    fn a_tail_is_padded_with_zeros() {
        let text: Vec<u8> = (1..40).collect();
        for length in 1..text.len() {
            let all = &text[..length];
            let tail = all.as_chunks::<16>().1;
            let mut block = [0; 16];
            block[..tail.len()].copy_from_slice(tail);
            if !tail.is_empty() {
                assert_eq!(padded(all, tail), u128::from_le_bytes(block), "{length}");
            }
        }
    }
}
