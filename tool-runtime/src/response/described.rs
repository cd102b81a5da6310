//! Whether a result fits the output schema of its tool: [`Described`].
//!
//! In: the schema, when the first result comes, and results. Out: a sentence about a result that does not fit. What always holds: no value
//! of a result is in the sentence, only where it stands; a schema that no validator takes judges nothing; without
//! feature `dynamic`, which brings the validator, nothing is judged.

#[cfg(feature = "dynamic")]
use std::sync::OnceLock;

use schemars::Schema;

use crate::shape::Text;
use crate::tool::Payload;

/// What is known of the results of a tool.
pub(crate) struct Described {
    schema: Option<fn() -> Schema>,
    #[cfg(feature = "dynamic")]
    validator: OnceLock<Option<jsonschema::Validator>>,
}

impl Described {
    pub(crate) const fn of(schema: Option<fn() -> Schema>) -> Self {
        Self {
            schema,
            #[cfg(feature = "dynamic")]
            validator: OnceLock::new(),
        }
    }

    /// Whether a result can be held against something.
    #[inline]
    pub(crate) const fn is_judged(&self) -> bool {
        cfg!(feature = "dynamic") && self.schema.is_some()
    }

    #[cfg(not(feature = "dynamic"))]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    pub(crate) const fn warning(&self, _: &Payload) -> Option<Text> {
        None
    }

    /// What is doubtful about a result by its schema.
    #[cfg(feature = "dynamic")]
    pub(crate) fn warning(&self, payload: &Payload) -> Option<Text> {
        let schema = self.schema?;
        let validator = self.validator.get_or_init(|| jsonschema::validator_for(schema().as_value()).ok()).as_ref()?;
        let result = payload.to_value();
        let mut places: Vec<String> = Vec::new();
        for error in validator.iter_errors(&result) {
            let place = error.instance_path().to_string();
            if places.contains(&place) {
                continue;
            }
            if places.len() == super::words::PLACES {
                return Some(super::words::unfitting(&places, true));
            }
            places.push(place);
        }
        (!places.is_empty()).then(|| super::words::unfitting(&places, false))
    }
}
