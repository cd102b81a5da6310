//! Compiles the blocks of Rust on the pages as a reader pastes them: without their hidden lines, in `main` if they have none, in a crate with
//! the dependencies that the pages name.
//!
//! Each page is a crate of one workspace, and each block a module, so everything is one build.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Done, cargo, finish, root};

/// The page whose dependencies the guides refer to.
const GUIDES: &str = "docs/README.md";
/// The folders with pages for users, and the files among them.
const FOLDERS: [&str; 4] = ["docs", "tool-runtime", "tool-macros", "crates"];
/// The start of the path of a dependency, as the pages show it.
const CLONE: &str = "path = \"../tool-runtime/";

/// A block of Rust on a page.
struct Block {
    /// The line of its first line of Rust.
    line: usize,
    text: String,
}

/// Checks all pages, or those with an argument in their paths.
pub(crate) fn run(arguments: &[String]) -> Done {
    let folder = root().join("target/paste");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let guides = dependencies(&fs::read_to_string(root().join(GUIDES))?).ok_or("docs/README.md has no dependencies")?;
    let mut pages = vec![PathBuf::from("README.md")];
    for part in FOLDERS {
        collect(Path::new(part), &mut pages)?;
    }
    pages.sort();
    let (mut members, mut count) = (Vec::new(), 0);
    for page in pages {
        let shown = page.display().to_string();
        if !arguments.is_empty() && !arguments.iter().any(|part| shown.contains(part)) {
            continue;
        }
        let text = fs::read_to_string(root().join(&page))?;
        let blocks = blocks(&text);
        if blocks.is_empty() {
            continue;
        }
        count += blocks.len();
        let name = shown.trim_end_matches(".md").replace(['/', '.'], "-").to_lowercase();
        write_crate(&folder.join(&name), &name, &blocks, &dependencies(&text).unwrap_or_else(|| guides.clone()))?;
        members.push(format!("{name:?}"));
    }
    if count == 0 {
        return Err("no page has a block of Rust".into());
    }
    let workspace = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    fs::write(folder.join("Cargo.toml"), workspace)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let manifest = folder.join("Cargo.toml").display().to_string();
    let check = ["check", "--quiet", "--tests", "--keep-going", "--target-dir", "target", "--manifest-path"];
    finish(cargo(&[&check[..], &[&manifest]].concat()))?;
    println!("{count} blocks on {} pages compile as they are shown", members.len());
    Ok(())
}

/// Adds the pages of a folder. Decisions are not for users.
fn collect(folder: &Path, pages: &mut Vec<PathBuf>) -> Done {
    for entry in fs::read_dir(root().join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        let is_source = ["src", "tests", "target", "decisions"].iter().any(|name| path.ends_with(name));
        if entry.file_type()?.is_dir() && !is_source {
            collect(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") && !path.ends_with("links.md") {
            pages.push(path);
        }
    }
    Ok(())
}

/// Returns the dependencies that a page shows, with the paths of this clone.
fn dependencies(page: &str) -> Option<String> {
    let start = page.find("```toml\n[dependencies]\n")? + "```toml\n".len();
    let list = page[start..].split_once("```")?.0;
    Some(list.replace(CLONE, &format!("path = \"{}/", root().display()).replace('\\', "/")))
}

/// Returns the blocks that a reader can paste. One behind `<!-- part … -->` shows a part of a file.
fn blocks(page: &str) -> Vec<Block> {
    let (mut found, mut is_open, mut is_part, mut before) = (Vec::<Block>::new(), false, false, "");
    for (index, line) in page.lines().enumerate() {
        if is_open && line == "```" {
            is_open = false;
        } else if is_open && !is_part && !is_hidden(line) {
            if let Some(block) = found.last_mut() {
                let _ = writeln!(block.text, "{line}");
            }
        } else if !is_open && (line == "```rust" || line.starts_with("```rust,")) {
            is_open = true;
            is_part = before.starts_with("<!-- part") || before.starts_with("<!-- source");
            if !is_part {
                found.push(Block { line: index + 2, text: String::new() });
            }
        }
        before = line;
    }
    found
}

/// Returns `true` if rustdoc does not show a line.
fn is_hidden(line: &str) -> bool {
    line == "#" || line.starts_with("# ")
}

/// Writes a crate with a module for each block.
fn write_crate(folder: &Path, name: &str, blocks: &[Block], dependencies: &str) -> Done {
    fs::create_dir_all(folder.join("src"))?;
    let package =
        format!("[package]\nname = \"page-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n");
    fs::write(folder.join("Cargo.toml"), format!("{package}\n{dependencies}"))?;
    let mut modules = "#![allow(warnings)]\n".to_owned();
    for Block { line, text } in blocks {
        writeln!(modules, "mod line_{line};")?;
        let has_main = text.contains("fn main(");
        let program = if has_main {
            text.clone()
        } else {
            format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{text}Ok(())\n}}\n")
        };
        fs::write(folder.join(format!("src/line_{line}.rs")), program)?;
    }
    fs::write(folder.join("src/lib.rs"), modules)?;
    Ok(())
}
