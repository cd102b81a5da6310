//! The names of tools or prompts with the prefixes of their servers: [`Names`].

use std::cmp::Reverse;

use serde_json::value::RawValue;

use super::super::frame::{Frame, Splice, replaced};
use super::super::open::Table;
use super::super::parts::{Params, text};
use super::super::writing::json_string;

/// The servers of the listed names.
#[derive(Default)]
pub(super) struct Names {
    /// The index of the server for each name with its prefix.
    owners: Table<Box<str>, usize>,
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
    let name = Params::of(definition).name?;
    let full = format!("{prefix}{}", text(Some(name))?);
    let text = if prefix.is_empty() {
        definition.to_owned()
    } else {
        replaced(definition, vec![Splice { part: name.get(), text: json_string(&full).into() }])
    };
    Some(Prefixed { name: full, text })
}

/// Removes a prefix from a name in a request.
pub(super) fn without_prefix(frame: &Frame, part: &RawValue, name: &str, prefix: &str) -> Frame {
    if prefix.is_empty() {
        return frame.clone();
    }
    frame.with_part(part.get(), &json_string(name.strip_prefix(prefix).unwrap_or(name)))
}
