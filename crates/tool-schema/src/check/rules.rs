//! Checks rules on a value of the right kind: bounds, lengths, patterns, formats, uniqueness, and custom rules.
//!
//! Several rules may bound the same value (`u8`, a newtype's range, the field's range). Only the tightest bound becomes an issue, because
//! it implies the others. Rules for other JSON types are ignored.

use super::Checker;
use super::current_place::{CheckPlace, Subject};
use crate::issue::{Constraint, tighten, violation};
use crate::json::{Json, Node, NumberText, find_duplicate};
use crate::shape::{CustomRuleError, Field, Measure, Range, Rule, SharedSlice, Text};

/// The rules for one value, collected along the edges that led to it.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    lists: &'r [&'r SharedSlice<Rule>],
    outer: Option<&'r Rules<'r>>,
    /// A bit for each kind of rule that is included, so that other kinds are not searched for.
    kinds: u16,
}

const LENGTH: u16 = 1;
const RANGE: u16 = 1 << 1;
const MULTIPLE_OF: u16 = 1 << 2;
const TEXT: u16 = 1 << 3;
const UNIQUE_ITEMS: u16 = 1 << 4;
const INNER: u16 = 1 << 5;
const CUSTOM: u16 = 1 << 6;
/// The bit of a rule that rejects no value. It only allows more spellings of an integer, such as `1.0`.
const INTEGRAL: u16 = 1 << 7;
const VALUES: u16 = 1 << 8;

fn kind(rule: &Rule) -> u16 {
    match rule {
        Rule::Length(_) => LENGTH,
        Rule::Range(_) => RANGE,
        Rule::MultipleOf(_) => MULTIPLE_OF,
        Rule::Pattern(_) | Rule::Format(_) => TEXT,
        Rule::UniqueItems => UNIQUE_ITEMS,
        Rule::Values(_) => VALUES,
        Rule::Integral => INTEGRAL,
        Rule::Inner(_) => INNER,
        Rule::Custom(_) => CUSTOM,
    }
}

/// Storage for [`Rules::inner`].
pub(super) struct InnerRules<'r> {
    one: [&'r SharedSlice<Rule>; 1],
    several: Vec<&'r SharedSlice<Rule>>,
}

impl InnerRules<'_> {
    pub(super) const EMPTY: Self = Self { one: [&SharedSlice::EMPTY], several: Vec::new() };
}

impl<'r> Rules<'r> {
    /// Adds rules to those that already apply to the value.
    pub(super) fn new(lists: &'r [&'r SharedSlice<Rule>], outer: Option<&'r Self>) -> Self {
        let mut kinds = outer.map_or(0, |outer| outer.kinds);
        for list in lists {
            for rule in *list {
                kinds |= kind(rule);
            }
        }
        Self { lists, outer, kinds }
    }

    /// Visits the rules, those of the type first. It stops as soon as the remaining lists have no rule of these kinds.
    #[inline]
    fn each(&self, kinds: u16, mut visit: impl FnMut(&'r Rule)) {
        let mut next = Some(self);
        while let Some(rules) = next.filter(|rules| rules.kinds & kinds != 0) {
            rules.lists.iter().for_each(|list| list.iter().for_each(&mut visit));
            next = rules.outer;
        }
    }

    /// Returns `true` if an integer may be written with a fraction of zero or with an exponent.
    pub(super) fn take_any_spelling(&self) -> bool {
        self.kinds & INTEGRAL != 0
    }

    /// Returns the rules for each item of an array or each value of a map. In the common case of a single list, nothing is allocated.
    pub(super) fn inner<'i>(&self, room: &'i mut InnerRules<'r>) -> &'i [&'r SharedSlice<Rule>] {
        let mut found = 0;
        self.each(INNER, |rule| {
            if let Rule::Inner(rules) = rule {
                match found {
                    0 => room.one = [rules],
                    1 => room.several = vec![room.one[0], rules],
                    _ => room.several.push(rules),
                }
                found += 1;
            }
        });
        if found > 1 { &room.several } else { &room.one[..found] }
    }
}

impl Checker<'_, '_> {
    /// Applies all rules except custom ones.
    #[inline]
    pub(super) fn rules(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        if rules.kinds & !(INTEGRAL | INNER | CUSTOM) != 0 {
            self.each_rule(place, rules, subject);
        }
    }

    #[inline(never)]
    fn each_rule(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        if rules.kinds & VALUES != 0 {
            self.values(place, rules, subject);
        }
        match subject {
            Subject::Node(Json { node: Node::Number(text), .. }) => {
                self.number(place, rules, NumberText(text), subject);
            }
            Subject::Node(Json { node: Node::String(text), .. }) => self.string(place, rules, text, subject),
            Subject::Node(Json { node: Node::Array(items), .. }) => {
                self.length(place, rules, (Measure::Items, items.len(), items.len()), || items.len(), subject);
                if rules.kinds & UNIQUE_ITEMS != 0
                    && let Some((first, second)) = find_duplicate(items)
                {
                    self.fault(place, Some(subject), |_| Constraint::UniqueItems { first, second });
                }
            }
            _ => {
                if let Some(entries) = subject.entries() {
                    self.length(
                        place,
                        rules,
                        (Measure::Properties, entries.len(), entries.len()),
                        || entries.len(),
                        subject,
                    );
                }
            }
        }
    }

    fn values(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        rules.each(VALUES, |rule| {
            let Rule::Values(allowed) = rule else { return };
            let sent = subject.json();
            let is_one = |text: &Text| Json::parse(text).is_ok_and(|value| value.same_value(&sent));
            if !allowed.iter().any(is_one) {
                self.fault(place, Some(subject), |_| Constraint::Values(allowed.clone()));
            }
        });
    }

    fn number(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, text: NumberText<'_>, subject: Subject<'_, '_>) {
        let value = text.value();
        let (mut broken, mut first) = (0, None);
        rules.each(RANGE, |rule| {
            if let Rule::Range(range) = rule
                && let Some(violation) = violation(range, value)
            {
                broken += 1;
                first = first.or(Some(violation));
            }
        });
        if broken > 1 {
            let mut tightest = Range::UNBOUNDED;
            rules.each(RANGE, |rule| {
                if let Rule::Range(range) = rule {
                    tighten(&mut tightest, range);
                }
            });
            first = violation(&tightest, value);
        }
        if let Some((constraint, bound)) = first {
            self.fault(place, Some(subject), |_| constraint(bound));
        }
        rules.each(MULTIPLE_OF, |rule| {
            if let Rule::MultipleOf(divisor) = rule
                && !value.is_multiple_of(*divisor)
            {
                self.fault(place, Some(subject), |_| Constraint::MultipleOf(*divisor));
            }
        });
    }

    fn string(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, text: &str, subject: Subject<'_, '_>) {
        // A character takes one to four bytes, so the number of bytes often shows that the length is valid. Characters are only counted if
        // it does not.
        let at_least = text.len().div_ceil(4);
        self.length(place, rules, (Measure::Characters, at_least, text.len()), || text.chars().count(), subject);
        rules.each(TEXT, |rule| match rule {
            Rule::Pattern(pattern) if !pattern.is_match(text) => {
                self.fault(place, Some(subject), |_| Constraint::Pattern(pattern.source.clone()));
            }
            Rule::Format(format) if !format.accepts(text) => {
                self.fault(place, Some(subject), |_| Constraint::Format(*format));
            }
            _ => {}
        });
    }

    /// Checks the length. `at_least` and `at_most` are known bounds of the length. The exact length is only counted if the bounds do not
    /// settle the result.
    fn length(
        &mut self,
        place: &CheckPlace<'_>,
        rules: &Rules<'_>,
        (measure, at_least, at_most): (Measure, usize, usize),
        length: impl FnOnce() -> usize,
        subject: Subject<'_, '_>,
    ) {
        let (mut min, mut max) = (0, u64::MAX);
        rules.each(LENGTH, |rule| {
            if let Rule::Length(bounds) = rule
                && bounds.measure == measure
            {
                min = min.max(bounds.min);
                max = max.min(bounds.max.unwrap_or(u64::MAX));
            }
        });
        if at_least as u64 >= min && at_most as u64 <= max {
            return;
        }
        let length = length() as u64;
        if length < min {
            self.fault(place, Some(subject), |_| match measure {
                Measure::Characters => Constraint::MinLength(min),
                Measure::Items => Constraint::MinItems(min),
                Measure::Properties => Constraint::MinProperties(min),
            });
        }
        if length > max {
            self.fault(place, Some(subject), |_| match measure {
                Measure::Characters => Constraint::MaxLength(max),
                Measure::Items => Constraint::MaxItems(max),
                Measure::Properties => Constraint::MaxProperties(max),
            });
        }
    }

    /// Applies custom rules to a value that has no other issue.
    #[inline]
    pub(super) fn custom(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        if rules.kinds & CUSTOM != 0 {
            self.each_custom(place, rules, subject);
        }
    }

    /// Applies the custom rules. It is separate from [`custom`](Self::custom), because few values have custom rules.
    #[cold]
    #[inline(never)]
    fn each_custom(&mut self, place: &CheckPlace<'_>, rules: &Rules<'_>, subject: Subject<'_, '_>) {
        rules.each(CUSTOM, |rule| {
            if let Rule::Custom(custom) = rule
                && let Err(rejection) = (custom.check)(&subject.json())
            {
                self.report_custom_rule(place, Some(subject), rejection);
            }
        });
    }

    /// Applies custom rules to an absent field as if its default, or `null`, had been sent.
    pub(super) fn absent(&mut self, place: &CheckPlace<'_>, field: &Field) {
        for rule in &field.rules {
            let Rule::Custom(custom) = rule else { continue };
            let default = field.default.as_deref().and_then(|text| Json::parse(text).ok());
            if let Err(rejection) = (custom.check)(&default.unwrap_or_else(|| Json::from_node(Node::Null))) {
                self.report_custom_rule(place, None, rejection);
            }
        }
    }

    /// Reports the error of a custom rule. If the value may contain a secret, a text that was computed at run time is omitted, because it
    /// may repeat the secret.
    fn report_custom_rule(&mut self, place: &CheckPlace<'_>, got: Option<Subject<'_, '_>>, rejection: CustomRuleError) {
        let is_near_secret = self.trials == 0 && (place.is_hidden() || self.has_secrets(place.shape));
        let rejection = if is_near_secret { rejection.without_made_words() } else { rejection };
        self.fault(place, got, |_| Constraint::Custom(rejection));
    }
}
