//! Shape × JSON → every issue.
//!
//! In comes a [`Shape`] and the [`Json`] that a model sent; out goes every fault, in declaration order: fields as they were
//! declared, then unknown keys as they were sent, nested faults in place. An empty list means that the value is acceptable.
//! What always holds: nothing here panics, the work is linear in the size of the JSON, no more are collected than [`MOST_ISSUES`] and one, and
//! paths, words and previews are made only for what is reported. `accepts` is the same walk, stopped at the first fault, so the two cannot disagree.

mod flatten;
mod names;
mod object;
mod place;
mod rules;
mod secrets;
mod shared;
mod tagged;
mod taken;
#[cfg(test)]
mod tests;
mod untagged;
mod value;

use std::collections::HashMap;
use std::sync::Arc;

use crate::counted;
use crate::issue::{Constraint, Expected, Got, Issue, Issues, MOST_ISSUES};
use crate::json::{Json, JsonType, Node};
use crate::shape::{Kind, List, Ref, Rejection, Shape, Text};
use crate::suggest;
pub(crate) use flatten::is_rule;
pub(crate) use names::Names;
pub(crate) use place::address;
use place::{Identity, Place, Subject};
#[doc(hidden)]
pub use secrets::sends_secret;
use shared::Shared;
pub(crate) use untagged::nearest_form;
pub(crate) use value::is_flat;

/// Every fault of a value, in declaration order; none where the value is acceptable. The walk ends with the first fault beyond
/// [`MOST_ISSUES`].
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let issues = check(&Shape::of(Kind::Boolean), &Json::parse("3")?);
/// assert_eq!(issues[0].message(), "the arguments must be a boolean");
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn check(shape: &Shape, json: &Json<'_>) -> Issues {
    counted::check();
    let mut checker = Checker::new(shape, json);
    checker.walk(&Place::root(shape), json);
    checker.issues
}

/// Whether [`check`] would find nothing; stops at the first fault.
///
/// ```
/// use tool_schema::check::accepts;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// assert!(accepts(&Shape::of(Kind::Boolean), &Json::parse("true")?));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn accepts(shape: &Shape, json: &Json<'_>) -> bool {
    let mut checker = Checker::new(shape, json);
    checker.trial(|checker| checker.walk(&Place::root(shape), json))
}

/// How many places get a did-you-mean: no answer shows more, and each costs a comparison with every name.
const SUGGESTIONS: usize = 64;

/// How many faults a refused call has room for from the start.
const USUAL_FAULTS: usize = 8;

/// Keys that take more bytes are shared by the paths that they are in.
const LONG_KEY: usize = 64;

/// How many steps the trials of untagged variants may take for each node of the input.
const STEPS_A_NODE: u64 = 1_024;

/// One walk over a value. In a trial it only counts faults and stops at the first.
struct Checker<'c, 'j> {
    shape: &'c Shape,
    root: &'c Json<'j>,
    issues: Issues,
    faults: usize,
    trials: usize,
    /// How many trials of variants are open: only in them a node may be asked about more than once.
    alternatives: usize,
    /// How many walks are open that have to reach their end although the list is full, because what they find there decides.
    must_finish: usize,
    /// Whether such a walk met a fault for which the list had no room, and which means that the value does not decode.
    does_not_decode: bool,
    /// How many shapes were held against a value.
    steps: u64,
    /// How many steps are too many; only trials can take so many, so the first of them sets it.
    most_steps: Option<u64>,
    suggestions_left: usize,
    /// What trials have found: by shape, by rules of the place, by node. Addresses are enough: all three outlive the walk, and a
    /// shape that the compiler has copied is merely tried again.
    verdicts: HashMap<Question, bool>,
    /// The lists of names that issues share, by the address of the object or union that they belong to.
    names: Shared<usize, List<Text>>,
    /// The expectations that issues share, by the shape, the field and the rules that they are of, all of which outlive the walk.
    expected: Shared<Identity, Arc<Expected>>,
    /// What is expected where nothing may stand.
    nothing: Option<Arc<Expected>>,
    /// The long keys that paths share, by their place in what was sent, which outlives the walk.
    keys: HashMap<(usize, usize), Text>,
    /// The shapes of tags, by the address of their union.
    tags: Shared<usize, Ref>,
    /// Whether a secret may stand anywhere in the call; asked at the first fault that is no scalar's.
    any_secrets: Option<bool>,
    /// Whether a secret may stand in a value, by the address of its shape.
    secrets: Shared<usize, bool>,
    /// Room in which what was sent is rendered.
    room: String,
}

#[derive(PartialEq, Eq, Hash)]
struct Question {
    shape: usize,
    rules: usize,
    node: usize,
}

impl<'c, 'j> Checker<'c, 'j> {
    fn new(shape: &'c Shape, root: &'c Json<'j>) -> Self {
        Self {
            shape,
            root,
            issues: Issues::new(),
            faults: 0,
            trials: 0,
            alternatives: 0,
            must_finish: 0,
            does_not_decode: false,
            steps: 0,
            most_steps: None,
            suggestions_left: SUGGESTIONS,
            verdicts: HashMap::new(),
            names: Shared::new(),
            expected: Shared::new(),
            nothing: None,
            keys: HashMap::new(),
            tags: Shared::new(),
            any_secrets: None,
            secrets: Shared::new(),
            room: String::new(),
        }
    }

    /// Whether the walk finds no fault. Nothing is reported.
    fn trial(&mut self, walk: impl FnOnce(&mut Self)) -> bool {
        let before = std::mem::take(&mut self.faults);
        self.trials += 1;
        walk(self);
        self.trials -= 1;
        std::mem::replace(&mut self.faults, before) == 0
    }

    /// A trial of one of several variants.
    fn alternative(&mut self, walk: impl FnOnce(&mut Self)) -> bool {
        self.alternatives += 1;
        let fits = self.trial(walk);
        self.alternatives -= 1;
        fits
    }

    /// Whether nothing further on can change the outcome: a trial has failed, or the list is full.
    fn is_decided(&self) -> bool {
        if self.trials > 0 { self.faults > 0 } else { self.is_full() && self.must_finish == 0 }
    }

    fn is_full(&self) -> bool {
        self.issues.len() > MOST_ISSUES
    }

    /// Counts a step; `false` where a trial has taken too many.
    fn may_go_on(&mut self) -> bool {
        self.steps += 1;
        let root = self.root;
        self.trials == 0
            || self.steps < *self.most_steps.get_or_insert_with(|| STEPS_A_NODE.saturating_mul(nodes(root) + 16))
    }

    /// A place that cannot be decided within the bounds: the shape leads back to itself, or too many alternatives were tried.
    fn give_up(&mut self, place: &Place<'_>, subject: Subject<'_, '_>) {
        self.fault(place, Some(subject), |_| {
            Constraint::Custom(Rejection::new("could mean too many things to be checked"))
        });
    }

    /// Reports a fault; `None` stands for a value that is absent.
    fn fault(
        &mut self,
        place: &Place<'_>,
        got: Option<Subject<'_, '_>>,
        constraint: impl FnOnce(&mut Self) -> Constraint,
    ) {
        self.faults += 1;
        if self.trials > 0 || self.is_full() && self.must_finish == 0 {
            return;
        }
        let constraint = constraint(self);
        self.report(place, got, constraint);
    }

    /// Adds an issue. Apart from [`fault`](Self::fault), so that what checks good values stays small.
    #[cold]
    #[inline(never)]
    fn report(&mut self, place: &Place<'_>, got: Option<Subject<'_, '_>>, constraint: Constraint) {
        if self.is_full() {
            self.does_not_decode |= !is_rule(&constraint);
            return;
        }
        let suggestion = self.suggestion(place, got, &constraint);
        let got = match got {
            None => Got::absent(),
            Some(subject) if self.is_secret(place, subject, &constraint) => Got::redacted(subject.json_type()),
            Some(subject) => Got::rendered(&subject.json(), &mut self.room),
        };
        let expected = self.expected(place, &constraint);
        let description = place.description();
        if self.issues.is_empty() {
            self.issues = Issues::with_capacity(USUAL_FAULTS);
        }
        let path = place.path.to_path(|key| self.shared(key));
        self.issues.push(Issue { path, constraint, expected, got, suggestion, description });
    }

    /// What would be accepted at a place; kept once for all the faults of a field.
    fn expected(&mut self, place: &Place<'_>, constraint: &Constraint) -> Arc<Expected> {
        match constraint {
            Constraint::UnknownField { .. } => {
                let nothing = || Expected { shape: None, ..place.expected() }.into();
                Arc::clone(self.nothing.get_or_insert_with(nothing))
            }
            Constraint::Custom(rejection) if rejection.expectation().is_some() => {
                let words = rejection.expectation().map(|words| Text::from(words.to_owned()));
                Expected { words, ..place.expected() }.into()
            }
            _ => match place.identity() {
                Some(identity) => self.expected.get_or_insert_with(identity, || place.expected().into()),
                None => place.expected().into(),
            },
        }
    }

    /// A key for a path. One of many bytes may have as many faults below it, and is kept once for all of them.
    fn shared(&mut self, key: &str) -> Text {
        if key.len() <= LONG_KEY {
            return Text::copied(key);
        }
        self.keys.entry((address(key), key.len())).or_insert_with(|| key.to_owned().into()).clone()
    }

    /// What was probably meant where a name is not one of those that are known.
    fn suggestion(&mut self, place: &Place<'_>, got: Option<Subject<'_, '_>>, constraint: &Constraint) -> Option<Text> {
        let (allowed, name) = match constraint {
            Constraint::Enum(allowed) | Constraint::Discriminator { allowed, .. } => (allowed, got?.as_str()?),
            Constraint::UnknownField { allowed } => (allowed, place.path.last_key()?),
            _ => return None,
        };
        if place.sensitive {
            return None;
        }
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        let nearest = suggest::nearest(name, allowed.iter().map(Text::as_str))?;
        allowed.iter().find(|known| **known == nearest).cloned()
    }

    /// Whether what was sent must not be shown: a secret is expected there or inside, or may have been put there by mistake. In a call
    /// with sensitive fields those are arrays, objects, and texts of the wrong type. A number, and a text that breaks another rule, is taken
    /// for the field's own.
    fn is_secret(&mut self, place: &Place<'_>, subject: Subject<'_, '_>, constraint: &Constraint) -> bool {
        if place.is_hidden() || self.has_secrets(place.shape) {
            return true;
        }
        match subject.json_type() {
            JsonType::Array | JsonType::Object => self.any_secrets(),
            JsonType::String => matches!(constraint, Constraint::Type(_)) && self.any_secrets(),
            _ => false,
        }
    }

    /// Whether the tool has any sensitive field.
    fn any_secrets(&mut self) -> bool {
        let root = self.shape;
        *self.any_secrets.get_or_insert_with(|| root.has_secrets())
    }

    /// Whether unknown keys must be hidden where they are reported; in a trial nothing is.
    fn is_guarded(&mut self) -> bool {
        self.trials == 0 && self.any_secrets()
    }

    /// [`Shape::has_secrets`], remembered: an array may have a thousand faulty items of one shape.
    fn has_secrets(&mut self, shape: &Shape) -> bool {
        if let Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number(_) | Kind::String = shape.kind {
            return false;
        }
        // Where the whole call has none, no part of it has.
        if !self.any_secrets() {
            return false;
        }
        self.secrets.get_or_insert_with(address(shape), || shape.has_secrets())
    }

    fn wrong_type(&mut self, place: &Place<'_>, subject: Subject<'_, '_>, types: &[JsonType]) {
        self.fault(place, Some(subject), |_| Constraint::Type(types.into()));
    }
}

/// How many nodes a tree has; its depth is bounded.
pub(crate) fn nodes(json: &Json<'_>) -> u64 {
    1 + match &json.node {
        Node::Array(items) => items.iter().map(nodes).sum(),
        Node::Object(members) => members.iter().map(|member| nodes(&member.value)).sum(),
        _ => 0,
    }
}
