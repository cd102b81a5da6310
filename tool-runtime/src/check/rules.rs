//! Rules on a value whose kind fits: bounds, lengths, patterns, formats, uniqueness, and the user's own.
//!
//! Several rules may bound the same value (`u8`, a newtype's range, the field's range): the tightest one is the issue, because it is
//! the only one that has to be kept in mind. A rule for another JSON type says nothing.

use super::Checker;
use super::place::{Place, Subject};
use crate::issue::{Constraint, tightest, violation};
use crate::json::{Json, Node, NumberText, has_duplicates};
use crate::shape::{Field, List, Measure, Rejection, Rule};

/// The rules that hold for one value, gathered along the edges that led to it.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    lists: &'r [&'r List<Rule>],
    outer: Option<&'r Rules<'r>>,
    is_empty: bool,
}

impl<'r> Rules<'r> {
    /// More rules for a value that others hold for already.
    pub(super) fn new(lists: &'r [&'r List<Rule>], outer: Option<&'r Self>) -> Self {
        let is_empty = lists.iter().all(|list| list.is_empty()) && outer.is_none_or(|outer| outer.is_empty);
        Self { lists, outer, is_empty }
    }

    /// All of them, those of the type first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'r Rule> {
        let lists = std::iter::successors(Some(*self), |rules| rules.outer.copied());
        lists.flat_map(|rules| rules.lists.iter().flat_map(|list| list.iter()))
    }

    /// The rules for each item of an array or each value of a map.
    pub(super) fn inner(&self) -> Vec<&'r List<Rule>> {
        if self.is_empty {
            return Vec::new();
        }
        self.iter().filter_map(|rule| if let Rule::Inner(rules) = rule { Some(rules) } else { None }).collect()
    }
}

impl Checker<'_, '_> {
    pub(super) fn rules(&mut self, place: &Place<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        if rules.is_empty {
            return;
        }
        match subject {
            Subject::Node(Json { node: Node::Number(text), .. }) => {
                self.number(place, rules, NumberText(text), subject);
            }
            Subject::Node(Json { node: Node::String(text), .. }) => self.string(place, rules, text, subject),
            Subject::Node(Json { node: Node::Array(items), .. }) => {
                self.length(place, rules, Measure::Items, items.len(), subject);
                if rules.iter().any(|rule| matches!(rule, Rule::UniqueItems))
                    && let Some((first, second)) = has_duplicates(items)
                {
                    self.fault(place, Some(subject), |_| Constraint::UniqueItems { first, second });
                }
            }
            _ => {
                if let Some(entries) = subject.entries() {
                    self.length(place, rules, Measure::Properties, entries.len(), subject);
                }
            }
        }
    }

    fn number(&mut self, place: &Place<'_>, rules: &Rules<'_>, text: NumberText<'_>, subject: Subject<'_, '_>) {
        let value = text.value();
        let breaks = |rule| matches!(rule, &Rule::Range(range) if violation(range, value).is_some());
        if rules.iter().any(breaks)
            && let Some(constraint) = violation(tightest(rules.iter()), value)
        {
            self.fault(place, Some(subject), |_| constraint);
        }
        for rule in rules.iter() {
            if let Rule::MultipleOf(divisor) = rule
                && !value.is_multiple_of(*divisor)
            {
                self.fault(place, Some(subject), |_| Constraint::MultipleOf(*divisor));
            }
        }
    }

    fn string(&mut self, place: &Place<'_>, rules: &Rules<'_>, text: &str, subject: Subject<'_, '_>) {
        if rules.iter().any(|rule| matches!(rule, Rule::Length(_))) {
            self.length(place, rules, Measure::Characters, text.chars().count(), subject);
        }
        for rule in rules.iter() {
            match rule {
                Rule::Pattern(pattern) if !pattern.is_match(text) => {
                    self.fault(place, Some(subject), |_| Constraint::Pattern(pattern.source.clone()));
                }
                Rule::Format(format) if !format.accepts(text) => {
                    self.fault(place, Some(subject), |_| Constraint::Format(*format));
                }
                _ => {}
            }
        }
    }

    fn length(
        &mut self,
        place: &Place<'_>,
        rules: &Rules<'_>,
        measure: Measure,
        length: usize,
        subject: Subject<'_, '_>,
    ) {
        let length = length as u64;
        let (mut min, mut max) = (0, None::<u64>);
        for rule in rules.iter() {
            if let Rule::Length(bounds) = rule
                && bounds.measure == measure
            {
                min = min.max(bounds.min);
                max = bounds.max.map(|bound| max.map_or(bound, |max| max.min(bound))).or(max);
            }
        }
        if length < min {
            self.fault(place, Some(subject), |_| match measure {
                Measure::Characters => Constraint::MinLength(min),
                Measure::Items => Constraint::MinItems(min),
                Measure::Properties => Constraint::MinProperties(min),
            });
        }
        if let Some(max) = max.filter(|&max| length > max) {
            self.fault(place, Some(subject), |_| match measure {
                Measure::Characters => Constraint::MaxLength(max),
                Measure::Items => Constraint::MaxItems(max),
                Measure::Properties => Constraint::MaxProperties(max),
            });
        }
    }

    /// The user's own rules, on a value that has no other fault.
    pub(super) fn custom(&mut self, place: &Place<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        if rules.is_empty {
            return;
        }
        for rule in rules.iter() {
            if let Rule::Custom(custom) = rule
                && let Err(rejection) = (custom.check)(&subject.json())
            {
                self.rejected(place, Some(subject), rejection);
            }
        }
    }

    /// A field that is absent has a value all the same: its default, or `null`. Only the user's own rules can mind.
    pub(super) fn absent(&mut self, place: &Place<'_>, field: &Field) {
        for rule in &field.rules {
            let Rule::Custom(custom) = rule else { continue };
            let default = field.default.as_deref().and_then(|text| Json::parse(text).ok());
            if let Err(rejection) = (custom.check)(&default.unwrap_or_else(|| Json::new(Node::Null))) {
                self.rejected(place, None, rejection);
            }
        }
    }

    /// What the user's own rule says; near a secret, only words that cannot have been made of it.
    fn rejected(&mut self, place: &Place<'_>, got: Option<Subject<'_, '_>>, rejection: Rejection) {
        let is_near_secret = self.trials == 0 && (place.is_hidden() || self.has_secrets(place.shape));
        let rejection = if is_near_secret { rejection.without_made_words() } else { rejection };
        self.fault(place, got, |_| Constraint::Custom(rejection));
    }
}
