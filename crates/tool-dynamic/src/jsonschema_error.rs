//! The conversion of `jsonschema` errors: [`Finding`], and descriptions of the locations of findings.
//!
//! Invariants: every kind of error becomes a finding. A model never reads texts of `jsonschema`.

use std::collections::HashMap;

use crate::private::issue::{
    Constraint, Expected, MAX_ISSUES, Path, Segment, got, got_nothing, new_issue, suggestion, value_at,
};
use crate::private::json::pointer::{push_token, tokens};
use crate::private::json::{Json, JsonType, Number, NumberText, find_duplicate};
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType as Named, ValidationError};
use serde_json::Value;
use tool_runtime::Issue;
use tool_runtime::tool_schema::shape::{Ref, Shape, SharedSlice, StringFormat, Text};

use super::compiled::{Inner, known_formats};
use super::to_shape::{Document, read_at};

/// A `jsonschema` error in our own terms.
pub(super) struct Finding {
    pub(super) path: Path,
    pub(super) constraint: Constraint,
    /// The pointer of the violated keyword.
    pub(super) keyword: String,
    /// `true` if the finding applies to everything at and below its location.
    pub(super) is_broad: bool,
}

impl Finding {
    /// Converts an error. An error about several unknown keys becomes one finding for each key.
    pub(super) fn of(error: &ValidationError<'_>, value: &Value, inner: &Inner) -> Vec<Self> {
        let place = path_in(value, error.instance_path().as_str());
        let keyword = error.schema_path().as_str();
        let told = constraints(error, value, schema_of(keyword), inner);
        let is_broad = told.is_broad;
        told.constraints
            .into_iter()
            .map(|(key, constraint)| Self {
                path: key.map_or_else(|| place.clone(), |key| place.clone().key(key)),
                constraint,
                keyword: keyword.to_owned(),
                is_broad,
            })
            .collect()
    }
}

/// Returns the pointer of the schema that contains a keyword.
fn schema_of(keyword: &str) -> &str {
    keyword.rsplit_once('/').map_or("", |(schema, _)| schema)
}

/// Returns the constraints of all `enum` keywords, keyed by the pointers of their schemas. There may be thousands of values, so they are only
/// converted once.
pub(super) fn enums(document: &Document) -> HashMap<String, Constraint> {
    let enums = document.pointers().filter_map(|pointer| {
        let options = document.at(pointer)?.schema.get("enum")?.to_value();
        Some((pointer.clone(), values(options.as_array()?)))
    });
    enums.collect()
}

/// Converts a JSON Pointer into `value` to a path. The segments that `jsonschema` provides are not used, because they omit empty keys, and
/// make indices of keys that consist of digits.
fn path_in(value: &Value, pointer: &str) -> Path {
    let mut at = Some(value);
    let segments = tokens(pointer).map(|key| {
        let (segment, below) = match at {
            Some(Value::Array(items)) => match key.parse() {
                Ok(index) => (Segment::Index(index), items.get(index)),
                Err(_) => (Segment::Key(Text::from(key.into_owned())), None),
            },
            Some(Value::Object(members)) => {
                let below = members.get(&*key);
                (Segment::Key(Text::from(key.into_owned())), below)
            }
            _ => (Segment::Key(Text::from(key.into_owned())), None),
        };
        at = below;
        segment
    });
    segments.collect()
}

/// The constraints of one error.
struct Told {
    constraints: Vec<(Option<String>, Constraint)>,
    is_broad: bool,
}

fn constraints(error: &ValidationError<'_>, value: &Value, schema: &str, inner: &Inner) -> Told {
    use ValidationErrorKind as Kind;
    let unknown = |keys: &[String]| {
        let allowed: SharedSlice<Text> = known_keys(&inner.document, schema).into();
        keys.iter()
            .take(MAX_ISSUES + 1)
            .map(|key| (Some(key.clone()), Constraint::UnknownField { allowed: allowed.clone() }))
            .collect::<Vec<_>>()
    };
    let constraint = match error.kind() {
        Kind::Required { property } => {
            let key = property.as_str().unwrap_or_default().to_owned();
            return Told { constraints: vec![(Some(key), Constraint::Required)], is_broad: false };
        }
        Kind::AdditionalProperties { unexpected } => {
            return Told { constraints: unknown(unexpected), is_broad: false };
        }
        Kind::UnevaluatedProperties { unexpected } => {
            return Told { constraints: unknown(unexpected), is_broad: true };
        }
        Kind::PropertyNames { error } => {
            let key = error.instance().as_str().unwrap_or_default().to_owned();
            let allowed = Constraint::UnknownField { allowed: Vec::new().into() };
            return Told { constraints: vec![(Some(key), allowed)], is_broad: true };
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let place = error.instance_path().as_str();
            let variants = context.iter().map(|errors| branch(errors, value, place, inner)).collect::<Vec<_>>();
            Constraint::AnyOf { variants: variants.into() }
        }
        Kind::OneOfMultipleValid { .. } => {
            keyword("oneOf", "NO_MATCHING_VARIANT", "must fit exactly one of its forms, but fits several")
        }
        Kind::Not { .. } => keyword("not", "NOT_ALLOWED", "has a value that is not allowed"),
        Kind::Contains => keyword("contains", "MISSING_ITEM", "does not have the items that it must contain"),
        Kind::FalseSchema if error.instance_path().is_empty() => keyword("false", "NOT_ALLOWED", "are not accepted"),
        Kind::FalseSchema => Constraint::UnknownField { allowed: Vec::new().into() },
        Kind::UnevaluatedItems { .. } => {
            keyword("unevaluatedItems", "INVALID_LENGTH", "has items beyond those that it may have")
        }
        Kind::AdditionalItems { limit } => Constraint::MaxItems(*limit as u64),
        Kind::Type { kind } => Constraint::Type(types(kind)),
        Kind::Enum { options } => {
            let convert = || values(options.as_array().map_or(&[][..], Vec::as_slice));
            inner.enums.get(schema).cloned().unwrap_or_else(convert)
        }
        Kind::Constant { expected_value } => values(std::slice::from_ref(&**expected_value)),
        Kind::Minimum { limit } => Constraint::Minimum(number(limit)),
        Kind::Maximum { limit } => Constraint::Maximum(number(limit)),
        Kind::ExclusiveMinimum { limit } => Constraint::ExclusiveMinimum(number(limit)),
        Kind::ExclusiveMaximum { limit } => Constraint::ExclusiveMaximum(number(limit)),
        Kind::MultipleOf { multiple_of } => Constraint::MultipleOf(NumberText(&multiple_of.to_string()).value()),
        Kind::MinLength { limit } => Constraint::MinLength(*limit),
        Kind::MaxLength { limit } => Constraint::MaxLength(*limit),
        Kind::MinItems { limit } => Constraint::MinItems(*limit),
        Kind::MaxItems { limit } => Constraint::MaxItems(*limit),
        Kind::MinProperties { limit } => Constraint::MinProperties(*limit),
        Kind::MaxProperties { limit } => Constraint::MaxProperties(*limit),
        Kind::UniqueItems => {
            let items = value.pointer(error.instance_path().as_str()).and_then(|items| Json::from_value(items).ok());
            let found = items.and_then(|items| find_duplicate(items.items()));
            let (first, second) = found.unwrap_or_default();
            Constraint::UniqueItems { first, second }
        }
        Kind::Pattern { pattern } => Constraint::Pattern(pattern.clone().into()),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            keyword("pattern", "INVALID_PATTERN", "could not be compared with its pattern")
        }
        Kind::Format { format } => StringFormat::from_name(format).map_or_else(
            || keyword("format", "INVALID_FORMAT", format!("must be in the format {format}")),
            Constraint::Format,
        ),
        Kind::ContentEncoding { .. } | Kind::FromUtf8 { .. } => {
            keyword("contentEncoding", "INVALID_FORMAT", "is not encoded as it must be")
        }
        Kind::ContentMediaType { content_media_type } => {
            keyword("contentMediaType", "INVALID_FORMAT", format!("must be text of the type {content_media_type}"))
        }
        Kind::Custom { .. } | Kind::Referencing(_) => keyword("$ref", "CUSTOM", "was not accepted"),
    };
    let is_broad = matches!(
        error.kind(),
        Kind::AnyOf { .. }
            | Kind::OneOfNotValid { .. }
            | Kind::OneOfMultipleValid { .. }
            | Kind::Not { .. }
            | Kind::Contains
            | Kind::UnevaluatedItems { .. }
            | Kind::AdditionalItems { .. }
    );
    Told { constraints: vec![(None, constraint)], is_broad }
}

fn keyword(keyword: &'static str, code: &'static str, words: impl Into<String>) -> Constraint {
    Constraint::Keyword { keyword, code, text: words.into().into() }
}

/// Describes the requirements of a branch of a union: the missing keys if only keys are missing, and otherwise the first issue.
fn branch(errors: &[ValidationError<'_>], value: &Value, place: &str, inner: &Inner) -> Text {
    let missing: Option<Vec<&str>> = errors
        .iter()
        .map(|error| match error.kind() {
            ValidationErrorKind::Required { property } if error.instance_path().as_str() == place => property.as_str(),
            _ => None,
        })
        .collect();
    if let Some(missing) = missing.filter(|missing| !missing.is_empty()) {
        return format!("object with {}", missing.join(", ")).into();
    }
    let first = errors.first().and_then(|error| {
        let schema = error.schema_path().as_str().rsplit_once('/').map_or("", |(schema, _)| schema);
        let (key, constraint) = constraints(error, value, schema, inner).constraints.into_iter().next()?;
        let below = error.instance_path().as_str().strip_prefix(place).unwrap_or_default().trim_start_matches('/');
        let name =
            [below, key.as_deref().unwrap_or_default()].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>();
        Some(format!("{} {constraint}", name.join("/")).trim_start().to_owned())
    });
    first.unwrap_or_else(|| "another form".to_owned()).into()
}

fn types(kind: &TypeKind) -> Vec<JsonType> {
    let ours = |named: Named| match named {
        Named::Array => JsonType::Array,
        Named::Boolean => JsonType::Boolean,
        Named::Integer => JsonType::Integer,
        Named::Null => JsonType::Null,
        Named::Number => JsonType::Number,
        Named::Object => JsonType::Object,
        Named::String => JsonType::String,
    };
    match kind {
        TypeKind::Single(named) => vec![ours(*named)],
        TypeKind::Multiple(set) => set.iter().map(ours).collect(),
    }
}

fn values(options: &[Value]) -> Constraint {
    let names: Option<Vec<Text>> = options.iter().map(|value| Some(value.as_str()?.to_owned().into())).collect();
    match names {
        Some(names) => Constraint::Enum(names.into()),
        None => {
            Constraint::Values(options.iter().map(|value| Text::from(value.to_string())).collect::<Vec<_>>().into())
        }
    }
}

fn number(limit: &Value) -> Number {
    NumberText(&limit.to_string()).value()
}

/// Returns the keys that a schema lists, in order.
fn known_keys(document: &Document, schema: &str) -> Vec<Text> {
    let at = document.at(schema);
    let properties = at.and_then(|at| at.schema.get("properties")).map_or(&[][..], Json::members);
    properties.iter().map(|member| Text::from(member.key.to_string())).collect()
}

/// Descriptions of locations that the shape does not cover. They are converted on demand and kept for the duration of the call.
pub(super) struct Words<'s> {
    schema: &'s Inner,
    known: HashMap<String, Ref>,
}

impl<'s> Words<'s> {
    pub(super) fn new(schema: &'s Inner) -> Self {
        Self { schema, known: HashMap::new() }
    }

    /// Returns the shape of the schema at a pointer.
    fn edge(&mut self, pointer: &str) -> Ref {
        let schema = self.schema;
        let edge = self.known.entry(pointer.to_owned()).or_insert_with(|| {
            let options = jsonschema::options();
            read_at(&schema.document, pointer, &known_formats(schema.formats, &options))
                .unwrap_or(Ref::Static(Shape::ANY))
        });
        edge.clone()
    }

    pub(super) fn issue(&mut self, finding: Finding, json: &Json<'_>) -> Issue {
        let Finding { path, constraint, keyword, .. } = finding;
        let schema = schema_of(&keyword);
        let key = path.last_key().unwrap_or_default();
        let edge = match &constraint {
            Constraint::Required => {
                let mut pointer = format!("{schema}/properties");
                push_token(&mut pointer, key);
                self.edge(&pointer)
            }
            _ => self.edge(schema),
        };
        let description = edge.shape().doc.clone();
        let mut expected = Expected::from_shape(edge);
        let got = match &constraint {
            Constraint::Required => got_nothing(),
            _ => node(json, &path).map_or_else(got_nothing, got),
        };
        let suggestion = match &constraint {
            Constraint::UnknownField { .. } => {
                expected.shape = None;
                // Do not suggest a name that the object already has as a key.
                let is_taken = |name: &str| object_of(json, &path).is_some_and(|object| object.get(name).is_some());
                suggestion(&constraint, key).filter(|name| !is_taken(name))
            }
            constraint => node(json, &path).and_then(Json::as_str).and_then(|sent| suggestion(constraint, sent)),
        };
        let mut issue = new_issue(path, constraint, expected, got);
        (issue.suggestion, issue.description) = (suggestion, description);
        issue
    }
}

/// Returns the node at a path. If a key is repeated, its last value counts.
fn node<'j, 'a>(json: &'j Json<'a>, path: &Path) -> Option<&'j Json<'a>> {
    value_at(json, path.segments())
}

/// Returns the object that contains the key at a path.
fn object_of<'j, 'a>(json: &'j Json<'a>, path: &Path) -> Option<&'j Json<'a>> {
    path.segments().split_last().and_then(|(_, object)| value_at(json, object))
}
