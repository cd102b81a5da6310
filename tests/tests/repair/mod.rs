//! Repairs: of broken JSON, and of values; and calls that no repair or hint may change into others.

mod coerce;
mod lenient;
mod unintended;
