//! Rules that need more than one attribute, or that have a language of their own.
//! Comes in: what an author wrote. Goes out: what emit may rely on, or the fault with the text to write instead.

pub(crate) mod pattern;
