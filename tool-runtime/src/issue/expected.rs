//! What would be accepted at a place: [`Expected`], kept as references to the shape until somebody wants words (its `Display`:
//! `integer from 1 to 14`) or facts for a hint ([`Facts`]).
//!
//! Keeping it costs a few clones that do not allocate, so a refused call pays for words only where they are read.

use super::Facts;
use crate::shape::{Field, Kind, List, Ref, Rule, Text};

/// What would be accepted at a place.
///
/// ```
/// use tool_runtime::issue::Expected;
/// use tool_runtime::shape::{Kind, Ref, Shape};
///
/// const STRING: &Shape = &Shape::of(Kind::String);
/// let expected = Expected::of(Ref::Shared(Shape::of(Kind::Array(Ref::Static(STRING))).into()));
/// assert_eq!(expected.to_string(), "array of strings");
/// assert_eq!(expected.facts().items_type, Some("string"));
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
}

/// Where a chain of aliases and `nullable` ends, with all the rules that hold there.
pub(super) struct Terminal {
    pub(super) edge: Ref,
    pub(super) rules: Vec<Rule>,
    pub(super) is_nullable: bool,
}

/// How many edges of one chain are followed.
const MOST_HOPS: usize = 48;

impl Expected {
    /// What a shape accepts.
    ///
    /// ```
    /// use tool_runtime::{ToolInput, issue::Expected, shape::Ref};
    ///
    /// assert_eq!(Expected::of(Ref::Static(<Vec<bool>>::SHAPE)).to_string(), "array of booleans");
    /// ```
    pub fn of(shape: Ref) -> Self {
        Self { shape: Some(shape), rules: List::EMPTY, example: None, default: None, words: None }
    }

    /// What a field accepts.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::{ToolInput, issue::Expected, shape::Kind};
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
            ..Self::of(field.shape.clone())
        }
    }

    /// Words alone.
    pub(crate) fn words(words: Text) -> Self {
        Self { shape: None, rules: List::EMPTY, example: None, default: None, words: Some(words) }
    }

    /// The same as data: one fact for each key of a hint's constraint.
    ///
    /// ```
    /// use tool_runtime::{ToolInput, issue::Expected, shape::Ref};
    ///
    /// assert_eq!(Expected::of(Ref::Static(<Option<bool>>::SHAPE)).facts().json_type, Some("boolean"));
    /// ```
    pub fn facts(&self) -> Facts {
        let Some(terminal) = self.terminal() else { return Facts::default() };
        let mut facts = Facts::of(&terminal);
        if let Kind::Union(union) = &terminal.edge.shape().kind {
            facts.variants = union.forms();
        }
        facts
    }

    pub(super) fn terminal(&self) -> Option<Terminal> {
        let mut terminal = Terminal { edge: self.shape.clone()?, rules: self.rules.to_vec(), is_nullable: false };
        for _ in 0..MOST_HOPS {
            let next = {
                let shape = terminal.edge.shape();
                terminal.rules.extend(shape.rules.iter().cloned());
                match &shape.kind {
                    Kind::Alias(inner) => inner.clone(),
                    Kind::Nullable(inner) => {
                        terminal.is_nullable = true;
                        inner.clone()
                    }
                    _ => break,
                }
            };
            terminal.edge = next;
        }
        Some(terminal)
    }
}

impl Terminal {
    /// What each item of the array, or each value of the map, has to be.
    pub(super) fn inner(&self, edge: &Ref) -> Expected {
        let lists = self.rules.iter().filter_map(|rule| if let Rule::Inner(rules) = rule { Some(rules) } else { None });
        let rules: Vec<Rule> = lists.flat_map(|rules| rules.iter().cloned()).collect();
        Expected { rules: rules.into(), ..Expected::of(edge.clone()) }
    }
}
