//! Tests each crate from its packaged files alone, against a registry on disk.
//!
//! The registry is a folder with the unpacked packages of all dependencies, in the form of `cargo vendor`. A crate is built before it is added, in the
//! order of publication, so a crate that needs a later one fails. Then the tests of each crate run. A package cannot name a later crate, also not for its
//! tests, so these dependencies are added from the registry. At the end, a new program outside of the tree builds and prints the example of the README.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use toml_edit::{DocumentMut, InlineTable, value};

use crate::process::{Done, finish, output, root};
use crate::release::{self, Names};

pub(crate) fn run(wanted: &[String]) -> Done {
    let folder = root().join("target/packages");
    let tree = folder.join("tree");
    let names = release::write(&tree)?;
    let order = order(&tree, &names)?;

    let registry = folder.join("registry");
    remove(&registry)?;
    let mut vendor = cargo(&tree);
    vendor.args(["vendor", "--quiet", "--versioned-dirs"]).arg(&registry);
    output(vendor)?;
    let mut package = cargo(&tree);
    package.args(["package", "--no-verify", "--allow-dirty", "--quiet"]);
    for published in &order {
        package.args(["-p", published]);
    }
    finish(package)?;

    let disk = Disk { registry, target: folder.join("target"), config: folder.join("config.toml") };
    disk.forget_builds(&names)?;
    fs::write(
        &disk.config,
        format!(
            "[source.crates-io]\nreplace-with = \"disk\"\n[source.disk]\ndirectory = {:?}\n",
            disk.registry.display().to_string()
        ),
    )?;
    let is_wanted = |published: &&String| wanted.is_empty() || wanted.contains(published);
    let unpacked = |published: &String| folder.join("unpacked").join(format!("{published}-{}", names.version));
    for published in &order {
        disk.unpack(&tree, &unpacked(published))?;
        if is_wanted(&published) {
            println!("== {published}: build");
            disk.run(&unpacked(published), &["build", "--quiet", "--lib"])?;
        }
        disk.add(&unpacked(published))?;
    }
    for published in order.iter().filter(is_wanted) {
        println!("== {published}: tests");
        add_later_crates(&tree, &unpacked(published), published, &names)?;
        disk.run(&unpacked(published), &["test", "--quiet"])?;
    }
    println!("== the example of the README");
    disk.example(&folder.join("example"), &tree, &names)
}

/// Returns the published packages, each after its dependencies.
fn order(tree: &Path, names: &Names) -> Done<Vec<String>> {
    let mut metadata = cargo(tree);
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&output(metadata)?)?;
    let packages = metadata["packages"].as_array().ok_or("cargo lists no packages")?;
    let (mut order, mut open): (Vec<String>, Vec<&String>) = (Vec::new(), names.crates.values().collect());
    while !open.is_empty() {
        let before = open.len();
        open.retain(|name| {
            let package = packages.iter().find(|package| package["name"] == name.as_str());
            let dependencies = package.and_then(|package| package["dependencies"].as_array()).into_iter().flatten();
            // Dependencies of tests that name no version are not in the package.
            let mut needed = dependencies.filter(|one| one["kind"] != "dev" || one["req"] != "*");
            let is_ready = needed.all(|one| {
                let ours = names.crates.values().any(|name| one["name"] == name.as_str());
                !ours || order.iter().any(|name| one["name"] == name.as_str())
            });
            if is_ready {
                order.push((*name).clone());
            }
            !is_ready
        });
        if open.len() == before {
            return Err(format!("these packages need each other: {open:?}").into());
        }
    }
    Ok(order)
}

/// Adds the crates that only tests need, and that the package does not name because they are published later.
fn add_later_crates(tree: &Path, unpacked: &Path, published: &str, names: &Names) -> Done {
    let mut metadata = cargo(tree);
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&output(metadata)?)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let package = packages.find(|package| package["name"] == published).ok_or("the package is not in the tree")?;
    let manifest = unpacked.join("Cargo.toml");
    let mut document: DocumentMut = fs::read_to_string(&manifest)?.parse()?;
    for one in package["dependencies"].as_array().into_iter().flatten() {
        let (key, name) = (one["rename"].as_str(), one["name"].as_str().unwrap_or_default());
        if one["kind"] == "dev" && one["req"] == "*" && names.crates.values().any(|known| known == name) {
            let mut dependency = InlineTable::new();
            dependency.insert("package", name.into());
            dependency.insert("version", format!("={}", names.version).into());
            document["dev-dependencies"][key.unwrap_or(name)] = value(dependency);
            // Otherwise, the later crate brings a second copy of this one, whose types are others.
            document["patch"]["crates-io"][published]["path"] = value(".");
        }
    }
    Ok(fs::write(manifest, document.to_string())?)
}

/// A registry on disk, and the folders of its builds.
struct Disk {
    registry: PathBuf,
    target: PathBuf,
    config: PathBuf,
}

impl Disk {
    /// Makes cargo build our crates again. It takes a package of a registry for unchanged as long as it has the same version.
    fn forget_builds(&self, names: &Names) -> Done {
        for folder in fs::read_dir(self.target.join("debug/.fingerprint")).into_iter().flatten() {
            let path = folder?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.rsplit_once('-'));
            if name.is_some_and(|(package, _)| names.crates.values().any(|known| known == package)) {
                fs::remove_dir_all(path)?;
            }
        }
        Ok(())
    }

    /// Unpacks a package into the folder with its name.
    fn unpack(&self, tree: &Path, unpacked: &Path) -> Done {
        let (Some(into), Some(package)) = (unpacked.parent(), unpacked.file_name()) else {
            return Err(format!("{} has no name", unpacked.display()).into());
        };
        let archive = tree.join(format!("target/package/{}.crate", package.display()));
        remove(unpacked)?;
        fs::create_dir_all(into)?;
        let mut unpack = Command::new("tar");
        unpack.arg("xzf").arg(&archive).arg("-C").arg(into);
        finish(unpack)?;
        let mut sum = Command::new("sha256sum");
        sum.arg(&archive);
        let sum = output(sum)?;
        let sum = sum.split(' ').next().unwrap_or_default();
        // The empty list of files: cargo then compares only the sum of the archive with the lock file.
        Ok(fs::write(unpacked.join(".cargo-checksum.json"), json!({"files": {}, "package": sum}).to_string())?)
    }

    /// Adds a package, so that the next ones can depend on it.
    fn add(&self, unpacked: &Path) -> Done {
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(unpacked).arg(&self.registry);
        finish(copy)
    }

    /// Runs cargo in a folder, with this registry and no other.
    fn run(&self, folder: &Path, arguments: &[&str]) -> Done {
        let mut run = cargo(folder);
        run.args(arguments).arg("--offline").arg("--config").arg(&self.config).env("CARGO_TARGET_DIR", &self.target);
        // `expect-test` would take the topmost folder with a manifest, which is the clone.
        run.env("CARGO_WORKSPACE_DIR", folder);
        finish(run)
    }

    /// Runs the example of the README in a new package with the dependencies that the README names.
    fn example(&self, folder: &Path, tree: &Path, names: &Names) -> Done {
        let readme = fs::read_to_string(tree.join("README.md"))?;
        let block = |start: &str| {
            let (_, rest) = readme.split_once(start).ok_or_else(|| format!("README.md has no `{start}`"))?;
            rest.split_once("\n```")
                .map(|(block, _)| format!("{block}\n"))
                .ok_or_else(|| format!("`{start}` has no end"))
        };
        let dependencies = block("```toml\n")?;
        if dependencies.contains("path") || !dependencies.contains(&names.crates["tool-runtime"]) {
            return Err(format!("the dependencies in the README are not those of a user:\n{dependencies}").into());
        }
        remove(folder)?;
        fs::create_dir_all(folder.join("src"))?;
        let package = "[package]\nname = \"example\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
        fs::write(folder.join("Cargo.toml"), format!("{package}{dependencies}"))?;
        fs::write(folder.join("src/main.rs"), block("<!-- program: src/bin/first.rs -->\n```rust,ignore\n")?)?;
        self.run(folder, &["build", "--quiet"])?;
        let printed = output(Command::new(self.target.join("debug/example")))?;
        if printed.trim() != block("<!-- output: first -->\n```text\n")?.trim() {
            return Err(format!("the example of the README prints\n{printed}").into());
        }
        Ok(())
    }
}

/// Returns cargo in another folder. The variables of a package that runs in this process would change what it builds.
fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).env_remove("CARGO_TARGET_DIR");
    command
}

fn remove(folder: &Path) -> Done {
    if folder.exists() { Ok(fs::remove_dir_all(folder)?) } else { Ok(()) }
}
