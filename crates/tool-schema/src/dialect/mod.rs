//! Renders tool definitions in the forms of providers, and converts the arguments that models send for them back into the tool's own form.
//!
//! A [`Dialect`] renders a tool as one provider accepts it: strict if the strict form can express the schema exactly, or else plain, with
//! notes that give the reasons. If the dialect changes the form of values (`null` for an absent key, an array of entries for a map, another
//! key), the rendition has an [`Inverse`], which converts the arguments of calls back.
//!
//! A dialect is data: its file in `providers` lists keywords, names, keys, limits and how a definition is wrapped. `rewrite` reads that
//! data and mentions no provider by name. Invariant: every value that the plain schema accepts can be converted into the dialect's form and
//! back without change; if a form cannot express a tool in this way, the tool is not advertised in that form.

mod agreed;
mod anchor;
mod arrays;
mod branch;
mod budget;
mod document;
mod inverse;
mod limits;
mod note;
mod outline;
mod plan;
mod providers;
mod rendition;
mod rewrite;
mod root;
mod rules;
mod show;
mod shown;
mod shown_issue;
mod shown_shape;
mod strictness;
mod subschemas;
mod types;
mod words;

use std::fmt;

use budget::Spent;
pub use inverse::Inverse;
pub use note::Note;
use rendition::Rendering;
pub use rendition::{Rendition, ToolForm};
use rules::Rules;
pub use strictness::Strictness;

use crate::json::Json;
use crate::schema::Declaration;

/// A provider's format for tool definitions.
///
/// ```
/// use tool_schema::dialect::{Dialect, ToolForm};
/// use tool_schema::json::Json;
/// use tool_schema::schema::{Declaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let schema = Json::parse(
///     r#"{"type": "object", "additionalProperties": false,
///         "properties": {"city": {"type": "string", "minLength": 2}}, "required": ["city"]}"#,
/// )?.into_owned();
/// let (name, description) = (Text::new("weather"), Text::new("The weather."));
/// let declaration = Declaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
///
/// let strict = Dialect::named("openai-strict").ok_or("a dialect")?.render(&declaration, Some(&schema));
/// assert_eq!(strict.form(), ToolForm::Strict);
/// let city = r#""city":{"type":"string","description":"At least 2 characters."}"#;
/// assert!(strict.definition().is_some_and(|definition| definition.to_string().contains(city)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Dialect(&'static Rules);

impl Dialect {
    /// Returns every dialect.
    pub fn all() -> impl Iterator<Item = Self> {
        providers::ALL.iter().copied().map(Self)
    }

    /// Finds a dialect by its name on the command line.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|dialect| dialect.name() == name)
    }

    /// Returns the name of the dialect on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Renders one tool, as if it were the only one of a request.
    ///
    /// `written` is the original JSON Schema of a tool that was created from a schema. If it is `None`, the schema is generated from the
    /// declaration's shape.
    pub fn render(self, declaration: &Declaration<'_>, written: Option<&Json<'static>>) -> Rendition {
        let rendering = Rendering::new(self.0, declaration, written);
        self.within(&mut Spent::nothing_of(&self.0.budget), &rendering)
    }

    /// Renders a tool in its best form, or in the plain form if the best one exceeds the remaining budget.
    fn within(self, spent: &mut Spent, rendering: &Rendering<'_>) -> Rendition {
        let rendition = rendering.best();
        match spent.pay(&rendition) {
            Some(note) => rendering.plain(vec![note]),
            None => rendition,
        }
    }

    /// Returns the strict dialect of the same API; `None` if the API has none.
    pub fn strict(self) -> Option<Self> {
        if self.is_strict() { Some(self) } else { Self::named(&format!("{}-strict", self.name())) }
    }

    /// Returns `true` if the dialect renders tools in a strict form if possible.
    pub const fn is_strict(self) -> bool {
        self.0.strict.is_some()
    }

    /// Returns `true` if the provider accepts a tool of this name.
    pub fn accepts_name(self, name: &str) -> bool {
        self.0.names.accepts(name)
    }

    /// Returns the maximum number of tools that the provider accepts in one request; `None` if no maximum is known.
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    ///
    /// assert_eq!(Dialect::named("openai").and_then(Dialect::most_tools), Some(128));
    /// assert_eq!(Dialect::named("anthropic").and_then(Dialect::most_tools), None);
    /// ```
    pub const fn most_tools(self) -> Option<usize> {
        self.0.tools
    }

    /// Renders one tool in the form that the host requests, as if it were the only tool of a request; [`Strictness`] has an example.
    ///
    /// If a tool cannot be [`Strict`](Strictness::Strict) as requested, it is rendered plain, with notes that give the
    /// reasons.
    pub fn render_as(
        self,
        declaration: &Declaration<'_>,
        written: Option<&Json<'static>>,
        strictness: Strictness,
    ) -> Rendition {
        let plain = |notes| Rendering::new(self.0, declaration, written).plain(notes);
        match (strictness, self.strict()) {
            (Strictness::Plain, _) => plain(Vec::new()),
            (_, Some(strict)) => strict.render(declaration, written),
            (_, None) => plain(vec![Note::of_tool(format!("`{}` has no strict form", self.name())).not_strict()]),
        }
    }

    /// Applies the provider's limits for a whole request, in the order of the renditions. Returns one element for each rendition: the
    /// reason why it cannot be strict in that request, or `None` if it keeps its form.
    pub fn demotions<'r>(self, renditions: impl IntoIterator<Item = &'r Rendition>) -> Vec<Option<Note>> {
        let mut spent = Spent::nothing_of(&self.strict().unwrap_or(self).0.budget);
        renditions.into_iter().map(|rendition| spent.pay(rendition)).collect()
    }

    /// Renders the tools of one request. If the provider limits strict tools for a request, the first tools that fit
    /// are strict, and the rest are plain.
    pub fn render_all<'a>(
        self,
        tools: impl IntoIterator<Item = (&'a Declaration<'a>, Option<&'a Json<'static>>)>,
    ) -> Vec<Rendition> {
        let mut spent = Spent::nothing_of(&self.0.budget);
        let one = |(declaration, written)| self.within(&mut spent, &Rendering::new(self.0, declaration, written));
        tools.into_iter().map(one).collect()
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Dialect {}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}
