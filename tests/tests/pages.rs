//! The pages lead somewhere: every link to a file or a heading, every guide in the index, every test that is named.

use std::fs;
use std::path::{Path, PathBuf};

use tests::source::root;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    files.sort();
    files
}

/// All pages that people read.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let crates = ["adapters", "chat", "dynamic", "schema", "testkit"].map(|name| format!("crates/tool-{name}"));
    let folders = ["", "docs", "docs/guides", "tool-macros", "tool-runtime", "crates/toolbox"].map(str::to_owned);
    folders.iter().chain(&crates).flat_map(|folder| markdown(&root.join(folder))).collect()
}

/// The targets of the links of a page: what stands in `](…)`, code blocks left out.
fn links(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches(['`', '~']).len();
        if ticks >= 3 && fence.is_none_or(|open| line.trim_end() == open) {
            fence = if fence.is_some() { None } else { line.get(..ticks) };
        } else if fence.is_none() {
            found.extend(line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)));
        }
    }
    found
}

/// What a heading is called in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut judged = 0;
    for page in pages() {
        for link in links(&read(&page)) {
            if link.starts_with("https://") {
                continue;
            }
            judged += 1;
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let place = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(place.exists(), "{} links to {link}, which does not exist", page.display());
            if !heading.is_empty() {
                let text = read(&place);
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(is_there, "{} links to {link}, a heading that does not exist", page.display());
            }
        }
    }
    assert!(judged >= 30, "only {judged} links were found");
}

#[test]
fn the_index_has_every_page() {
    let docs = root().join("docs");
    let index = read(&docs.join("README.md"));
    let linked = links(&index);
    for page in markdown(&docs).into_iter().chain(markdown(&docs.join("guides"))) {
        let name = page.strip_prefix(&docs).expect("it is below").display().to_string().replace('\\', "/");
        assert!(name == "README.md" || linked.contains(&name.as_str()), "docs/README.md does not link to {name}");
    }
}

/// `--test NAME` after `-p PACKAGE` on one line of a page.
#[test]
fn every_test_that_a_page_names_exists() {
    let mut judged = 0;
    for page in pages() {
        for line in read(&page).lines() {
            let after = |flag: &str| Some(line.split_once(flag)?.1.split([' ', '`']).next()?.to_owned());
            let (Some(package), Some(test)) = (after("-p "), after("--test ")) else { continue };
            judged += 1;
            let folders =
                ["", "crates", "examples"].map(|folder| root().join(folder).join(&package).join("tests").join(&test));
            let place = folders.iter().find(|place| place.is_dir() || place.with_extension("rs").exists());
            assert!(place.is_some(), "{} names a test that does not exist: {line}", page.display());
        }
    }
    assert!(judged >= 3, "only {judged} tests are named");
}

/// The blocks of Rust of a page, without those that are only shown.
fn blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("\n```rust\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("\n```")?.0)).collect()
}

#[test]
fn every_block_fits_into_a_function_that_can_fail() {
    let mut judged = 0;
    for page in pages() {
        let text = read(&page);
        for block in blocks(&text) {
            judged += 1;
            let returns_nothing = ["return }", "return;"].iter().any(|end| block.contains(end));
            assert!(!returns_nothing, "{} has a block that returns nothing:\n{block}", page.display());
        }
    }
    assert!(judged > 30, "only {judged} blocks were found");
}
