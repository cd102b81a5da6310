//! Estimates the size of a compiled pattern, and rejects patterns over the default limits of `regex`.
//!
//! Invariant: a pattern that passes this check compiles at run time. The estimate is therefore too large rather than too small.

use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::utf8::{Utf8Sequence, Utf8Sequences};

use super::source::PatternError;

/// The default limit of `regex` on a compiled pattern, in bytes.
const LIMIT: u64 = 10 << 20;

/// The number of bytes that `regex` is assumed to need for each of the states that [`states`] counts. In measurements, patterns whose size
/// is close to [`LIMIT`] needed 15 to 40 bytes for each state.
const STATE: u64 = 44;

pub(super) fn check(pattern: &str) -> Result<(), PatternError> {
    let parsed = regex_syntax::parse(pattern)
        .map_err(|_| PatternError::new("the pattern is nested too deeply: write fewer groups inside one another"))?;
    if states(&parsed).saturating_mul(STATE) > LIMIT {
        return Err(too_large());
    }
    Ok(())
}

pub(super) fn too_large() -> PatternError {
    PatternError::new("the pattern is too large: write smaller repetitions, or `length(max = …)` beside a plain `*`")
}

/// Estimates the number of states. The recursion is bounded, because the parser rejects deep nesting.
fn states(pattern: &Hir) -> u64 {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Bytes(class)) => class.ranges().len() as u64,
        HirKind::Class(Class::Unicode(class)) => {
            let sequences = class.ranges().iter().flat_map(|range| Utf8Sequences::new(range.start(), range.end()));
            let mut before: Option<Utf8Sequence> = None;
            let mut sum = 0;
            // Sequences with a common prefix share the states of the prefix.
            for sequence in sequences {
                let (bytes, known) = (sequence.as_slice(), before.as_ref().map_or(&[][..], Utf8Sequence::as_slice));
                let shared = bytes.iter().zip(known).take_while(|(byte, known)| byte == known).count();
                sum += (bytes.len() - shared) as u64;
                before = Some(sequence);
            }
            sum
        }
        HirKind::Repetition(repetition) => {
            let copies = u64::from(repetition.max.unwrap_or(repetition.min)).max(1);
            copies.saturating_mul(states(&repetition.sub).saturating_add(2))
        }
        HirKind::Capture(capture) => states(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(1, |sum, part| sum.saturating_add(states(part)).saturating_add(1))
        }
    }
}
