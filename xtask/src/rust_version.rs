//! The compiler that each dependency needs, compared with the `rust-version` of the packages that use it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::process::{Done, cargo, output};

/// Dependencies behind a feature that needs a newer compiler than the rest of the package, as its README says: package, dependency.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("tool-adapters", "rig-core"),
    ("tool-adapters", "rig-http"),
    ("tool-durable", "restate-sdk"),
    ("tool-durable", "restate-sdk-macros"),
];

/// Checks every published package with all of its features.
pub(crate) fn run(_: &[String]) -> Done {
    let metadata: Value =
        serde_json::from_str(&output(cargo(&["metadata", "--locked", "--all-features", "--format-version", "1"]))?)?;
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"]).map(|one| (text(&one["id"]), one)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|one| (text(&one["id"]), one)).collect();
    let mut faults = Vec::new();
    let mut unused: BTreeSet<_> = EXCEPTIONS.iter().copied().collect();
    let mut checked = 0;
    let members = list(&metadata["workspace_members"]).filter_map(|id| packages.get(text(id)));
    for package in members.filter(|package| package["publish"].is_null()) {
        let (name, Some(oldest)) = (text(&package["name"]), version(package)?) else {
            return Err(format!("{} has no rust-version", package["name"]).into());
        };
        for id in needed(text(&package["id"]), &nodes) {
            let Some(dependency) = packages.get(id) else { continue };
            checked += 1;
            if version(dependency)?.is_some_and(|needs| needs > oldest) {
                let used = text(&dependency["name"]);
                if !unused.remove(&(name, used)) && !EXCEPTIONS.contains(&(name, used)) {
                    let needs = text(&dependency["rust_version"]);
                    let promised = text(&package["rust_version"]);
                    faults.push(format!("{name} promises {promised}, but {used} needs {needs}"));
                }
            }
        }
    }
    faults.extend(unused.iter().map(|(name, used)| format!("{name} no longer needs the exception for {used}")));
    if !faults.is_empty() {
        return Err(faults.join("\n").into());
    }
    println!("{checked} dependencies");
    Ok(())
}

/// Returns a package and all packages that it is built with. Dependencies for its tests are not included.
fn needed<'m>(package: &'m str, nodes: &BTreeMap<&'m str, &'m Value>) -> BTreeSet<&'m str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![package]);
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let Some(node) = nodes.get(id) else { continue };
        let is_built = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"] != "dev");
        open.extend(list(&node["deps"]).filter(is_built).map(|dependency| text(&dependency["pkg"])));
    }
    found
}

/// Returns the oldest compiler of a package as numbers, if the package names one.
fn version(package: &Value) -> Done<Option<Vec<u32>>> {
    let Some(written) = package["rust_version"].as_str() else { return Ok(None) };
    let mut numbers: Vec<u32> = written.split('.').map(str::parse).collect::<Result<_, _>>()?;
    numbers.resize(3, 0);
    Ok(Some(numbers))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
