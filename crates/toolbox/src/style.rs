//! The styles of the output, and the truncation of texts from outside, such as the arguments of a call.
//!
//! Colours are always written. If the output is not a terminal, `anstream` removes them.

use anstyle::{AnsiColor, Style};

use crate::private::json::Writer;
use tool_runtime::Repair;

pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const WARN: Style = AnsiColor::Yellow.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default();

// Without control characters, because a terminal would execute these.
pub(super) use crate::private::visible::short_line;

/// Writes a repair as JSON.
pub(super) fn repair(writer: Writer<'_>, repair: &Repair) {
    writer.object(|line| {
        line.string("path", &repair.path.to_string());
        line.string("rule", repair.rule.name());
        line.string("before", &repair.before);
        line.string("after", &repair.after);
    });
}
