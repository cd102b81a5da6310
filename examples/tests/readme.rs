//! Checks that the README and the tour show real programs and their real output, and that `cargo run` prints its golden. `UPDATE_GOLDEN=1`
//! updates the golden.
//!
//! Before a fenced block, a line `<!-- output: NAME -->` or `<!-- source: PATH -->` says what the block shows. In a block, a line that
//! consists of `…` matches any number of lines.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn binary(name: &str) -> Option<&'static str> {
    Some(match name {
        "replay" => env!("CARGO_BIN_EXE_replay"),
        "first" => env!("CARGO_BIN_EXE_first"),
        "weather" => env!("CARGO_BIN_EXE_weather"),
        "math" => env!("CARGO_BIN_EXE_math"),
        "files" => env!("CARGO_BIN_EXE_files"),
        "loop" => env!("CARGO_BIN_EXE_loop"),
        _ => return None,
    })
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages with programs and outputs.
fn pages() -> [PathBuf; 2] {
    ["../README.md", "../docs/tour.md"].map(|page| here().join(page))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the output of a program. Its arguments follow its name.
fn output(line: &str) -> String {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let program = binary(name).unwrap_or_else(|| panic!("a page shows the output of {name}, which does not exist"));
    let output =
        Command::new(program).args(words).output().unwrap_or_else(|error| panic!("{name} does not start: {error}"));
    assert!(output.status.success(), "{name} fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{name} does not print text: {error}"))
}

/// Returns the fenced blocks that follow a comment, each with the comment.
fn shown(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for part in page.split("<!-- ").skip(1) {
        let Some((what, rest)) = part.split_once(" -->\n") else { continue };
        let block = rest.strip_prefix("```").and_then(|rest| rest.split_once('\n')?.1.split_once("\n```"));
        found.push((what, block.unwrap_or_else(|| panic!("no block follows {what}")).0));
    }
    found
}

/// Returns `true` if a text matches a block, in which a line `…` matches any number of lines.
fn is_like(block: &str, text: &str) -> bool {
    let parts: Vec<_> = format!("\n{}\n", block.trim_end()).split("\n…\n").map(str::to_owned).collect();
    let text = format!("\n{}\n", text.trim_end());
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    if parts.len() == 1 {
        return text == *first;
    }
    let mut rest = text.as_str();
    for (position, part) in parts.iter().enumerate() {
        let place =
            if position == 0 { rest.starts_with(first.as_str()).then_some(0) } else { rest.find(part.as_str()) };
        let Some(place) = place else { return false };
        rest = &rest[place + part.len()..];
    }
    text.ends_with(last.as_str())
}

#[test]
fn the_pages_show_the_real_outputs() {
    let pages = pages().map(|page| read(&page));
    let mut checked = 0;
    for (what, block) in pages.iter().flat_map(|page| shown(page)) {
        if let Some(name) = what.strip_prefix("output: ") {
            checked += 1;
            assert!(is_like(block, &output(name)), "{name} prints something else:\n{}", output(name));
        }
    }
    assert!(checked >= 4, "only {checked} outputs are shown");
}

#[test]
fn programs_in_the_pages_are_the_real_sources() {
    let pages = pages().map(|page| read(&page));
    let mut checked = 0;
    for (what, block) in pages.iter().flat_map(|page| shown(page)) {
        if let Some(path) = what.strip_prefix("source: ") {
            checked += 1;
            let source = read(&here().join(path));
            // A page may show only a part of a source.
            assert!(is_like(&format!("…\n{block}\n…"), &format!("\n{source}\n")), "{path} differs");
        }
    }
    assert!(checked >= 3, "only {checked} sources are shown");
}

/// A reader pastes the program into a new crate, so the block is the whole file, with its imports.
#[test]
fn the_first_program_can_be_pasted() {
    let page = read(&here().join("../README.md"));
    let programs: Vec<_> =
        shown(&page).into_iter().filter_map(|(what, block)| Some((what.strip_prefix("program: ")?, block))).collect();
    assert_eq!(programs.len(), 1);
    for (path, block) in programs {
        let source = read(&here().join(path));
        let program: Vec<_> = source.lines().skip_while(|line| line.starts_with("//!") || line.is_empty()).collect();
        assert_eq!(block.lines().collect::<Vec<_>>(), program, "{path} differs");
    }
    let dependencies = "[dependencies]\ntool-runtime = { path";
    assert!(page.find(dependencies) < page.find("<!-- program"), "the dependencies come first");
}

#[test]
fn the_runs_print_their_goldens() {
    for (name, program) in [("start", "replay"), ("tour", "replay --all")] {
        let golden = here().join(format!("transcripts/{name}.golden.txt"));
        let printed = output(program);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &printed).unwrap_or_else(|error| panic!("the golden cannot be written: {error}"));
        }
        assert_eq!(printed, read(&golden));
    }
}

/// A newcomer sees what works first, and all of it on two screens.
#[test]
fn the_default_run_fits_two_screens() {
    let printed = output("replay");
    assert!(printed.lines().count() <= 100, "{} lines", printed.lines().count());
    let verdicts: Vec<&str> = printed.lines().filter(|line| line.starts_with("  ") && !line.contains('│')).collect();
    assert_eq!(verdicts[0], "  ran");
    let summary = printed.lines().find(|line| line.contains(" calls: ")).expect("a summary");
    assert!(summary.starts_with("13 calls: 10 ran, 3 "), "{summary}");
}

#[test]
fn every_line_of_json_output_is_valid() {
    let lines =
        Command::new(env!("CARGO_BIN_EXE_replay")).args(["--all", "--json"]).output().expect("replay starts").stdout;
    let lines = String::from_utf8(lines).expect("replay prints text");
    let calls = read(&here().join("transcripts/tour.jsonl")).lines().count();
    let parsed: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    assert_eq!(parsed.len(), calls);
    assert!(parsed.iter().enumerate().all(|(index, line)| line["id"] == format!("call_{}", index + 1)));
}

#[test]
fn the_tour_has_a_page() {
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tour.html");
    let output = Command::new(env!("CARGO_BIN_EXE_replay"))
        .args(["--all", "--report"])
        .arg(&page)
        .output()
        .expect("replay starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), read(&here().join("transcripts/tour.golden.txt")));
    let html = read(&page);
    let calls = read(&here().join("transcripts/tour.jsonl")).lines().count();
    assert_eq!(html.matches("<details class=\"call\"").count(), calls);
    assert!(html.contains("expands Math") && html.contains("paused") && html.contains("<del>"), "{}", &html[..3_000]);
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).arg("--report").output().expect("replay starts");
    assert!(String::from_utf8_lossy(&output.stderr).contains("--report needs a file"));
}

/// Replays a file with these bytes.
fn replayed(name: &str, recorded: &[u8]) -> Output {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, recorded).expect("the target directory can be written");
    Command::new(env!("CARGO_BIN_EXE_replay")).arg(&file).output().expect("replay starts")
}

#[test]
fn an_invalid_line_is_reported_with_its_number() {
    let call = br#"{"tool": "add", "arguments": {}}"#;
    for (wrong, reason) in [
        (
            &br#"{"tool": 3}"#[..],
            "line 3: not a recorded call: invalid type: integer `3`, expected a string at column 10",
        ),
        (b"{\"tool\": \"a\xff\"}", "line 3: not a recorded call: not valid UTF-8 at byte 11"),
    ] {
        let output = replayed("broken.jsonl", &[&call[..], b"\n\n", wrong, b"\n"].concat());
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(&format!("broken.jsonl, {reason}")), "{error}");
    }
}

#[test]
fn byte_order_marks_and_control_characters_are_not_printed() {
    let recorded =
        b"\xef\xbb\xbf{\"id\": \"a\\u001b[2J\\nb\", \"tool\": \"x\\u009b\", \"arguments\": \"\\u001b[31m\"}\r\n \r\n";
    let output = replayed("odd.jsonl", recorded);
    let printed = String::from_utf8(output.stdout).expect("replay prints text");
    assert!(printed.starts_with("a [2J b  x    [31m\n"), "{printed:?}");
    assert!(!printed.contains(|character: char| character.is_control() && character != '\n'), "{printed:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_file_name_that_is_not_utf_8_is_reported() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"no\xffsuch.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_replay")).arg(name).output().expect("replay starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("such.jsonl cannot be read"));
}
