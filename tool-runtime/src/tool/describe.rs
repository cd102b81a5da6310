//! The schema and the definitions of a tool outside of a session.
//!
//! They are not stored, but rendered whenever they are requested.

use super::{OutputSchema, ToolSpec};
use crate::json::Json;
use crate::schema::{Declaration, Definition, Format, Hints, definition_of, schema_text};
use crate::shape::{Ref, Shape, Text};
use tool_schema::dialect::{Dialect, Rendition, Strictness};

impl ToolSpec {
    /// Returns the JSON Schema of the arguments.
    pub fn schema(&self) -> String {
        self.declared.as_ref().map_or_else(|| schema_text(&self.input.shape()), |declared| declared.to_text())
    }

    /// Returns the definition of the tool for a provider, outside of a session.
    pub fn definition(&self, format: Format) -> Definition {
        self.definition_as(&self.name, &self.description, &self.input, format)
    }

    /// Renders the tools of one request in the dialect of a provider, each under its advertised name.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::dialect::{Dialect, ToolForm};
    /// use tool_runtime::tool_schema::shape::{Ref, Shape, Text};
    ///
    /// let dialect = Dialect::named("mistral").ok_or("a dialect")?;
    /// let spec = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
    /// let renditions = ToolSpec::renditions(&[(Text::new("ping"), &spec), (Text::new("no name"), &spec)], dialect);
    /// assert_eq!([renditions[0].form(), renditions[1].form()], [ToolForm::Plain, ToolForm::Omitted]);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn renditions(tools: &[(Text, &Self)], dialect: Dialect) -> Vec<Rendition> {
        let inputs: Vec<_> = tools.iter().map(|(_, spec)| spec.input.shape()).collect();
        let declared = tools.iter().zip(&inputs);
        let declarations: Vec<_> =
            declared.map(|((name, spec), input)| spec.declaration(name, &spec.description, input)).collect();
        let written = tools.iter().map(|(_, spec)| spec.declared.as_deref());
        let renditions = dialect.render_all(declarations.iter().zip(written));
        let shown =
            |((_, spec), rendition): (&(Text, &Self), Rendition)| spec.presentation.shown_as(rendition, dialect);
        tools.iter().zip(renditions).map(shown).collect()
    }

    fn declaration<'a>(&self, name: &'a Text, description: &'a Text, input: &'a Shape) -> Declaration<'a> {
        let annotations = self.settings.annotations;
        let hints = Hints {
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
        };
        let output = self.output.as_ref().map(OutputSchema::schema);
        Declaration { name, description, input, output, hints }
    }

    /// Renders the tool under its advertised name, with its current description and arguments.
    pub(crate) fn rendition_as(
        &self,
        name: &Text,
        description: &Text,
        input: &Ref,
        dialect: Dialect,
        strictness: Strictness,
    ) -> Rendition {
        let input = input.shape();
        let declaration = self.declaration(name, description, &input);
        let rendition = dialect.render_as(&declaration, self.declared.as_deref(), strictness);
        self.presentation.shown_as(rendition, dialect)
    }

    /// Returns the definition with the advertised name, and the current description and arguments.
    pub(crate) fn definition_as(&self, name: &Text, description: &Text, input: &Ref, format: Format) -> Definition {
        let input = input.shape();
        let declaration = self.declaration(name, description, &input);
        let definition = match &self.declared {
            Some(schema) => definition_of(&declaration, Json::clone(schema), format),
            None => declaration.definition(format),
        };
        self.presentation.shown_in(definition, format)
    }
}
