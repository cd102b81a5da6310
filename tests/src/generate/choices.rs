//! `Choices`: the source of every decision of a generator, made of plain numbers so that proptest can shrink it.
//!
//! In come numbers; out go decisions. What always holds: the same numbers give the same decisions, a smaller number gives a simpler
//! decision, and when the numbers are used up every decision is the simplest one. So a shorter list of smaller numbers is a simpler value.

use proptest::prelude::{Strategy, any};

/// Numbers that decide.
#[derive(Clone, Debug)]
pub struct Choices<'n> {
    numbers: &'n [u32],
}

impl<'n> Choices<'n> {
    /// Decides by these numbers, one after the other.
    pub const fn new(numbers: &'n [u32]) -> Self {
        Self { numbers }
    }

    /// A number below `end`, which is at least one.
    pub fn below(&mut self, end: usize) -> usize {
        let Some((first, rest)) = self.numbers.split_first() else { return 0 };
        self.numbers = rest;
        *first as usize % end
    }

    /// `true` once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of several; `None` where there is none.
    pub fn pick<'o, T>(&mut self, options: &'o [T]) -> Option<&'o T> {
        options.get(self.below(options.len().max(1)))
    }
}

/// Enough numbers for a value and its changes.
pub fn numbers() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..160)
}
