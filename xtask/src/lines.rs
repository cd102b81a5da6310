//! The lines of code of a source: without blank lines, comments, documentation and tests. It relies on `rustfmt`.

/// Returns the number of lines of code of a source file.
pub(crate) fn code(text: &str) -> usize {
    let mut lines = text.lines();
    let mut count = 0;
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if is_for_tests(code) {
            skip_item(&mut lines, line.len() - code.len());
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Returns `true` if an attribute leaves its item out of every build but that of the tests.
fn is_for_tests(code: &str) -> bool {
    code.starts_with("#[cfg(test)]") || code.starts_with("#[cfg(all(test,")
}

/// Returns the names of the modules in other files that a source declares for tests.
pub(crate) fn test_modules(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter(|pair| is_for_tests(pair[0]));
    declared.filter_map(|pair| pair[1].strip_prefix("mod ")?.strip_suffix(';')).collect()
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
