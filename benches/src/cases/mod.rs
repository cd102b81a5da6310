//! The comparisons: each has two sides that do the same job, ours and what a user would do otherwise.
//!
//! `calls` measures them in time, `instructions` in instructions; both print ours divided by the other. What always holds: a side does
//! its whole job in each round, from text on, and what can be prepared once (a compiled validator, a toolbox) is prepared before.

mod decoding;
mod dynamic;
mod lenient;
mod refusing;
mod session;
mod throttled;

/// One side of a comparison: prepared once, run many times.
pub struct Side {
    /// What it does.
    pub name: &'static str,
    /// Gives the job that is measured.
    pub prepare: fn() -> Box<dyn Fn()>,
}

/// Two ways to the same end.
pub struct Comparison {
    /// What is compared, `group/payload`.
    pub name: &'static str,
    /// This crate.
    pub ours: Side,
    /// What a user would do otherwise.
    pub other: Side,
    /// What ours may cost at most, as a multiple of the other; none where the figure is only reported.
    pub limit: Option<f64>,
}

/// The refusal of an order with so many faults, to its finished wire text.
pub fn refusal_of(faults: usize) -> impl Fn() {
    refusing::many(faults)
}

/// Every comparison.
pub fn all() -> Vec<Comparison> {
    let mut all = decoding::comparisons();
    all.extend(lenient::comparisons());
    all.extend(refusing::comparisons());
    all.extend(session::comparisons());
    all.extend(throttled::comparisons());
    all.extend(dynamic::comparisons());
    all
}

/// A comparison of two jobs that need no preparation beyond what the expressions before them name.
macro_rules! comparison {
    ($name:literal, $limit:expr, $ours:literal => $our_job:expr, $other:literal => $other_job:expr $(,)?) => {
        $crate::cases::Comparison {
            name: $name,
            limit: $limit,
            ours: $crate::cases::Side { name: $ours, prepare: || Box::new($our_job) },
            other: $crate::cases::Side { name: $other, prepare: || Box::new($other_job) },
        }
    };
}
use comparison;
