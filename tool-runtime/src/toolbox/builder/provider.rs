//! The settings for the provider to which the tools are advertised, and for the form of each tool.
//!
//! In: a dialect, and the requested forms. Out: the builder with these settings.

use tool_schema::dialect::Dialect;

use super::ToolboxBuilder;
use crate::toolbox::Strictness;

impl<S> ToolboxBuilder<S> {
    /// Advertises the tools in a provider's dialect. [`Session::definitions`](crate::Session::definitions) returns the definitions, and the
    /// arguments of calls are converted back into the form that each tool accepts. The default is [`Dialect::OPENAI`]. The guide
    /// [dialects](crate::_guides::dialects) helps to choose a dialect.
    ///
    /// Every tool is rendered once for all sessions. A tool that the provider would reject is left out of the definitions, without
    /// affecting the others; its [definition](tool_schema::dialect::Definition) contains the reasons. A name that the chosen provider
    /// rejects is replaced by its [portable name](crate::tool::portable_name), and a call may use either name.
    ///
    /// ```
    /// use tool_runtime::{Dialect, Toolbox, tool};
    ///
    /// /// Adds a label.
    /// #[tool]
    /// fn label(
    ///     /// The label.
    ///     name: String,
    ///     /// How important it is.
    ///     #[tool(default = 3)]
    ///     weight: u8,
    /// ) -> String {
    ///     format!("{name}: {weight}")
    /// }
    ///
    /// let session = Toolbox::builder().tool(LabelTool).for_provider(Dialect::OPENAI_STRICT).build()?.session();
    /// assert!(session.definitions().to_string().contains(r#""required":["name","weight"]"#));
    /// let outcome = pollster::block_on(session.call("call_1", "label", r#"{"name": "new", "weight": null}"#));
    /// assert_eq!(outcome.to_text(), "new: 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_provider(mut self, dialect: Dialect) -> Self {
        self.preferences.dialect = Some(dialect);
        self
    }

    /// Sets whether tools are advertised as strict, except for tools with a setting of their own ([`tool_definition_strictness`](Self::tool_definition_strictness)).
    /// The default is [`Plain`](Strictness::Plain), or [`Auto`](Strictness::Auto) for a strict dialect such as `openai-strict`.
    pub fn definition_strictness(mut self, strictness: Strictness) -> Self {
        self.preferences.strictness = Some(strictness);
        self
    }

    /// Sets whether one tool, given by its advertised name, is advertised as strict. If the tool has to be [`Strict`](Strictness::Strict)
    /// but cannot be strict, [`build`](Self::build) returns an error that lists every reason.
    ///
    /// ```
    /// use tool_runtime::toolbox::Strictness;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Stores any value.
    /// #[tool]
    /// fn store(
    ///     /// The value.
    ///     value: serde_json::Value,
    /// ) -> String {
    ///     value.to_string()
    /// }
    ///
    /// let builder = Toolbox::builder().tool(StoreTool).tool_definition_strictness("store", Strictness::Strict);
    /// let error = builder.build().err().ok_or("any value is never strict")?;
    /// assert_eq!(error.errors()[0].to_string(), "`store` cannot be strict for `openai`: value: accepts any value");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn tool_definition_strictness(mut self, tool: impl Into<String>, strictness: Strictness) -> Self {
        self.preferences.of.push((tool.into(), strictness));
        self
    }

    /// Says that `null` means the same as an absent key for each optional parameter that accepts both, in all tools that have a JSON Schema
    /// instead of a type, such as the tools of an MCP server. By default, the two are different, so a tool with such a parameter has no
    /// strict form for providers that require every parameter. With this setting, it has one, and each `null` for such a parameter is removed
    /// from the arguments of a call.
    pub fn null_is_absent(mut self) -> Self {
        self.preferences.null_is_absent = true;
        self
    }

    /// Says for one tool, given by its advertised name, that [`null` means the same as an absent key](Self::null_is_absent).
    pub fn tool_null_is_absent(mut self, tool: impl Into<String>) -> Self {
        self.preferences.tool_null_is_absent.push(tool.into());
        self
    }

    /// Sets the order in which tools become strict if a provider limits the number of strict tools in a request: the named tools in this
    /// order, then the other tools in the order of registration. Tools that have to be [`Strict`](Strictness::Strict) come before all
    /// others.
    pub fn strict_priority<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.preferences.first = tools.into_iter().map(Into::into).collect();
        self
    }
}
