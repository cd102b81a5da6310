//! A file of tests without a `mod` would never be compiled, and its tests would never run.

use std::fs;

use tests::source::{root, sources};

#[test]
fn every_file_of_tests_is_a_module() {
    let folder = root().join("tests/tests");
    let programs = ["all.rs", "ui.rs", "allocations/main.rs"].map(|program| folder.join(program));
    let mut checked = 0;
    for file in sources(&folder).into_iter().filter(|file| !programs.contains(file)) {
        // `x/mod.rs` and `x.rs` are both the module `x`.
        let module = if file.ends_with("mod.rs") { file.with_file_name("") } else { file.with_extension("") };
        let (parent, name) = (module.parent().expect("a file is in a folder"), module.file_name().expect("a name"));
        let parents = [parent.join("mod.rs"), parent.join("main.rs"), parent.with_extension("rs")];
        let parents = if parent == folder { vec![folder.join("all.rs")] } else { parents.to_vec() };
        let text: String = parents.iter().filter_map(|parent| fs::read_to_string(parent).ok()).collect();
        let declared = format!("mod {};", name.to_string_lossy());
        assert!(
            text.lines().any(|line| line.trim_start_matches("pub ") == declared),
            "no file has `{declared}` for {}",
            file.display()
        );
        checked += 1;
    }
    assert!(checked > 100, "only {checked} files were found");
}
