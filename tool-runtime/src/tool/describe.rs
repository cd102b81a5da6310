//! The schema and the definitions of a tool outside of a session.
//!
//! They are not stored, but rendered whenever they are requested.

use tool_schema::dialect::{Definition, Definitions, Dialect, Strictness};

use super::{OutputSchema, ToolSpec};
use crate::schema::{Hints, ToolDeclaration, schema_text};
use crate::shape::{Ref, Shape, Text};

/// The form in which a tool is rendered.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) dialect: Dialect,
    pub(crate) strictness: Strictness,
    /// `true` if `null` means the same as an absent key, for tools without a type.
    pub(crate) null_is_absent: bool,
}

impl Wanted {
    pub(crate) const fn plain(dialect: Dialect) -> Self {
        Self { dialect, strictness: Strictness::Plain, null_is_absent: false }
    }
}

impl ToolSpec {
    /// Returns the JSON Schema of the arguments.
    pub fn schema(&self) -> String {
        self.declared_schema.as_ref().map_or_else(|| schema_text(&self.input.shape()), |declared| declared.to_text())
    }

    /// Returns the definition of the tool in a dialect, as if it were the only tool of a request.
    pub fn definition(&self, dialect: Dialect) -> Definition {
        let strictness = if dialect.is_strict() { Strictness::Auto } else { Strictness::Plain };
        self.definition_as(
            &self.name,
            &self.description,
            &self.input,
            &Wanted { dialect, strictness, null_is_absent: false },
        )
    }

    /// Renders the tools of one request in a dialect, each under its advertised name.
    ///
    /// ```
    /// use tool_runtime::Dialect;
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::dialect::EffectiveStrictness;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape, Text};
    ///
    /// let spec = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
    /// let tools = ToolSpec::definitions_of_tools(&[(Text::from_static("ping"), &spec), (Text::from_static("no name"), &spec)], Dialect::MISTRAL);
    /// assert_eq!([tools.all()[0].strictness(), tools.all()[1].strictness()], [EffectiveStrictness::Plain, EffectiveStrictness::Omitted]);
    /// ```
    pub fn definitions_of_tools(tools: &[(Text, &Self)], dialect: Dialect) -> Definitions {
        let inputs: Vec<_> = tools.iter().map(|(_, spec)| spec.input.shape()).collect();
        let declared = tools.iter().zip(&inputs);
        let declarations: Vec<_> =
            declared.map(|((name, spec), input)| spec.declaration(name, &spec.description, input)).collect();
        let written = tools.iter().map(|(_, spec)| spec.declared_schema.as_deref());
        let rendered = dialect.render_all(declarations.iter().zip(written));
        let presented =
            tools.iter().zip(rendered).map(|((_, spec), tool)| spec.display_metadata.shown_in(tool, dialect));
        Definitions::new(dialect, presented)
    }

    fn declaration<'a>(&self, name: &'a Text, description: &'a Text, input: &'a Shape) -> ToolDeclaration<'a> {
        let annotations = self.settings.annotations;
        let hints = Hints {
            read_only: annotations.read_only,
            destructive: annotations.destructive,
            idempotent: annotations.idempotent,
            open_world: annotations.open_world,
            null_is_absent: false,
        };
        let output = self.output.as_ref().map(OutputSchema::schema);
        ToolDeclaration { name, description, input, output, hints }
    }

    /// Renders the tool under its advertised name, with its current description and arguments.
    pub(crate) fn definition_as(&self, name: &Text, description: &Text, input: &Ref, wanted: &Wanted) -> Definition {
        let (input, Wanted { dialect, strictness, null_is_absent }) = (input.shape(), *wanted);
        let mut declaration = self.declaration(name, description, &input);
        declaration.hints.null_is_absent = null_is_absent;
        let definition = dialect.render_as(&declaration, self.declared_schema.as_deref(), strictness);
        self.display_metadata.shown_in(definition, dialect)
    }
}
