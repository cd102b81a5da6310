//! The stages of a call: the function that calls them, the table above it, ARCHITECTURE.md and CONTRIBUTING.md name the same ones, in the same
//! order, and no stage calls another.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use syn::visit::{self, Visit};
use tests::source::{root, sources};

const SESSION: &str = "tool-runtime/src/session";

/// The stages that run after the function `stages`, around it.
const AROUND: [&str; 2] = ["settle", "inspect_result"];

/// Returns the first two cells of each row of the first table after a line that contains `heading`: the stage and its file.
fn table(text: &str, heading: &str) -> Vec<(String, String)> {
    let rows = text.split_once(heading).expect("there is a table").1.lines().skip(2);
    let cells = |line: &str| {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().trim_matches('`').to_owned());
        Some((cells.next()?, cells.next()?))
    };
    rows.map_while(cells).collect()
}

/// Collects, for each function of a file, the names of what it calls in order: methods of the session (of `self`, or of a parameter
/// `view`), and functions by their name.
#[derive(Default)]
struct Calls {
    of_function: BTreeMap<String, Vec<String>>,
    current: Option<String>,
}

impl Calls {
    fn inside(&mut self, name: &syn::Ident, visit: impl FnOnce(&mut Self)) {
        let name = name.to_string();
        self.of_function.entry(name.clone()).or_default();
        let outer = self.current.replace(name);
        visit(self);
        self.current = outer;
    }

    fn call(&mut self, name: &syn::Ident) {
        if let Some(current) = &self.current {
            self.of_function.entry(current.clone()).or_default().push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if item.trait_.is_none() && is_session(&item.self_ty) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        self.inside(&method.sig.ident, |this| visit::visit_impl_item_fn(this, method));
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.inside(&function.sig.ident, |this| visit::visit_item_fn(this, function));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_session = |path: &syn::Path| ["self", "view", "current"].iter().any(|name| path.is_ident(name));
        if matches!(&*call.receiver, syn::Expr::Path(path) if is_session(&path.path)) {
            self.call(&call.method);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func
            && let Some(name) = path.path.get_ident()
            && name.to_string().starts_with(char::is_lowercase)
        {
            self.call(name);
        }
        visit::visit_expr_call(self, call);
    }
}

fn is_session(item: &syn::Type) -> bool {
    matches!(item, syn::Type::Path(path) if path.path.is_ident("SessionView") || path.path.is_ident("Session"))
}

fn calls(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut calls = Calls::default();
    calls.visit_file(&syn::parse_file(text).expect("a source can be parsed"));
    calls.of_function
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the file can be read")
}

/// Returns the stages with their files, from the table at the top of `call.rs`.
fn stages() -> Vec<(String, String)> {
    table(&read(&format!("{SESSION}/call.rs")).replace("//! ", ""), "| stage | file | does")
}

#[test]
fn one_function_calls_the_stages_in_the_order_of_the_tables() {
    let listed = stages();
    let names: Vec<&str> = listed.iter().map(|(name, _)| name.as_str()).collect();
    let called = &calls(&read(&format!("{SESSION}/call.rs")))["stages"];
    assert_eq!([called.iter().map(String::as_str).collect::<Vec<_>>(), AROUND.to_vec()].concat(), names);
    assert_eq!(table(&read("ARCHITECTURE.md"), "| stage | file in `session/`"), listed, "ARCHITECTURE.md");
    let page = read("CONTRIBUTING.md");
    let steps = page.split_once("## Add a stage\n").expect("there is the section").1;
    let list = steps.split_once("The stages are ").and_then(|(_, rest)| rest.split_once('.')).expect("a list").0;
    assert_eq!(list.split('`').skip(1).step_by(2).collect::<Vec<_>>(), names, "CONTRIBUTING.md");
}

#[test]
fn each_stage_has_a_file_and_calls_no_other_stage() {
    let listed = stages();
    let mut seen = 0;
    for file in sources(&root().join(SESSION)) {
        let file_name = file.file_name().expect("a name").to_string_lossy().into_owned();
        for (function, called) in calls(&fs::read_to_string(&file).expect("a source can be read")) {
            if let Some((_, home)) = listed.iter().find(|(name, _)| *name == function) {
                assert_eq!(file_name, *home, "the stage {function}");
                seen += 1;
            }
            // `settle` ends every call, and inspects the result. A call without stages (`fast.rs`) is inspected too.
            let is_allowed = |name: &str| match &*file_name {
                "call.rs" => true,
                "settle.rs" | "fast.rs" => name == "inspect_result",
                // The session that detached a call inspects its result, which comes from another session.
                "for_sibling_crates.rs" => name == "settle" || name == "inspect_result",
                _ => name == "settle",
            };
            let others = called.iter().filter(|name| listed.iter().any(|(stage, _)| stage == *name));
            let wrong: Vec<_> = others.filter(|name| !is_allowed(name)).collect();
            assert!(wrong.is_empty(), "{file_name}: {function} calls the stages {wrong:?}");
        }
    }
    assert_eq!(seen, listed.len());
}

/// A method that is called as `self.x()` is in one of few files. Every other function is called by the name of its module, or imported.
#[test]
fn the_methods_of_a_session_are_in_few_files() {
    let has_methods = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a source can be read");
        let items = syn::parse_file(&text).expect("a source can be parsed").items;
        items
            .iter()
            .any(|item| matches!(item, syn::Item::Impl(item) if item.trait_.is_none() && is_session(&item.self_ty)))
    };
    let files: Vec<_> = sources(&root().join(SESSION)).into_iter().filter(has_methods).collect();
    let stages: BTreeSet<_> = stages().into_iter().map(|(_, file)| file).collect();
    let others = files.iter().filter_map(|file| file.file_name()?.to_str()).filter(|name| !stages.contains(*name));
    assert_eq!(
        others.collect::<Vec<_>>(),
        ["call.rs", "deferred.rs", "for_sibling_crates.rs", "mod.rs", "session_with_toolbox.rs"]
    );
    assert!(files.len() <= 15, "{files:?}");
}
