//! What a host asks of a tool: its schema, its definition, what its description says about a place.
//!
//! In comes a [`ToolSpec`]; out goes text that is rendered when it is asked for and not before, or a [`Place`] that answers from the
//! shape, without any schema.

use super::ToolSpec;
use crate::json::Json;
use crate::schema::{Declaration, Definition, Format, Hints, Place, place, schema_text};
use crate::shape::{Ref, Text};

impl ToolSpec {
    /// The JSON Schema of the arguments.
    ///
    /// ```
    /// use tool_runtime::{shape::{Ref, Shape}, tool::ToolSpec};
    ///
    /// let spec = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
    /// assert_eq!(spec.schema(), "{}");
    /// ```
    pub fn schema(&self) -> String {
        self.declared.as_ref().map_or_else(|| schema_text(&self.input.shape()), |declared| declared.to_text())
    }

    /// What a provider is told about the tool, where no session tells it.
    ///
    /// ```
    /// use tool_runtime::{Format, shape::{Ref, Shape}, tool::ToolSpec};
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
            Some(schema) => declaration.definition_of(Json::clone(schema), format),
            None => declaration.definition(format),
        }
    }

    /// What the description says about a place: which keys are required there, what it means, which values are allowed, its format, and
    /// which key was meant by a misspelled one.
    ///
    /// The path is that of an issue (`order.items[2].unit`, `[]` for any item), or a JSON Pointer (`/order/items/2/unit`). `None` where the
    /// tool has no such place.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::{ToolInput, shape::Ref, tool::ToolSpec};
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// #[serde(rename_all = "lowercase")]
    /// enum Unit { Celsius, Fahrenheit }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// struct Input {
    ///     /// Unit of the temperatures.
    ///     unit: Unit,
    /// }
    ///
    /// let spec = ToolSpec::new("get_weather", "", Ref::Static(Input::SHAPE));
    /// let unit = spec.at("unit").ok_or("no unit")?;
    /// assert_eq!(unit.allowed_values(), ["celsius", "fahrenheit"]);
    /// assert_eq!(unit.description().as_str(), "Unit of the temperatures.");
    ///
    /// let root = spec.at("").ok_or("no root")?;
    /// assert_eq!(root.required(), ["unit"]);
    /// assert_eq!(root.canonical_key("units").as_deref(), Some("unit"));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn at(&self, path: &str) -> Option<Place> {
        place(&self.input, path)
    }
}
