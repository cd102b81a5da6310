//! Broken JSON: what is clean, repaired, incomplete and refused, in four classes that are never confused.
//!
//! `cases` are tables of our own, `properties` what always holds, `stream` the same text in pieces, `corpora` recorded texts where they are at hand,
//! `guide` what the guide shows.

mod cases;
mod certain;
mod corpora;
mod guide;
mod properties;
mod stream;
mod wrapped;
