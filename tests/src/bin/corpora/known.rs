//! The known differences, which are rows `| id | cause |` of `docs/contributing/corpora.md`. There is no other filter.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

/// The causes by id, and the ids that were found.
pub(super) struct Known {
    causes: BTreeMap<String, String>,
    met: BTreeSet<String>,
}

impl Known {
    pub(super) fn read() -> Result<Self, Box<dyn Error>> {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contributing/corpora.md"))?;
        let mut causes = BTreeMap::new();
        for line in page.lines() {
            let cells: Vec<_> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
            if let [id, cause] = cells[..]
                && let Some(id) = id.strip_prefix('`').and_then(|id| id.strip_suffix('`'))
            {
                causes.insert(id.to_owned(), cause.to_owned());
            }
        }
        Ok(Self { causes, met: BTreeSet::new() })
    }

    /// Returns the cause of a difference if it is listed.
    pub(super) fn cause(&mut self, id: &str) -> Option<&str> {
        let cause = self.causes.get(id)?;
        self.met.insert(id.to_owned());
        Some(cause)
    }

    /// Returns the listed ids that were not found.
    pub(super) fn unused(&self) -> Vec<String> {
        self.causes.keys().filter(|id| !self.met.contains(*id)).cloned().collect()
    }
}
