//! A copy of the tree in which every package has its published name. The names are in `[workspace.metadata.release]`.
//!
//! Folders and libraries keep their names, so sources do not change: only manifests, and texts that name the command.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, value};

use crate::process::{Done, output, program, root};

/// The subcommands, after which a text means the command and not the type `Toolbox`.
const VERBS: [&str; 10] =
    ["check", "explain", "install", "lint", "parse", "proxy", "report", "schema", "tools", "uninstall"];

/// The published names.
pub(crate) struct Names {
    /// The crates, by their names in this tree.
    pub(crate) crates: BTreeMap<String, String>,
    pub(crate) version: String,
    command: String,
    /// The words in braces in the folder `packaging`, each with its replacement.
    words: Vec<(&'static str, String)>,
}

/// Writes the copy to a folder, by default `target/release-tree`.
pub(crate) fn run(arguments: &[String]) -> Done {
    let folder = arguments.first().map_or_else(|| root().join("target/release-tree"), PathBuf::from);
    write(&folder)?;
    println!("{}", folder.display());
    Ok(())
}

/// Writes the copy, and returns the names in it. A file that is in an earlier copy already is not written again, so that a build of the copy starts where
/// it ended. Other files are removed, except for the folder `target`.
pub(crate) fn write(folder: &Path) -> Done<Names> {
    let names = names()?;
    if folder.exists() && !folder.join("xtask/src/main.rs").is_file() {
        return Err(format!("{} exists and is not a copy of this tree", folder.display()).into());
    }
    let mut files = BTreeSet::new();
    let listed = output(program("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    for path in listed.split_terminator('\0') {
        let (from, to) = (root().join(path), folder.join(path));
        if !from.is_file() {
            continue; // removed, and not yet committed
        }
        let copied = names.file(path, &fs::read(&from)?).map_err(|error| format!("{path}: {error}"))?;
        if fs::read(&to).ok().as_ref() != Some(&copied) {
            fs::create_dir_all(to.parent().unwrap_or(folder))?;
            fs::write(&to, copied)?;
            fs::set_permissions(&to, fs::metadata(&from)?.permissions())?;
        }
        files.insert(to);
    }
    remove_others(folder, &files)?;
    Ok(names)
}

/// Removes the files that are not in the list.
fn remove_others(folder: &Path, files: &BTreeSet<PathBuf>) -> Done {
    for entry in fs::read_dir(folder)? {
        let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type()))?;
        if !kind?.is_dir() {
            if !files.contains(&path) {
                fs::remove_file(&path)?;
            }
        } else if !path.ends_with("target") {
            remove_others(&path, files)?;
        }
    }
    Ok(())
}

/// Reads the names from the manifest of the workspace.
pub(crate) fn names() -> Done<Names> {
    let manifest: DocumentMut = fs::read_to_string(root().join("Cargo.toml"))?.parse()?;
    let workspace = &manifest["workspace"];
    let release = &workspace["metadata"]["release"];
    let text =
        |item: &Item| item.as_str().map(str::to_owned).ok_or("a name in `workspace.metadata.release` is not a text");
    let crates = release["crates"].as_table().ok_or("`workspace.metadata.release.crates` is not a table")?;
    let crates = crates.iter().map(|(name, published)| Ok((name.to_owned(), text(published)?))).collect::<Done<_>>()?;
    let crates: BTreeMap<String, String> = crates;
    let version = text(&workspace["package"]["version"])?;
    let command = text(&release["command"])?;
    let words = vec![
        ("{command}", command.clone()),
        ("{crate}", crates.get("toolbox").cloned().ok_or("`toolbox` has no published name")?),
        ("{npm}", text(&release["npm"])?),
        ("{npm-platform}", text(&release["npm-platform"])?),
        ("{repository}", text(&workspace["package"]["repository"])?),
        ("{version}", version.clone()),
        ("{wheel}", text(&release["wheel"])?),
    ];
    Ok(Names { crates, version, command, words })
}

impl Names {
    /// Returns a file of the copy.
    fn file(&self, path: &str, bytes: &[u8]) -> Done<Vec<u8>> {
        let is_text = [".rs", ".md", ".txt", ".sh", ".toml"].iter().any(|end| path.ends_with(end));
        if !is_text && !path.starts_with("packaging/") {
            return Ok(bytes.to_owned());
        }
        let text = String::from_utf8(bytes.to_owned())?;
        if path.starts_with("packaging/") {
            return Ok(self.words.iter().fold(text, |text, (word, name)| text.replace(word, name)).into());
        }
        if !path.ends_with("Cargo.toml") {
            return Ok(self.text(&text).into());
        }
        let mut manifest: DocumentMut = text.parse()?;
        self.rewrite(&mut manifest)?;
        Ok(self.text(&manifest.to_string()).into())
    }

    /// Writes the published names into a manifest.
    fn rewrite(&self, manifest: &mut DocumentMut) -> Done {
        let own =
            manifest.get("package").and_then(|package| package.get("name")).and_then(Item::as_str).map(str::to_owned);
        if let Some((name, published)) = own.and_then(|name| self.crates.get_key_value(&name)) {
            manifest["package"]["name"] = value(published);
            let library = manifest.entry("lib").or_insert(Item::Table(Table::new()));
            library["name"] = value(name.replace('-', "_"));
            let programs = manifest.get_mut("bin").and_then(Item::as_array_of_tables_mut);
            for program in programs.into_iter().flat_map(ArrayOfTables::iter_mut) {
                let path = program.get("path").and_then(Item::as_str).unwrap_or("src/main.rs").to_owned();
                program["path"] = value(path);
                program["name"] = value(&self.command);
            }
        }
        if let Some(workspace) = manifest.get_mut("workspace") {
            self.rewrite_dependencies(workspace.as_table_like_mut().ok_or("`workspace` is not a table")?);
        }
        self.rewrite_dependencies(manifest.as_table_mut());
        for (_, target) in
            manifest.get_mut("target").and_then(Item::as_table_like_mut).into_iter().flat_map(TableLike::iter_mut)
        {
            self.rewrite_dependencies(target.as_table_like_mut().ok_or("a target is not a table")?);
        }
        Ok(())
    }

    /// Adds `package` to the dependencies on our crates, whose keys keep the names that sources and features use.
    fn rewrite_dependencies(&self, table: &mut dyn TableLike) {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = table.get_mut(kind).and_then(Item::as_table_like_mut);
            for (key, dependency) in dependencies.into_iter().flat_map(TableLike::iter_mut) {
                let Some(settings) = dependency.as_inline_table_mut() else { continue };
                let package = settings.get("package").and_then(|package| package.as_str()).unwrap_or(key.get());
                // A member that inherits the dependency gets the name from the workspace.
                if let (Some(published), true) = (self.crates.get(package), settings.contains_key("path")) {
                    let published = published.clone();
                    InlineTable::insert(settings, "package", published.into());
                }
            }
        }
    }

    /// Replaces the name of the command, and the dependencies on a clone in the pages.
    fn text(&self, text: &str) -> String {
        let documentation = self.crates.iter().fold(text.to_owned(), |text, (name, published)| {
            text.replace(&format!("docs.rs/{name}/"), &format!("docs.rs/{published}/"))
        });
        let mut written = documentation
            .replace("CARGO_BIN_EXE_toolbox", &format!("CARGO_BIN_EXE_{}", self.command))
            .replace("command(name = \"toolbox\"", &format!("command(name = \"{}\"", self.command))
            .replace("toolbox-proxy", &format!("{}-proxy", self.command)); // the name with which the proxy introduces itself
        for verb in VERBS {
            written = written.replace(&format!("toolbox {verb}"), &format!("{} {verb}", self.command));
        }
        let lines = written.split_inclusive('\n').map(|line| {
            let dependency = line.split_once(" = { path = \"../tool-runtime/").filter(|_| !line.starts_with(' '));
            match dependency.and_then(|(name, _)| self.crates.get(name)) {
                Some(published) => format!("{published} = \"{}\"\n", self.version),
                None => line.to_owned(),
            }
        });
        lines.collect()
    }
}
