//! The comparisons. Each has two sides that do the same job: one with this framework, and one as a user would do it without the framework.
//!
//! `calls` measures time, and `instructions` counts instructions. Both print the figure of our side divided by the figure of the other
//! side.
//!
//! Invariant: a side does its whole job in each round, starting from text. Everything that can be prepared once (a compiled validator, a
//! toolbox) is prepared before the rounds.

mod conversation;
mod decoding;
mod dialects;
mod dynamic;
mod lenient;
mod rejecting;
mod saved;
mod searching;
mod session;
mod throttled;

/// One side of a comparison: prepared once, run many times.
pub struct Side {
    /// The name of the side.
    pub name: &'static str,
    /// The function that prepares and returns the job to measure.
    pub prepare: fn() -> Box<dyn Fn()>,
}

/// Two ways to do the same job.
pub struct Comparison {
    /// The name of the comparison, `group/payload`.
    pub name: &'static str,
    /// The side of this framework.
    pub ours: Side,
    /// The alternative.
    pub other: Side,
    /// The maximum ratio, or `None` if the ratio is only reported.
    pub limit: Option<f64>,
}

/// Returns a job that rejects an order with this number of issues, up to the finished wire text.
pub fn rejection_of(faults: usize) -> impl Fn() {
    rejecting::many(faults)
}

/// Returns every comparison.
pub fn all() -> Vec<Comparison> {
    let mut all = decoding::comparisons();
    all.extend(lenient::comparisons());
    all.extend(rejecting::comparisons());
    all.extend(session::comparisons());
    all.extend(throttled::comparisons());
    all.extend(saved::comparisons());
    all.extend(searching::comparisons());
    all.extend(dynamic::comparisons());
    all.extend(dialects::comparisons());
    all.extend(conversation::comparisons());
    all
}

/// Creates a comparison of two jobs. The expression before each job prepares it.
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
