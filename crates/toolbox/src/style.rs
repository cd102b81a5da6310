//! The styles of the output, and the truncation of texts from outside, such as the arguments of a call.
//!
//! Colours are always written. If the output is not a terminal, `anstream` removes them.

use anstyle::{AnsiColor, Style};

use crate::private::json::Writer;
use crate::private::visible;
use tool_runtime::Repair;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const WARN: Style = AnsiColor::Yellow.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default();

/// The maximum number of characters that are shown of a text from outside.
const WIDEST: usize = 160;

/// Returns a text from outside as one line, truncated and without control characters, because a terminal would execute these.
pub(super) fn shortened(text: &str) -> String {
    let text = visible::one_line(text);
    let mut line: String = text.chars().take(WIDEST).collect();
    if text.chars().nth(WIDEST).is_some() {
        line.push('…');
    }
    line
}

/// Writes a repair as JSON.
pub(super) fn repair(writer: Writer<'_>, repair: &Repair) {
    writer.object(|line| {
        line.string("path", &repair.path.to_string());
        line.string("rule", repair.rule.name());
        line.string("before", &repair.before);
        line.string("after", &repair.after);
    });
}
