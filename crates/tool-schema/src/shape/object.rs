//! `Object` and `Field`: an input with known keys.
//!
//! Invariant: fields are in declaration order.

use super::{Ref, RepairPolicy, Rule, SharedSlice, Text};

/// An object with known keys.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::{Kind, UnknownKeys}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[tool(ignore_unknown)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { unreachable!() };
/// assert_eq!((room.fields.len(), room.unknown), (1, UnknownKeys::Ignored));
/// ```
#[derive(Clone, Debug)]
pub struct Object {
    /// The fields, in declaration order, including flattened ones.
    pub fields: SharedSlice<Field>,
    /// The treatment of unknown keys.
    pub unknown: UnknownKeys,
}

/// The treatment of unknown keys.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::{Kind, UnknownKeys}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Nothing {}
///
/// assert!(matches!(&Nothing::SHAPE.kind, Kind::Object(object) if object.unknown == UnknownKeys::Rejected));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownKeys {
    /// Unknown keys are an issue; the schema has `"additionalProperties": false`.
    Rejected,
    /// Unknown keys are ignored, except one that resembles an absent required field, which is an issue too.
    Ignored,
}

/// One field of an [`Object`].
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::Kind};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { unreachable!() };
/// let beds = &room.fields[0];
/// assert!(beds.required && beds.name == "beds" && beds.doc == "Number of beds.");
/// assert_eq!(beds.example.as_deref(), Some("2"));
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    /// The key in the JSON; the Rust name for a flattened field, which has no key.
    pub name: Text,
    /// Other keys that are accepted, but never shown in a schema.
    pub aliases: SharedSlice<Text>,
    /// The description for the model.
    pub doc: Text,
    /// The shape of the value.
    pub shape: Ref,
    /// The rules of the field, in addition to those of its shape.
    pub rules: SharedSlice<Rule>,
    /// `true` if the key is required as far as the compiler knows; [`is_required`](Self::is_required) also asks [`optional`](Self::optional).
    pub required: bool,
    /// For a type that only `schemars` describes: returns `true` if the type decodes although the key is absent. A `const` cannot tell.
    pub optional: Option<fn() -> bool>,
    /// `true` if `null` is another value than an absent key, as for `Option<Option<T>>`.
    pub distinct_null: bool,
    /// `true` if the keys of the field's type are part of this object (`#[serde(flatten)]`).
    pub flatten: bool,
    /// The default for an absent key, as JSON text.
    pub default: Option<Text>,
    /// `true` if an absent field gets a value that is computed at run time, which the schema cannot show.
    pub has_computed_default: bool,
    /// An example for schemas and hints, as JSON text.
    pub example: Option<Text>,
    /// `true` if the value is a secret, which is redacted in every text.
    pub sensitive: bool,
    /// `true` if the schema marks the field as deprecated.
    pub deprecated: bool,
    /// `true` if the key is accepted, although the schema does not show it.
    pub hidden: bool,
    /// The repair policy for the value; with `None`, the policy of the surrounding value applies.
    pub repair: Option<RepairPolicy>,
}

impl Field {
    /// Returns `true` if the key must be sent.
    pub fn is_required(&self) -> bool {
        self.required && !self.optional.is_some_and(|is_optional| is_optional())
    }

    /// Returns `true` if the field has a key, and this is its name or an alias.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        !self.flatten && (self.name == *key || self.aliases.iter().any(|alias| *alias == *key))
    }

    /// Creates a field without further settings.
    pub(crate) const fn plain(name: Text, doc: Text, shape: Ref, required: bool) -> Self {
        Self {
            name,
            aliases: SharedSlice::EMPTY,
            doc,
            shape,
            rules: SharedSlice::EMPTY,
            required,
            optional: None,
            distinct_null: false,
            flatten: false,
            default: None,
            has_computed_default: false,
            example: None,
            sensitive: false,
            deprecated: false,
            hidden: false,
            repair: None,
        }
    }
}
