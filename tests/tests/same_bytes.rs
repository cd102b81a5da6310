//! A call gives the same bytes, whatever crates and features of the workspace are in the program.
//!
//! Cargo unites the features of a crate in a build, so each combination is a build of its own: the program `tests/same_bytes`, which prints
//! what models and hosts read for a fixed set of calls. The builds take minutes, so `.ci/run` runs this test, and `cargo test` does not.

use std::path::Path;
use std::process::Command;

/// `tool-testkit` depends on `tool-chat` and `tool-dynamic`, and `toolbox` on `tool-dynamic`: these are all the different sets.
const COMBINATIONS: &[&str] = &[
    "features,testkit,toolbox",
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
#[ignore = "builds a program for each combination; `.ci/run` runs it"]
fn no_crate_or_feature_of_the_workspace_changes_an_outcome() {
    let alone = printed("");
    for shown in ["\"error_type\":\"validation_error\"", "\"error_type\":\"throttled\"", "❌", "~ Read level"] {
        assert!(alone.contains(shown), "the output does not contain {shown}");
    }
    assert!(!alone.contains("output schema"), "result checks are off");
    for features in COMBINATIONS {
        let printed = printed(features);
        let differing = alone.lines().zip(printed.lines()).find(|(alone, other)| alone != other);
        assert!(printed == alone, "{features} changes what is printed: {differing:?}");
    }
}
