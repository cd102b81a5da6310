//! Bounds on schemas, computed once when a schema is read.
//!
//! [`inspect`] returns an error if a reference leads nowhere, if a schema requires itself for the same value (so a check would never end),
//! if branches and references for one value multiply beyond a bound, or if schemas are nested too deeply for the stack. The work for nested
//! values is bounded when they are checked, by [`Meter`](crate::step_limit::Meter).
//!
//! Invariants: each schema is visited once by each search. The bounds on nesting limit the recursion here and in the later checks.

use std::collections::{HashMap, HashSet};

use jsonschema::Draft;
use tool_runtime::tool_schema::json::Json;

use super::document::{At, Document, Target};
use crate::SchemaError;
use crate::private::schema::keywords::{AppliesTo, subschemas};

/// The maximum number of times that the schemas for one value may be checked.
const MOST_JUDGEMENTS: u64 = 1 << 16;
/// The maximum number of times that the schemas for one key may be checked. Checks of keys are not counted later.
const MOST_FOR_KEYS: u64 = 1 << 8;
/// The maximum number of nested schemas for the same value. Values are nested up to 127 levels deep, and each level may need this many
/// nested checks.
const MOST_SAME: usize = 32;
/// The maximum number of nested schemas.
const MOST_LEVELS: usize = 256;

/// Inspects every schema of a document. Returns the largest number of schemas for one value.
pub(super) fn inspect(document: &Document) -> Result<u64, SchemaError> {
    let mut pointers: Vec<_> = document.pointers().collect();
    pointers.sort();
    let mut costs = Costs { document, known: HashMap::new() };
    let mut most = 0;
    for pointer in pointers {
        if let Some(at) = document.at(pointer) {
            most = most.max(costs.of(&at, 0)?);
            let keys = at.schema.get("propertyNames").map(|keys| document.below(&at, "propertyNames", None, keys));
            if let Some(keys) = keys
                && costs.of(&keys, 0)? > MOST_FOR_KEYS
            {
                return Err(SchemaError::TooManyBranches { path: keys.pointer, limit: MOST_FOR_KEYS });
            }
        }
    }
    descend(document, &document.start(), 0, &mut HashSet::new())?;
    Ok(most)
}

/// Returns the subschemas of a schema and the targets of its references.
pub(super) fn parts<'d>(document: &'d Document, at: &At<'d>) -> Result<Vec<(AppliesTo, At<'d>)>, SchemaError> {
    document.has_one_dialect(at)?;
    let mut found = Vec::new();
    let reference = refer(document, at, "$ref", &mut found)?;
    // The target of a dynamic reference depends on the schemas that led to this one, so all possible targets are counted.
    match document.draft {
        Draft::Draft202012 => {
            if let Some(reference) = refer(document, at, "$dynamicRef", &mut found)? {
                let name = reference.rsplit('#').next().unwrap_or_default();
                found.extend(document.dynamic_anchors(name)?.map(|target| (AppliesTo::Same, target)));
            }
        }
        Draft::Draft201909 if refer(document, at, "$recursiveRef", &mut found)?.is_some() => {
            found.extend(document.dynamic_anchors("")?.map(|target| (AppliesTo::Same, target)));
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
    found: &mut Vec<(AppliesTo, At<'d>)>,
) -> Result<Option<&'d str>, SchemaError> {
    let Some(reference) = at.schema.get(keyword).and_then(Json::as_str) else { return Ok(None) };
    let path = || format!("{}/{keyword}", at.pointer);
    match document.resolve(at, reference) {
        Target::Here(target) => found.push((AppliesTo::Same, target)),
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
            if about == AppliesTo::Same {
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
fn times(at: &At<'_>) -> u64 {
    let asks_again =
        ["unevaluatedProperties", "unevaluatedItems"].iter().any(|keyword| at.schema.get(keyword).is_some());
    if asks_again { 2 } else { 1 }
}

/// Returns an error if schemas, including the targets of references, are nested too deeply.
fn descend(document: &Document, at: &At<'_>, level: usize, seen: &mut HashSet<String>) -> Result<(), SchemaError> {
    if level > MOST_LEVELS {
        return Err(SchemaError::TooDeep { path: at.pointer.clone(), limit: MOST_LEVELS });
    }
    if seen.insert(at.pointer.clone()) {
        for (_, part) in parts(document, at)? {
            descend(document, &part, level + 1, seen)?;
        }
    }
    Ok(())
}
