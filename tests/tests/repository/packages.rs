//! Published packages are complete: each contains its licences, its README and the metadata that a registry shows.
//!
//! The tests ask cargo itself, so that a file that cargo would exclude is also missing here.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tests::source::{root, sources};

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(cargo).current_dir(root).args(arguments).output().expect("cargo starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo prints text")
}

/// Returns the packages of the workspace that can be published.
fn published() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let mut metadata: Value = serde_json::from_str(&metadata).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array_mut().map(std::mem::take).unwrap_or_default();
    packages.into_iter().filter(|package| package["publish"].is_null()).collect()
}

#[test]
fn the_published_packages_are_the_expected_ones() {
    let names: BTreeSet<String> =
        published().iter().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect();
    assert_eq!(
        names.iter().map(String::as_str).collect::<Vec<_>>(),
        [
            "tool-adapters",
            "tool-chat",
            "tool-durable",
            "tool-dynamic",
            "tool-formats",
            "tool-macros",
            "tool-mcp",
            "tool-proxy",
            "tool-report",
            "tool-runtime",
            "tool-schema",
            "tool-testkit",
            "toolbox"
        ]
    );
}

#[test]
fn every_package_has_its_metadata() {
    for package in published() {
        let name = &package["name"];
        for key in ["description", "license", "repository", "rust_version", "readme"] {
            assert!(package[key].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {key}");
        }
        for key in ["keywords", "categories"] {
            let count = package[key].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&count), "{name} has {count} {key}");
        }
        let has_features = package["features"].as_object().is_some_and(|features| !features.is_empty());
        let all_features = package["metadata"]["docs"]["rs"]["all-features"] == true;
        assert!(all_features || !has_features, "{name} is documented without its features");
    }
}

/// A dependency with a version has to be published before the packages that depend on it, even if only tests need it.
#[test]
fn packages_have_no_circular_dependencies() {
    let packages = published();
    let of_ours = |name: &Value| packages.iter().find(|package| package["name"] == *name);
    let needs = |package: &Value| -> Vec<Value> {
        let all = package["dependencies"].as_array().cloned().unwrap_or_default();
        // A dependency with only a path has the requirement `*` and is not part of the published package.
        all.into_iter().filter(|one| one["req"] != "*").map(|one| one["name"].clone()).collect()
    };
    for package in &packages {
        let mut open = needs(package);
        let mut seen = Vec::new();
        while let Some(name) = open.pop() {
            assert_ne!(name, package["name"], "{name} depends on itself");
            if let Some(other) = of_ours(&name).filter(|_| !seen.contains(&name)) {
                open.extend(needs(other));
                seen.push(name);
            }
        }
    }
}

#[test]
fn a_package_contains_its_licences_and_its_readme() {
    for package in published() {
        let name = package["name"].as_str().unwrap_or_default();
        let files = cargo(&["package", "--list", "--offline", "--allow-dirty", "-p", name]);
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            assert!(files.lines().any(|line| line == file), "{name} does not contain {file}");
        }
        // The documentation of a crate includes its guides.
        let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("docs");
        for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            let file = format!("docs/{}", entry.file_name().to_string_lossy());
            assert!(files.lines().any(|line| line == file), "{name} does not contain {file}");
        }
    }
}

/// Users would not find a feature that the README omits.
#[test]
fn a_readme_fits_on_a_screen_and_names_every_feature() {
    for package in published() {
        let name = package["name"].as_str().unwrap_or_default();
        let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("");
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("the README can be read");
        assert!(readme.lines().count() <= 70, "the README of {name} is longer than a screen");
        let features = package["features"].as_object().expect("a map");
        for feature in features.keys().filter(|feature| *feature != "default" && !feature.starts_with("__")) {
            let named = readme.lines().any(|line| line.starts_with("| `") && line.contains(&format!("`{feature}`")));
            assert!(named, "the README of {name} has no line for the feature {feature}");
        }
    }
}

#[test]
fn a_package_has_an_example_that_its_readme_names() {
    for package in published() {
        let name = package["name"].as_str().unwrap_or_default();
        let folder = Path::new(package["manifest_path"].as_str().unwrap_or_default()).with_file_name("");
        let readme = std::fs::read_to_string(folder.join("README.md")).expect("the README can be read");
        // Examples of macros need the crate that exports them.
        let owner = if name == "tool-macros" { "tool-runtime" } else { name };
        let targets = published().into_iter().filter(|package| package["name"] == owner);
        let targets = targets.flat_map(|package| package["targets"].as_array().cloned().expect("a list"));
        let mut examples = targets.filter(|target| target["kind"][0] == "example");
        let is_named =
            |target: Value| readme.contains(&format!("--example {}", target["name"].as_str().unwrap_or_default()));
        assert!(examples.any(is_named), "the README of {name} names no example");
    }
}

/// Generated code and the crates above use `__private`, which may change with every version.
#[test]
fn packages_of_the_workspace_pin_each_other() {
    let packages = published();
    let names: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    for package in &packages {
        for one in package["dependencies"].as_array().into_iter().flatten() {
            let (name, requirement) =
                (one["name"].as_str().unwrap_or_default(), one["req"].as_str().unwrap_or_default());
            let is_ours = names.contains(name) && requirement != "*";
            assert!(!is_ours || requirement.starts_with('='), "{} does not pin {name}: {requirement}", package["name"]);
        }
    }
}

/// The version is part of the name of the private module for generated code, so that code of another version does not compile.
#[test]
fn the_private_modules_are_named_after_the_version() {
    let expected = format!("__private_{}", env!("CARGO_PKG_VERSION").replace('.', "_"));
    let mut found = 0;
    for folder in
        ["tool-macros/src", "tool-runtime/src", "crates", "examples", "tests/src", "tests/renamed", "fuzz/fuzz_targets"]
    {
        for file in sources(&root().join(folder)) {
            let text = std::fs::read_to_string(&file).expect("a source can be read");
            for (at, prefix) in text.match_indices("__private_") {
                let digits = |character: char| character.is_ascii_digit() || character == '_';
                let end = text[at + prefix.len()..]
                    .find(|character| !digits(character))
                    .map_or(text.len(), |end| at + prefix.len() + end);
                if text[at + prefix.len()..].starts_with(|character: char| character.is_ascii_digit()) {
                    assert_eq!(text[at..end], expected, "{}", file.display());
                    found += 1;
                }
            }
        }
    }
    assert!(found > 5, "only {found} names were found");
}

/// Lists what users of `tool-runtime` compile: few crates, without a command line, a validator or a client.
#[test]
fn the_default_build_is_small() {
    let tree = cargo(&["tree", "--offline", "-p", "tool-runtime", "-e", "normal", "--prefix", "none", "-f", "{lib}"]);
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(crates.len() < 40, "{} crates: {crates:?}", crates.len());
    for heavy in ["anstream", "anstyle", "clap", "indicatif", "jsonschema", "pollster", "proptest", "reqwest", "hyper"]
    {
        assert!(!crates.contains(heavy), "tool-runtime depends on {heavy}");
    }
    let packages = published();
    let runtime = packages.iter().find(|package| package["name"] == "tool-runtime").expect("tool-runtime is published");
    let direct = runtime["dependencies"].as_array().expect("a list").iter().filter(|one| one["kind"].is_null());
    let direct: BTreeSet<&str> = direct.filter_map(|one| one["name"].as_str()).collect();
    let expected = [
        "base64",
        "rustix",
        "schemars",
        "serde",
        "serde_json",
        "thiserror",
        "tokio",
        "tool-macros",
        "tool-schema",
        "tracing",
    ];
    assert_eq!(direct.into_iter().collect::<Vec<_>>(), expected);
}
