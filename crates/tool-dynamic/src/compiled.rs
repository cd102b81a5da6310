//! The compiled form of a schema, with which arguments are checked.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::json::Json as Representation;
use jsonschema::{Draft, Retrieve, ValidationOptions, Validator};
use tool_runtime::tool_schema::issue::Constraint;
use tool_runtime::tool_schema::json::Json;

use super::step_limit::{Bound, MeteredJson};
use super::to_shape::{Document, Read};

pub(super) struct Inner {
    pub(super) document: Document,
    pub(super) read: Read,
    pub(super) validator: Validator<MeteredJson>,
    pub(super) bound: Bound,
    /// The constraints of the `enum` keywords, keyed by the pointers of their schemas.
    pub(super) enums: HashMap<String, Constraint>,
    pub(super) formats: bool,
    pub(super) declared: Arc<Json<'static>>,
}

/// Returns a predicate that is `true` for each format that is checked.
pub(super) fn known_formats<'o, F: Representation>(
    are_asserted: bool,
    options: &'o ValidationOptions<'_, Arc<dyn Retrieve>, F>,
) -> impl Fn(Draft, &str) -> bool + 'o {
    move |draft, name| are_asserted && options.is_known_format(draft, name)
}
