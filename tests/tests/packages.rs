//! What is published is complete: each package brings its licences, its README and what a registry shows of it.
//!
//! Read through cargo itself, so that what it would leave out is missing here as well.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(cargo).current_dir(root).args(arguments).output().expect("cargo starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo prints text")
}

/// The packages of the workspace that can be published.
fn published() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let mut metadata: Value = serde_json::from_str(&metadata).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array_mut().map(std::mem::take).unwrap_or_default();
    packages.into_iter().filter(|package| package["publish"].is_null()).collect()
}

#[test]
fn the_published_packages_are_these() {
    let names: BTreeSet<String> =
        published().iter().filter_map(|package| package["name"].as_str().map(str::to_owned)).collect();
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["tool-adapters", "tool-macros", "tool-runtime"]);
}

#[test]
fn a_package_says_what_it_is() {
    for package in published() {
        let name = &package["name"];
        for key in ["description", "license", "rust_version", "readme"] {
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

/// A dependency with a version has to be published before what depends on it, one that only tests need as well.
#[test]
fn no_two_packages_wait_for_each_other() {
    let packages = published();
    let of_ours = |name: &Value| packages.iter().find(|package| package["name"] == *name);
    let needs = |package: &Value| -> Vec<Value> {
        let all = package["dependencies"].as_array().cloned().unwrap_or_default();
        // A path alone has the requirement `*` and is left out of what is published.
        all.into_iter().filter(|one| one["req"] != "*").map(|one| one["name"].clone()).collect()
    };
    for package in &packages {
        let mut open = needs(package);
        let mut seen = Vec::new();
        while let Some(name) = open.pop() {
            assert_ne!(name, package["name"], "{name} needs itself");
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
    }
}

#[test]
fn the_readme_names_every_feature() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).expect("the README can be read");
    let packages = published();
    let runtime = packages.iter().find(|package| package["name"] == "tool-runtime").expect("it is published");
    for feature in runtime["features"].as_object().expect("it has features").keys().filter(|name| *name != "default") {
        let named = readme.lines().any(|line| line.starts_with("| `") && line.contains(&format!("`{feature}`")));
        assert!(named, "the README has no line for the feature {feature}");
    }
}
