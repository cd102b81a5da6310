//! Imports point in one direction: a module only imports modules above it in the table of its crate in ARCHITECTURE.md, and no files of a
//! crate import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::LazyLock;

use syn::visit::{self, Visit};
use tests::source::{self, root, sources};

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
        let is_test = |part: &String| part.contains("test") && part != "testkit" && part != "test_clock";
        if path.iter().any(is_test) || path == ["main"] {
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

/// The files that each file of a crate imports.
type Imports = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// Returns the imports of every file, without those of genuine recursion, which a comment marks: ``// Recursion with `other`: …``.
fn imports(all: &BTreeMap<Vec<String>, Module>) -> Imports {
    let of = |module: &Vec<String>, source: &Module| {
        let is_marked = |other: &Vec<String>| {
            let other = other.last().map_or("lib", String::as_str);
            source.text.contains(&format!("// Recursion with `{other}`"))
        };
        let targets = source.imports.iter().filter_map(|path| resolve(all, module, path, 8));
        targets.filter(|target| target != module && !is_marked(target)).collect()
    };
    all.iter().map(|(module, source)| (module.clone(), of(module, source))).collect()
}

/// Returns the groups of files of which each imports every other, directly or through further files.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<&Vec<String>>> {
    let reached = |from| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            open.extend(imports[module].iter().filter(|&target| seen.insert(target)));
        }
        seen
    };
    let reached: BTreeMap<_, _> = imports.keys().map(|module| (module, reached(module))).collect();
    let circle = |module: &&Vec<String>| -> BTreeSet<_> {
        reached[*module].iter().copied().filter(|other| reached[other].contains(*module)).collect()
    };
    imports.keys().map(|module| circle(&module)).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let (mut faults, mut seen) = (Vec::new(), 0);
    for name in source::CRATES {
        let imports = imports(&MODULES[name]);
        seen += imports.values().map(BTreeSet::len).sum::<usize>();
        let joined = |files: &mut dyn Iterator<Item = &Vec<String>>| {
            let files: Vec<_> = files.map(|file| file.join("/")).collect();
            format!("{name}: {}", files.join(", "))
        };
        for (one, others) in &imports {
            let mutual = others.iter().filter(|other| one < other && imports[*other].contains(one));
            faults.extend(mutual.map(|other| joined(&mut [one, other].into_iter())));
        }
        let inside = without_folders(imports.clone());
        let longer = circles(&inside).into_iter().filter(|circle| circle.len() > 2);
        faults.extend(longer.map(|circle| joined(&mut circle.into_iter())));
    }
    assert!(faults.is_empty(), "these files import each other:\n{}", faults.join("\n"));
    assert!(seen > 500, "only {seen} imports were seen");
}

/// Removes the imports of types which the `mod.rs` of a folder defines for the files in it.
fn without_folders(mut imports: Imports) -> Imports {
    for (file, targets) in &mut imports {
        targets.retain(|target| !file.starts_with(target));
    }
    imports
}

#[test]
fn a_circle_of_three_files_is_found() {
    let file = |name: &str| vec![name.to_owned()];
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")];
    let mut imports: Imports = ["a", "b", "c", "d"].map(|name| (file(name), BTreeSet::new())).into();
    for (from, to) in edges {
        imports.entry(file(from)).or_default().insert(file(to));
    }
    let (a, b, c) = (file("a"), file("b"), file("c"));
    assert_eq!(circles(&imports), [[&a, &b, &c].into()].into());
}

/// Returns the modules of a crate in the order of its table in ARCHITECTURE.md. A module may import those before it.
fn layers(name: &str) -> Vec<String> {
    let page = include_str!("../../../ARCHITECTURE.md");
    let heading = format!("### {}\n", name.trim_start_matches("crates/"));
    let table = page.split(&heading).nth(1).and_then(|rest| rest.split("| module |").nth(1));
    let table = table.and_then(|rest| rest.split("\n\n").next());
    let rows = table.unwrap_or_else(|| panic!("ARCHITECTURE.md has no table of the modules of {name}")).lines();
    let cells = rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once(" |")?.0));
    let quoted = cells.flat_map(|cell| cell.split('`').step_by(2));
    quoted.map(|module| module.trim_end_matches('/').trim_end_matches(".rs").to_owned()).collect()
}

#[test]
fn a_module_imports_only_modules_above_it_in_the_table_of_its_crate() {
    let mut seen = 0;
    for name in source::CRATES {
        let all = &MODULES[name];
        let mut layers = layers(name);
        layers.push("lib".to_owned());
        // `tool-runtime` re-exports the modules of `tool-schema`.
        let below = if name == "tool-runtime" { self::layers("crates/tool-schema") } else { Vec::new() };
        let position = |module: &str| layers.iter().position(|known| *known == module);
        let own = |module: &Vec<String>| module.first().map_or("lib", String::as_str).to_owned();
        let modules: BTreeSet<String> = all.keys().map(own).collect();
        assert_eq!(layers.iter().cloned().collect::<BTreeSet<_>>(), modules, "{name}: the table and the files");
        assert_eq!(layers.len(), modules.len(), "{name}: a module has two rows");
        let mut faults = Vec::new();
        for (module, source) in all {
            let layer = position(&own(module));
            for path in source.imports.iter().filter(|path| path[0] == "crate") {
                seen += 1;
                // A type at the root of the crate counts as its module.
                let target = resolve(all, module, path, 8).and_then(|target| position(target.first()?));
                let is_below = |target: &String| below.contains(target) || target == BELOW;
                if !(path.get(1).is_some_and(is_below) || target.is_some() && target <= layer) {
                    faults.push(format!("{name}: {} imports {}", module.join("/"), path.join("::")));
                }
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
    assert!(seen > 1000, "only {seen} imports were seen");
}
