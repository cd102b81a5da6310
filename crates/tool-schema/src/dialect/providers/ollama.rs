//! Ollama: the form of Chat Completions, which Ollama parses into its own type.
//!
//! Keywords that the type does not have are dropped before a model sees them, so they are repeated in words. A request
//! with a property that is `true` or `false` is rejected.

use super::envelope::CHAT;
use crate::dialect::rules::{Arrays, Form, References, Rules};

pub(super) static PLAIN: Rules = Rules { name: "ollama", plain: &FORM, ..CHAT };

static FORM: Form = Form {
    keywords: Some(&["type", "enum"]),
    needs_objects: true,
    any_of_only: true,
    references: References::WithSiblings,
    // The type has no `$schema`, so that the newest version of JSON Schema holds.
    arrays: Arrays::Positions,
    ..Form::AS_WRITTEN
};
