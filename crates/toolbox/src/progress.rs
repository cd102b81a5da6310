//! A progress bar for large files.
//!
//! The bar is only drawn on standard error, and only if standard error is a terminal.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The minimum size, in bytes, of a file for which a bar is drawn. Smaller files are processed before anybody could see a bar.
const LONG: u64 = 1 << 20;

/// Returns a bar for an input of this size, if the size is known.
pub(super) fn progress(size: Option<u64>) -> ProgressBar {
    let Some(total) = shown(size, stderr().is_terminal()) else { return ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {bytes} of {total_bytes}, {eta} left");
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr())
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Returns the total of the bar, or `None` if no bar should be drawn.
fn shown(size: Option<u64>, is_terminal: bool) -> Option<u64> {
    size.filter(|size| is_terminal && *size >= LONG)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_only_shown_for_large_files_on_a_terminal() {
        assert_eq!(shown(Some(LONG), true), Some(LONG));
        assert_eq!(shown(Some(LONG - 1), true), None, "the file is too small for a bar");
        assert_eq!(shown(Some(LONG), false), None, "there is no terminal");
        assert_eq!(shown(None, true), None, "the size of a pipe is unknown");
    }
}
