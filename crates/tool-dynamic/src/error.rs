//! Errors in a schema: [`SchemaError`]. They are reported when the tool is built, with the keyword and its location in the schema.

use tool_runtime::tool_schema::json::SyntaxError;

/// The reason why a schema cannot describe the arguments of a tool. Locations are JSON Pointers (RFC 6901) into the schema; the root is
/// `#`.
///
/// ```
/// use tool_dynamic::{InputSchema, SchemaError};
///
/// let error = InputSchema::parse(r##"{"type": "object", "properties": {"city": {"$ref": "#/$defs/City"}}}"##).unwrap_err();
/// assert!(matches!(error, SchemaError::MissingTarget { .. }));
/// assert_eq!(error.to_string(), "#/properties/city/$ref: `$ref` leads to \"#/$defs/City\", which is not in the schema");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The text is not valid JSON, or is nested too deeply.
    #[error("the schema cannot be read: {0}")]
    Syntax(#[from] SyntaxError),
    /// The schema has too many parts.
    #[error("the schema contains more than {limit} subschemas")]
    TooLarge {
        /// The maximum number of parts.
        limit: usize,
    },
    /// A keyword has a value that the dialect does not allow, such as an unknown type, an invalid regular expression, or a `required` that
    /// is not an array.
    #[error("#{path}: {reason}")]
    Keyword {
        /// The location of the value. It ends with the keyword, or with a location inside the keyword's value.
        path: String,
        /// The keyword.
        keyword: String,
        /// The problem with the value.
        reason: String,
    },
    /// `$schema` names an unknown dialect.
    #[error(
        "#/$schema: the dialect {dialect:?} is not known; the known dialects are 2020-12, 2019-09, draft-07, draft-06 and draft-04"
    )]
    UnknownDialect {
        /// The named dialect.
        dialect: String,
    },
    /// A subschema names a different dialect than the root.
    #[error("#{path}/$schema: this subschema names a different dialect from the root schema")]
    MixedDialects {
        /// The location of the subschema.
        path: String,
    },
    /// Too many schemas have the same `$dynamicAnchor`, or too many have a `$recursiveAnchor`.
    #[error("#{path}: more than {limit} schemas have the same dynamic anchor")]
    TooManyAnchors {
        /// The location of one of these schemas.
        path: String,
        /// The maximum number of such schemas.
        limit: usize,
    },
    /// The target of a reference does not exist.
    #[error("#{path}: `$ref` leads to {reference:?}, which is not in the schema")]
    MissingTarget {
        /// The location of the reference.
        path: String,
        /// The reference as written.
        reference: String,
    },
    /// A reference leads to another document, which is not fetched.
    #[error("#{path}: `$ref` leads to {reference:?}, which is another document; schemas are not fetched")]
    RemoteTarget {
        /// The location of the reference.
        path: String,
        /// The reference as written.
        reference: String,
    },
    /// A schema refers to itself for the same value, directly or through other references, so a check would never end.
    #[error("#{path}: the schema refers to itself without going deeper into the value")]
    Circular {
        /// A location on the cycle.
        path: String,
    },
    /// References and branches multiply, so a single value would be checked too many times.
    #[error("#{path}: references and branches require more than {limit} checks of one value")]
    TooManyBranches {
        /// The location of the schema with too many branches.
        path: String,
        /// The maximum number of checks.
        limit: u64,
    },
    /// References and subschemas are nested too deeply.
    #[error("#{path}: subschemas and references are nested more than {limit} levels deep")]
    TooDeep {
        /// The location at which the limit was exceeded.
        path: String,
        /// The maximum number of levels.
        limit: usize,
    },
    /// The schema does not accept any object, although the arguments of a tool are always an object.
    #[error("the schema accepts no objects, but the arguments of a tool are an object")]
    NotAnObject,
}
