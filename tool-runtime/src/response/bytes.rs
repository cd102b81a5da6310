//! Whether some byte stands anywhere in a text, or two beside each other: looked for many at a time.
//!
//! In: bytes, and a test of one byte or of two. Out: whether any of them passes. What always holds: what stands in the text is found; a
//! text that is shorter than a step is filled up with dots, so the test must be one that a dot does not pass.
//! Why not `memchr`: `docs/decisions/0002-own-byte-search.md`.

#![allow(clippy::needless_bitwise_bool)] // Without a branch for each byte, many are looked at in one step.

/// How many bytes are looked at in one step.
const STEP: usize = 32;
/// The same, with the one behind them.
const PAIRS: usize = STEP + 1;
const FILL: u8 = b'.';

/// Whether a byte passes.
#[inline]
pub(super) fn any(bytes: &[u8], test: impl Fn(u8) -> bool + Copy) -> bool {
    let (steps, rest) = bytes.as_chunks::<STEP>();
    steps.iter().any(|step| in_step(step, test)) || !rest.is_empty() && in_step(&last(bytes, rest), test)
}

/// Whether two bytes beside each other pass.
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

/// The last bytes, some of which were looked at before; or all of them, where there are fewer.
#[inline]
fn last<const N: usize>(bytes: &[u8], rest: &[u8]) -> [u8; N] {
    bytes.last_chunk().copied().unwrap_or_else(|| {
        let mut filled = [FILL; N];
        filled.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        filled
    })
}

/// Without a branch for each byte, and a function of its own, so that all are compared in a few instructions.
#[inline(never)]
fn in_step(step: &[u8; STEP], test: impl Fn(u8) -> bool) -> bool {
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
    fn a_byte_is_found_wherever_it_stands() {
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
    fn two_bytes_are_found_only_beside_each_other() {
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
