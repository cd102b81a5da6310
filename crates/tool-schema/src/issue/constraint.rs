//! The violated constraint: `Constraint`, named after the JSON Schema keyword.

use crate::json::{JsonType, Number};
use crate::shape::{CustomRuleError, SharedSlice, StringFormat, Text};
use crate::suggest::{suggested_field, suggested_value};
use crate::wrapped_arguments::are_contents;

/// A constraint that a value violates.
///
/// ```
/// use tool_schema::issue::Constraint;
/// use tool_schema::json::Number;
///
/// let constraint = Constraint::Maximum(Number::Integer(14));
/// assert_eq!(constraint.keyword(), "maximum");
/// assert_eq!(constraint.code(), "INVALID_RANGE");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Constraint {
    /// A required key, or the tag of a union, is absent.
    Required,
    /// The key is not a known field.
    UnknownField {
        /// The known names, in declaration order.
        allowed: SharedSlice<Text>,
    },
    /// The key is a wrapper around arguments, which belong to the top level.
    Wrapper {
        /// `true` if the content of the key is all that has to be sent, `false` if there are other arguments beside it.
        contains_all_fields: bool,
        /// The name of a tool beside the arguments.
        tool: Option<Text>,
        /// The parameter whose value this name would be.
        parameter: Option<Text>,
        /// The fields of the tool inside the wrapper.
        fields: Vec<Text>,
    },
    /// The field is given more than once.
    RepeatedField {
        /// The name under which the field was already given; `None` if the same key is repeated.
        other_name: Option<Text>,
    },
    /// The value has the wrong JSON type. The accepted types are listed.
    Type(Vec<JsonType>),
    /// The string is not one of these.
    Enum(SharedSlice<Text>),
    /// The value is not one of these, each given as JSON text.
    Values(SharedSlice<Text>),
    /// The tag of a union names no variant.
    Discriminator {
        /// The key of the tag; `None` for a union without a tag key, where the variant's name is the only key of the object, or the whole
        /// string.
        tag: Option<Text>,
        /// `true` if the variant's name is a key. The issue's path then ends with that key, and `got` contains the key instead of its
        /// value.
        is_key: bool,
        /// The names of the variants, in declaration order.
        allowed: SharedSlice<Text>,
    },
    /// The number is too small.
    Minimum(Number),
    /// The number is too large.
    Maximum(Number),
    /// The number is too small, or equal to the exclusive bound.
    ExclusiveMinimum(Number),
    /// The number is too large, or equal to the exclusive bound.
    ExclusiveMaximum(Number),
    /// The number is not a multiple of this divisor.
    MultipleOf(Number),
    /// The string has too few characters.
    MinLength(u64),
    /// The string has too many characters.
    MaxLength(u64),
    /// The array has too few items.
    MinItems(u64),
    /// The array has too many items.
    MaxItems(u64),
    /// The object has too few members.
    MinProperties(u64),
    /// The object has too many members.
    MaxProperties(u64),
    /// Two items are equal.
    UniqueItems {
        /// The index of the first item.
        first: usize,
        /// The index of the item that repeats it.
        second: usize,
    },
    /// The string does not match this pattern.
    Pattern(Text),
    /// The string does not have this format.
    Format(StringFormat),
    /// No variant of an untagged union accepts the value.
    AnyOf {
        /// A name or expectation for each variant, in declaration order.
        variants: SharedSlice<Text>,
    },
    /// The value violates a JSON Schema keyword that has no other variant here: `not`, `contains`, or a `oneOf` with several branches that
    /// match.
    Keyword {
        /// The keyword.
        keyword: &'static str,
        /// The `error_code`.
        code: &'static str,
        /// The text after the path: `must …`.
        text: Text,
    },
    /// The constraint of an issue that was stored and loaded again. The original variant of this enum is not stored.
    Stored {
        /// The keyword; `custom` if it is unknown.
        keyword: &'static str,
        /// The `error_code`; `CUSTOM` if it is unknown, for example because it was the author's own.
        code: &'static str,
        /// The text after the path.
        text: Text,
    },
    /// A custom rule rejected the value, or serde rejected it for a reason that no other variant describes.
    Custom(CustomRuleError),
    /// The text is not valid JSON.
    Syntax {
        /// The byte at which the text stops being valid JSON.
        offset: usize,
    },
    /// The text is nested too deeply.
    Depth {
        /// The maximum depth.
        limit: usize,
    },
    /// There is more than one JSON document in the text.
    MultipleDocuments {
        /// The byte at which the second document begins.
        offset: usize,
    },
    /// The text ends before the JSON value is complete.
    Incomplete,
}

impl Constraint {
    /// Returns the known name or value that was probably meant by an unknown one.
    pub(crate) fn suggestion(&self, sent: &str) -> Option<Text> {
        let (Self::UnknownField { allowed } | Self::Enum(allowed) | Self::Discriminator { allowed, .. }) = self else {
            return None;
        };
        let names = allowed.iter().map(Text::as_str);
        let meant = match self {
            Self::UnknownField { .. } => suggested_field(sent, names.clone()).or_else(|| {
                let mut contents = names.filter(|name| are_contents(sent, name));
                contents.next().filter(|_| contents.next().is_none())
            }),
            _ => suggested_value(sent, names),
        }?;
        allowed.iter().find(|known| **known == meant).cloned()
    }

    /// Returns the JSON Schema keyword, or a keyword of our own for issues that no schema describes (see `docs/wire.md`).
    pub const fn keyword(&self) -> &'static str {
        self.names().0
    }

    /// Returns the `error_code` (see `docs/wire.md`).
    pub const fn code(&self) -> &'static str {
        self.names().1
    }

    /// Returns the keyword and the code.
    const fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::Required => ("required", "REQUIRED_FIELD"),
            Self::UnknownField { .. } | Self::Wrapper { .. } => ("additionalProperties", "UNKNOWN_FIELD"),
            // JSON Schema has no keyword for repeated keys.
            Self::RepeatedField { .. } => ("custom", "REPEATED_FIELD"),
            Self::Type(_) => ("type", "INVALID_TYPE"),
            Self::Enum(_) | Self::Values(_) => ("enum", "INVALID_ENUM_VALUE"),
            Self::Discriminator { .. } => ("discriminator", "INVALID_ENUM_VALUE"),
            Self::Minimum(_) => ("minimum", "INVALID_RANGE"),
            Self::Maximum(_) => ("maximum", "INVALID_RANGE"),
            Self::ExclusiveMinimum(_) => ("exclusiveMinimum", "INVALID_RANGE"),
            Self::ExclusiveMaximum(_) => ("exclusiveMaximum", "INVALID_RANGE"),
            Self::MultipleOf(_) => ("multipleOf", "INVALID_RANGE"),
            Self::MinLength(_) => ("minLength", "INVALID_LENGTH"),
            Self::MaxLength(_) => ("maxLength", "INVALID_LENGTH"),
            Self::MinItems(_) => ("minItems", "INVALID_LENGTH"),
            Self::MaxItems(_) => ("maxItems", "INVALID_LENGTH"),
            Self::MinProperties(_) => ("minProperties", "INVALID_LENGTH"),
            Self::MaxProperties(_) => ("maxProperties", "INVALID_LENGTH"),
            Self::UniqueItems { .. } => ("uniqueItems", "INVALID_LENGTH"),
            Self::Pattern(_) => ("pattern", "INVALID_PATTERN"),
            Self::Format(_) => ("format", "INVALID_FORMAT"),
            Self::AnyOf { .. } => ("anyOf", "NO_MATCHING_VARIANT"),
            Self::Keyword { keyword, code, .. } | Self::Stored { keyword, code, .. } => (keyword, code),
            Self::Custom(rejection) => ("custom", rejection.code_or_default()),
            Self::Syntax { .. } => ("syntax", "INVALID_JSON"),
            Self::Depth { .. } => ("depth", "INVALID_JSON"),
            Self::MultipleDocuments { .. } => ("multipleDocuments", "INVALID_JSON"),
            Self::Incomplete => ("incomplete", "INVALID_JSON"),
        }
    }
}
