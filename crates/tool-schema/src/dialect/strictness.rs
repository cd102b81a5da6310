//! [`Strictness`]: the form that a host requests for a tool.

/// The form in which a tool is advertised under a dialect: plain, strict, or strict if possible.
///
/// ```
/// use tool_schema::dialect::{Dialect, Strictness, EffectiveStrictness};
/// use tool_schema::schema::{ToolDeclaration, Hints};
/// use tool_schema::shape::{Kind, SharedSlice, Object, Shape, Text, UnknownKeys};
///
/// let nothing = Shape::new(Kind::Object(Object { fields: SharedSlice::EMPTY, unknown: UnknownKeys::Rejected }));
/// let (name, description) = (Text::from_static("now"), Text::EMPTY);
/// let declaration = ToolDeclaration { name: &name, description: &description, input: &nothing, output: None, hints: Hints::default() };
///
/// assert_eq!(Dialect::OPENAI.render_as(&declaration, None, Strictness::Plain).strictness(), EffectiveStrictness::Plain);
/// assert_eq!(Dialect::OPENAI.render_as(&declaration, None, Strictness::Auto).strictness(), EffectiveStrictness::Strict);
///
/// let mistral = Dialect::MISTRAL.render_as(&declaration, None, Strictness::Auto);
/// assert_eq!((mistral.strictness(), mistral.notes()[0].reason()), (EffectiveStrictness::Plain, "not strict: `mistral` has no strict form"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// The provider shows the schema to the model and constrains nothing.
    #[default]
    Plain,
    /// The provider must constrain the model's output. If a tool cannot be strict, building a toolbox with it fails.
    Strict,
    /// The tool is strict if the dialect can express the schema without loss, or else plain, with a note that gives the
    /// reason.
    Auto,
}
