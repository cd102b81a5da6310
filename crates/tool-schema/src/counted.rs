//! Counts how often arguments are parsed and trees are checked, for tests: with the feature `__count`, on the current thread.

#[cfg(feature = "__count")]
use std::cell::Cell;

#[cfg(feature = "__count")]
thread_local! {
    static PARSES: Cell<usize> = const { Cell::new(0) };
    static CHECKS: Cell<usize> = const { Cell::new(0) };
}

/// Runs something, and returns how often arguments were parsed by our own parser meanwhile, and how often a tree was checked.
#[cfg(feature = "__count")]
pub fn parses_and_checks<T>(run: impl FnOnce() -> T) -> (T, usize, usize) {
    let (parses, checks) = (PARSES.get(), CHECKS.get());
    let result = run();
    (result, PARSES.get() - parses, CHECKS.get() - checks)
}

/// Notes that arguments are parsed.
#[inline]
pub(crate) fn parse() {
    #[cfg(feature = "__count")]
    PARSES.set(PARSES.get() + 1);
}

/// Notes that a tree is checked.
#[inline]
pub(crate) fn check() {
    #[cfg(feature = "__count")]
    CHECKS.set(CHECKS.get() + 1);
}
