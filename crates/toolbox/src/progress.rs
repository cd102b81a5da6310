//! A bar for files that take a while.
//!
//! In: how large the input is and whether somebody watches. Out: a bar on standard error, or one that is never drawn. What always holds: what
//! is no terminal gets no bar, and standard output never does.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Files below this many bytes are done before a bar could be seen.
const LONG: u64 = 1 << 20;

/// A bar for an input of so many bytes, where the size is known.
pub(super) fn progress(size: Option<u64>) -> ProgressBar {
    let Some(total) = shown(size, stderr().is_terminal()) else { return ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes} of {total_bytes}, {eta} left");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The total of a bar that is worth drawing.
fn shown(size: Option<u64>, is_terminal: bool) -> Option<u64> {
    size.filter(|size| is_terminal && *size >= LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_for_long_files_that_somebody_watches() {
        assert_eq!(shown(Some(LONG), true), Some(LONG));
        assert_eq!(shown(Some(LONG - 1), true), None, "it is done before a bar could be seen");
        assert_eq!(shown(Some(LONG), false), None, "a log is no place for a bar");
        assert_eq!(shown(None, true), None, "nobody knows how much is left of a pipe");
    }
}
