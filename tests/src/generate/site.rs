//! `Site`: a place in a generated value where something can be broken.

use tool_schema::shape::{Field, Union, Variant};

use super::Place;
use crate::tree::Step;

/// A place in a generated value.
#[derive(Clone)]
pub struct Site {
    /// Where it is.
    pub path: Vec<Step>,
    /// What is there.
    pub what: What,
    /// Whether a fault in there is reported at another place: inside a union without a tag, or where serde swallows faults.
    pub sealed: bool,
}

/// What is at a site.
#[derive(Clone)]
pub enum What {
    /// A value.
    Value(Place),
    /// An object whose keys are known.
    Keys(Keys),
    /// A variant with its tag.
    Tag {
        /// The union that the variant is of.
        union: &'static Union,
        /// The variant that was chosen.
        variant: &'static Variant,
    },
}

/// What is known of the keys of an object.
#[derive(Clone, Default)]
pub struct Keys {
    /// The fields, those of flattened structs included.
    pub fields: Vec<&'static Field>,
    /// Whether keys that nobody knows are refused.
    pub closed: bool,
    /// Names that mean something here: fields, aliases, tags.
    pub known: Vec<&'static str>,
}
