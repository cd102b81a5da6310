//! The figures on the page `docs/dialects.md`, between marks.

use crate::source;

/// Compares tables with those on the page, each given with the name of its mark. `UPDATE_GOLDEN=1` replaces them.
///
/// # Panics
///
/// If a table differs, or the page lacks a mark.
pub fn compare(tables: &[(&str, &str)]) {
    let path = source::root().join("docs/dialects.md");
    let page = std::fs::read_to_string(&path).expect("the page can be read");
    let written = tables.iter().fold(page.clone(), |page, (mark, table)| replaced(&page, mark, table));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, written).expect("the page can be written");
    } else {
        assert_eq!(written, page, "run with UPDATE_GOLDEN=1 to bless");
    }
}

/// Replaces the text between two marks in a page.
fn replaced(page: &str, mark: &str, text: &str) -> String {
    let (open, close) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->"));
    let (before, rest) = page.split_once(&open).expect("the page has the mark");
    let (_, after) = rest.split_once(&close).expect("the page has the end of the mark");
    format!("{before}{open}\n{text}\n{close}{after}")
}
