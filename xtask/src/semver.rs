//! Compares the public API of each crate with an earlier one, by `cargo semver-checks`.

use std::fs;

use crate::process::{Done, cargo, finish, root};
use crate::release;

/// Compares the packages of the arguments, or all published ones, with those of the revision in `.ci/semver-baseline`.
pub(crate) fn run(wanted: &[String]) -> Done {
    let file = fs::read_to_string(root().join(".ci/semver-baseline"))?;
    let revision = file.lines().find(|line| !line.starts_with('#')).ok_or("`.ci/semver-baseline` names no revision")?;
    let mut compare = cargo(&["semver-checks", "--baseline-rev", revision]);
    // One folder for all crates, so that each dependency is only checked once.
    compare.env("CARGO_TARGET_DIR", root().join("target/semver"));
    let all = release::names()?.crates.into_keys().collect::<Vec<_>>();
    for package in if wanted.is_empty() { &all[..] } else { wanted } {
        compare.args(["-p", package]);
    }
    println!("compared with {revision}");
    finish(compare)
}
