//! Pages are consistent: links resolve to files and headings, the index lists every guide, and named tests exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tests::source::{self, root};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn markdown(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).expect("the folder is there").filter_map(Result::ok).map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    files.sort();
    files
}

/// Lists the crates whose guides are part of their documentation.
const GUIDES: [&str; 7] = [
    "tool-runtime",
    "crates/tool-chat",
    "crates/tool-testkit",
    "crates/tool-dynamic",
    "crates/tool-durable",
    "crates/tool-mcp",
    "crates/toolbox",
];

/// Returns the guides of all crates.
fn guides() -> Vec<PathBuf> {
    let pages = GUIDES.iter().flat_map(|name| markdown(&root().join(name).join("docs")));
    pages.filter(|page| !page.ends_with("links.md")).collect()
}

/// Returns all Markdown pages that users and contributors read.
fn pages() -> Vec<PathBuf> {
    let root = root();
    let folders = ["", "docs", "docs/contributing", "docs/decisions"].into_iter().chain(source::CRATES);
    folders.flat_map(|folder| markdown(&root.join(folder))).chain(guides()).collect()
}

/// Returns the lines of a page outside of its blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let ticks = line.len() - line.trim_start_matches(['`', '~']).len();
        let is_fence = ticks >= 3 && fence.is_none_or(|open| line.trim_end() == open);
        if is_fence {
            fence = if fence.is_some() { None } else { line.get(..ticks) };
        }
        !is_fence && fence.is_none()
    })
}

/// Returns the link definitions of a page, `[label]: target`.
fn definitions(text: &str) -> BTreeMap<&str, &str> {
    let definition = |line| str::strip_prefix(line, "[")?.split_once("]: ");
    prose(text).filter_map(definition).collect()
}

/// Returns the targets of the links of a page.
fn links(text: &str) -> Vec<&str> {
    let inline = prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0));
    inline.chain(definitions(text).into_values()).collect()
}

/// Returns the anchor of a heading, as links name it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase().replace(' ', "-");
    kept.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
}

#[test]
fn every_link_resolves_to_a_file_and_a_heading() {
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
    let (root, docs) = (root(), root().join("docs"));
    let index = read(&docs.join("README.md"));
    let linked = links(&index);
    for page in markdown(&docs).into_iter().chain(guides()) {
        let name = match page.strip_prefix(&docs) {
            Ok(name) => name.to_path_buf(),
            Err(_) => Path::new("..").join(page.strip_prefix(&root).expect("a page lies below the root")),
        };
        let name = name.display().to_string().replace('\\', "/");
        assert!(name == "README.md" || linked.contains(&name.as_str()), "docs/README.md does not link to {name}");
    }
}

/// A decision is a page `NNNN-name.md` with its number, a title and a date. The index has a line for it.
#[test]
fn the_index_of_decisions_has_every_decision() {
    let folder = root().join("docs/decisions");
    let index = read(&folder.join("README.md"));
    let listed: Vec<&str> = index.lines().filter(|line| line.starts_with("- [")).collect();
    let mut expected = Vec::new();
    for page in markdown(&folder).into_iter().filter(|page| !page.ends_with("README.md")) {
        let name = page.file_name().and_then(|name| name.to_str()).expect("a decision has a name");
        let text = read(&page);
        let mut lines = text.lines();
        let title = lines.next().and_then(|line| line.strip_prefix("# ")).expect("a decision has a title");
        let (number, title) = title.split_once(' ').expect("a title begins with a number");
        assert!(name.starts_with(&format!("{number}-")), "{name} has the number {number}");
        let date = lines.nth(1).unwrap_or_default();
        assert!(date.len() == 10 && date.starts_with("20"), "{name} has no date in its third line");
        expected.push(format!("- [{number}]({name}) {title}"));
    }
    assert!(expected.len() >= 40, "only {} decisions were found", expected.len());
    assert_eq!(listed, expected);
}

/// A relative link to a file does not work on docs.rs. Guides therefore define their links by label, and the `links.md` that the
/// documentation includes before each guide defines the same labels as items of the crate or as addresses. The first definition counts.
#[test]
fn the_links_of_a_guide_resolve_in_rustdoc_too() {
    let mut checked = 0;
    for name in GUIDES {
        let folder = root().join(name).join("docs");
        let links = read(&folder.join("links.md"));
        let in_rustdoc = definitions(&links);
        for page in markdown(&folder).into_iter().filter(|page| !page.ends_with("links.md")) {
            let text = read(&page);
            let targets = prose(&text).flat_map(|line| line.split("](").skip(1));
            let inline: Vec<&str> =
                targets.filter(|target| !target.starts_with('#') && !target.starts_with("https://")).collect();
            assert!(inline.is_empty(), "{} has links that rustdoc cannot follow: {inline:?}", page.display());
            for label in definitions(&text).into_keys() {
                checked += 1;
                let target = in_rustdoc.get(label).copied().unwrap_or_default();
                let is_followed = target.starts_with("crate::") || target.starts_with("https://");
                assert!(is_followed, "{}/links.md does not define [{label}] for {}", folder.display(), page.display());
            }
        }
    }
    assert!(checked >= 20, "only {checked} labels were found");
}

/// rustdoc also finds labels in the `links.md` that it includes, but GitHub shows a label without a definition as text.
#[test]
fn every_label_is_defined_on_its_page() {
    let mut used = 0;
    for page in pages() {
        let text = read(&page);
        let defined = definitions(&text);
        let outside_of_code = prose(&text).flat_map(|line| line.split('`').step_by(2));
        let labels = outside_of_code.flat_map(|part| part.split("][").skip(1)).filter_map(|rest| rest.split_once(']'));
        for (label, _) in labels {
            used += 1;
            assert!(defined.contains_key(label), "{} does not define [{label}]", page.display());
        }
    }
    assert!(used >= 20, "only {used} labels were found");
}

#[test]
fn every_guide_is_a_page_of_the_documentation() {
    for page in guides() {
        let name = page.file_name().and_then(|name| name.to_str()).expect("a guide has a name");
        let source = read(&page.with_file_name("../src/lib.rs"));
        let included = source.matches(&format!("include_str!(\"../docs/{name}\")")).count();
        assert_eq!(included, 1, "{name} is included {included} times");
    }
}

/// Pages name tests as `-p PACKAGE` and `--test NAME` on one line. Behind `--test all` may be a module, as `topic::file`.
#[test]
fn every_test_that_a_page_names_exists() {
    let mut judged = 0;
    for page in pages() {
        for line in read(&page).lines() {
            let after = |flag: &str| Some(line.split_once(flag)?.1.split([' ', '`']).next()?.to_owned());
            let (Some(package), Some(test)) = (after("-p "), after("--test ")) else { continue };
            judged += 1;
            let packages = ["", "crates", "examples", "tests"].map(|folder| root().join(folder).join(&package));
            let package = packages.iter().find(|package| package.join("Cargo.toml").exists());
            let package = package.unwrap_or_else(|| panic!("{} names no package: {line}", page.display()));
            let programs = read(&package.join("Cargo.toml"));
            let exists = programs.contains(&format!("[[test]]\nname = \"{test}\"\n"));
            assert!(exists, "{} names a test that does not exist: {line}", page.display());
            let module = after("--test all ").filter(|module| module.contains("::"));
            let module = module.map(|module| module.trim_end_matches("::").replace("::", "/"));
            let module = module
                .map(|module| ["tests", "tests/mcp", "tests/proxy"].map(|folder| package.join(folder).join(&module)));
            let exists = module
                .is_none_or(|files| files.iter().any(|module| module.is_dir() || module.with_extension("rs").exists()));
            assert!(exists, "{} names a module that does not exist: {line}", page.display());
        }
    }
    assert!(judged >= 3, "only {judged} tests are named");
}

/// Returns the Rust code blocks of a page that compile.
fn blocks(text: &str) -> Vec<&str> {
    let blocks = text.split("\n```rust\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("\n```")?.0)).collect()
}

#[test]
fn no_code_block_contains_a_return_without_a_value() {
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
