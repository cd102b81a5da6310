//! What can be wrong with a schema: [`SchemaError`], said when the tool is made and not when it is called.
//!
//! In comes what a reader or the `jsonschema` crate stumbled over; out goes its place in the schema, the keyword, and what is wrong.

use tool_runtime::tool_schema::json::SyntaxError;

/// Why a schema cannot describe the arguments of a tool. Places are JSON Pointers (RFC 6901) into the schema; the root is `#`.
///
/// ```
/// use tool_dynamic::{InputSchema, SchemaError};
///
/// let error = InputSchema::read(r##"{"type": "object", "properties": {"city": {"$ref": "#/$defs/City"}}}"##).unwrap_err();
/// assert!(matches!(error, SchemaError::MissingTarget { .. }));
/// assert_eq!(error.to_string(), "#/properties/city/$ref: `$ref` leads to \"#/$defs/City\", which is not in the schema");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The text is not valid JSON, or nested too deeply.
    #[error("the schema cannot be read: {0}")]
    Syntax(#[from] SyntaxError),
    /// The schema has more parts than anybody could mean.
    #[error("the schema has more than {limit} parts")]
    TooLarge {
        /// How many are read.
        limit: usize,
    },
    /// A keyword has a value that the dialect does not allow: an unknown type, a pattern that is no regular expression, a `required` that
    /// is no array.
    #[error("#{path}: {problem}")]
    Keyword {
        /// Where the value stands; it ends with the keyword, or with a place inside its value.
        path: String,
        /// The keyword.
        keyword: String,
        /// What is wrong with it.
        problem: String,
    },
    /// `$schema` names a dialect that is not known here.
    #[error(
        "#/$schema: the dialect {dialect:?} is not known; known are 2020-12, 2019-09, draft-07, draft-06 and draft-04"
    )]
    UnknownDialect {
        /// The dialect that was named.
        dialect: String,
    },
    /// A schema inside names another dialect than the whole.
    #[error("#{path}/$schema: a schema in another dialect than the one around it")]
    MixedDialects {
        /// Where that schema stands.
        path: String,
    },
    /// More schemas have the same `$dynamicAnchor`, or are marked with `$recursiveAnchor`, than a reference may choose from.
    #[error("#{path}: more than {limit} schemas have the same dynamic anchor")]
    TooManyAnchors {
        /// Where one of them stands.
        path: String,
        /// How many are allowed.
        limit: usize,
    },
    /// A reference leads to nothing.
    #[error("#{path}: `$ref` leads to {reference:?}, which is not in the schema")]
    MissingTarget {
        /// Where the reference stands.
        path: String,
        /// The reference as it was written.
        reference: String,
    },
    /// A reference leads to another document, which nobody fetches.
    #[error("#{path}: `$ref` leads to {reference:?}, which is another document; schemas are not fetched")]
    RemoteTarget {
        /// Where the reference stands.
        path: String,
        /// The reference as it was written.
        reference: String,
    },
    /// A schema refers to itself for the very same value, so that judging it would never end.
    #[error("#{path}: the schema refers to itself for the same value")]
    Circular {
        /// A place on the circle.
        path: String,
    },
    /// A value would have to be judged too often: references and branches multiply each other.
    #[error("#{path}: references and branches lead to more than {limit} judgements of one value")]
    TooManyBranches {
        /// The place whose branches multiply.
        path: String,
        /// How many are allowed.
        limit: u64,
    },
    /// References and subschemas stand in each other too deeply.
    #[error("#{path}: subschemas and references are nested more than {limit} levels deep")]
    TooDeep {
        /// Where it became too deep.
        path: String,
        /// How many levels are allowed.
        limit: usize,
    },
    /// The arguments of a tool are an object, and the schema accepts none.
    #[error("the schema accepts no object, and the arguments of a tool are one")]
    NotAnObject,
}
