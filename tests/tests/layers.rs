//! Data flows one way: a room of `tool-runtime` imports only rooms above it in this list.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, each resting on those before it.
const LAYERS: [&str; 35] = [
    "caught",
    "hash",
    "visible",
    "json",
    "shape",
    "suggest",
    "schema",
    "issue",
    "input",
    "check",
    "repair",
    "decode",
    "bounded",
    "hint",
    "failure",
    "feedback",
    "clock",
    "throttle",
    "context",
    "tool",
    "dynamic",
    "container",
    "event",
    "hook",
    "response",
    "toolbox",
    "session",
    "model",
    "transcript",
    "conversation",
    "testkit",
    "cli",
    "__private",
    "lib",
    "bin",
];

#[test]
fn a_room_imports_only_rooms_above_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/src");
    let mut faults = Vec::new();
    let mut seen = 0;
    for file in sources(&folder) {
        let inside = file.strip_prefix(&folder).expect("a source lies below its folder");
        let room = inside.iter().next().and_then(|name| name.to_str()).unwrap_or_default().trim_end_matches(".rs");
        let Some(own) = layer(room) else {
            faults.push(format!("{}: the room {room} is not in the list", inside.display()));
            continue;
        };
        // Tests may look up: they use what is built on top to judge what is below.
        if inside.to_string_lossy().contains("tests") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source can be read");
        for line in text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines().map(str::trim) {
            if line.starts_with("//") {
                continue;
            }
            for imported in line.split("crate::").skip(1) {
                let name: String = imported.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                seen += 1;
                // Names that are no room are re-exports of `lib`, which rooms do not use.
                if layer(&name).is_none_or(|layer| layer > own) {
                    faults.push(format!("{}: {line}", inside.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 100, "only {seen} imports were seen");
}

/// `ARCHITECTURE.md` shows all rooms, in this order.
#[test]
fn the_page_shows_the_rooms_in_this_order() {
    let page = include_str!("../../ARCHITECTURE.md");
    let table = page.split("| room |").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("there is a table");
    let first = |line: &str| line.strip_prefix("| ").and_then(|line| Some(line.split_once(" |")?.0.to_owned()));
    let cells: Vec<String> = table.lines().filter_map(first).filter(|cell| cell.starts_with('`')).collect();
    let quoted = cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let shown: Vec<&str> = quoted.map(|name| name.trim_end_matches('/').trim_end_matches(".rs")).collect();
    let rooms: Vec<&str> = LAYERS.into_iter().filter(|room| !["lib", "bin"].contains(room)).collect();
    assert_eq!(shown, rooms);
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == room)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources can be read");
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    found.sort();
    found
}
