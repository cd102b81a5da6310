//! Checks a [`Json`] value against a [`Shape`] and reports every issue.
//!
//! Issues are in declaration order: fields as declared, then unknown keys as sent, with nested issues in between. No issues means that the
//! value is acceptable.
//!
//! Invariant: the check never panics, its work is linear in the size of the JSON, and it collects at most one issue more than
//! [`MAX_ISSUES`]. Paths, texts and previews are only made for reported issues. `accepts` is the same walk, stopped at the first issue, so
//! `check` and `accepts` cannot disagree.

mod current_place;
mod field_lookup;
mod flatten;
mod has_key;
mod issue_cache;
mod object;
mod rules;
pub(crate) mod sensitive_fields;
mod tagged;
#[cfg(test)]
mod tests;
mod traversal;
mod untagged;

use std::collections::HashMap;
use std::sync::Arc;

use crate::issue::{Constraint, Expected, Got, Issue, Issues, MAX_ISSUES};
use crate::json::{Json, JsonType};
use crate::parse_counters;
use crate::shape::{CustomRuleError, Kind, Ref, Shape, SharedSlice, Text};
pub(crate) use current_place::address;
use current_place::{CheckPlace, Identity, Subject};
pub(crate) use field_lookup::Names;
pub(crate) use flatten::{claim, is_rule};
use issue_cache::IssueCache;
pub(crate) use traversal::is_flat;
pub(crate) use untagged::nearest_form;

/// Returns every issue of a value, in declaration order; an acceptable value has none. The walk ends with the first issue beyond
/// [`MAX_ISSUES`].
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let issues = check(&Shape::new(Kind::Boolean), &Json::parse("3")?);
/// assert_eq!(issues[0].message(), "the arguments must be a boolean");
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn check(shape: &Shape, json: &Json<'_>) -> Issues {
    parse_counters::check();
    let mut checker = Checker::new(shape, json);
    checker.walk(&CheckPlace::root(shape), json);
    checker.issues
}

/// Returns the issues of a value that [`check`] accepts but that serde would not decode without loss: unknown keys that resemble an absent
/// one, objects of which no key is known, and untagged variants that ignore keys which a later variant knows.
pub(crate) fn check_lossless(shape: &Shape, json: &Json<'_>) -> Issues {
    let mut checker = Checker { is_lossless: true, ..Checker::new(shape, json) };
    checker.walk(&CheckPlace::root(shape), json);
    checker.issues
}

/// Returns `true` if [`check`] would find no issue; stops at the first issue.
pub(crate) fn accepts(shape: &Shape, json: &Json<'_>) -> bool {
    let mut checker = Checker::new(shape, json);
    checker.trial(|checker| checker.walk(&CheckPlace::root(shape), json))
}

/// The maximum number of issues with a suggestion. The limit saves time, because each suggestion needs a comparison with all known names;
/// no answer shows that many.
const SUGGESTIONS: usize = 64;
/// The number of names that are compared for one suggestion. Longer lists count as several.
const NAMES_A_SUGGESTION: usize = 32;

/// The initial capacity for issues.
const USUAL_FAULTS: usize = 8;

/// The number of bytes beyond which a key is shared by the paths that contain it.
const LONG_KEY: usize = 64;

/// The maximum number of steps that trials of untagged variants may take for each node of the input.
const STEPS_A_NODE: u64 = 1_024;

/// One walk over a value. During a trial, the walk only counts issues and stops at the first one.
struct Checker<'c, 'j> {
    shape: &'c Shape,
    root: &'c Json<'j>,
    issues: Issues,
    /// `true` if the walk also reports values that serde would drop. Trials do not, because they ask what serde accepts.
    is_lossless: bool,
    faults: usize,
    trials: usize,
    /// The number of open trials of variants. A node may be checked more than once only during a trial.
    alternatives: usize,
    /// The number of open walks that must continue although the list of issues is full, because they decide whether a flattened `Option` is
    /// absent.
    must_finish: usize,
    /// `true` if such a walk found an issue that prevents decoding but has no room in the list.
    does_not_decode: bool,
    /// The number of times that a shape was compared with a value.
    steps: u64,
    /// The maximum number of steps. Only trials can reach it, so the first trial sets it.
    most_steps: Option<u64>,
    suggestions_left: usize,
    /// The cached results of trials, keyed by (shape, rules, node). Addresses are sufficient as keys, because all three outlive the walk. A
    /// shape that the compiler has duplicated is merely tried again.
    verdicts: HashMap<Question, bool>,
    /// Lists of names that several issues share, keyed by the address of the object or union that declares the names.
    names: IssueCache<usize, SharedSlice<Text>>,
    /// The expectations that issues share, keyed by the addresses of shape, field and rules. All three outlive the walk.
    expected: IssueCache<Identity, Arc<Expected>>,
    /// The expectation for keys that are not allowed.
    nothing: Option<Arc<Expected>>,
    /// The long keys that paths share, keyed by the address and length of the key in the input. The input outlives the walk.
    keys: HashMap<(usize, usize), Text>,
    /// The shapes of tags, keyed by the address of their union.
    tags: IssueCache<usize, Ref>,
    /// `true` if any part of the call may contain a secret; `None` until it is first needed.
    any_secrets: Option<bool>,
    /// `true` for each shape whose values may contain a secret, keyed by the address of the shape.
    secrets: IssueCache<usize, bool>,
    /// A buffer for rendering values.
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
            is_lossless: false,
            faults: 0,
            trials: 0,
            alternatives: 0,
            must_finish: 0,
            does_not_decode: false,
            steps: 0,
            most_steps: None,
            suggestions_left: SUGGESTIONS,
            verdicts: HashMap::new(),
            names: IssueCache::new(),
            expected: IssueCache::new(),
            nothing: None,
            keys: HashMap::new(),
            tags: IssueCache::new(),
            any_secrets: None,
            secrets: IssueCache::new(),
            room: String::new(),
        }
    }

    /// Runs part of a check without reporting its issues; returns `true` if it finds none.
    fn trial(&mut self, walk: impl FnOnce(&mut Self)) -> bool {
        let before = std::mem::take(&mut self.faults);
        self.trials += 1;
        walk(self);
        self.trials -= 1;
        std::mem::replace(&mut self.faults, before) == 0
    }

    /// Checks a value against one of several variants without reporting issues; returns `true` if the variant accepts the value.
    fn alternative(&mut self, walk: impl FnOnce(&mut Self)) -> bool {
        self.alternatives += 1;
        let fits = self.trial(walk);
        self.alternatives -= 1;
        fits
    }

    /// Returns `true` if further checks cannot change the outcome: a trial has failed, or the list is full.
    fn is_decided(&self) -> bool {
        if self.trials > 0 { self.faults > 0 } else { self.is_full() && self.must_finish == 0 }
    }

    /// Returns `true` if values that serde would drop are issues here.
    fn reports_losses(&self) -> bool {
        self.is_lossless && self.trials == 0
    }

    fn is_full(&self) -> bool {
        self.issues.len() > MAX_ISSUES
    }

    /// Counts a step; returns `false` if a trial must stop because too many steps have been taken.
    fn may_go_on(&mut self) -> bool {
        self.steps += 1;
        let root = self.root;
        self.trials == 0
            || self.steps < *self.most_steps.get_or_insert_with(|| STEPS_A_NODE.saturating_mul(root.nodes() + 16))
    }

    /// Reports that a value could not be checked within the limits, because the shape refers to itself or too many variants were tried.
    fn give_up(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, '_>) {
        self.fault(place, Some(subject), |_| {
            Constraint::Custom(CustomRuleError::new("could mean too many things to be checked"))
        });
    }

    /// Reports an issue. `got` is `None` if the value is absent.
    fn fault(
        &mut self,
        place: &CheckPlace<'_>,
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

    /// Adds an issue. This function is separate from [`issue`](Self::issue), so that the code for good values stays small.
    #[cold]
    #[inline(never)]
    fn report(&mut self, place: &CheckPlace<'_>, got: Option<Subject<'_, '_>>, constraint: Constraint) {
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
        let expected = self.expectation_for(place, &constraint);
        let description = place.description();
        if self.issues.is_empty() {
            self.issues = Issues::with_capacity(USUAL_FAULTS);
        }
        let path = place.path.to_path(|key| self.shared_key(key));
        self.issues.push(Issue { path, constraint, expected, got, suggestion, description, inside: None });
    }

    /// Returns the expectation for a value. The issues of one field share one expectation if possible.
    fn expectation_for(&mut self, place: &CheckPlace<'_>, constraint: &Constraint) -> Arc<Expected> {
        match constraint {
            Constraint::UnknownField { .. } => {
                let nothing = || Expected { shape: None, ..place.expected() }.into();
                Arc::clone(self.nothing.get_or_insert_with(nothing))
            }
            Constraint::Custom(rejection) if rejection.expectation().is_some() => {
                let words = rejection.expectation().map(|words| Text::from(words.to_owned()));
                Expected { text: words, ..place.expected() }.into()
            }
            _ => match place.identity() {
                Some(identity) => self.expected.get_or_insert_with(identity, || place.expected().into()),
                None => place.expected().into(),
            },
        }
    }

    /// Returns a key for a path. A long key is stored once, because many issues may contain it: with copies, the memory could grow with the
    /// square of the input.
    fn shared_key(&mut self, key: &str) -> Text {
        if key.len() <= LONG_KEY {
            return Text::copied(key);
        }
        self.keys.entry((address(key), key.len())).or_insert_with(|| key.to_owned().into()).clone()
    }

    /// Returns the known name that was probably meant by an unknown name.
    fn suggestion(
        &mut self,
        place: &CheckPlace<'_>,
        got: Option<Subject<'_, '_>>,
        constraint: &Constraint,
    ) -> Option<Text> {
        let sent = match constraint {
            Constraint::Enum(_) | Constraint::Discriminator { .. } => got?.as_str()?,
            Constraint::UnknownField { .. } => place.path.last_key()?,
            _ => return None,
        };
        if place.sensitive {
            return None;
        }
        let effort = match constraint {
            Constraint::Enum(allowed) => 1 + allowed.len() / NAMES_A_SUGGESTION,
            _ => 1,
        };
        self.suggestions_left = self.suggestions_left.checked_sub(effort)?;
        constraint.suggestion(sent)
    }

    /// Returns `true` if the value must not be shown: it is a secret, contains one, or may be a secret sent to the wrong field. In a call
    /// with sensitive fields, arrays and objects may be such a secret, and so may a text where another type is expected. Numbers, and texts
    /// that only break a rule, are still shown.
    fn is_secret(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, '_>, constraint: &Constraint) -> bool {
        if place.is_hidden() || self.has_secrets(place.shape) {
            return true;
        }
        match subject.json_type() {
            JsonType::Array | JsonType::Object => self.any_secrets(),
            JsonType::String => matches!(constraint, Constraint::Type(_)) && self.any_secrets(),
            _ => false,
        }
    }

    /// Returns `true` if the tool has any sensitive field.
    fn any_secrets(&mut self) -> bool {
        let root = self.shape;
        *self.any_secrets.get_or_insert_with(|| root.has_secrets())
    }

    /// Returns `true` if unknown keys must be hidden in reports; `false` during a trial, which reports nothing.
    fn is_guarded(&mut self) -> bool {
        self.trials == 0 && self.any_secrets()
    }

    /// Returns the result of [`Shape::has_secrets`]. The result is cached, because an array may contain a thousand faulty items of one
    /// shape.
    fn has_secrets(&mut self, shape: &Shape) -> bool {
        if let Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number(_) | Kind::String = shape.kind {
            return false;
        }
        // If the whole call has no secrets, neither has any part of it.
        if !self.any_secrets() {
            return false;
        }
        self.secrets.get_or_insert_with(address(shape), || shape.has_secrets())
    }

    fn wrong_type(&mut self, place: &CheckPlace<'_>, subject: Subject<'_, '_>, types: &[JsonType]) {
        self.fault(place, Some(subject), |_| Constraint::Type(types.into()));
    }
}
