//! The same call gives the same bytes, whatever crates and features of ours are in the program.
//!
//! Cargo unites the features of everything in a build, so each combination is a build of its own: the program `tests/same_bytes`, which prints
//! what models and hosts read of a fixed set of calls. By itself this test compares the smallest combination with the largest; with
//! `SAME_BYTES=all`, as `.ci/run` sets it, it tries all of them, the chat clients included, which takes minutes.

use std::path::Path;
use std::process::Command;

/// Everything but the chat clients.
const LARGEST: &str = "features,testkit,toolbox";

/// `tool-testkit` brings `tool-chat` and `tool-dynamic`, `toolbox` brings `tool-dynamic`: these are all the other different sets.
const OTHERS: &[&str] = &[
    "dynamic",
    "chat",
    "chat,dynamic",
    "testkit",
    "toolbox",
    "chat,toolbox",
    "testkit,toolbox",
    "features",
    "adapters",
    "adapters,features,testkit,toolbox",
];

fn printed(features: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_bytes");
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--locked", "--features", features, "--target-dir"])
        .arg(target)
        .arg("--manifest-path")
        .arg(root.join("same_bytes/Cargo.toml"))
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{features}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the program prints text")
}

#[test]
fn no_crate_and_no_feature_of_ours_changes_an_outcome() {
    let alone = printed("");
    for shown in ["\"error_type\":\"validation_error\"", "\"error_type\":\"throttled\"", "❌", "~ Read level"] {
        assert!(alone.contains(shown), "the calls never show {shown}");
    }
    assert!(!alone.contains("output schema"), "no check of results is set");
    let all = std::env::var("SAME_BYTES").is_ok_and(|value| value == "all");
    let others = if all { OTHERS } else { &[] };
    for features in [LARGEST].iter().chain(others) {
        let printed = printed(features);
        let differing = alone.lines().zip(printed.lines()).find(|(alone, other)| alone != other);
        assert!(printed == alone, "{features} changes what is printed: {differing:?}");
    }
}
