//! The stages of a call: the function that calls them, the table above it, ARCHITECTURE.md and CONTRIBUTING.md name the same ones, in the same
//! order, and no stage calls another.

use std::collections::BTreeMap;
use std::fs;

use syn::visit::{self, Visit};
use tests::source::{root, sources};

const SESSION: &str = "tool-runtime/src/session";

/// The stages that run after the function `stages`, around it.
const AROUND: [&str; 2] = ["settle", "inspect"];

/// Returns the first two cells of each row of the first table after a line that contains `heading`: the stage and its file.
fn table(text: &str, heading: &str) -> Vec<(String, String)> {
    let rows = text.split_once(heading).expect("there is a table").1.lines().skip(2);
    let cells = |line: &str| {
        let mut cells = line.split('|').skip(1).map(|cell| cell.trim().trim_matches('`').to_owned());
        Some((cells.next()?, cells.next()?))
    };
    rows.map_while(cells).collect()
}

/// Collects the methods that each method of `SessionView` calls on `self`, in order.
#[derive(Default)]
struct Calls {
    of_method: BTreeMap<String, Vec<String>>,
    current: Option<String>,
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let syn::Type::Path(path) = &*item.self_ty else { return };
        if item.trait_.is_none() && path.path.is_ident("SessionView") {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        let name = method.sig.ident.to_string();
        self.of_method.entry(name.clone()).or_default();
        self.current = Some(name);
        visit::visit_impl_item_fn(self, method);
        self.current = None;
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let is_own = matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        if let (true, Some(current)) = (is_own, &self.current) {
            self.of_method.entry(current.clone()).or_default().push(call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }
}

fn calls(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut calls = Calls::default();
    calls.visit_file(&syn::parse_file(text).expect("a source can be parsed"));
    calls.of_method
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
fn each_stage_is_a_method_in_its_file_and_calls_no_other_stage() {
    let listed = stages();
    let mut seen = 0;
    for file in sources(&root().join(SESSION)) {
        let file_name = file.file_name().expect("a name").to_string_lossy().into_owned();
        for (method, called) in calls(&fs::read_to_string(&file).expect("a source can be read")) {
            if let Some((_, home)) = listed.iter().find(|(name, _)| *name == method) {
                assert_eq!(file_name, *home, "the stage {method}");
                seen += 1;
            }
            // `settle` ends every call, and inspects the result. A call without stages (`fast.rs`) is inspected too.
            let is_allowed = |name: &str| match &*file_name {
                "call.rs" => true,
                "settle.rs" | "fast.rs" => name == "inspect",
                _ => name == "settle",
            };
            let others = called.iter().filter(|name| listed.iter().any(|(stage, _)| stage == *name));
            let wrong: Vec<_> = others.filter(|name| !is_allowed(name)).collect();
            assert!(wrong.is_empty(), "{file_name}: {method} calls the stages {wrong:?}");
        }
    }
    assert_eq!(seen, listed.len());
}
