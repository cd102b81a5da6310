//! From what was sent to what can only have been meant, by shape: [`coerce`].
//!
//! In come a shape, a value and a [`RepairPolicy`]; out go the value as it can be read, the ledger, and what the checker still has against it.
//! What always holds: only what the checker refused is touched; nothing is lost or guessed (a part of a text is never a value, no number
//! is rounded, a string stays where a string is allowed); the work is bounded by the size of the value.

mod flatten;
mod mending;
mod object;
mod place;
pub(crate) mod replay;
mod scalar;
mod several;
mod tagged;
mod text;
mod union;
mod value;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

pub(super) use replay::replay_one;

use self::mending::Mending;
use self::place::Place;
use super::Repair;
use crate::check::{address, check, nodes};
use crate::issue::Issues;
use crate::json::{Json, Node};
use crate::shape::{RepairPolicy, Shape};

/// What [`coerce`] made of a value.
#[derive(Clone, Debug)]
pub struct Coerced<'a> {
    /// The value as it is now.
    pub value: Json<'a>,
    /// What was read otherwise than it was written, in the order in which it was.
    pub repairs: Vec<Repair>,
    /// What the checker has against the value as it is now; nothing where it is acceptable.
    pub issues: Issues,
    /// What the checker had against the value as it was sent.
    pub sent: Issues,
}

/// The most repairs that one coercion makes. A value that needs more comes back as it was sent, with its issues.
pub const MOST_REPAIRS: usize = 1_000;

/// Reads a value as what the shape wants, where it can only have been meant so.
///
/// A value that the checker accepts comes back as it is, and so does one that needs more than [`MOST_REPAIRS`]. What is read, and what never is, is in the guide "Coercion".
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

/// What can be read otherwise of a value that the checker refuses; the value itself where nothing can.
pub(super) fn attempt<'a>(
    shape: &Shape,
    value: Json<'a>,
    policy: RepairPolicy,
) -> Result<(Json<'a>, Vec<Repair>), Json<'a>> {
    let mut coercer = Coercer::new(shape, &value);
    let found = coercer.value(Place::root(policy), shape, &value).filter(|_| !coercer.has_too_many);
    drop(coercer);
    match found {
        Some(mending) => Ok(mending.settle(value)),
        None => Err(value),
    }
}

/// What is to become of a value, shared by the readings that it is part of.
type Found<'a> = Option<Rc<Mending<'a>>>;

/// How many answers leave a table that is worth keeping.
const FEW: usize = 64;

/// How many steps may be taken for each node of the value. A step is a node that is looked at or judged once.
const STEPS_A_NODE: u64 = 1_024;

/// One search for readings. It never changes the value, so a node is known by its address.
struct Coercer<'c, 'a> {
    shape: &'c Shape,
    has_secrets: OnceCell<bool>,
    /// How deep in readings that may be dropped again.
    trials: usize,
    steps_left: u64,
    /// How many repairs were found, those of open trials included. Beyond [`MOST_REPAIRS`] nothing is looked for.
    repairs: usize,
    has_too_many: bool,
    /// What the open trials have found. Shapes and nodes outlive them: those that were read out of strings are in `parsed`.
    known: HashMap<Question, Found<'a>>,
    /// What strings hold, by the address of their node; for the open trials.
    parsed: HashMap<usize, Option<Rc<Json<'a>>>>,
    /// What is left of a union without the variants that nothing tells, by its address.
    told: HashMap<usize, Rc<Shape>>,
}

#[derive(PartialEq, Eq, Hash)]
struct Question {
    place: Place,
    shape: usize,
    node: usize,
}

impl<'c> Coercer<'c, '_> {
    fn new(shape: &'c Shape, value: &Json<'_>) -> Self {
        Self {
            shape,
            has_secrets: OnceCell::new(),
            trials: 0,
            steps_left: STEPS_A_NODE.saturating_mul(nodes(value) + 16),
            repairs: 0,
            has_too_many: false,
            known: HashMap::new(),
            parsed: HashMap::new(),
            told: HashMap::new(),
        }
    }

    /// Looks for readings that may be dropped again: what is found for a node is remembered.
    fn trial<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let repairs = self.repairs;
        self.trials += 1;
        let found = look(self);
        self.trials -= 1;
        if self.trials == 0 {
            // Whoever keeps what was found counts it again.
            self.repairs = repairs;
            // No other trial is about these nodes and shapes, and a list has as many trials as items.
            empty(&mut self.known);
            empty(&mut self.parsed);
        }
        found
    }

    /// Counts what a trial found and is kept.
    fn keep(&mut self, repairs: usize) {
        if self.trials == 0 {
            self.count(repairs);
        }
    }

    fn count(&mut self, repairs: usize) {
        self.repairs += repairs;
        self.has_too_many |= self.repairs > MOST_REPAIRS;
    }

    /// Whether the checker accepts a value; `false` where there were too many questions already.
    fn accepts(&mut self, shape: &Shape, json: &Json<'_>) -> bool {
        self.may_take(nodes(json)) && crate::check::accepts(shape, json)
    }

    fn may_take(&mut self, steps: u64) -> bool {
        let left = self.steps_left.checked_sub(steps);
        self.steps_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether what is sent for a shape must not be shown. Where a whole array or object was sent in the wrong place, a secret may be in it.
    fn is_secret(&self, place: Place, shape: &Shape, is_container: bool) -> bool {
        place.is_hidden || self.any_secrets() && (is_container || shape.has_secrets())
    }

    /// Whether a key that nobody knows must not be shown: it may be a secret itself.
    fn is_secret_key(&self, place: Place) -> bool {
        place.is_hidden || self.any_secrets()
    }

    fn any_secrets(&self) -> bool {
        *self.has_secrets.get_or_init(|| self.shape.has_secrets())
    }
}

fn empty<K, V>(table: &mut HashMap<K, V>) {
    // To clear a large table takes as long as it is large, however little is in it.
    if table.capacity() > FEW { *table = HashMap::new() } else { table.clear() }
}

/// How many arrays and objects lie within each other.
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
    use crate::repair::{MOST_REPAIRS, RepairPolicy};
    use crate::{ToolInput, json::Json};

    #[test]
    fn coerced() -> Result<(), crate::json::SyntaxError> {
        let coerced = coerce(<Vec<u8>>::SHAPE, Json::parse(r#"["5", "five"]"#)?, RepairPolicy::Lossless);
        assert_eq!(coerced.value.to_text(), r#"[5,"five"]"#);
        assert_eq!(coerced.repairs[0].to_string(), r#"Read [0] "5" as 5."#);
        assert_eq!((coerced.sent.len(), coerced.issues.len()), (2, 1));
        Ok(())
    }

    #[test]
    fn most_repairs() -> Result<(), crate::json::SyntaxError> {
        let repairs = |texts: usize| {
            let text = format!("[{}]", vec!["\"5\""; texts].join(","));
            Json::parse(&text)
                .map(|json| coerce(<Vec<u8>>::SHAPE, json.into_owned(), RepairPolicy::Lossless).repairs.len())
        };
        assert_eq!(repairs(MOST_REPAIRS)?, MOST_REPAIRS);
        assert_eq!(repairs(MOST_REPAIRS + 1)?, 0);
        Ok(())
    }

    #[test]
    fn spelling() -> Result<(), crate::json::SyntaxError> {
        let coerced = coerce(<Option<Vec<u8>>>::SHAPE, Json::parse(r#""[1, \"2\", 3.0]""#)?, RepairPolicy::Lossless);
        assert_eq!(coerced.value.to_text(), "[1,2,3]");
        assert!(coerced.issues.is_empty());
        let rules: Vec<_> = coerced.repairs.iter().map(|repair| repair.rule.name()).collect();
        assert_eq!(rules, ["stringified", "text", "whole_number"]);
        Ok(())
    }
}
