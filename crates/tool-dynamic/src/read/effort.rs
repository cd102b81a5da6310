//! An upper bound for the cost of checking a value, computed from the schema alone.
//!
//! [`inspect`] returns an error if a reference leads nowhere, if a schema requires itself for the same value (so a check would never end),
//! if branches and references multiply beyond a bound, or if they are nested too deeply for the stack. Otherwise, its result says whether
//! the work for each value has to be counted before the value is checked.
//!
//! Invariants: each schema is visited once by each search. The bounds on nesting limit the recursion here and in the later checks.

use std::collections::HashMap;

use jsonschema::Draft;
use tool_runtime::tool_schema::json::Json;

use super::document::{At, Document, Target};
use super::keywords::{About, subschemas};
use crate::SchemaError;

/// The maximum number of times that the schemas for one value may be checked.
const MOST_JUDGEMENTS: u64 = 1 << 16;
/// The maximum number of nested schemas for the same value. Values are nested up to 127 levels deep, and each level may need this many
/// nested checks.
const MOST_SAME: usize = 32;
/// The maximum number of nested schemas.
const MOST_LEVELS: usize = 256;

/// Inspects every schema of a document. Returns `true` if checking a value might take so many checks that they must be counted first.
pub(super) fn inspect(document: &Document) -> Result<bool, SchemaError> {
    let mut pointers: Vec<_> = document.pointers().collect();
    pointers.sort();
    let mut costs = Costs { document, known: HashMap::new() };
    for pointer in pointers {
        if let Some(at) = document.at(pointer) {
            costs.of(&at, 0)?;
        }
    }
    let mut levels = Levels { document, known: HashMap::new(), is_recursive: false };
    let judgements = levels.descend(&document.start(), 0)?;
    Ok(levels.is_recursive || judgements > MOST_JUDGEMENTS)
}

/// Returns the subschemas of a schema and the targets of its references.
pub(super) fn parts<'d>(document: &'d Document, at: &At<'d>) -> Result<Vec<(About, At<'d>)>, SchemaError> {
    document.has_one_dialect(at)?;
    let mut found = Vec::new();
    let reference = refer(document, at, "$ref", &mut found)?;
    // The target of a dynamic reference depends on the schemas that led to this one, so all possible targets are counted.
    match document.draft {
        Draft::Draft202012 => {
            if let Some(reference) = refer(document, at, "$dynamicRef", &mut found)? {
                let name = reference.rsplit('#').next().unwrap_or_default();
                found.extend(document.dynamic_anchors(name)?.map(|target| (About::Same, target)));
            }
        }
        Draft::Draft201909 if refer(document, at, "$recursiveRef", &mut found)?.is_some() => {
            found.extend(document.dynamic_anchors("")?.map(|target| (About::Same, target)));
        }
        _ => {}
    }
    if reference.is_none() || !document.ignores_siblings() {
        for sub in subschemas(at.schema) {
            found.push((sub.about, document.below(at, sub.keyword, sub.name.as_deref(), sub.schema)));
        }
    }
    Ok(found)
}

/// Adds the target of a reference.
fn refer<'d>(
    document: &'d Document,
    at: &At<'d>,
    keyword: &'static str,
    found: &mut Vec<(About, At<'d>)>,
) -> Result<Option<&'d str>, SchemaError> {
    let Some(reference) = at.schema.get(keyword).and_then(Json::as_str) else { return Ok(None) };
    let path = || format!("{}/{keyword}", at.pointer);
    match document.resolve(at, reference) {
        Target::Here(target) => found.push((About::Same, target)),
        Target::MetaSchema => {}
        Target::Missing => return Err(SchemaError::MissingTarget { path: path(), reference: reference.to_owned() }),
        Target::Remote => return Err(SchemaError::RemoteTarget { path: path(), reference: reference.to_owned() }),
    }
    Ok(Some(reference))
}

struct Costs<'d> {
    document: &'d Document,
    /// The costs of schemas, keyed by pointer; `None` while a schema is being inspected.
    known: HashMap<String, Option<u64>>,
}

impl<'d> Costs<'d> {
    fn of(&mut self, at: &At<'d>, level: usize) -> Result<u64, SchemaError> {
        let path = || at.pointer.clone();
        match self.known.get(&at.pointer) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err(SchemaError::Circular { path: path() }),
            None if level > MOST_SAME => return Err(SchemaError::TooDeep { path: path(), limit: MOST_SAME }),
            None => {}
        }
        self.known.insert(path(), None);
        let mut cost = 1_u64;
        for (about, part) in parts(self.document, at)? {
            if about == About::Same {
                cost = cost.saturating_add(self.of(&part, level + 1)?.saturating_mul(times(at)));
            }
        }
        if cost > MOST_JUDGEMENTS {
            return Err(SchemaError::TooManyBranches { path: path(), limit: MOST_JUDGEMENTS });
        }
        self.known.insert(path(), Some(cost));
        Ok(cost)
    }
}

/// Returns the number of times that the parts of a schema are checked: twice with an `unevaluated…` keyword, and otherwise once.
pub(super) fn times(at: &At<'_>) -> u64 {
    let asks_again =
        ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| at.schema.get(keyword).is_some());
    if asks_again { 2 } else { 1 }
}

struct Levels<'d> {
    document: &'d Document,
    /// The number of schemas inside each schema, including those it refers to, keyed by pointer; `None` while the schema is being
    /// inspected.
    known: HashMap<String, Option<u64>>,
    is_recursive: bool,
}

impl<'d> Levels<'d> {
    fn descend(&mut self, at: &At<'d>, level: usize) -> Result<u64, SchemaError> {
        if level > MOST_LEVELS {
            return Err(SchemaError::TooDeep { path: at.pointer.clone(), limit: MOST_LEVELS });
        }
        match self.known.get(&at.pointer) {
            Some(Some(judgements)) => return Ok(*judgements),
            Some(None) => {
                self.is_recursive = true;
                return Ok(0);
            }
            None => {}
        }
        self.known.insert(at.pointer.clone(), None);
        let mut judgements = 1_u64;
        for (about, part) in parts(self.document, at)? {
            let inner = self.descend(&part, level + 1)?;
            if about != About::Nothing {
                judgements = judgements.saturating_add(inner.saturating_mul(times(at)));
            }
        }
        self.known.insert(at.pointer.clone(), Some(judgements));
        Ok(judgements)
    }
}
