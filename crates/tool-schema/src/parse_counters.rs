//! Counters for tests (feature `__count`): the number of times that arguments were parsed, and that trees were checked, on the current
//! thread.

#[cfg(feature = "__count")]
use std::cell::Cell;

#[cfg(feature = "__count")]
thread_local! {
    static PARSES: Cell<usize> = const { Cell::new(0) };
    static CHECKS: Cell<usize> = const { Cell::new(0) };
}

/// Runs a function. Returns its result, the number of parses by our own parser during the run, and the number of checks.
#[cfg(feature = "__count")]
pub fn parses_and_checks<T>(run: impl FnOnce() -> T) -> (T, usize, usize) {
    let (parses, checks) = (PARSES.get(), CHECKS.get());
    let result = run();
    (result, PARSES.get() - parses, CHECKS.get() - checks)
}

/// Counts a parse of arguments.
#[inline]
pub(crate) fn parse() {
    #[cfg(feature = "__count")]
    PARSES.set(PARSES.get() + 1);
}

/// Counts a check of a tree.
#[inline]
pub(crate) fn check() {
    #[cfg(feature = "__count")]
    CHECKS.set(CHECKS.get() + 1);
}
