//! `Choices`: the source of all decisions of a generator, made of plain numbers so that proptest can shrink it.
//!
//! Invariants: equal numbers give equal decisions. A smaller number gives a simpler decision. When all numbers are used, every decision is
//! the simplest one. So a shorter list of smaller numbers gives a simpler value.

use proptest::prelude::{Strategy, any};

/// A source of decisions.
#[derive(Clone, Debug)]
pub struct Choices<'n> {
    numbers: &'n [u32],
}

impl<'n> Choices<'n> {
    /// Creates a source that uses these numbers in order.
    pub const fn new(numbers: &'n [u32]) -> Self {
        Self { numbers }
    }

    /// Returns a number below `end`, which is at least one.
    pub fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.numbers.split_first() else { return 0 };
        self.numbers = rest;
        *first as usize % end
    }

    /// Returns `true` once in `times` calls on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// Returns one of the options, or `None` if there are none.
    pub fn pick<'o, T>(&mut self, options: &'o [T]) -> Option<&'o T> {
        options.get(self.below(options.len().max(1)))
    }
}

/// Returns a strategy with enough numbers for a value and its changes.
pub fn numbers() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..160)
}
