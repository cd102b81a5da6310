//! Broken JSON: clean, repaired, incomplete and rejected texts, four classes that are never confused.
//!
//! `cases` contains tables, `properties` property tests, `stream` tests of texts in pieces, `corpora` recorded texts if they are available,
//! and `guide` the examples of the guide.

mod cases;
mod certain;
mod corpora;
mod guide;
mod properties;
mod stream;
mod wrapped;
