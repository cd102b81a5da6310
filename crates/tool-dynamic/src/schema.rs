//! [`InputSchema`]: a schema that checks arguments.
//!
//! Invariant: arguments are first parsed and checked by `jsonschema`. Only rejected arguments are inspected in detail.

use std::fmt;
use std::sync::Arc;

use jsonschema::ValidationError as SchemaFault;
use serde_json::{Map, Value};
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::tool_schema::decode::Rejected;
use tool_runtime::tool_schema::issue::Issues;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::shape::Ref;

use super::compiled::{Inner, known_formats};
use super::jsonschema_error::enums;
use super::step_limit::{Bound, MeteredJson};
use super::to_shape::{UnknownFields, document, read};
use super::validate::Numbers;
use super::{RawSchema, SchemaError, validate};

/// A JSON Schema that describes the arguments of a tool.
///
/// The supported dialects are 2020-12, 2019-09, draft-07, draft-06 and draft-04, as named by `$schema`. Without `$schema`, the dialect is
/// 2020-12, but draft-04's boolean `exclusiveMinimum` and draft-07's list of `items` are accepted too. So are `"type": "STRING"` and the
/// `nullable` of `OpenAPI`. References must lead to locations in the same schema; any other reference is an error.
///
/// Arguments are valid if the `jsonschema` crate accepts them: `5.0` is an integer, and if a key is repeated, its last value counts. In
/// addition, arguments must be an object that is nested at most 127 levels deep, and its numbers must be in the range of `f64`. Half of a
/// surrogate pair (`"\ud800"`) is decoded to U+FFFD.
///
/// ```
/// use tool_dynamic::InputSchema;
///
/// let schema = InputSchema::parse(
///     r#"{"type": "object", "properties": {"days": {"type": "integer", "maximum": 14}}, "required": ["days"]}"#,
/// )?;
/// let decoded = schema.decode(r#"{"days": 5}"#);
/// assert_eq!(decoded.ok().and_then(|arguments| arguments["days"].as_u64()), Some(5));
/// assert!(schema.check(&r#"{"days": 5.0}"#.into()).is_empty()); // an integer in JSON Schema
/// let issues = schema.check(&r#"{"days": 30}"#.into());
/// assert_eq!(issues[0].message(), "days must be at most 14");
/// # Ok::<(), tool_dynamic::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct InputSchema(pub(super) Arc<Inner>);

/// A builder of an input schema, created by [`InputSchema::builder`].
///
/// ```
/// use tool_dynamic::{InputSchema, InputSchemaBuilder, UnknownFields};
///
/// let builder: InputSchemaBuilder<'_> = InputSchema::builder(r#"{"properties": {"day": {"format": "date"}}}"#);
/// let schema = builder.unknown_fields(UnknownFields::Reject).assert_formats(false).parse()?;
/// let issues = schema.check(&r#"{"day": "tomorrow", "time": "noon"}"#.into());
/// assert_eq!(issues.len(), 1); // `time` is unknown; the format is not checked
/// # Ok::<(), tool_dynamic::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is read before `read()`"]
pub struct InputSchemaBuilder<'a> {
    source: RawSchema<'a>,
    unknown: UnknownFields,
    formats: bool,
}

impl InputSchema {
    /// The code of the only issue of arguments whose check would take too many steps. They may be valid or not.
    pub const TOO_MANY_STEPS_CODE: &str = validate::NOT_CHECKED;

    /// Parses a schema with default settings.
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    pub fn parse<'a>(source: impl Into<RawSchema<'a>>) -> Result<Self, SchemaError> {
        Self::builder(source).parse()
    }

    /// Returns a builder for a schema with other settings.
    pub fn builder<'a>(source: impl Into<RawSchema<'a>>) -> InputSchemaBuilder<'a> {
        InputSchemaBuilder { source: source.into(), unknown: UnknownFields::AsInSchema, formats: true }
    }

    /// Returns every issue of the arguments, in declaration order. The list is empty if the arguments are valid.
    pub fn check(&self, arguments: &Arguments<'_>) -> Issues {
        self.decode(arguments.as_borrowed()).err().map_or_else(Issues::new, ValidationError::into_issues)
    }

    /// Decodes the arguments to an object.
    ///
    /// # Errors
    ///
    /// Fails if the arguments are not valid. The error contains every issue, in declaration order.
    pub fn decode<'a>(&self, arguments: impl Into<Arguments<'a>>) -> Result<Map<String, Value>, ValidationError> {
        self.decode_or_reject(arguments.into(), Numbers::InRange).map_err(|rejected| rejected.into_error())
    }

    /// Decodes arguments. A rejection contains the tree in which its issues were found.
    pub(crate) fn decode_or_reject<'a>(
        &self,
        arguments: Arguments<'a>,
        numbers: Numbers,
    ) -> Result<Map<String, Value>, Box<Rejected<'a>>> {
        validate::decode(&self.0, arguments, numbers)
    }

    /// Returns the shape of the schema. It accepts everything that the schema accepts, and more if the schema has keywords that a shape
    /// cannot express.
    pub fn shape(&self) -> Ref {
        self.0.read.root.clone()
    }

    /// Returns the schema as compact JSON text, in standard JSON Schema spelling and with its keys in their original order.
    ///
    /// ```
    /// use tool_dynamic::InputSchema;
    ///
    /// let schema = InputSchema::parse(r#"{"type": "OBJECT", "properties": {"n": {"type": "INTEGER", "nullable": true}}}"#)?;
    /// assert_eq!(schema.to_text(), r#"{"type":"object","properties":{"n":{"type":["integer","null"]}}}"#);
    /// # Ok::<(), tool_dynamic::SchemaError>(())
    /// ```
    pub fn to_text(&self) -> String {
        self.0.declared.to_text()
    }

    pub(super) fn declared(&self) -> Arc<Json<'static>> {
        Arc::clone(&self.0.declared)
    }
}

impl fmt::Debug for InputSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InputSchema").field(&self.to_text()).finish()
    }
}

impl InputSchemaBuilder<'_> {
    /// Sets the treatment of keys that the schema does not list. By default, the schema itself decides.
    pub fn unknown_fields(mut self, unknown: UnknownFields) -> Self {
        self.unknown = unknown;
        self
    }

    /// Sets whether `format` is checked. By default it is checked, in every dialect, as for typed tools. Formats that the dialect does not
    /// define are never checked.
    ///
    /// JSON Schema 2020-12 leaves this choice to the program (validation §7.2). The default is on, because a model that sends `tomorrow`
    /// for a date should get an error.
    pub fn assert_formats(mut self, assert: bool) -> Self {
        self.formats = assert;
        self
    }

    /// Parses the schema.
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    pub fn parse(self) -> Result<InputSchema, SchemaError> {
        let (document, same) = document(self.source.to_json()?, self.unknown)?;
        let options = jsonschema::options_for::<MeteredJson>()
            .with_draft(document.draft)
            .should_validate_formats(self.formats)
            .offline();
        let value = document.root.to_value();
        let validator = options.build(&value).map_err(|fault| keyword(&fault))?;
        let read = read(&document, &known_formats(self.formats, &options));
        if !validate::accepts_objects(&read.root) || value == Value::Bool(false) {
            return Err(SchemaError::NotAnObject);
        }
        let declared = Arc::new(match &document.root.node {
            tool_runtime::tool_schema::json::Node::Object(_) => document.root.clone(),
            _ => Json::from_node(tool_runtime::tool_schema::json::Node::Object(Vec::new())),
        });
        let enums = enums(&document);
        let bound = Bound::new(&document.root, same);
        Ok(InputSchema(Arc::new(Inner { document, read, validator, bound, enums, formats: self.formats, declared })))
    }
}

/// Converts an error of the meta-schema or of the `jsonschema` compiler.
pub(crate) fn keyword(fault: &SchemaFault<'_>) -> SchemaError {
    let path = fault.instance_path().as_str().to_owned();
    let keyword = path.rsplit('/').find(|token| token.parse::<usize>().is_err()).unwrap_or_default().to_owned();
    let got = fault.instance().to_string();
    let problem = match (&*keyword, fault.kind()) {
        ("type", _) => format!("{got} is not a type"),
        ("pattern", _) => format!("{got} is not a regular expression"),
        _ => fault.to_string(),
    };
    SchemaError::Keyword { path, keyword, reason: problem }
}
