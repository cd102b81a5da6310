//! What would be accepted at a place: [`Expected`], kept as references to the shape until somebody wants words ([`Expected`]'s
//! `Display`: `integer from 1 to 14`) or facts for a hint ([`Facts`]).
//!
//! Keeping it costs two clones that do not allocate, so a refused call pays for words only where they are read.

use crate::json::Number;
use crate::shape::{Format, List, Ref, Rule, Text};

/// What would be accepted at a place.
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

/// The facts of an [`Expected`], one for each key of a hint's constraint (WIRE §2); absent where they do not apply.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// `type`: the JSON type.
    pub json_type: Option<&'static str>,
    /// `items_type`: the JSON type of an array's items.
    pub items_type: Option<&'static str>,
    /// `allowed_values`, all of them.
    pub allowed_values: Vec<Text>,
    /// `pattern`
    pub pattern: Option<Text>,
    /// `format`
    pub format: Option<Format>,
    /// `min`
    pub min: Option<Number>,
    /// `max`
    pub max: Option<Number>,
    /// `exclusive_min`
    pub exclusive_min: Option<Number>,
    /// `exclusive_max`
    pub exclusive_max: Option<Number>,
    /// `multiple_of`
    pub multiple_of: Option<Number>,
    /// `min_length`
    pub min_length: Option<u64>,
    /// `max_length`
    pub max_length: Option<u64>,
    /// `min_items`
    pub min_items: Option<u64>,
    /// `max_items`
    pub max_items: Option<u64>,
    /// `required_fields` of an object: name and expectation, all of them.
    pub required_fields: Vec<(Text, Expected)>,
    /// `variants` of a union: a name or expectation for each.
    pub variants: Vec<Text>,
}
