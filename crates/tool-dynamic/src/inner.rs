//! The compiled form of a schema, with which arguments are checked.

use std::sync::Arc;

use jsonschema::{Draft, ValidationOptions, Validator};
use tool_runtime::tool_schema::json::Json;

use super::read::{Document, Read, Tame};

pub(super) struct Inner {
    pub(super) document: Document,
    pub(super) read: Read,
    pub(super) validator: Validator,
    pub(super) tame: Tame,
    pub(super) formats: bool,
    pub(super) declared: Arc<Json<'static>>,
}

/// Returns a predicate that is `true` for each format that is checked.
pub(super) fn known_formats<'o>(
    are_asserted: bool,
    options: &'o ValidationOptions<'_>,
) -> impl Fn(Draft, &str) -> bool + 'o {
    move |draft, name| are_asserted && options.is_known_format(draft, name)
}
