//! Broken JSON: what is clean, repaired, incomplete and refused, in four classes that are never confused.
//!
//! `cases` are tables of our own, `properties` what always holds, `stream` the same text in pieces, `corpora` recorded texts where they are at hand.

mod cases;
mod corpora;
mod properties;
mod stream;
mod wrapped;
