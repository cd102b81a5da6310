//! The lines of code of a source: without blank lines, comments, documentation and tests. It relies on `rustfmt`.

/// Returns the number of lines of code of a source file.
pub(crate) fn code(text: &str) -> usize {
    let mut lines = text.lines();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code.starts_with("#[cfg(test)]") {
            skip_item(&mut lines, line.len() - code.len());
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Skips an item that begins on the next line, with its attributes. Its last line has the indentation of its first line, or the item has one line.
fn skip_item<'t>(lines: &mut impl Iterator<Item = &'t str>, indentation: usize) {
    let mut is_open = false;
    for line in lines {
        let code = line.trim();
        let is_outermost = line.len() - line.trim_start().len() == indentation && !code.is_empty();
        if is_outermost && !code.starts_with(['#', '/']) {
            let ends = code.ends_with(['}', ';', ',']);
            if ends && (is_open || !code.ends_with('{')) {
                return;
            }
            is_open = true;
        }
    }
}

/// Returns `true` if a source contains only tests.
pub(crate) fn is_test(path: &std::path::Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}
