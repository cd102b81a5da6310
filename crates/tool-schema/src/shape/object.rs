//! `Object` and `Field`: an input whose keys are known.
//!
//! In comes what a macro wrote or a reader read, out goes plain data. What always holds: the order of fields is the order of declaration.

use super::{List, Ref, RepairPolicy, Rule, Text};

/// An object whose keys are known.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::{Kind, Unknown}};
///
/// #[derive(Deserialize, ToolInput)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { return };
/// assert_eq!((room.fields.len(), room.unknown), (1, Unknown::Ignored));
/// ```
#[derive(Clone, Debug)]
pub struct Object {
    /// The fields, in declaration order; flattened ones stand where they were declared.
    pub fields: List<Field>,
    /// What happens to keys that no field knows.
    pub unknown: Unknown,
}

/// What happens to keys that no field knows.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::{Kind, Unknown}};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Nothing {}
///
/// assert!(matches!(&Nothing::SHAPE.kind, Kind::Object(object) if object.unknown == Unknown::Refused));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are an issue; the schema says `"additionalProperties": false`.
    Refused,
    /// They are passed over.
    Ignored,
}

/// One field of an [`Object`].
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, shape::Kind};
///
/// #[derive(Deserialize, ToolInput)]
/// struct Room {
///     /// Number of beds.
///     #[tool(example = 2)]
///     beds: u8,
/// }
///
///
/// let Kind::Object(room) = &Room::SHAPE.kind else { return };
/// let beds = &room.fields[0];
/// assert!(beds.required && beds.name == "beds" && beds.doc == "Number of beds.");
/// assert_eq!(beds.example.as_deref(), Some("2"));
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    /// The key on the wire; the Rust name for a flattened field, which has no key.
    pub name: Text,
    /// Other keys that are accepted, never shown in a schema.
    pub aliases: List<Text>,
    /// What the value means, for the model.
    pub doc: Text,
    /// What the value looks like.
    pub shape: Ref,
    /// What the value must satisfy at this place, besides the rules of its shape.
    pub rules: List<Rule>,
    /// Whether the key must be there.
    pub required: bool,
    /// The keys of the field's own shape stand in this object (`#[serde(flatten)]`).
    pub flatten: bool,
    /// The value that is used when the key is absent, as JSON text.
    pub default: Option<Text>,
    /// `true` if an absent field gets a value that only code knows, so that the schema says nothing of it.
    pub has_computed_default: bool,
    /// A value for schemas and hints, as JSON text.
    pub example: Option<Text>,
    /// Whether the value is a secret: it is redacted in every text.
    pub sensitive: bool,
    /// Whether the schema marks it `"deprecated": true`.
    pub deprecated: bool,
    /// Whether it is accepted, but absent from the schema.
    pub hidden: bool,
    /// How much of the value may be read otherwise than it was written; `None` leaves it to the place around it.
    pub repair: Option<RepairPolicy>,
}

impl Field {
    /// A field of which no more is known.
    pub(crate) const fn plain(name: Text, doc: Text, shape: Ref, required: bool) -> Self {
        Self {
            name,
            aliases: List::EMPTY,
            doc,
            shape,
            rules: List::EMPTY,
            required,
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
