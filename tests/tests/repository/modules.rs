//! Programs of tests, of which each package has one, and their modules.

use std::fs;
use std::path::{Path, PathBuf};

use tests::source::{root, sources};

/// The programs that are not called `all`: two measure allocations and memory of a process, and `typed_toolbox` has a `main` of its own.
const ALONE: [&str; 3] = ["allocations", "memory", "typed_toolbox"];

/// Returns the folders of the packages of the workspace. Other packages have a version of their own.
fn packages() -> Vec<PathBuf> {
    let folders =
        ["", "crates", "examples", "tests"].map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let packages = folders.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_member = |package: &PathBuf| {
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
        manifest.contains("\nversion.workspace = true")
    };
    packages.filter(is_member).collect()
}

/// Returns the folders of the packages that have a folder of tests.
fn tested() -> Vec<PathBuf> {
    packages().into_iter().filter(|package| package.join("tests").is_dir()).collect()
}

fn manifest(package: &Path) -> String {
    fs::read_to_string(package.join("Cargo.toml")).expect("a package has a manifest")
}

/// Returns the value of a key in a table of a manifest.
fn value<'t>(table: &'t str, key: &str) -> Option<&'t str> {
    let rest = table.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
    rest.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).or(Some(rest))
}

/// Returns the tables of a manifest that have this heading.
fn tables<'m>(manifest: &'m str, heading: &str) -> Vec<&'m str> {
    manifest.split("\n[").filter_map(|table| table.strip_prefix(heading)).collect()
}

/// Returns the name and the file of each program.
fn programs(package: &Path) -> Vec<(String, PathBuf)> {
    let manifest = manifest(package);
    let program = |table: &&str| {
        let name = value(table, "name").expect("a program has a name");
        let path = value(table, "path").map(|path| package.join(path));
        let files = [package.join(format!("tests/{name}.rs")), package.join(format!("tests/{name}/main.rs"))];
        let file = path.into_iter().chain(files).find(|file| file.exists());
        (name.to_owned(), file.expect("a program has a file"))
    };
    tables(&manifest, "[test]]").iter().map(program).collect()
}

#[test]
fn every_package_has_one_program_of_tests() {
    let packages = tested();
    assert!(packages.len() >= 8, "{packages:?}");
    for package in packages {
        let shown = package.display();
        let names: Vec<String> = programs(&package).into_iter().map(|(name, _)| name).collect();
        let others: Vec<&String> = names.iter().filter(|name| !ALONE.contains(&name.as_str())).collect();
        assert_eq!(others, ["all"], "{shown}: make a new topic a module of `all`");
        assert!(manifest(&package).contains("\nautotests = false"), "{shown}: other files would be programs too");
    }
}

/// A file of tests without a `mod` would never be compiled, and its tests would never run.
#[test]
fn every_file_of_tests_is_a_module() {
    let mut checked = 0;
    for package in tested() {
        let folder = package.join("tests");
        let programs = programs(&package);
        let is_program = |file: &PathBuf| programs.iter().any(|(_, program)| program == file);
        for file in sources(&folder).into_iter().filter(|file| !is_program(file)) {
            // `x/mod.rs` and `x.rs` are both the module `x`.
            let module = if file.ends_with("mod.rs") { file.with_file_name("") } else { file.with_extension("") };
            let (parent, name) = (module.parent().expect("a file is in a folder"), module.file_name().expect("a name"));
            let parents = [parent.join("mod.rs"), parent.join("main.rs"), parent.with_extension("rs")];
            let parents = if parent == folder { vec![folder.join("all.rs")] } else { parents.to_vec() };
            let text: String = parents.iter().filter_map(|parent| fs::read_to_string(parent).ok()).collect();
            let declared = format!("mod {};", name.to_string_lossy());
            let is_declared =
                |line: &str| line.trim_start_matches("pub ").trim_start_matches("pub(crate) ") == declared;
            assert!(text.lines().any(is_declared), "no file has `{declared}` for {}", file.display());
            checked += 1;
        }
    }
    assert!(checked > 200, "only {checked} files were found");
}

/// Returns the sources of a library or, with the name of its file, of a program.
fn of_target(package: &Path, program: Option<&str>) -> Vec<PathBuf> {
    let (folder, library) = (package.join("src"), package.join("src/lib.rs"));
    let of_programs = folder.join("bin");
    match program {
        None => sources(&folder).into_iter().filter(|file| !file.starts_with(&of_programs)).collect(),
        Some(name) if of_programs.join(name).is_dir() => sources(&of_programs.join(name)),
        Some(name) if of_programs.is_dir() => vec![of_programs.join(name).with_extension("rs")],
        Some(_) if library.exists() => vec![folder.join("main.rs")],
        Some(_) => sources(&folder),
    }
}

/// With `test = false`, a target is not compiled a second time for its unit tests. If it had some, they would never run.
#[test]
fn a_target_without_a_harness_has_no_unit_tests() {
    let mut checked = 0;
    for package in packages() {
        let manifest = manifest(&package);
        let is_without = |table: &&str| value(table, "test").is_some_and(|test| test.starts_with("false"));
        let libraries = tables(&manifest, "lib]").into_iter().filter(is_without).map(|_| None);
        let programs = tables(&manifest, "[bin]]").into_iter().filter(is_without).map(|table| value(table, "name"));
        for file in libraries.chain(programs).flat_map(|program| of_target(&package, program)) {
            let text = fs::read_to_string(&file).expect("a target has this file");
            let is_test = |line: &str| {
                ["#[test]", "#[tokio::test]", "proptest!"].iter().any(|start| line.trim().starts_with(start))
            };
            assert!(!text.lines().any(is_test), "the tests of {} never run", file.display());
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} files were found");
}
