//! Searches a text for a byte, or for two adjacent bytes, with many comparisons at a time.
//!
//! Invariant: every match is found. A text that is shorter than half a step is padded with dots, so a test must not match a dot.
//! `docs/decisions/0001-libraries-and-own-code.md` compares this with `memchr`.

#![allow(clippy::needless_bitwise_bool)] // Without branches, many bytes are compared in one step.

/// The number of bytes compared in one step.
const STEP: usize = 32;
/// The number of bytes in half a step.
const HALF: usize = STEP / 2;
/// The number of bytes that contain the pairs of one step: one more than the step, because its last byte forms a pair with the next one.
const PAIRS: usize = STEP + 1;
const FILL: u8 = b'.';

/// Returns `true` if a byte passes the test.
#[inline]
pub(super) fn any(bytes: &[u8], test: impl Fn(u8) -> bool + Copy) -> bool {
    if let (Some(first), Some(last), true) = (bytes.first_chunk(), bytes.last_chunk(), bytes.len() <= STEP) {
        return in_step::<HALF>(first, test) || in_step::<HALF>(last, test);
    }
    let (steps, rest) = bytes.as_chunks::<STEP>();
    if steps.iter().any(|step| in_step(step, test)) {
        return true;
    }
    match rest.first_chunk::<HALF>() {
        Some(half) if in_step(half, test) => true,
        Some(_) if rest.len() == HALF => false,
        _ => !rest.is_empty() && in_step(&last::<HALF>(bytes, rest), test),
    }
}

/// Returns `true` if two adjacent bytes pass the test.
#[inline]
pub(super) fn any_pair(bytes: &[u8], test: impl Fn(u8, u8) -> bool + Copy) -> bool {
    let mut rest = bytes;
    while let Some(step) = rest.first_chunk::<PAIRS>() {
        if pair_in_step(step, test) {
            return true;
        }
        rest = &rest[STEP..];
    }
    rest.len() > 1 && pair_in_step(&last(bytes, rest), test)
}

/// Returns the last `N` bytes, some of which may already have been compared. If there are fewer than `N` bytes, returns `rest`, padded with
/// dots.
#[inline]
fn last<const N: usize>(bytes: &[u8], rest: &[u8]) -> [u8; N] {
    bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut filled = [FILL; N];
        filled.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        filled
    })
}

/// Tests all bytes of a step. The function has no branches, so that all bytes are compared in a few instructions.
#[inline(never)]
fn in_step<const N: usize>(step: &[u8; N], test: impl Fn(u8) -> bool) -> bool {
    step.iter().fold(false, |found, &byte| found | test(byte))
}

#[inline(never)]
fn pair_in_step(step: &[u8; PAIRS], test: impl Fn(u8, u8) -> bool) -> bool {
    let (first, second) = (&step[..STEP], &step[1..]);
    first.iter().zip(second).fold(false, |found, (&first, &second)| found | test(first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_at_every_position() {
        for length in 0..140 {
            let mut text = vec![b'a'; length];
            assert!(!any(&text, |byte| byte == b'x'), "{length}");
            for at in 0..length {
                text[at] = b'x';
                assert!(any(&text, |byte| byte == b'x'), "{at} of {length}");
                text[at] = b'a';
            }
        }
    }

    #[test]
    fn two_bytes_are_only_found_if_they_are_adjacent() {
        let is_found = |first, second| (first == b'x') & (second == b'y');
        for length in 0..140 {
            let mut text = vec![b'y'; length];
            text.iter_mut().skip(1).step_by(2).for_each(|byte| *byte = b'a');
            assert!(!any_pair(&text, is_found), "{length}");
            for at in 0..length.saturating_sub(1) {
                let before = (text[at], text[at + 1]);
                (text[at], text[at + 1]) = (b'x', b'y');
                assert!(any_pair(&text, is_found), "{at} of {length}");
                (text[at], text[at + 1]) = before;
            }
        }
    }
}
