//! Converts a value to the type that its shape expects, if there is only one way to do so: [`coerce`].
//!
//! Invariant: only values that the checker rejected are changed; nothing is lost or guessed (a value is never taken from a part of a text,
//! no number is rounded, a string stays a string where strings are accepted); the work is bounded by the size of the value.

mod detect_list_text;
mod flatten;
mod from_string;
mod location;
mod object;
mod planned_changes;
mod scalar;
mod tagged;
mod traversal;
mod union;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use self::location::CoercionPlace;
use self::planned_changes::Mending;
use super::Repair;
use crate::check::{address, check};
use crate::issue::Issues;
use crate::json::{Json, Node};
use crate::shape::{RepairPolicy, Shape};

/// The result of [`coerce`].
#[derive(Clone, Debug)]
pub struct Coerced<'a> {
    /// The repaired value.
    pub value: Json<'a>,
    /// The repairs that were applied, in order.
    pub repairs: Vec<Repair>,
    /// The issues of the repaired value; empty if it is acceptable.
    pub issues: Issues,
    /// The issues of the value that was sent.
    pub sent: Issues,
}

/// The maximum number of repairs in one coercion. A value that needs more is returned unchanged, with its issues.
pub const MAX_REPAIRS: usize = 1_000;

/// Converts a value to the type that the shape expects, if only one meaning is possible.
///
/// A value that the checker accepts is returned unchanged, and so is one that needs more than [`MAX_REPAIRS`]. The guide "Coercion" lists
/// the conversions.
pub fn coerce<'a>(shape: &Shape, value: Json<'a>, policy: RepairPolicy) -> Coerced<'a> {
    let sent = check(shape, &value);
    if sent.is_empty() {
        return Coerced { value, repairs: Vec::new(), issues: Issues::new(), sent };
    }
    match attempt(shape, value, policy) {
        Ok((value, repairs)) => Coerced { issues: check(shape, &value), value, repairs, sent },
        Err(value) => Coerced { value, repairs: Vec::new(), issues: sent.clone(), sent },
    }
}

/// Tries to repair a value that the checker rejects; returns the value itself if that is not possible.
pub(super) fn attempt<'a>(
    shape: &Shape,
    value: Json<'a>,
    policy: RepairPolicy,
) -> Result<(Json<'a>, Vec<Repair>), Json<'a>> {
    let mut coercer = Coercer::new(shape, &value);
    let found = coercer.value(CoercionPlace::root(policy), shape, &value).filter(|_| !coercer.has_too_many);
    drop(coercer);
    match found {
        Some(mending) => Ok(mending.settle(value)),
        None => Err(value),
    }
}

/// The planned changes of a value, shared by the interpretations that contain it.
type Found<'a> = Option<Rc<Mending<'a>>>;

/// The capacity up to which a table is emptied; a larger table is replaced.
const FEW: usize = 64;

/// The maximum number of steps for each node of the value. A step is one visit or one check of a node.
const STEPS_A_NODE: u64 = 1_024;

/// One search for repairs. It never changes the value, so a node is identified by its address.
struct Coercer<'c, 'a> {
    shape: &'c Shape,
    has_secrets: OnceCell<bool>,
    /// The number of open trials, whose results may be discarded.
    trials: usize,
    steps_left: u64,
    /// The number of repairs found up to now, including those of open trials. The search ends after [`MAX_REPAIRS`].
    repairs: usize,
    has_too_many: bool,
    /// The results found during the open trials. Shapes and nodes are identified by their addresses, because they outlive the trials; nodes
    /// parsed from strings are kept in `parsed`.
    known: HashMap<Question, Found<'a>>,
    /// The parsed content of strings, keyed by the address of the string's node; kept during the open trials.
    parsed: HashMap<usize, Option<Rc<Json<'a>>>>,
    /// Each union without its untagged variants, keyed by the address of the union.
    told: HashMap<usize, Rc<Shape>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Question {
    place: CoercionPlace,
    shape: usize,
    node: usize,
}

impl<'c> Coercer<'c, '_> {
    fn new(shape: &'c Shape, value: &Json<'_>) -> Self {
        Self {
            shape,
            has_secrets: OnceCell::new(),
            trials: 0,
            steps_left: STEPS_A_NODE.saturating_mul(value.nodes() + 16),
            repairs: 0,
            has_too_many: false,
            known: HashMap::new(),
            parsed: HashMap::new(),
            told: HashMap::new(),
        }
    }

    /// Runs a search whose result may be discarded. While it runs, the results for nodes are cached.
    fn trial<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let repairs = self.repairs;
        self.trials += 1;
        let found = look(self);
        self.trials -= 1;
        if self.trials == 0 {
            // If the caller keeps the result, it counts these repairs again.
            self.repairs = repairs;
            // The cache only helps within one trial, and a list has as many trials as items.
            empty(&mut self.known);
            empty(&mut self.parsed);
        }
        found
    }

    /// Counts the repairs of a trial whose result is kept.
    fn keep(&mut self, repairs: usize) {
        if self.trials == 0 {
            self.count(repairs);
        }
    }

    fn count(&mut self, repairs: usize) {
        self.repairs += repairs;
        self.has_too_many |= self.repairs > MAX_REPAIRS;
    }

    /// Returns `true` if the checker accepts a value; `false` if it rejects the value, or if no steps are left.
    fn accepts(&mut self, shape: &Shape, json: &Json<'_>) -> bool {
        self.may_take(json.nodes()) && crate::check::accepts(shape, json)
    }

    fn may_take(&mut self, steps: u64) -> bool {
        let left = self.steps_left.checked_sub(steps);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Returns `true` if the value for a shape must not be shown. An array or object that was sent in the wrong place may contain a secret.
    fn is_secret(&self, place: CoercionPlace, shape: &Shape, is_container: bool) -> bool {
        place.is_hidden || self.any_secrets() && (is_container || shape.has_secrets())
    }

    /// Returns `true` if an unknown key must not be shown, because it may itself be a secret.
    fn is_secret_key(&self, place: CoercionPlace) -> bool {
        place.is_hidden || self.any_secrets()
    }

    fn any_secrets(&self) -> bool {
        *self.has_secrets.get_or_init(|| self.shape.has_secrets())
    }
}

fn empty<K, V>(table: &mut HashMap<K, V>) {
    // Clearing takes time proportional to the capacity, so a large table is replaced.
    if table.capacity() > FEW { *table = HashMap::new() } else { table.clear() }
}

/// Returns the depth to which arrays and objects are nested; zero for a scalar.
fn levels(json: &Json<'_>) -> usize {
    match &json.node {
        Node::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        Node::Object(members) => 1 + members.iter().map(|member| levels(&member.value)).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::repair::coerce::coerce;
    use crate::repair::{MAX_REPAIRS, RepairPolicy};
    use crate::{ToolInput, json::Json};

    #[test]
    fn a_value_is_coerced_as_far_as_possible() -> Result<(), crate::json::SyntaxError> {
        let coerced = coerce(<Vec<u8>>::SHAPE, Json::parse(r#"["5", "five"]"#)?, RepairPolicy::Lossless);
        assert_eq!(coerced.value.to_text(), r#"[5,"five"]"#);
        assert_eq!(coerced.repairs[0].to_string(), r#"Read [0] "5" as 5."#);
        assert_eq!((coerced.sent.len(), coerced.issues.len()), (2, 1));
        Ok(())
    }

    #[test]
    fn a_value_with_too_many_repairs_stays_unchanged() -> Result<(), crate::json::SyntaxError> {
        let repairs = |texts: usize| {
            let text = format!("[{}]", vec!["\"5\""; texts].join(","));
            Json::parse(&text)
                .map(|json| coerce(<Vec<u8>>::SHAPE, json.into_owned(), RepairPolicy::Lossless).repairs.len())
        };
        assert_eq!(repairs(MAX_REPAIRS)?, MAX_REPAIRS);
        assert_eq!(repairs(MAX_REPAIRS + 1)?, 0);
        Ok(())
    }

    #[test]
    fn a_text_with_an_array_is_coerced_with_its_items() -> Result<(), crate::json::SyntaxError> {
        let coerced = coerce(<Option<Vec<u8>>>::SHAPE, Json::parse(r#""[1, \"2\", 3.0]""#)?, RepairPolicy::Lossless);
        assert_eq!(coerced.value.to_text(), "[1,2,3]");
        assert!(coerced.issues.is_empty());
        let rules: Vec<_> = coerced.repairs.iter().map(|repair| repair.rule.name()).collect();
        assert_eq!(rules, ["stringified", "text", "whole_number"]);
        Ok(())
    }
}
