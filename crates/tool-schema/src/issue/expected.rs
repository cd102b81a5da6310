//! The expectation for a value: [`Expected`].
//!
//! It consists of references to the shape. The text (its `Display`: `integer from 1 to 14`) and the facts for a hint
//! ([`ExpectedFacts`](super::ExpectedFacts)) are only computed on request, so that a rejected call does not pay for texts that nobody reads.

use crate::json::JsonType;
use crate::shape::{AcceptedTypes, Field, Kind, MOST_HOPS, Ref, Rule, Shape, SharedSlice, Text};

/// The expectation for a value.
///
/// ```
/// use tool_schema::issue::Expected;
/// use tool_schema::shape::{Kind, Ref, Shape};
///
/// const STRING: &Shape = &Shape::new(Kind::String);
/// let expected = Expected::from_shape(Ref::Shared(Shape::new(Kind::Array(Ref::Static(STRING))).into()));
/// assert_eq!(expected.to_string(), "array of strings");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expected {
    /// The shape of the value; `None` if no value is allowed (an unknown field) or the text is not valid JSON.
    pub shape: Option<Ref>,
    /// The rules for the value, in addition to those of the shape.
    pub rules: SharedSlice<Rule>,
    /// The author's example, as JSON text.
    pub example: Option<Text>,
    /// The author's default, as JSON text.
    pub default: Option<Text>,
    /// A text from a `custom` rule or a host, which replaces the description of the shape and the rules.
    pub text: Option<Text>,
    /// `true` if the value is a secret, or may be one.
    pub(crate) is_secret: bool,
    /// `true` if the field may be left out.
    pub(crate) is_optional: bool,
}

/// The shape at the end of a chain of aliases and optional types, with all rules that apply to its value.
pub(super) struct Terminal<'t> {
    pub(super) shape: &'t Shape,
    rules: Rules<'t>,
    pub(super) is_nullable: bool,
}

/// The rules of one edge, and of the edges before it.
#[derive(Clone, Copy)]
struct Rules<'t> {
    own: &'t [Rule],
    outer: Option<&'t Rules<'t>>,
}

impl Expected {
    /// Returns the expectation for a shape.
    pub fn from_shape(shape: Ref) -> Self {
        let shape = Some(shape);
        Self {
            shape,
            rules: SharedSlice::EMPTY,
            example: None,
            default: None,
            text: None,
            is_secret: false,
            is_optional: false,
        }
    }

    /// Returns the expectation for a field.
    pub fn from_field(field: &Field) -> Self {
        Self {
            rules: field.rules.clone(),
            example: field.example.clone(),
            default: field.default.clone(),
            is_secret: field.sensitive,
            is_optional: !field.required,
            ..Self::from_shape(field.shape.clone())
        }
    }

    /// Returns an expectation that consists only of a text.
    pub(crate) fn from_text(text: Text) -> Self {
        let text = Some(text);
        Self {
            shape: None,
            rules: SharedSlice::EMPTY,
            example: None,
            default: None,
            text,
            is_secret: false,
            is_optional: false,
        }
    }

    /// Returns the expectation as a shape; `None` if no value is allowed.
    pub(crate) fn as_shape(&self) -> Option<Shape> {
        let edge = self.shape.clone()?;
        Some(Shape { rules: self.rules.clone(), ..Shape::new(Kind::Alias(edge)) })
    }

    /// Returns `true` if `null` is accepted too.
    pub(crate) fn is_nullable(&self) -> bool {
        self.at_terminal(|terminal| terminal.is_nullable).unwrap_or(false)
    }

    /// Returns `true` if a pattern is among the rules of the field or of its types.
    pub(crate) fn has_pattern(&self, source: &str) -> bool {
        let mut is_there = false;
        let is_it = |rule: &Rule| matches!(rule, Rule::Pattern(pattern) if *pattern.source == *source);
        self.at_terminal(|terminal| terminal.each_rule(|rule| is_there |= is_it(rule)));
        is_there
    }

    /// Follows the edges to their end without copying; returns `None` if there is no shape.
    pub(super) fn at_terminal<R>(&self, ask: impl FnOnce(&Terminal<'_>) -> R) -> Option<R> {
        let rules = Rules { own: &self.rules, outer: None };
        self.shape.as_ref().map(|edge| follow(edge, &rules, false, MOST_HOPS, ask))
    }
}

fn follow<R>(edge: &Ref, outer: &Rules<'_>, is_nullable: bool, hops: usize, ask: impl FnOnce(&Terminal<'_>) -> R) -> R {
    let shape = edge.shape();
    let rules = Rules { own: &shape.rules, outer: Some(outer) };
    match &shape.kind {
        Kind::Alias(inner) if hops > 0 => follow(inner, &rules, is_nullable, hops - 1, ask),
        Kind::Nullable(inner) if hops > 0 => follow(inner, &rules, true, hops - 1, ask),
        _ => ask(&Terminal { shape: &shape, rules, is_nullable }),
    }
}

impl<'t> Rules<'t> {
    fn each(&self, visit: &mut impl FnMut(&'t Rule)) {
        if let Some(outer) = self.outer {
            outer.each(visit);
        }
        self.own.iter().for_each(visit);
    }
}

impl<'t> Terminal<'t> {
    /// Visits the rules, starting with the outermost.
    pub(super) fn each_rule(&self, mut visit: impl FnMut(&'t Rule)) {
        self.rules.each(&mut visit);
    }

    /// Returns the expectation for each item of the array, or each value of the map.
    pub(super) fn inner(&self, edge: &Ref) -> Expected {
        let mut lists = Vec::new();
        self.each_rule(|rule| lists.extend(if let Rule::Inner(rules) = rule { Some(rules) } else { None }));
        let rules = match lists[..] {
            [] => SharedSlice::EMPTY,
            [only] => only.clone(),
            _ => lists.into_iter().flatten().cloned().collect::<Vec<_>>().into(),
        };
        Expected { rules, ..Expected::from_shape(edge.clone()) }
    }
}

/// Returns the only type that a shape accepts besides `null`.
pub(super) fn only_type(shape: &Shape) -> Option<&'static str> {
    AcceptedTypes::from_shape(shape).only().map(JsonType::name)
}
