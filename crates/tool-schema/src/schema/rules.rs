//! Renders rules as keywords.
//!
//! The rules of a type, of a newtype around it and of a field are combined in one draft. Invariant: every rule is effective (the tightest
//! bound stays, a second pattern goes to `allOf`), and a rule for one JSON type does not affect values of other types.

use std::cmp::Ordering;

use super::draft::{Draft, text};
use crate::json::build::{boolean, list, number, object, string};
use crate::json::{Json, Node, Number};
use crate::shape::{Length, Measure, Range, Rule, Text};

impl Draft {
    /// Adds rules that apply in addition to the existing ones.
    pub(super) fn restrict(&mut self, rules: &[Rule]) {
        for rule in rules {
            match rule {
                Rule::Length(length) => self.restrict_length(*length),
                Rule::Range(range) => self.restrict_range(*range),
                Rule::MultipleOf(divisor) => self.also("multipleOf", number(*divisor)),
                Rule::Pattern(pattern) => self.also("pattern", text(&pattern.source)),
                Rule::Format(format) => self.also("format", string(format.name())),
                Rule::UniqueItems => self.set("uniqueItems", boolean(true)),
                Rule::Values(values) => self.also("enum", list(values.iter().filter_map(value))),
                Rule::Inner(rules) => self.restrict_inner(rules),
                // No keyword can express a custom rule; `integer` already includes every spelling.
                Rule::Custom(_) | Rule::Integral => {}
            }
        }
    }

    fn restrict_length(&mut self, length: Length) {
        let (min, max) = match length.measure {
            Measure::Characters => ("minLength", "maxLength"),
            Measure::Items => ("minItems", "maxItems"),
            Measure::Properties => ("minProperties", "maxProperties"),
        };
        let least = (length.min > 0).then_some(length.min);
        self.tighten(min, least.map(|least| Number::Integer(least.into())), Ordering::Greater);
        self.tighten(max, length.max.map(|most| Number::Integer(most.into())), Ordering::Less);
    }

    fn restrict_range(&mut self, range: Range) {
        self.tighten("minimum", range.min, Ordering::Greater);
        self.tighten("exclusiveMinimum", range.exclusive_min, Ordering::Greater);
        self.tighten("maximum", range.max, Ordering::Less);
        self.tighten("exclusiveMaximum", range.exclusive_max, Ordering::Less);
    }

    /// Sets a bound, unless the existing one is at least as tight.
    fn tighten(&mut self, keyword: &'static str, bound: Option<Number>, tighter: Ordering) {
        let Some(bound) = bound else { return };
        // An infinite bound has no effect, and JSON cannot represent it.
        if matches!(bound, Number::Float(float) if !float.is_finite()) {
            return;
        }
        let present = self.get(keyword).and_then(Json::as_number);
        if present.is_none_or(|present| present.compare(bound) == tighter.reverse()) {
            self.set(keyword, number(bound));
        }
    }

    /// Adds rules for the items of an array and the values of a map.
    fn restrict_inner(&mut self, rules: &[Rule]) {
        let inner = |schema: &mut Json<'static>| {
            if let Node::Object(keywords) = &mut schema.node {
                let mut draft = Self::from(std::mem::take(keywords));
                draft.restrict(rules);
                *schema = draft.finish();
            }
        };
        if ["$ref", "anyOf"].iter().any(|keyword| self.get(keyword).is_some()) {
            // The type behind a reference is not known here. Both keywords can be set, because each affects only one JSON type.
            self.set("items", object([]));
            self.set("additionalProperties", object([]));
        }
        if let Some(Node::Array(positions)) = self.get_mut("prefixItems").map(|items| &mut items.node) {
            positions.iter_mut().for_each(inner);
        }
        for keyword in ["items", "additionalProperties"] {
            self.get_mut(keyword).into_iter().for_each(inner);
        }
    }
}

fn value(text: &Text) -> Option<Json<'static>> {
    Json::parse(text).ok().map(Json::into_owned)
}
