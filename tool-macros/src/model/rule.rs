//! Checked rules: bounds in order, patterns translated, formats known.

use proc_macro2::Span;
use syn::Path;

use super::Number;

/// A rule on a value.
pub(crate) struct Rule {
    pub(crate) kind: RuleKind,
    /// The span of the rule's key.
    pub(crate) span: Span,
}

/// A kind of rule, named like its attribute key.
pub(crate) enum RuleKind {
    Length(Length),
    Range(Range),
    MultipleOf(Number),
    Pattern {
        /// The pattern as the author wrote it, in the syntax of ECMA-262.
        source: String,
        /// The translation for the `regex` crate.
        regex: String,
        /// A text that probably matches the pattern, or an empty text if none could be built.
        sample: String,
    },
    Format(Format),
    UniqueItems,
    Inner(Vec<Rule>),
    Custom(Path),
}

impl RuleKind {
    /// Returns the key of the rule.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Length(_) => "length",
            Self::Range(_) => "range",
            Self::MultipleOf(_) => "multiple_of",
            Self::Pattern { .. } => "pattern",
            Self::Format(_) => "format",
            Self::UniqueItems => "unique_items",
            Self::Inner(_) => "inner",
            Self::Custom(_) => "custom",
        }
    }
}

/// Bounds on a length, with `min <= max`. At least one of them restricts the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

/// Bounds on a number. There is at most one lower and one upper bound, and at least one of the two. The range is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Range {
    pub(crate) min: Option<Number>,
    pub(crate) max: Option<Number>,
    pub(crate) exclusive_min: Option<Number>,
    pub(crate) exclusive_max: Option<Number>,
}

/// A format: its name in JSON Schema and its variant in `tool_schema::shape::StringFormat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) variant: &'static str,
}

/// Every format that the runtime checks.
pub(crate) const FORMATS: &[Format] = &[
    Format { name: "date-time", variant: "DateTime" },
    Format { name: "date", variant: "Date" },
    Format { name: "time", variant: "Time" },
    Format { name: "duration", variant: "Duration" },
    Format { name: "email", variant: "Email" },
    Format { name: "hostname", variant: "Hostname" },
    Format { name: "ipv4", variant: "Ipv4" },
    Format { name: "ipv6", variant: "Ipv6" },
    Format { name: "uri", variant: "Uri" },
    Format { name: "uri-reference", variant: "UriReference" },
    Format { name: "uuid", variant: "Uuid" },
    Format { name: "json-pointer", variant: "JsonPointer" },
];
