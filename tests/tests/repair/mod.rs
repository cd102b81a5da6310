//! Repairs: of broken JSON, and of values.

mod coerce;
mod lenient;
