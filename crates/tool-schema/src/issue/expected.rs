//! What would be accepted at a place: [`Expected`], kept as references to the shape until somebody wants words (its `Display`:
//! `integer from 1 to 14`) or facts for a hint ([`Facts`](super::Facts)).
//!
//! Keeping it costs a few clones that do not allocate, so a refused call pays for words only where they are read.

use crate::json::JsonType;
use crate::shape::{Field, Kind, List, MOST_HOPS, Ref, Rule, Shape, Text, Types};

/// What would be accepted at a place.
///
/// ```
/// use tool_schema::issue::Expected;
/// use tool_schema::shape::{Kind, Ref, Shape};
///
/// const STRING: &Shape = &Shape::of(Kind::String);
/// let expected = Expected::of(Ref::Shared(Shape::of(Kind::Array(Ref::Static(STRING))).into()));
/// assert_eq!(expected.to_string(), "array of strings");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expected {
    /// The shape of the value there; `None` where nothing may stand (an unknown field) or where the text is not JSON.
    pub shape: Option<Ref>,
    /// The rules of that place, besides those of the shape.
    pub rules: List<Rule>,
    /// The author's example, as JSON text.
    pub example: Option<Text>,
    /// The author's default, as JSON text.
    pub default: Option<Text>,
    /// Words that a `custom` rule gave in place of all this.
    pub words: Option<Text>,
    /// The value there is a secret, or may be one.
    pub(crate) is_secret: bool,
}

/// Where a chain of aliases and `nullable` ends, with all the rules that hold there.
pub(super) struct Terminal<'t> {
    pub(super) shape: &'t Shape,
    rules: Rules<'t>,
    pub(super) is_nullable: bool,
}

/// The rules of one edge, and those of the edges before it.
#[derive(Clone, Copy)]
struct Rules<'t> {
    own: &'t [Rule],
    outer: Option<&'t Rules<'t>>,
}

impl Expected {
    /// What a shape accepts.
    ///
    /// ```
    /// use tool_schema::{ToolInput, issue::Expected, shape::Ref};
    ///
    /// assert_eq!(Expected::of(Ref::Static(<Vec<bool>>::SHAPE)).to_string(), "array of booleans");
    /// ```
    pub fn of(shape: Ref) -> Self {
        Self { shape: Some(shape), rules: List::EMPTY, example: None, default: None, words: None, is_secret: false }
    }

    /// What a field accepts.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, issue::Expected, shape::Kind};
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// struct Room {
    ///     /// Number of beds.
    ///     #[tool(example = 2)]
    ///     beds: u8,
    /// }
    ///
    /// let Kind::Object(room) = &Room::SHAPE.kind else { return };
    /// let expected = Expected::of_field(&room.fields[0]);
    /// assert_eq!((expected.to_string(), expected.example.as_deref()), ("integer from 0 to 255".to_owned(), Some("2")));
    /// ```
    pub fn of_field(field: &Field) -> Self {
        Self {
            rules: field.rules.clone(),
            example: field.example.clone(),
            default: field.default.clone(),
            is_secret: field.sensitive,
            ..Self::of(field.shape.clone())
        }
    }

    /// Words alone.
    pub(crate) fn words(words: Text) -> Self {
        Self { shape: None, rules: List::EMPTY, example: None, default: None, words: Some(words), is_secret: false }
    }

    /// The only JSON type that is accepted besides `null`.
    pub(crate) fn json_type(&self) -> Option<&'static str> {
        self.shape.as_ref().and_then(|edge| only_type(&edge.shape()))
    }

    /// Checks that a pattern is among the rules, those of the types included.
    pub(crate) fn has_pattern(&self, source: &str) -> bool {
        let mut is_there = false;
        let is_it = |rule: &Rule| matches!(rule, Rule::Pattern(pattern) if *pattern.source == *source);
        self.at_terminal(|terminal| terminal.each_rule(|rule| is_there |= is_it(rule)));
        is_there
    }

    /// Follows the edges to where they end; nothing where there is no shape to follow. Nothing is copied on the way.
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
    /// Visits the rules, those of the place first.
    pub(super) fn each_rule(&self, mut visit: impl FnMut(&'t Rule)) {
        self.rules.each(&mut visit);
    }

    /// What each item of the array, or each value of the map, has to be.
    pub(super) fn inner(&self, edge: &Ref) -> Expected {
        let mut lists = Vec::new();
        self.each_rule(|rule| lists.extend(if let Rule::Inner(rules) = rule { Some(rules) } else { None }));
        let rules = match lists[..] {
            [] => List::EMPTY,
            [only] => only.clone(),
            _ => lists.into_iter().flatten().cloned().collect::<Vec<_>>().into(),
        };
        Expected { rules, ..Expected::of(edge.clone()) }
    }
}

/// The one type that a shape accepts besides `null`.
pub(super) fn only_type(shape: &Shape) -> Option<&'static str> {
    Types::of(shape).only().map(JsonType::name)
}
