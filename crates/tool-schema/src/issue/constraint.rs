//! What was violated: `Constraint`, named after the JSON Schema keyword and carrying its value.

use crate::json::{JsonType, Number};
use crate::shape::{List, Rejection, StringFormat, Text};

/// What a value violated.
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
    /// The key must be there. Also: a union without its tag.
    Required,
    /// No field has this name.
    UnknownField {
        /// The names that are known there, in declaration order.
        allowed: List<Text>,
    },
    /// The field is given more than once.
    RepeatedField {
        /// The name under which it is there already; `None` where the very same key is repeated.
        beside: Option<Text>,
    },
    /// The value has another JSON type; all that are accepted are listed.
    Type(Vec<JsonType>),
    /// The string is none of these.
    Enum(List<Text>),
    /// The value is none of these, each as JSON text.
    Values(List<Text>),
    /// The tag of a union names no variant.
    Discriminator {
        /// The key that holds the tag; `None` where the variant's name is itself the key or the string.
        tag: Option<Text>,
        /// Whether the name is itself a key: the issue's path ends with it, and what was got is the name, not its value.
        is_key: bool,
        /// The names of the variants, in declaration order.
        allowed: List<Text>,
    },
    /// The number is too small.
    Minimum(Number),
    /// The number is too large.
    Maximum(Number),
    /// The number is too small, or just at the end that is excluded.
    ExclusiveMinimum(Number),
    /// The number is too large, or just at the end that is excluded.
    ExclusiveMaximum(Number),
    /// The number is no multiple.
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
        /// The first of the two.
        first: usize,
        /// The one that repeats it.
        second: usize,
    },
    /// The string does not match.
    Pattern(Text),
    /// The string is not of the format.
    Format(StringFormat),
    /// No variant of a union without tag accepts the value.
    AnyOf {
        /// A name or expectation for each variant, in declaration order.
        variants: List<Text>,
    },
    /// What a keyword of a JSON Schema refuses for which there is no other constraint: `not`, `contains`, a `oneOf` of which several fit.
    Keyword {
        /// The keyword.
        keyword: &'static str,
        /// The `error_code`.
        code: &'static str,
        /// What stands behind the name of the place: `must …`.
        words: Text,
    },
    /// A rule of the user's own refused it, or serde did where no rule can tell why.
    Custom(Rejection),
    /// The text is not JSON.
    Syntax {
        /// The byte at which it stops being JSON.
        offset: usize,
    },
    /// The text is nested too deeply.
    Depth {
        /// The depth that is accepted.
        limit: usize,
    },
    /// There is more than one JSON document in the text.
    MultipleDocuments {
        /// The byte at which the second begins.
        offset: usize,
    },
    /// The text ends before the JSON does.
    Incomplete,
}

impl Constraint {
    /// The JSON Schema keyword, or the word of WIRE §1 for what no schema says.
    ///
    /// ```
    /// use tool_schema::issue::Constraint;
    ///
    /// assert_eq!(Constraint::MinLength(1).keyword(), "minLength");
    /// ```
    pub const fn keyword(&self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::UnknownField { .. } => "additionalProperties",
            Self::Type(_) => "type",
            Self::Enum(_) | Self::Values(_) => "enum",
            Self::Discriminator { .. } => "discriminator",
            Self::Minimum(_) => "minimum",
            Self::Maximum(_) => "maximum",
            Self::ExclusiveMinimum(_) => "exclusiveMinimum",
            Self::ExclusiveMaximum(_) => "exclusiveMaximum",
            Self::MultipleOf(_) => "multipleOf",
            Self::MinLength(_) => "minLength",
            Self::MaxLength(_) => "maxLength",
            Self::MinItems(_) => "minItems",
            Self::MaxItems(_) => "maxItems",
            Self::MinProperties(_) => "minProperties",
            Self::MaxProperties(_) => "maxProperties",
            Self::UniqueItems { .. } => "uniqueItems",
            Self::Pattern(_) => "pattern",
            Self::Format(_) => "format",
            Self::AnyOf { .. } => "anyOf",
            Self::Keyword { keyword, .. } => keyword,
            // No keyword of JSON Schema knows of a key that is repeated.
            Self::Custom(_) | Self::RepeatedField { .. } => "custom",
            Self::Syntax { .. } => "syntax",
            Self::Depth { .. } => "depth",
            Self::MultipleDocuments { .. } => "multipleDocuments",
            Self::Incomplete => "incomplete",
        }
    }

    /// The `error_code` of WIRE §1.
    ///
    /// ```
    /// use tool_schema::issue::Constraint;
    ///
    /// assert_eq!(Constraint::MinLength(1).code(), "INVALID_LENGTH");
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            Self::Required => "REQUIRED_FIELD",
            Self::UnknownField { .. } => "UNKNOWN_FIELD",
            Self::RepeatedField { .. } => "REPEATED_FIELD",
            Self::Type(_) => "INVALID_TYPE",
            Self::Enum(_) | Self::Values(_) | Self::Discriminator { .. } => "INVALID_ENUM_VALUE",
            Self::Format(_) => "INVALID_FORMAT",
            Self::Pattern(_) => "INVALID_PATTERN",
            Self::Minimum(_)
            | Self::Maximum(_)
            | Self::ExclusiveMinimum(_)
            | Self::ExclusiveMaximum(_)
            | Self::MultipleOf(_) => "INVALID_RANGE",
            Self::MinLength(_)
            | Self::MaxLength(_)
            | Self::MinItems(_)
            | Self::MaxItems(_)
            | Self::MinProperties(_)
            | Self::MaxProperties(_)
            | Self::UniqueItems { .. } => "INVALID_LENGTH",
            Self::AnyOf { .. } => "NO_MATCHING_VARIANT",
            Self::Keyword { code, .. } => code,
            Self::Custom(rejection) => rejection.code_or_default(),
            Self::Syntax { .. } | Self::Depth { .. } | Self::MultipleDocuments { .. } | Self::Incomplete => {
                "INVALID_JSON"
            }
        }
    }
}
