//! Providers' forms of a tool definition, and the way back from the calls made under them.
//!
//! A [`Dialect`] renders a tool as one provider takes it: strict where it can say the schema exactly, plain otherwise, with notes that say why.
//! Where values are written in another form (`null` for a key that is left out, an array of entries for a map, another key), the rendition
//! brings the [`Inverse`] for the arguments of its calls.
//!
//! A dialect is data: its file in `providers` lists keywords, names, keys, limits and how a definition is wrapped. `rewrite` reads that data
//! and knows no provider by name. Invariant: for every value that the plain schema accepts, what a model sends for it under the
//! dialect is turned back into the same value; where a form cannot do that, the tool is not advertised in it.

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
mod shown;
mod types;
mod words;

use std::fmt;

pub use inverse::Inverse;
use limits::Cost;
pub use note::Note;
use rendition::Rendering;
pub use rendition::{Rendition, ToolForm};
use rules::Rules;

use crate::json::Json;
use crate::schema::Declaration;

/// A provider's form of tool definitions.
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
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    ///
    /// assert!(Dialect::all().any(|dialect| dialect.name() == "anthropic"));
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        providers::ALL.iter().copied().map(Self)
    }

    /// Finds a dialect by its name on the command line.
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    ///
    /// assert!(Dialect::named("gemini-schema").is_some());
    /// assert!(Dialect::named("smoke-signals").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|dialect| dialect.name() == name)
    }

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Renders one tool, as if it were the only one of a request.
    ///
    /// `written` is the JSON Schema of a tool that was made from one; without it the schema is that of the declaration's shape.
    pub fn render(self, declaration: &Declaration<'_>, written: Option<&Json<'static>>) -> Rendition {
        Rendering::new(self.0, declaration, written).best()
    }

    /// Renders the tools of one request. What the strict form may hold of a request goes to the first tools that fit; those after them are
    /// plain.
    pub fn render_all<'a>(
        self,
        tools: impl IntoIterator<Item = (&'a Declaration<'a>, Option<&'a Json<'static>>)>,
    ) -> Vec<Rendition> {
        let budget = &self.0.budget;
        let (mut strict, mut spent) = (0, Cost::default());
        let one = |(declaration, written)| {
            let rendering = Rendering::new(self.0, declaration, written);
            let rendition = rendering.best();
            if rendition.form() != ToolForm::Strict {
                return rendition;
            }
            let after = spent.and(rendition.cost());
            let exceeded = [
                (strict + 1, budget.tools, "strict tools"),
                (after.optionals, budget.optionals, "optional parameters"),
                (after.unions, budget.unions, "parameters with union types"),
            ];
            if let Some((_, limit, what)) = exceeded.into_iter().find(|(count, limit, _)| count > limit) {
                return rendering.plain(vec![Note::of_tool(format!("a request takes {limit} {what}")).not_strict()]);
            }
            (strict, spent) = (strict + 1, after);
            rendition
        };
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
