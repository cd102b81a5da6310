//! Changes one table of a TOML text, and keeps all others with their comments.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use super::entry::{Entry, Existing};

pub(super) fn servers(text: &str, key: &str) -> Result<Vec<(String, Existing)>, String> {
    let document = parse(text)?;
    let Some(servers) = document.get(key) else { return Ok(Vec::new()) };
    let servers = servers.as_table_like().ok_or_else(|| format!("{key:?} is not a table"))?;
    let existing = |entry: &Item| Existing {
        command: entry.get("command").and_then(Item::as_str).map(str::to_owned),
        verb: entry.get("args").and_then(|args| args.get(0)).and_then(Item::as_str).map(str::to_owned),
    };
    Ok(servers.iter().map(|(name, entry)| (name.to_owned(), existing(entry))).collect())
}

pub(super) fn added(text: &str, key: &str, name: &str, entry: &Entry) -> Result<String, String> {
    let mut document = parse(text)?;
    let mut servers = Table::new();
    servers.set_implicit(true); // no line for a table that only contains tables
    let servers = document.entry(key).or_insert(Item::Table(servers));
    let servers = servers.as_table_like_mut().ok_or_else(|| format!("{key:?} is not a table"))?;
    let server = servers.entry(name).or_insert(Item::Table(Table::new()));
    let server = server.as_table_like_mut().ok_or_else(|| format!("{name:?} is not a table"))?;
    set(server, "command", entry.command.as_str().into());
    set(server, "args", Value::Array(entry.args.iter().map(String::as_str).collect::<Array>()));
    if !entry.env.is_empty() {
        let env = server.entry("env").or_insert(Item::Table(Table::new()));
        let env = env.as_table_like_mut().ok_or("\"env\" is not a table")?;
        for (variable, value) in &entry.env {
            set(env, variable, value.as_str().into());
        }
    }
    Ok(written(&document, text))
}

pub(super) fn removed(text: &str, key: &str, name: &str) -> Result<String, String> {
    let mut document = parse(text)?;
    if let Some(servers) = document.get_mut(key).and_then(Item::as_table_like_mut) {
        servers.remove(name);
        let is_empty = servers.is_empty();
        if is_empty && document[key].as_table().is_some_and(Table::is_implicit) {
            document.remove(key);
        }
    }
    Ok(written(&document, text))
}

/// Sets a value, and keeps the comment behind the one before.
fn set(table: &mut dyn TableLike, key: &str, new: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(known) if known.to_string().trim() == new.to_string().trim() => {}
        Some(known) => {
            let decor = known.decor().clone();
            *known = new;
            *known.decor_mut() = decor;
        }
        None => drop(table.insert(key, value(new))),
    }
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.parse()
        .map_err(|error: toml_edit::TomlError| format!("it is not valid TOML: {}", error.to_string().trim_end()))
}

/// Returns the text of a document, with the byte order mark and the line ends of the text before.
fn written(document: &DocumentMut, before: &str) -> String {
    let mut text = document.to_string();
    if before.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if before.starts_with('\u{feff}') { format!("\u{feff}{text}") } else { text }
}
