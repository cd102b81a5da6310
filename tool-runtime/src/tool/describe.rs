//! The schema and the definition of a tool, outside of a session.
//!
//! In comes a [`ToolSpec`]; out goes text that is rendered when it is asked for and not before.

use super::ToolSpec;
use crate::json::Json;
use crate::schema::{Declaration, Definition, Format, Hints, definition_of, schema_text};
use crate::shape::{Ref, Text};

impl ToolSpec {
    /// The JSON Schema of the arguments.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// let spec = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
    /// assert_eq!(spec.schema(), "{}");
    /// ```
    pub fn schema(&self) -> String {
        self.declared.as_ref().map_or_else(|| schema_text(&self.input.shape()), |declared| declared.to_text())
    }

    /// Returns the definition of the tool for a provider, outside of a session.
    ///
    /// ```
    /// use tool_runtime::{Format, tool::ToolSpec};
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// let spec = ToolSpec::new("ping", "", Ref::Static(Shape::ANY));
    /// assert_eq!(
    ///     spec.definition(Format::Gemini).to_string(),
    ///     r#"{"name":"ping","parametersJsonSchema":{"type":"object","properties":{}}}"#,
    /// );
    /// ```
    pub fn definition(&self, format: Format) -> Definition {
        self.definition_as(&self.name, &self.input, format)
    }

    /// The definition under the name that is advertised, with the arguments that it takes now.
    pub(crate) fn definition_as(&self, name: &Text, input: &Ref, format: Format) -> Definition {
        let annotations = self.settings.annotations;
        let hints = Hints {
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
        };
        let output = self.output.map(|schema| schema());
        let input = &input.shape();
        let declaration = Declaration { name, description: &self.description, input, output, hints };
        match &self.declared {
            Some(schema) => definition_of(&declaration, Json::clone(schema), format),
            None => declaration.definition(format),
        }
    }
}
