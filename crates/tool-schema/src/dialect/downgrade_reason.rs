//! [`DowngradeReason`]: the reason why a tool is not strict, or is left out.

use std::fmt;

/// One reason why a tool is not strict, or is left out, with the location in its schema.
///
/// ```
/// use tool_schema::dialect::Dialect;
/// use tool_schema::json::Json;
/// use tool_schema::schema::{ToolDeclaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let schema = Json::parse(
///     r#"{"type": "object", "properties": {"data": {"type": "array"}}, "additionalProperties": false, "required": ["data"]}"#,
/// )?.into_owned();
/// let (name, description) = (Text::from_static("store"), Text::EMPTY);
/// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
///
/// let definition = Dialect::VLLM_STRICT.render(&declaration, Some(&schema));
/// let note = &definition.notes()[0];
/// assert_eq!(note.to_string(), "not strict: data: has items of any kind");
/// assert_eq!(note.pointer(), "/properties/data");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DowngradeReason {
    pointer: String,
    reason: String,
}

impl DowngradeReason {
    /// Returns the JSON pointer (RFC 6901) into the schema of the tool; empty if the reason concerns the tool as a
    /// whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the reason in reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    pub(super) fn of_tool(reason: impl Into<String>) -> Self {
        Self { pointer: String::new(), reason: reason.into() }
    }

    pub(super) fn new(pointer: impl Into<String>, reason: String) -> Self {
        Self { pointer: pointer.into(), reason }
    }

    /// Turns the note into a reason against the strict form.
    pub(super) fn not_strict(self) -> Self {
        Self { reason: format!("not strict: {}", self.reason), ..self }
    }
}

impl fmt::Display for DowngradeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}
