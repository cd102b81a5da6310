//! Public names: no two public types share a name, and the root of `tool-runtime` has few items.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{Item, UseTree, Visibility};
use tests::source::{CRATES, root, sources};

/// Returns whether users can name the items of a source file; `__private` and tests are not public.
fn is_public(path: &Path) -> bool {
    let names = path.iter().filter_map(|part| part.to_str());
    names.rev().take_while(|name| *name != "src").all(|name| !name.starts_with("__private") && !name.contains("tests"))
}

fn parsed(path: &Path) -> syn::File {
    let text = fs::read_to_string(path).expect("a source can be read");
    syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the name of a public type.
fn public_type(item: &Item) -> Option<String> {
    let (visibility, name) = match item {
        Item::Struct(item) => (&item.vis, &item.ident),
        Item::Enum(item) => (&item.vis, &item.ident),
        Item::Trait(item) => (&item.vis, &item.ident),
        Item::Type(item) => (&item.vis, &item.ident),
        _ => return None,
    };
    matches!(visibility, Visibility::Public(_)).then(|| name.to_string())
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for name in CRATES {
        for file in sources(&root().join(name).join("src")).into_iter().filter(|file| is_public(file)) {
            for name in parsed(&file).items.iter().filter_map(public_type) {
                places.entry(name).or_default().push(file.clone());
            }
        }
    }
    assert!(places.len() > 150, "only {} public types were found", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "these names belong to several types: {places:#?}");
}

/// Collects the last segments of the paths that a `use` imports.
fn names(tree: &UseTree, found: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => names(&path.tree, found),
        UseTree::Name(name) => found.push(name.ident.to_string()),
        UseTree::Rename(name) => found.push(name.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| names(tree, found)),
        UseTree::Glob(_) => found.push("*".to_owned()),
    }
}

#[test]
fn the_root_of_the_runtime_has_few_items() {
    let (mut modules, mut types) = (Vec::new(), Vec::new());
    for item in parsed(&root().join("tool-runtime/src/lib.rs")).items {
        match item {
            Item::Mod(item) if matches!(item.vis, Visibility::Public(_)) => modules.push(item.ident.to_string()),
            Item::Use(item) if matches!(item.vis, Visibility::Public(_)) => names(&item.tree, &mut types),
            _ => {}
        }
    }
    // `__private` is for generated code, and `_guides` contains pages.
    modules.retain(|name| !name.starts_with('_'));
    if let Some(at) = types.iter().position(|name| name == "tool_schema") {
        modules.push(types.swap_remove(at));
    }
    types.sort_unstable();
    // A trait and its derive macro have the same name.
    types.dedup();
    assert!(modules.len() <= 10, "{} modules: {modules:?}", modules.len());
    assert!(types.len() <= 24, "{} types, traits and macros: {types:?}", types.len());
}
