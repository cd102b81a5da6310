//! The allowed differences: the tables of `docs/agreement.md`, with a predicate for each row.
//!
//! A difference is allowed if a row states exactly these verdicts, or if several rows do together for a value with several such parts.
//!
//! Invariant: rows and predicates have the same ids.

use std::collections::BTreeMap;

use tests::table::{Exception, exceptions};
use tests::tree::Tree;
use tool_schema::shape::Shape;

/// A test for values of the kind that a row describes.
pub(crate) type Predicate = fn(&'static Shape, &Tree) -> bool;

/// The rows of one table with their predicates.
pub(crate) struct Filter {
    exceptions: Vec<(Exception, Predicate)>,
}

impl Filter {
    /// Combines a table with its predicates by id.
    pub(crate) fn new(heading: &str, predicates: &[(&str, Predicate)]) -> Self {
        let exceptions = exceptions(heading);
        for (id, _) in predicates {
            assert!(exceptions.iter().any(|row| row.id == *id), "`{id}` has a predicate but no row under {heading:?}");
        }
        let with_predicate = |row: Exception| {
            let found = predicates.iter().find(|(id, _)| *id == row.id);
            let (_, predicate) = found.unwrap_or_else(|| panic!("`{}` under {heading:?} has no predicate", row.id));
            (row, *predicate)
        };
        Self { exceptions: exceptions.into_iter().map(with_predicate).filter(|(row, _)| row.applies).collect() }
    }

    /// Returns `true` if the rows explain the verdicts, and the row that explains them alone. A value with several unusual parts is only
    /// accepted if each of them is.
    pub(crate) fn explain(&self, shape: &'static Shape, tree: &Tree, verdict: &[bool]) -> (bool, Option<&str>) {
        let allows = |row: &Exception| row.verdict.iter().zip(verdict).all(|(row, judge)| *row || !judge);
        let possible = self.exceptions.iter().filter(|(row, predicate)| allows(row) && predicate(shape, tree));
        let possible: Vec<_> = possible.map(|(row, _)| row).collect();
        let both = |index: usize| possible.iter().all(|row| row.verdict[index]);
        let explained = !possible.is_empty() && (0..verdict.len()).all(|index| both(index) == verdict[index]);
        let alone = possible.iter().find(|row| row.verdict == verdict).map(|row| &*row.id);
        (explained, alone)
    }

    /// Returns a counter for each row.
    pub(crate) fn counters(&self) -> BTreeMap<String, usize> {
        self.exceptions.iter().map(|(row, _)| (row.id.clone(), 0)).collect()
    }
}
