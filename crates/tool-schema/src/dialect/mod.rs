//! Renders tool definitions in the forms of providers, and converts the arguments that models send for them back into the tool's own form.
//!
//! A [`Dialect`] renders a tool as one provider accepts it: strict if the strict form can express the schema exactly, or else plain, with
//! notes that give the reasons. If the dialect changes the form of values (`null` for an absent key, an array of entries for a map, another
//! key), the definition has an [`Inverse`], which converts the arguments of calls back.
//!
//! A dialect is data: its file in `providers` lists keywords, names, keys, limits and how a definition is wrapped. `rewrite` reads that
//! data and mentions no provider by name. Invariant: every value that the plain schema accepts can be converted into the dialect's form and
//! back without change; if a form cannot express a tool in this way, the tool is not advertised in that form.

mod arrays;
mod budget;
mod common_branch_changes;
mod definition;
mod distinguish_branches;
mod downgrade_reason;
mod forward_issue;
mod forward_path;
mod forward_shape;
mod forward_value;
mod inverse;
mod inverse_plan;
mod keyword_text;
mod match_branch;
mod move_ref_targets;
mod providers;
mod ref_targets;
mod render;
mod rewrite;
mod root;
mod rules;
mod schema_size;
mod strictness;
mod type_keyword;

use std::fmt;
use std::str::FromStr;

use budget::Spent;
pub use definition::{Definition, Definitions, EffectiveStrictness};
pub use downgrade_reason::DowngradeReason;
pub use inverse::Inverse;
pub(crate) use providers::extended_for_mcp;
use render::Rendering;
use rules::Rules;
pub use strictness::Strictness;

use crate::json::Json;
use crate::schema::ToolDeclaration;
use crate::suggest::nearest;

/// The way in which a provider expects the definitions of tools: the JSON object around each schema, the accepted keywords, names and
/// sizes, and whether the model's output is constrained to the schema (strict). There is a constant for each dialect, and a name from
/// outside can be parsed into one.
///
/// ```
/// use tool_schema::dialect::{Dialect, EffectiveStrictness};
/// use tool_schema::json::Json;
/// use tool_schema::schema::{ToolDeclaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let schema = Json::parse(
///     r#"{"type": "object", "additionalProperties": false,
///         "properties": {"city": {"type": "string", "minLength": 2}}, "required": ["city"]}"#,
/// )?.into_owned();
/// let (name, description) = (Text::from_static("weather"), Text::from_static("The weather."));
/// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
///
/// let strict = Dialect::OPENAI_STRICT.render(&declaration, Some(&schema));
/// assert_eq!(strict.strictness(), EffectiveStrictness::Strict);
/// assert!(strict.to_string().contains(r#""city":{"type":"string","description":"At least 2 characters."}"#));
///
/// assert_eq!("openai-strict".parse(), Ok(Dialect::OPENAI_STRICT));
/// let error = "open-ai-strict".parse::<Dialect>().map_err(|error| error.to_string());
/// assert!(error.is_err_and(|error| error.starts_with("unknown dialect `open-ai-strict`, did you mean `openai-strict`?")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Dialect(&'static Rules);

impl Dialect {
    /// `openai`: an element of `tools` in `OpenAI`'s Chat Completions API, and in the many APIs that follow it.
    /// <https://platform.openai.com/docs/api-reference/chat/create>
    pub const OPENAI: Self = Self(providers::OPENAI);
    /// `openai-strict`: Chat Completions with structured outputs.
    /// <https://platform.openai.com/docs/guides/structured-outputs>
    pub const OPENAI_STRICT: Self = Self(providers::OPENAI_STRICT);
    /// `openai-responses`: an element of `tools` in `OpenAI`'s Responses API. It has no inner object, and is strict by default.
    /// <https://platform.openai.com/docs/api-reference/responses/create>
    pub const OPENAI_RESPONSES: Self = Self(providers::OPENAI_RESPONSES);
    /// `openai-responses-strict`: the Responses API with structured outputs.
    pub const OPENAI_RESPONSES_STRICT: Self = Self(providers::OPENAI_RESPONSES_STRICT);
    /// `anthropic`: an element of `tools` in Anthropic's Messages API. <https://platform.claude.com/docs/en/api/messages/create>
    pub const ANTHROPIC: Self = Self(providers::ANTHROPIC);
    /// `anthropic-strict`: the Messages API with strict tools.
    /// <https://platform.claude.com/docs/en/build-with-claude/structured-outputs>
    pub const ANTHROPIC_STRICT: Self = Self(providers::ANTHROPIC_STRICT);
    /// `gemini`: an element of `functionDeclarations` in the Gemini API, with JSON Schema in `parametersJsonSchema`.
    /// <https://ai.google.dev/api/caching#FunctionDeclaration>
    pub const GEMINI: Self = Self(providers::GEMINI);
    /// `gemini-schema`: an element of `functionDeclarations` with a subset of `OpenAPI` in `parameters`, as Vertex AI expects it.
    /// <https://ai.google.dev/api/caching#Schema>
    pub const GEMINI_SCHEMA: Self = Self(providers::GEMINI_SCHEMA);
    /// `mistral`: an element of `tools` in Mistral's chat API. <https://docs.mistral.ai/api/>
    pub const MISTRAL: Self = Self(providers::MISTRAL);
    /// `bedrock`: an element of `tools` in the Converse API of Amazon Bedrock.
    /// <https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html>
    pub const BEDROCK: Self = Self(providers::BEDROCK);
    /// `bedrock-strict`: the Converse API with strict tools.
    pub const BEDROCK_STRICT: Self = Self(providers::BEDROCK_STRICT);
    /// `moonshot`: an element of `tools` in the chat API of Moonshot AI (Kimi). <https://platform.moonshot.ai/docs/api/tool-use>
    pub const MOONSHOT: Self = Self(providers::MOONSHOT);
    /// `ollama`: an element of `tools` in Ollama's chat API. <https://docs.ollama.com/api/chat>
    pub const OLLAMA: Self = Self(providers::OLLAMA);
    /// `llama-cpp`: an element of `tools` in the chat API of llama.cpp's server, which converts each schema to a grammar.
    /// <https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md>
    pub const LLAMA_CPP: Self = Self(providers::LLAMA_CPP);
    /// `vllm`: an element of `tools` in a server with a Chat Completions API that accepts any JSON Schema, such as vLLM.
    /// <https://docs.vllm.ai/en/latest/features/tool_calling.html>
    pub const VLLM: Self = Self(providers::VLLM);
    /// `vllm-strict`: such a server, with the arguments constrained to the schema.
    pub const VLLM_STRICT: Self = Self(providers::VLLM_STRICT);
    /// `mcp`: a `Tool` of the Model Context Protocol, protocol version 2025-06-18 or later. The schema of an output that is not an object
    /// is left out, because the protocol does not allow it. <https://modelcontextprotocol.io/specification/2025-06-18/schema#tool>
    pub const MCP: Self = Self(providers::MCP);

    /// The definitions in the answer to an expansion, for members that are called in their own form. It has no public name.
    pub(crate) const AS_WRITTEN: Self = Self(providers::AS_WRITTEN);

    /// Returns every dialect.
    pub fn all() -> impl Iterator<Item = Self> {
        providers::ALL.iter().copied().map(Self)
    }

    fn named(name: &str) -> Option<Self> {
        Self::all().find(|dialect| dialect.name() == name)
    }

    /// Returns the name of the dialect, as it is parsed.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Renders one tool, as if it were the only one of a request.
    ///
    /// `written` is the original JSON Schema of a tool that was created from a schema. If it is `None`, the schema is generated from the
    /// declaration's shape.
    pub fn render(self, declaration: &ToolDeclaration<'_>, written: Option<&Json<'static>>) -> Definition {
        let rendering = Rendering::new(self.0, declaration, written);
        self.within(&mut Spent::nothing_of(&self.0.budget), &rendering)
    }

    /// Renders a tool in its best form, or in the plain form if the best one exceeds the remaining budget.
    fn within(self, spent: &mut Spent, rendering: &Rendering<'_>) -> Definition {
        let definition = rendering.best();
        match spent.pay(&definition) {
            Some(note) => rendering.plain(vec![note]),
            None => definition,
        }
    }

    /// Renders the request for an answer in the schema of a declaration: the keys that are added to the body of a request. Returns `None` if
    /// the provider has no such form, or none for this schema or beside tools.
    pub(crate) fn render_answer(self, declaration: &ToolDeclaration<'_>, has_tools: bool) -> Option<Definition> {
        let answer = self.0.answer.filter(|answer| answer.beside_tools || !has_tools)?;
        let definition = Rendering::new(&answer.rules, declaration, None).best();
        let is_rejected = answer.only_strict && definition.strictness() != EffectiveStrictness::Strict;
        (!is_rejected && !definition.omits_tool()).then_some(definition)
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
    /// assert_eq!((Dialect::OPENAI.max_tools(), Dialect::ANTHROPIC.max_tools()), (Some(128), None));
    /// ```
    pub const fn max_tools(self) -> Option<usize> {
        self.0.tools
    }

    /// Returns `true` if the provider can defer definitions, so that the model sees the definition of a member only after an answer has loaded
    /// it. Then the list of tools never changes.
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    ///
    /// assert!(Dialect::ANTHROPIC.defers_tools() && Dialect::OPENAI_RESPONSES.defers_tools());
    /// assert!(!Dialect::OPENAI.defers_tools());
    /// ```
    pub fn defers_tools(self) -> bool {
        matches!(self.name(), "anthropic" | "anthropic-strict") || self.has_tool_search()
    }

    /// Returns `true` if the answers that load tools contain their definitions, as in `OpenAI`'s Responses API with `tool_search`. Otherwise, a
    /// provider that [defers tools](Self::defers_tools) gets the [deferred](Definition::deferred) definitions with every request.
    pub fn has_tool_search(self) -> bool {
        matches!(self.name(), "openai-responses" | "openai-responses-strict")
    }

    /// Renders one tool in the form that the host requests, as if it were the only tool of a request; [`Strictness`] has an example.
    ///
    /// If a tool cannot be [`Strict`](Strictness::Strict) as requested, it is rendered plain, with notes that give the
    /// reasons.
    pub fn render_as(
        self,
        declaration: &ToolDeclaration<'_>,
        written: Option<&Json<'static>>,
        strictness: Strictness,
    ) -> Definition {
        let plain = |notes| Rendering::new(self.0, declaration, written).plain(notes);
        match (strictness, self.strict()) {
            (Strictness::Plain, _) => plain(Vec::new()),
            (_, Some(strict)) => strict.render(declaration, written),
            (_, None) => {
                plain(vec![DowngradeReason::of_tool(format!("`{}` has no strict form", self.name())).not_strict()])
            }
        }
    }

    /// Applies the provider's limits for a whole request, in the given order. Returns one element for each tool: the reason why it
    /// cannot be strict in that request, or `None` if it keeps its form.
    pub fn request_limit_downgrades<'d>(
        self,
        tools: impl IntoIterator<Item = &'d Definition>,
    ) -> Vec<Option<DowngradeReason>> {
        let mut spent = Spent::nothing_of(&self.strict().unwrap_or(self).0.budget);
        tools.into_iter().map(|tool| spent.pay(tool)).collect()
    }

    /// Renders the tools of one request. If the provider limits strict tools for a request, the first tools that fit
    /// are strict, and the rest are plain.
    pub fn render_all<'a>(
        self,
        tools: impl IntoIterator<Item = (&'a ToolDeclaration<'a>, Option<&'a Json<'static>>)>,
    ) -> Vec<Definition> {
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

impl std::hash::Hash for Dialect {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        Self::named(name).ok_or_else(|| UnknownDialect { name: name.to_owned() })
    }
}

/// The error for a name that no [`Dialect`] has. Its message suggests the most similar name, and lists all names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect {
    name: String,
}

impl std::error::Error for UnknownDialect {}

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Dialect::all().map(Dialect::name).collect();
        write!(f, "unknown dialect `{}`", self.name)?;
        if let Some(similar) = nearest(&self.name, names.iter().copied()) {
            write!(f, ", did you mean `{similar}`?")?;
        }
        write!(f, " (known dialects: {})", names.join(", "))
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.name())
    }
}
