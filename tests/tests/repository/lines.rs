//! The counter of lines of code that `cargo xtask size` uses.

#[path = "../../../xtask/src/lines.rs"]
mod counter;

use std::path::Path;

#[test]
fn comments_blank_lines_and_tests_are_not_code() {
    let text = "//! A module.\n\nuse std::fs;\n\n/// A number.\npub const A: u8 = 1; // one\n\n    // No code.\nfn f() {\n    g();\n}\n";
    assert_eq!(counter::code(text), 5);
    let tests = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        f();\n    }\n}\n";
    assert_eq!(counter::code(tests), 0);
    assert_eq!(counter::code(&format!("{text}\n{tests}fn h() {{}}\n")), 6);
}

#[test]
fn items_for_tests_end_where_their_indentation_ends() {
    assert_eq!(counter::code("#[cfg(test)]\nmod tests;\n\nmod other;\n"), 1);
    assert_eq!(counter::code("#[cfg(test)]\nuse a::{\n    B,\n    C,\n};\nuse d::E;\n"), 1);
    let method = "impl A {\n    #[cfg(test)]\n    pub(super) fn b(\n        &self,\n    ) -> u8 {\n        1\n    }\n\n    fn c() {}\n}\n";
    assert_eq!(counter::code(method), 3);
    assert_eq!(counter::code("struct A {\n    #[cfg(test)]\n    b: u8,\n    c: u8,\n}\n"), 3);
    assert_eq!(counter::code("#[cfg(all(test, feature = \"a\"))]\nmod tests {\n    fn f() {}\n}\nfn g() {}\n"), 1);
    assert_eq!(counter::test_modules("mod a;\n#[cfg(test)]\nmod page;\nmod b;\n"), ["page"]);
    assert_eq!(counter::code("#[cfg(test)]\n#[path = \"x.rs\"]\nmod x;\nfn f() {}\n"), 1);
}

#[test]
fn files_and_folders_of_tests_are_no_code() {
    let is_test = |path: &str| counter::is_test(Path::new(path));
    assert!(is_test("fast/tests.rs") && is_test("tests/limits.rs"));
    assert!(!is_test("contest.rs"));
}
