//! Copies an example out of the tree, as a project of its own: without keys of the workspace, and with the folders of this clone as absolute
//! paths.

use std::fs;
use std::path::Path;

use toml_edit::{Array, DocumentMut, InlineTable, Item, Value, table, value};

use crate::process::{Done, root};

/// Copies an example to a new folder.
pub(crate) fn run(arguments: &[String]) -> Done {
    let [example, folder] = arguments else { return Err("name an example, such as agents, and a new folder".into()) };
    let to = Path::new(folder);
    if to.exists() {
        return Err(format!("{folder} exists already").into());
    }
    copy(example, to)
}

/// Copies an example to a folder, over an earlier copy.
pub(crate) fn copy(example: &str, to: &Path) -> Done {
    let from = root().join("examples").join(example);
    let mut manifest: DocumentMut = fs::read_to_string(from.join("Cargo.toml"))?.parse()?;
    let workspace: DocumentMut = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    manifest.remove("lints");
    if let Some(package) = manifest["package"].as_table_like_mut() {
        for (key, item) in package.iter_mut().filter(|(_, item)| is_inherited(item)) {
            *item = workspace["workspace"]["package"][key.get()].clone();
        }
    }
    for section in ["dependencies", "dev-dependencies"] {
        let Some(dependencies) = manifest.get_mut(section).and_then(Item::as_table_like_mut) else { continue };
        for (name, item) in dependencies.iter_mut() {
            let (mut dependency, base) = if is_inherited(item) {
                (with_own_keys(&workspace["workspace"]["dependencies"][name.get()], item), root())
            } else {
                (inline(item), from.clone())
            };
            if let Some(path) = dependency.get_mut("path") {
                let folder = base.join(path.as_str().unwrap_or_default()).canonicalize()?;
                *path = folder.display().to_string().into();
            }
            *item = value(dependency);
        }
    }
    manifest.entry("workspace").or_insert(table());
    copy_files(&from, to)?;
    fs::write(to.join("Cargo.toml"), manifest.to_string())?;
    fs::copy(root().join("Cargo.lock"), to.join("Cargo.lock"))?;
    Ok(())
}

fn is_inherited(item: &Item) -> bool {
    item.get("workspace").and_then(Item::as_bool) == Some(true)
}

/// Returns a dependency as a table in one line.
fn inline(item: &Item) -> InlineTable {
    match item {
        Item::Value(Value::InlineTable(table)) => table.clone(),
        Item::Table(table) => table.clone().into_inline_table(),
        version => InlineTable::from_iter([("version", version.as_str().unwrap_or_default())]),
    }
}

/// Returns a dependency of the workspace with the keys that a member adds.
fn with_own_keys(shared: &Item, own: &Item) -> InlineTable {
    let (mut merged, own) = (inline(shared), inline(own));
    for (key, added) in own.iter().filter(|(key, _)| *key != "workspace") {
        let mut all = merged.get(key).and_then(Value::as_array).cloned().unwrap_or_else(Array::new);
        match added.as_array() {
            Some(added) => {
                all.extend(added.iter().cloned());
                merged.insert(key, all.into());
            }
            None => drop(merged.insert(key, added.clone())),
        }
    }
    merged
}

fn copy_files(from: &Path, to: &Path) -> Done {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        match path.is_dir() {
            true if path.ends_with("target") => {}
            true => copy_files(&path, &target)?,
            false => drop(fs::copy(&path, &target)?),
        }
    }
    Ok(())
}
