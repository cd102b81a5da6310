//! The settings for the provider to which the tools are advertised, and for the form of each tool.
//!
//! In: a dialect, and the requested forms. Out: the builder with these settings. Invariant: without a dialect, the
//! other settings have no effect.

use super::ToolboxBuilder;
use crate::toolbox::{Dialect, Strictness};

impl ToolboxBuilder {
    /// Advertises the tools in a provider's form. [`Session::renditions`](crate::Session::renditions) returns the definitions, and the
    /// arguments of calls are converted back into the form that each tool accepts. The guide [dialects](crate::_guides::dialects) helps to
    /// choose a dialect.
    ///
    /// [`build`](Self::build) renders every tool once. A tool that the provider would refuse is left out of the definitions, without
    /// affecting the others; its [rendition](tool_schema::dialect::Rendition) contains the reasons. A name that the provider refuses is
    /// replaced by its [portable name](crate::tool::portable_name), and a call may use either name.
    ///
    /// ```
    /// use tool_runtime::toolbox::Dialect;
    /// use tool_runtime::{Toolbox, tool};
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
    /// let openai = Dialect::named("openai-strict").ok_or("a dialect")?;
    /// let session = Toolbox::builder().tool(LabelTool).for_provider(openai).build()?.session();
    /// let tools = session.renditions().ok_or("a provider was chosen")?;
    /// assert!(tools.definitions().to_string().contains(r#""required":["name","weight"]"#));
    /// let outcome = pollster::block_on(session.call("call_1", "label", r#"{"name": "new", "weight": null}"#));
    /// assert_eq!(outcome.to_text(), "new: 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_provider(mut self, dialect: Dialect) -> Self {
        self.wishes.dialect = Some(dialect);
        self
    }

    /// Sets the form of all tools for which [`strictness_of`](Self::strictness_of) was not called. The default is
    /// [`Plain`](Strictness::Plain), or [`Auto`](Strictness::Auto) for a strict dialect such as `openai-strict`.
    pub fn strictness(mut self, strictness: Strictness) -> Self {
        self.wishes.strictness = Some(strictness);
        self
    }

    /// Sets the form of one tool, given by its advertised name. If a tool has to be [`Strict`](Strictness::Strict) but has no strict form,
    /// [`build`](Self::build) returns an error that lists every reason.
    ///
    /// ```
    /// use tool_runtime::toolbox::{Dialect, Strictness};
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
    /// let openai = Dialect::named("openai").ok_or("a dialect")?;
    /// let builder = Toolbox::builder().tool(StoreTool).for_provider(openai).strictness_of("store", Strictness::Strict);
    /// let error = builder.build().err().ok_or("any value is never strict")?;
    /// assert_eq!(error.problems()[0].to_string(), "`store` cannot be strict for `openai`: value: accepts any value");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn strictness_of(mut self, tool: impl Into<String>, strictness: Strictness) -> Self {
        self.wishes.of.push((tool.into(), strictness));
        self
    }

    /// Sets the order in which tools become strict if a provider limits the number of strict tools in a request: the named tools in this
    /// order, then the other tools in the order of registration. Tools that have to be [`Strict`](Strictness::Strict) come before all
    /// others.
    pub fn strict_first<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.wishes.first = tools.into_iter().map(Into::into).collect();
        self
    }
}
