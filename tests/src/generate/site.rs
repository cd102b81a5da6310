//! `Site`: a location in a generated value that can be broken.

use tool_schema::shape::{Field, Union, Variant};

use super::Place;
use crate::tree::Step;

/// A location in a generated value.
#[derive(Clone)]
pub struct Site {
    /// The path of the location.
    pub path: Vec<Step>,
    /// The kind of the location.
    pub what: What,
    /// Set if an issue is reported at another location: inside an untagged union, or where serde hides issues.
    pub sealed: bool,
}

/// The kind of a site.
#[derive(Clone)]
pub enum What {
    /// A value.
    Value(Place),
    /// An object with known keys.
    Keys(Keys),
    /// A variant with its tag.
    Tag {
        /// The union of the variant.
        union: &'static Union,
        /// The chosen variant.
        variant: &'static Variant,
    },
}

/// The known keys of an object.
#[derive(Clone, Default)]
pub struct Keys {
    /// The fields, including those of flattened structs.
    pub fields: Vec<&'static Field>,
    /// Set if unknown keys are rejected.
    pub closed: bool,
    /// The names with a meaning here: fields, aliases and tags.
    pub known: Vec<&'static str>,
}
