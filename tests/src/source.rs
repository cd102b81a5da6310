//! The sources of this repository, for tests that read them.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that users depend on, by their folders.
pub const CRATES: [&str; 13] = [
    "tool-macros",
    "tool-runtime",
    "crates/tool-schema",
    "crates/tool-formats",
    "crates/tool-report",
    "crates/tool-dynamic",
    "crates/tool-chat",
    "crates/tool-testkit",
    "crates/tool-adapters",
    "crates/tool-durable",
    "crates/tool-mcp",
    "crates/tool-proxy",
    "crates/toolbox",
];

/// Returns the folder of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns every Rust source below a folder, sorted.
///
/// # Panics
///
/// If a folder cannot be read.
#[must_use]
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources can be read");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    found.sort();
    found
}
