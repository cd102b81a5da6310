//! The names of tools or prompts with the prefixes of their servers: [`Names`].

use std::cmp::Reverse;
use std::collections::HashMap;

use serde_json::value::RawValue;

use super::super::lines::quoted;
use super::super::message::object;
use super::wire::{Named, text_of, with};

/// The servers of the listed names.
#[derive(Default)]
pub(super) struct Names {
    /// The index of the server for each name with its prefix.
    owners: HashMap<Box<str>, usize>,
}

/// A definition whose name has got a prefix.
pub(super) struct Prefixed {
    pub(super) name: String,
    pub(super) text: String,
}

impl Names {
    /// Forgets the names of a server.
    pub(super) fn forget(&mut self, server: usize) {
        self.owners.retain(|_, owner| *owner != server);
    }

    /// Adds a name with its prefix. The first server that lists a name keeps it.
    pub(super) fn add(&mut self, name: &str, server: usize) {
        self.owners.entry(name.into()).or_insert(server);
    }

    /// Returns the server of a name: the one that lists it, or else the one with the longest prefix that the name has.
    pub(super) fn owner<'p>(&self, name: &str, prefixes: impl Iterator<Item = &'p str>) -> Option<usize> {
        let listed = self.owners.get(name).copied();
        listed.or_else(|| {
            let fitting = prefixes.enumerate().filter(|(_, prefix)| name.starts_with(prefix));
            // Of equal prefixes, the first one counts.
            fitting.min_by_key(|(_, prefix)| Reverse(prefix.len())).map(|(server, _)| server)
        })
    }
}

/// Adds a prefix to the name in a definition. `None` if the definition has no name.
pub(super) fn prefixed(definition: &str, prefix: &str) -> Option<Prefixed> {
    let Named { name } = object(definition)?;
    let full = format!("{prefix}{}", text_of(name)?);
    let text = if prefix.is_empty() { definition.to_owned() } else { with(definition, name.get(), &quoted(&full)) };
    Some(Prefixed { name: full, text })
}

/// Removes a prefix from a name in a line.
pub(super) fn without_prefix(line: &str, part: &RawValue, name: &str, prefix: &str) -> String {
    if prefix.is_empty() {
        return line.to_owned();
    }
    with(line, part.get(), &quoted(name.strip_prefix(prefix).unwrap_or(name)))
}
