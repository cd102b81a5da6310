//! How output looks: the few styles, and texts of others cut to a line.
//!
//! Colours are written always and taken out by `anstream` where nobody would see them.

use anstyle::{AnsiColor, Style};

use crate::private::json::Writer;
use crate::private::visible;
use tool_runtime::Repair;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const WARN: Style = AnsiColor::Yellow.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default();

/// The most characters of a foreign text on a line.
const WIDEST: usize = 160;

/// A foreign text on one line: without control characters, which a terminal would obey, and not too long.
pub(super) fn shortened(text: &str) -> String {
    let text = visible::one_line(text);
    let mut line: String = text.chars().take(WIDEST).collect();
    if text.chars().nth(WIDEST).is_some() {
        line.push('…');
    }
    line
}

/// A line of the ledger for a program.
pub(super) fn repair(writer: Writer<'_>, repair: &Repair) {
    writer.object(|line| {
        line.string("path", &repair.path.to_string());
        line.string("rule", repair.rule.name());
        line.string("before", &repair.before);
        line.string("after", &repair.after);
    });
}
