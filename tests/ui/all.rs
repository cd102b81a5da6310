//! Compile-time diagnostics: each file in `*/fail` contains one mistake (or one series of mistakes) and has a golden.
//!
//! trybuild compares the whole output of the compiler with the `.stderr` next to each file (`TRYBUILD=overwrite` blesses it). In addition,
//! `//~ tokens ~ words` comments on the line below the fault name the tokens that the caret must mark and words of the message; there must
//! be as many errors as comments. The goldens belong to the pinned compiler: with another one, each file must only fail.
//!
//! The compiler only runs with `cargo test -p ui -- --ignored mistakes_give`, which is a step of `.ci/run`. The comments are compared with the
//! goldens in every run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler in `rust-toolchain.toml`.
const PINNED: &str = "rustc 1.95.0";

const MACROS: [&str; 4] = ["derive", "tool", "plugin_container", "failure"];

/// The programs in `tool/fail` that compile as soon as each faulty text is replaced by the one that its error names.
const CORRECTED: [&str; 2] = ["keys_of_others", "attributes_of_others"];

#[test]
#[ignore = "checks the dependencies again and more than two hundred programs: a step of .ci/run"]
fn mistakes_give_the_expected_compiler_errors() {
    if !is_pinned() {
        return judge_in_copies();
    }
    let cases = trybuild::TestCases::new();
    for name in MACROS {
        cases.compile_fail(format!("{name}/fail/*.rs"));
    }
    for name in CORRECTED {
        let file = Path::new("tool/fail").join(name).with_extension("rs");
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("rs");
        fs::write(&copy, corrected(&file)).expect("the target directory can be written");
        cases.pass(copy);
    }
    for (index, file) in with_each_text(Path::new("derive/fail/unknown_keys_are_lost.rs")).iter().enumerate() {
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unknown_keys_{index}.rs"));
        fs::write(&copy, file).expect("the target directory can be written");
        cases.pass(copy);
    }
}

/// Returns the two programs in which the first, or the second, text that each error says to write is above its item.
fn with_each_text(file: &Path) -> [String; 2] {
    let source = fs::read_to_string(file).expect("a file of this folder can be read");
    let golden = fs::read_to_string(file.with_extension("stderr")).expect("each file has a golden");
    let errors = split_errors(&golden);
    assert!(!errors.is_empty(), "{} has no mistake", file.display());
    [0, 1].map(|which| {
        let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
        // From the last line to the first, so that the numbers of the other lines stay.
        for error in errors.iter().rev() {
            let mut texts = error.split('`').filter(|text| text.starts_with("#["));
            let text = texts.nth(which).expect("names two attributes");
            let place = error.lines().find_map(|line| line.trim_start().strip_prefix("--> ")).expect("has a place");
            let line: usize = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("has a line");
            lines.insert(line - 1, text.to_owned());
        }
        lines.join("\n")
    })
}

/// Returns a program in which the tokens of each error are replaced by the text that the error says to write.
fn corrected(file: &Path) -> String {
    let source = fs::read_to_string(file).expect("a file of this folder can be read");
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let golden = fs::read_to_string(file.with_extension("stderr")).expect("each file has a golden");
    let errors = split_errors(&golden);
    assert!(!errors.is_empty(), "{} has no mistake", file.display());
    // From right to left, so that the columns of the other errors stay.
    for error in errors.iter().rev() {
        let text = error.split("write `").nth(1).and_then(|rest| rest.split('`').next()).expect("says what to write");
        let place = error.lines().find_map(|line| line.trim_start().strip_prefix("--> ")).expect("has a place");
        let mut numbers = place.rsplit(':').map(|number| number.parse::<usize>().expect("a line and a column"));
        let (column, line) = (numbers.next().expect("a column"), numbers.next().expect("a line"));
        let marks = error.lines().filter_map(|line| line.split_once("| ")).map(|(_, under)| under.trim());
        let width = marks.filter(|under| under.starts_with('^')).map(str::len).next().expect("marks its tokens");
        let written: Vec<char> = lines[line - 1].chars().collect();
        let (before, behind) = (&written[..column - 1], &written[column - 1 + width..]);
        lines[line - 1] = before.iter().copied().chain(text.chars()).chain(behind.iter().copied()).collect();
    }
    lines.join("\n")
}

/// Asserts that each file fails, with any message: trybuild in its blessing mode, on copies whose goldens are ignored.
#[test]
#[ignore = "run by `mistakes_give_the_expected_compiler_errors` under a compiler that is not the pinned one"]
fn the_copied_mistakes_do_not_compile() {
    let cases = trybuild::TestCases::new();
    for name in MACROS {
        cases.compile_fail(format!("{}/*.rs", copy_of_failures(name).display()));
    }
}

fn judge_in_copies() {
    let status = std::env::current_exe()
        .and_then(|test| {
            Command::new(test)
                .args(["--ignored", "--exact", "the_copied_mistakes_do_not_compile"])
                .env("TRYBUILD", "overwrite")
                .status()
        })
        .expect("a test can run itself");
    assert!(status.success(), "a file in */fail compiles");
}

#[test]
fn errors_underline_the_faulty_tokens() {
    let mut faults = Vec::new();
    let mut files = 0;
    for name in MACROS {
        for file in sources(&Path::new(name).join("fail")) {
            files += 1;
            if let Err(fault) = judge(&file) {
                faults.push(format!("{}: {fault}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(files >= 60, "only {files} mistakes have a file");
}

fn is_pinned() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Command::new(rustc).arg("--version").output().is_ok_and(|out| out.stdout.starts_with(PINNED.as_bytes()))
}

fn copy_of_failures(name: &str) -> PathBuf {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui").join(name);
    fs::create_dir_all(&copy).expect("the target directory can be written");
    for file in sources(&Path::new(name).join("fail")) {
        let target = copy.join(file.file_name().expect("a file has a name"));
        fs::copy(&file, target).expect("the target directory can be written");
    }
    copy
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    files
}

/// A `//~ tokens ~ words` comment.
struct Expectation<'a> {
    line: usize,
    columns: Vec<usize>,
    width: usize,
    words: &'a str,
}

fn judge(file: &Path) -> Result<(), String> {
    let source = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let golden = fs::read_to_string(file.with_extension("stderr")).map_err(|_| "has no golden".to_owned())?;
    let expectations = expectations(&source)?;
    let errors: Vec<&str> = split_errors(&golden);
    if expectations.is_empty() {
        return Err("says nowhere what is wrong with it".into());
    }
    if errors.len() != expectations.len() {
        return Err(format!("{} errors for {} comments", errors.len(), expectations.len()));
    }
    for expectation in &expectations {
        if !errors.iter().any(|error| fits(error, expectation)) {
            return Err(format!("no error at line {} says {:?}", expectation.line, expectation.words));
        }
    }
    Ok(())
}

fn expectations(source: &str) -> Result<Vec<Expectation<'_>>, String> {
    let mut found = Vec::new();
    let mut last = (0, "");
    for (index, text) in source.lines().enumerate() {
        let Some(comment) = text.trim_start().strip_prefix("//~ ") else {
            last = (index + 1, text);
            continue;
        };
        let (tokens, words) = comment.split_once(" ~ ").ok_or("a comment without `tokens ~ words`")?;
        let columns: Vec<usize> =
            last.1.match_indices(tokens).map(|(at, _)| last.1[..at].chars().count() + 1).collect();
        if columns.is_empty() {
            return Err(format!("line {} has no {tokens:?}", last.0));
        }
        found.push(Expectation { line: last.0, columns, width: tokens.chars().count(), words });
    }
    Ok(found)
}

fn split_errors(golden: &str) -> Vec<&str> {
    golden.split("\n\n").filter(|block| block.starts_with("error")).collect()
}

/// Returns whether the primary span of an error begins and ends with the tokens and the message contains the words; notes are ignored.
fn fits(error: &str, expectation: &Expectation<'_>) -> bool {
    let snippet = || error.lines().take_while(|line| !line.starts_with("help:") && !line.starts_with("note:"));
    let place = snippet().find_map(|line| line.trim_start().strip_prefix("--> "));
    let at = |column: &usize| {
        place.is_some_and(|place| place.ends_with(&format!(":{}:{column}", expectation.line)))
            && snippet().filter_map(|line| line.split_once("| ")).any(|(_, under)| {
                // Other labels may be on the same line: the run of carets must be there, and must not be part of a longer one.
                let mut carets = vec![false];
                carets.extend(under.chars().map(|mark| mark == '^').chain([false]));
                let end = column + expectation.width;
                end < carets.len()
                    && carets[*column..end].iter().all(|caret| *caret)
                    && !carets[column - 1]
                    && !carets[end]
            })
    };
    error.contains(expectation.words) && expectation.columns.iter().any(at)
}
