//! Imports point in one direction: a module only imports modules before it in the list of its crate, and no two files of a crate import
//! each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use tests::source::{self, root, sources};

/// The modules of `tool-macros`; each may import those before it. `emit` uses the checked model, and neither attributes nor checks.
const MACROS: &[&str] = &[
    "errors",
    "group",
    "model",
    "emit",
    "parse",
    "check",
    "derive",
    "plugin_container",
    "tool",
    "tool_failure",
    "lib",
];

/// The modules of `tool-schema`; each may import those before it.
const SCHEMA: &[&str] = &[
    "counted",
    "hash",
    "visible",
    "json",
    "shape",
    "letter_case",
    "suggest",
    "tool_names",
    "schema",
    "envelope",
    "markup",
    "issue",
    "dialect",
    "input",
    "check",
    "decode",
    "repair",
    "bounded",
    "hint",
    "feedback",
    "extract",
    "__private",
    "lib",
];

/// The modules of `tool-runtime`.
const RUNTIME: &[&str] = &[
    "caught",
    "failure",
    "feedback",
    "clock",
    "throttle",
    "spill",
    "context",
    "tool",
    "container",
    "event",
    "hook",
    "response",
    "toolbox",
    "session",
    "__private",
    "lib",
];

/// The modules of `tool-chat`.
const CHAT: &[&str] = &["model", "transcript", "run", "conversation", "lib"];

/// The modules of `tool-durable`.
const DURABLE: &[&str] = &[
    "store",
    "file",
    "memory",
    "error",
    "event",
    "engine",
    "entry",
    "inbox",
    "health",
    "ingress",
    "setup",
    "ask",
    "local",
    "conversation",
    "restate",
    "lib",
];

/// Every crate with the list of its modules, and the modules that it re-exports from the crate below.
const CRATES: &[(&str, &[&str], &[&str])] = &[
    ("tool-macros", MACROS, &[]),
    ("crates/tool-schema", SCHEMA, &[]),
    ("tool-runtime", RUNTIME, SCHEMA),
    ("crates/tool-chat", CHAT, &[]),
    ("crates/tool-durable", DURABLE, &[]),
];

/// A source file as a module, with its imports and re-exports.
#[derive(Default)]
struct Module {
    text: String,
    /// The paths after `use`, and paths with several segments anywhere else.
    imports: Vec<Vec<String>>,
    /// The paths after `pub use`.
    exports: Vec<Vec<String>>,
}

/// The name under which a crate imports the internals of the crate below.
const BELOW: &str = "private";

/// The modules of every crate, which are parsed once for all tests.
static MODULES: LazyLock<BTreeMap<&str, BTreeMap<Vec<String>, Module>>> =
    LazyLock::new(|| source::CRATES.into_iter().map(|name| (name, modules(name))).collect());

/// Returns the files of a crate by the path of their module. Tests are left out, because they may import any module.
fn modules(name: &str) -> BTreeMap<Vec<String>, Module> {
    let folder = root().join(name).join("src");
    let mut found = BTreeMap::new();
    for file in sources(&folder) {
        let inside = file.strip_prefix(&folder).expect("a source lies below its folder").with_extension("");
        let mut path: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if path.iter().any(|part| part.contains("test") && part != "testkit") || path == ["main"] {
            continue;
        }
        if path.last().is_some_and(|last| last == "mod" || last == "lib") {
            path.pop();
        }
        let text = fs::read_to_string(&file).expect("a source can be read");
        let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut module = Module { text, ..Module::default() };
        module.visit_file(&syntax);
        found.insert(path, module);
    }
    assert!(found.len() > 2, "{name} has no sources");
    found
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) || item.content.is_none() {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let is_export = !matches!(item.vis, syn::Visibility::Inherited);
        let paths = if is_export { &mut self.exports } else { &mut self.imports };
        flatten(&item.tree, &mut Vec::new(), paths);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        // `pub(super)` is a path with one segment; a path may also begin with a child of the module.
        if segments.len() > 1 {
            self.imports.push(segments);
        }
        visit::visit_path(self, path);
    }
}

fn flatten(tree: &syn::UseTree, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, before, found)),
        syn::UseTree::Name(syn::UseName { ident }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
            found.push(before.iter().cloned().chain([ident.to_string()]).collect());
        }
        syn::UseTree::Glob(_) => found.push(before.clone()),
    }
}

/// Returns the file to which a path leads from a module of the crate, or `None` for paths into other crates.
fn resolve(all: &BTreeMap<Vec<String>, Module>, from: &[String], path: &[String], hops: usize) -> Option<Vec<String>> {
    let (mut at, mut rest) = (from.to_vec(), path);
    if path.starts_with(&["crate".to_owned(), BELOW.to_owned()]) {
        return None;
    }
    match path.first()?.as_str() {
        "crate" => (at, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        child => {
            let child: Vec<String> = from.iter().cloned().chain([child.to_owned()]).collect();
            all.get(&child)?;
        }
    }
    while let Some(part) = rest.first() {
        let child: Vec<String> = at.iter().cloned().chain([part.clone()]).collect();
        if !all.contains_key(&child) {
            break;
        }
        (at, rest) = (child, &rest[1..]);
    }
    let export = rest.first().and_then(|name| all.get(&at)?.exports.iter().find(|path| path.last() == Some(name)));
    export.filter(|_| hops > 0).and_then(|export| resolve(all, &at, export, hops - 1)).or(Some(at))
}

#[test]
fn no_two_files_import_each_other() {
    let (mut faults, mut seen) = (Vec::new(), 0);
    for name in source::CRATES {
        let all = &MODULES[name];
        let mut edges = BTreeSet::new();
        for (module, source) in all {
            let targets = source.imports.iter().filter_map(|path| resolve(all, module, path, 8));
            edges.extend(targets.filter(|target| target != module).map(|target| (module.clone(), target)));
        }
        seen += edges.len();
        // A comment marks genuine recursion: `// Recursion with `other`: …`.
        let excuses = |module: &Vec<String>, other: &Vec<String>| {
            let other = other.last().map_or("lib", String::as_str);
            all[module].text.contains(&format!("// Recursion with `{other}`"))
        };
        for (one, other) in edges.iter().filter(|(one, other)| one < other) {
            if edges.contains(&(other.clone(), one.clone())) && !excuses(one, other) && !excuses(other, one) {
                faults.push(format!("{name}: {} and {}", one.join("/"), other.join("/")));
            }
        }
    }
    assert!(faults.is_empty(), "these files import each other:\n{}", faults.join("\n"));
    assert!(seen > 500, "only {seen} imports were seen");
}

#[test]
fn a_module_imports_only_modules_before_it() {
    for (name, layers, below) in CRATES {
        let all = &MODULES[name];
        let position = |module: &str| layers.iter().position(|known| *known == module);
        let (mut faults, mut seen) = (Vec::new(), 0);
        for (module, source) in all {
            let own = module.first().map_or("lib", String::as_str);
            let Some(layer) = position(own) else {
                faults.push(format!("{name}: {own} is not in the list"));
                continue;
            };
            for path in source.imports.iter().filter(|path| path[0] == "crate") {
                seen += 1;
                let is_before = |target: &String| {
                    position(target).is_some_and(|target| target <= layer)
                        || below.contains(&&**target)
                        || target == BELOW
                };
                if !path.get(1).is_some_and(is_before) {
                    faults.push(format!("{name}: {} imports {}", module.join("/"), path.join("::")));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert!(seen > 5, "only {seen} imports of {name} were seen");
    }
}

/// Checks that `ARCHITECTURE.md` shows all modules in this order.
#[test]
fn architecture_md_lists_the_modules_in_the_order_of_the_layers() {
    let page = include_str!("../../../ARCHITECTURE.md");
    for (name, layers, _) in CRATES {
        let heading = format!("### {}\n", name.trim_start_matches("crates/"));
        let table = page.split(&heading).nth(1).and_then(|rest| rest.split("| module |").nth(1));
        let table = table.and_then(|rest| rest.split("\n\n").next()).expect("there is a table");
        let first = |line: &str| line.strip_prefix("| ").and_then(|line| Some(line.split_once(" |")?.0.to_owned()));
        let cells: Vec<String> = table.lines().filter_map(first).filter(|cell| cell.starts_with('`')).collect();
        let quoted = cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let shown: Vec<&str> = quoted.map(|name| name.trim_end_matches('/').trim_end_matches(".rs")).collect();
        let listed: Vec<&str> = layers.iter().copied().filter(|module| *module != "lib").collect();
        assert_eq!(shown, listed, "{name}");
    }
}
