//! `llms.txt`, a list of the pages for programs that read them, and `llms-full.txt` with the text of all of them (llmstxt.org). Both are made
//! from `docs/README.md`, the path through the pages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::process::{Done, root};

/// The sections of `docs/README.md` whose pages are for users.
const SECTIONS: [&str; 4] = ["Five minutes", "An hour", "By task", "Reference"];

/// The pages of these sections that are for people who change the project.
const INTERNAL: [&str; 5] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "docs/decisions/README.md",
    "docs/contributing/corpora.md",
    "docs/contributing/mutation.md",
];

/// A link to a page.
struct Page {
    /// The path from the root of the project.
    path: PathBuf,
    title: String,
    /// The words about the page: behind the colon in a list, or the other cell in a table. May be empty.
    about: String,
}

/// Writes `llms.txt` in the root and `target/llms-full.txt`. With `--check`, fails if `llms.txt` would change.
pub(crate) fn run(arguments: &[String]) -> Done {
    let path_page = fs::read_to_string(root().join("docs/README.md"))?;
    let readme = fs::read_to_string(root().join("README.md"))?;
    let summary = readme.split("\n\n").nth(1).ok_or("README.md has no summary")?.replace('\n', " ");
    let (mut list, mut full) = (format!("# tool-runtime\n\n> {summary}\n"), String::new());
    let mut seen = BTreeSet::new();
    for (section, pages) in sections(&path_page) {
        writeln!(list, "\n## {section}\n")?;
        for page in pages {
            let shown = page.path.display();
            let about = if page.about.is_empty() { String::new() } else { format!(": {}", page.about) };
            writeln!(list, "- [{}]({shown}){about}", page.title)?;
            if seen.insert(page.path.clone()) {
                let text = fs::read_to_string(root().join(&page.path))?;
                let lines = text.lines().filter(|line| !is_definition(line)).collect::<Vec<_>>().join("\n");
                writeln!(full, "<!-- {shown} -->\n\n{}\n", lines.trim())?;
            }
        }
    }
    let file = root().join("llms.txt");
    if arguments.iter().any(|argument| argument == "--check") {
        let known = fs::read_to_string(&file)?;
        return if known == list {
            Ok(())
        } else {
            Err("llms.txt is not up to date: `cargo xtask llms` writes it".into())
        };
    }
    fs::write(file, list)?;
    fs::create_dir_all(root().join("target"))?;
    fs::write(root().join("target/llms-full.txt"), full)?;
    println!("llms.txt and target/llms-full.txt: {} pages", seen.len());
    Ok(())
}

fn sections(text: &str) -> Vec<(&str, Vec<Page>)> {
    let parts = text.split("\n## ").filter_map(|part| part.split_once('\n'));
    parts.filter(|(title, _)| SECTIONS.contains(title)).map(|(title, body)| (title, pages(body))).collect()
}

/// Returns the links of a list or a table to other pages.
fn pages(body: &str) -> Vec<Page> {
    let mut found = Vec::new();
    for line in body.lines() {
        for (start, _) in line.match_indices("](") {
            let Some(title) = line[..start].rfind('[').map(|open| &line[open + 1..start]) else { continue };
            let Some(end) = line[start..].find(')').map(|end| start + end) else { continue };
            let path = normal(&Path::new("docs").join(&line[start + 2..end]));
            let is_page = path.extension().is_some_and(|extension| extension == "md");
            if !is_page || INTERNAL.iter().any(|internal| path == Path::new(internal)) {
                continue;
            }
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let about = match cells[..] {
                [first, second] if first.contains("](") => second,
                [first, _] => first,
                _ => line.split_once("): ").map_or("", |(_, about)| about),
            };
            found.push(Page { path, title: title.to_owned(), about: about.trim_end_matches('.').to_owned() });
        }
    }
    found
}

/// Resolves `..` in a relative path.
fn normal(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut normal, component| {
        match component {
            Component::ParentDir => drop(normal.pop()),
            other => normal.push(other),
        }
        normal
    })
}

/// Returns `true` for the target of a link, such as `[errors]: crate::_guides::errors`, which only rustdoc understands.
fn is_definition(line: &str) -> bool {
    line.starts_with('[') && line.split_once("]: ").is_some_and(|(name, _)| !name[1..].contains(['[', ']', ' ']))
}
