//! A value for a shape, built from a list of choices: [`Maker`].
//!
//! Invariants: the value meets all rules that can be met mechanically. Without choices, it is the simplest value. The depth is bounded, so
//! recursive shapes end.

use crate::private::hint::example_value;
use crate::private::json::build::{self, boolean, list, member, number, string};
use tool_runtime::tool_schema::issue::Expected;
use tool_runtime::tool_schema::json::{Json, Member, Node, Number};
use tool_runtime::tool_schema::shape::{Field, Kind, Length, Measure, Object, Ref, Rule, Tagging, Union, Variant};

/// The maximum depth at which optional parts are generated.
const SHALLOW: usize = 4;
/// The maximum depth of values. Deeper values are `null`.
const DEEPEST: usize = 24;
/// The maximum distance of an unbounded integer from 0.
const FAR: i128 = 1_000;

/// A generator of values. It uses up a list of random choices.
pub(super) struct Maker {
    choices: std::vec::IntoIter<u32>,
    /// `true` if a value was needed that only the author of the tool could have provided.
    pub(super) is_stuck: bool,
}

impl Maker {
    pub(super) fn new(choices: Vec<u32>) -> Self {
        Self { choices: choices.into_iter(), is_stuck: false }
    }

    /// Returns a number below `count`, or 0 if all choices are used up.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let choice = self.choices.next().unwrap_or(0);
        usize::try_from(choice).unwrap_or(0).checked_rem(count).unwrap_or(0)
    }

    /// Returns a value for a shape. `outer` are additional rules from the location of the value, and `field` is the field that contains the
    /// value.
    pub(super) fn make(&mut self, edge: &Ref, outer: &[Rule], field: Option<&Field>, depth: usize) -> Json<'static> {
        let shape = edge.shape();
        let rules: Vec<Rule> = shape.rules.iter().chain(outer).cloned().collect();
        if depth > DEEPEST {
            return Json::from_node(Node::Null);
        }
        let known = rules.iter().find_map(|rule| if let Rule::Values(values) = rule { Some(values) } else { None });
        if let Some(values) = known {
            let value = values.get(self.below(values.len())).and_then(|text| Json::parse(text).ok());
            return value.map_or_else(|| Json::from_node(Node::Null), Json::into_owned);
        }
        if rules.iter().any(|rule| matches!(rule, Rule::Pattern(_) | Rule::Format(_) | Rule::Custom(_))) {
            return self.authored(edge, field);
        }
        match &shape.kind {
            Kind::Null => Json::from_node(Node::Null),
            Kind::Any => self.anything(),
            Kind::Foreign(_) => self.authored(edge, field),
            Kind::Boolean => boolean(self.below(2) == 1),
            Kind::Integer => number(self.integer(&rules)),
            Kind::Number(_) => self.decimal(&rules),
            Kind::String => string(self.text(&rules)),
            Kind::Array(items) => self.items(items, &rules, depth),
            Kind::Tuple(positions) => list(positions.iter().map(|position| self.make(position, &[], None, depth + 1))),
            Kind::Map { keys, values } => self.map(keys, values, &rules, depth),
            Kind::Object(object) => build::object(self.members(object, depth)),
            Kind::Union(union) => self.variant(union, depth),
            Kind::Nullable(inner) => {
                if depth > SHALLOW || self.below(4) == 0 {
                    Json::from_node(Node::Null)
                } else {
                    self.make(inner, &rules, field, depth + 1)
                }
            }
            Kind::Alias(inner) => self.make(inner, &rules, field, depth + 1),
        }
    }

    /// Returns the author's example for the field, or an example that can be derived from the shape.
    fn authored(&mut self, edge: &Ref, field: Option<&Field>) -> Json<'static> {
        let expected = field.map_or_else(|| Expected::from_shape(edge.clone()), Expected::from_field);
        let value = example_value(&expected).and_then(|text| Json::parse(&text).ok().map(Json::into_owned));
        self.is_stuck |= value.is_none();
        value.unwrap_or_else(|| Json::from_node(Node::Null))
    }

    fn anything(&mut self) -> Json<'static> {
        let all =
            [Node::Null, Node::Bool(true), Node::Number("7".into()), Node::String("x".into()), Node::Array(Vec::new())];
        let choice = self.below(all.len());
        Json::from_node(all.into_iter().nth(choice).unwrap_or(Node::Null))
    }

    fn integer(&mut self, rules: &[Rule]) -> i128 {
        let (mut min, mut max) = (i128::MIN, i128::MAX);
        let mut step = 1;
        for rule in rules {
            match rule {
                Rule::Range(range) => {
                    min = min.max(range.min.map_or(i128::MIN, whole));
                    min = min.max(range.exclusive_min.map_or(i128::MIN, |end| whole(end).saturating_add(1)));
                    max = max.min(range.max.map_or(i128::MAX, whole));
                    max = max.min(range.exclusive_max.map_or(i128::MAX, |end| whole(end).saturating_sub(1)));
                }
                Rule::MultipleOf(Number::Integer(of)) if *of > 0 => step = *of,
                _ => {}
            }
        }
        // Start at 0 if the range allows it, otherwise at the bound that is closest to 0.
        let start = 0_i128.clamp(min, max.max(min));
        let steps = max.saturating_sub(start).max(0) / step;
        let chosen = self.below(usize::try_from(steps.min(FAR)).unwrap_or(0) + 1);
        let chosen = start.saturating_add(i128::try_from(chosen).unwrap_or(0).saturating_mul(step));
        let rounded = chosen.saturating_sub(chosen.rem_euclid(step));
        if rounded < min { rounded.saturating_add(step) } else { rounded }
    }

    fn decimal(&mut self, rules: &[Rule]) -> Json<'static> {
        let whole = self.integer(rules);
        let is_ruled = !rules.is_empty();
        if is_ruled || self.below(2) == 0 { number(whole) } else { number(format!("{whole}.5")) }
    }

    fn text(&mut self, rules: &[Rule]) -> String {
        const LETTERS: [char; 6] = ['a', 'Z', '7', ' ', 'é', '🦀'];
        let length = self.length(rules, Measure::Characters);
        (0..length).map(|_| LETTERS[self.below(LETTERS.len())]).collect()
    }

    /// Returns a length of at least the minimum, and at most four more.
    fn length(&mut self, rules: &[Rule], measure: Measure) -> usize {
        let lengths = || {
            rules.iter().filter_map(move |rule| match rule {
                Rule::Length(length) if length.measure == measure => Some(*length),
                _ => None,
            })
        };
        let narrow = |length: u64| usize::try_from(length).unwrap_or(usize::MAX);
        let min = lengths().map(|Length { min, .. }| narrow(min)).max().unwrap_or(0);
        let max = lengths().filter_map(|length| length.max).map(narrow).min().unwrap_or(usize::MAX);
        min + self.below(max.saturating_sub(min).min(4) + 1)
    }

    fn items(&mut self, items: &Ref, rules: &[Rule], depth: usize) -> Json<'static> {
        let is_set = rules.iter().any(|rule| matches!(rule, Rule::UniqueItems));
        let inner = inner(rules);
        let count = self.short(rules, Measure::Items, depth);
        let mut made: Vec<Json<'static>> = Vec::new();
        for _ in 0..count {
            let item = self.make(items, &inner, None, depth + 1);
            if !is_set || !made.iter().any(|other| other.same_value(&item)) {
                made.push(item);
            }
        }
        list(made)
    }

    fn map(&mut self, keys: &Ref, values: &Ref, rules: &[Rule], depth: usize) -> Json<'static> {
        let inner = inner(rules);
        let count = self.short(rules, Measure::Properties, depth);
        let mut made: Vec<Member<'static>> = Vec::new();
        for _ in 0..count {
            // A key cannot contain other values, so the depth stays the same.
            let key = self.make(keys, &[], None, depth);
            let key = key.as_str().map_or_else(|| key.to_text(), str::to_owned);
            if !made.iter().any(|other| other.key == key) {
                made.push(member(key, self.make(values, &inner, None, depth + 1)));
            }
        }
        build::object(made)
    }

    fn short(&mut self, rules: &[Rule], measure: Measure, depth: usize) -> usize {
        if depth > SHALLOW { Self::new(Vec::new()).length(rules, measure) } else { self.length(rules, measure) }
    }

    fn members(&mut self, object: &Object, depth: usize) -> Vec<Member<'static>> {
        let mut made = Vec::new();
        for field in &object.fields {
            if field.flatten {
                if let Node::Object(inside) = self.make(&field.shape, &field.rules, None, depth + 1).node {
                    made.extend(inside);
                }
            } else if field.is_required() || (depth <= SHALLOW && self.below(2) == 1) {
                made.push(member(
                    field.name.to_string(),
                    self.make(&field.shape, &field.rules, Some(field), depth + 1),
                ));
            }
        }
        made
    }

    fn variant(&mut self, union: &Union, depth: usize) -> Json<'static> {
        let shown: Vec<&Variant> = union.variants.iter().filter(|variant| !variant.hidden && !variant.other).collect();
        let ends = shown.iter().position(|variant| variant.payload.is_none()).filter(|_| depth > SHALLOW);
        let index = ends.unwrap_or_else(|| self.below(shown.len()));
        let Some(variant) = shown.get(index) else { return Json::from_node(Node::Null) };
        let name = variant.name.to_string();
        let payload = variant.payload.as_ref().map(|payload| self.make(payload, &[], None, depth + 1));
        if variant.untagged {
            return payload.unwrap_or_else(|| Json::from_node(Node::Null));
        }
        let said = || string(name.clone());
        match (&union.tagging, payload) {
            (Tagging::External, None) => said(),
            (Tagging::External, Some(payload)) => build::object([member(name, payload)]),
            (Tagging::Untagged, payload) => payload.unwrap_or_else(|| Json::from_node(Node::Null)),
            (Tagging::Internal { tag }, payload) => {
                let mut members = vec![member(tag.to_string(), said())];
                if let Some(Node::Object(inside)) = payload.map(|payload| payload.node) {
                    members.extend(inside);
                }
                build::object(members)
            }
            (Tagging::Adjacent { tag, content }, payload) => {
                let content = payload.map(|payload| member(content.to_string(), payload));
                build::object([member(tag.to_string(), said())].into_iter().chain(content))
            }
        }
    }
}

fn inner(rules: &[Rule]) -> Vec<Rule> {
    let inner = rules.iter().filter_map(|rule| if let Rule::Inner(inner) = rule { Some(inner) } else { None });
    inner.flat_map(|inner| inner.iter().cloned()).collect()
}

/// Converts a bound of a range to an integer. If the integer is outside of the exact bound, the checker rejects the value.
#[allow(clippy::cast_possible_truncation)]
fn whole(end: Number) -> i128 {
    match end {
        Number::Integer(end) => end,
        Number::Large(_) => i128::MAX,
        Number::Float(end) => end.ceil() as i128,
    }
}

#[cfg(test)]
mod tests;
