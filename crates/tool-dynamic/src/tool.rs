//! [`DynamicTool`]: a schema and a handler.
//!
//! Invariant: the handler only runs with arguments that the schema accepts, and receives them unchanged.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde_json::{Map, Value};
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::throttle::LimitOverrides;
use tool_runtime::tool::{Annotations, Answer, AnswerOrFuture, CallError, DisplayMetadata, Payload, Tool, ToolSpec};
use tool_runtime::tool_schema::decode::Rejected;
use tool_runtime::tool_schema::shape::Text;
use tool_runtime::{CallContext, tool::DecodedArguments};

use super::validate::Numbers;
use super::{InputSchema, InputSchemaBuilder, RawSchema, SchemaError, UnknownFields, output};
use crate::private::decode;
use crate::private::no_handler_error;

/// A tool whose schema is only known at run time.
///
/// The handler receives the arguments as an object, and the context of the call. It returns any type that is `Into<Value>`, or any error.
/// For a `String`, the model reads exactly this text, and for `()` it reads `done`. A [`ToolError`](tool_runtime::ToolError) can tell the
/// model how to continue.
///
/// If some providers reject the name (`svc.tool`, or a name of 80 characters), the tool is advertised under its [portable
/// name](tool_runtime::tool::portable_name). Calls under the original name reach the tool too.
///
/// ```
/// use serde_json::{Map, Value};
/// use tool_dynamic::DynamicTool;
/// use tool_runtime::{CallContext, ToolError, Toolbox};
///
/// let schema = r#"{
///     "type": "object",
///     "properties": {"city": {"type": "string", "description": "City and country."}},
///     "required": ["city"]
/// }"#;
/// let weather = DynamicTool::new("get_weather", "Current weather.", schema, |arguments: Map<String, Value>, _: CallContext| async move {
///     let city = arguments["city"].as_str().unwrap_or_default();
///     if city == "Atlantis" { Err(ToolError::new("The city is under water.")) } else { Ok(format!("{city}: 22 °C")) }
/// })?;
///
/// # pollster::block_on(async {
/// let session = Toolbox::builder().tool(weather).build()?.session();
/// let outcome = session.call("call_1", "get_weather", r#"{"city": "Paris"}"#).await;
/// assert_eq!(outcome.to_text(), "Paris: 22 °C");
///
/// let outcome = session.call("call_2", "get_weather", r#"{"city": 5}"#).await;
/// assert!(outcome.to_text().contains("city must be a string"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// # }).map_err(|error| error.to_string())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DynamicTool {
    spec: ToolSpec,
    schema: InputSchema,
    handler: Handler,
}

/// A builder of a tool, created by [`DynamicTool::builder`]. Setting the handler builds the tool.
///
/// ```
/// use serde_json::{Map, Value};
/// use tool_dynamic::{DynamicTool, UnknownFields};
/// use tool_runtime::{CallContext, Toolbox};
///
/// let zone = |arguments: Map<String, Value>, _: &CallContext| Ok::<_, String>(format!("noon in {}", arguments["zone"]));
/// let now = DynamicTool::builder("now", "The time of day.", r#"{"properties": {"zone": {"type": "string"}}, "required": ["zone"]}"#)
///     .unknown_fields(UnknownFields::Reject)
///     .alias("clock.now")
///     .sync_handler(zone)?;
/// let session = Toolbox::builder().tool(now).build()?.session();
/// # pollster::block_on(async {
/// assert_eq!(session.call("call_1", "clock.now", r#"{"zone": "UTC"}"#).await.to_text(), r#"noon in "UTC""#);
/// let rejected = session.call("call_2", "now", r#"{"zone": "UTC", "place": "Rome"}"#).await;
/// assert_eq!(rejected.failure().map(|failure| failure.issues()[0].path.to_string()).as_deref(), Some("place"));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "nothing is read before a handler is given"]
pub struct DynamicToolBuilder<'a> {
    name: Text,
    aliases: Vec<Text>,
    description: Text,
    schema: InputSchemaBuilder<'a>,
    annotations: Annotations,
    display_metadata: DisplayMetadata,
    output: Option<RawSchema<'a>>,
    throttle: LimitOverrides,
}

type Running = Pin<Box<dyn Future<Output = Answer> + Send>>;

type AtOnce = dyn Fn(Map<String, Value>, &CallContext) -> Answer + Send + Sync;
type Later = dyn Fn(Map<String, Value>, CallContext) -> Running + Send + Sync;

enum Handler {
    Sync(Box<AtOnce>),
    Async(Box<Later>),
    /// No handler: the host answers the calls.
    External,
}

impl DynamicTool {
    /// Creates a tool with an async handler and default settings.
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    pub fn new<'a, H, F, T, E>(
        name: impl Into<Text>,
        description: impl Into<Text>,
        schema: impl Into<RawSchema<'a>>,
        handler: H,
    ) -> Result<Self, SchemaError>
    where
        H: Fn(Map<String, Value>, CallContext) -> F + Send + Sync + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
        T: Into<Value>,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self::builder(name, description, schema).handler(handler)
    }

    /// Returns a builder for a tool with other settings.
    pub fn builder<'a>(
        name: impl Into<Text>,
        description: impl Into<Text>,
        schema: impl Into<RawSchema<'a>>,
    ) -> DynamicToolBuilder<'a> {
        DynamicToolBuilder {
            name: name.into(),
            aliases: Vec::new(),
            description: description.into(),
            schema: InputSchema::builder(schema),
            annotations: Annotations::NONE,
            display_metadata: DisplayMetadata::NONE,
            output: None,
            throttle: LimitOverrides::NONE,
        }
    }

    /// Returns the schema of the arguments.
    pub fn schema(&self) -> &InputSchema {
        &self.schema
    }

    /// Returns the numbers that are accepted. A host that answers the calls itself gets the text of the arguments.
    fn numbers(&self) -> Numbers {
        if matches!(self.handler, Handler::External) { Numbers::All } else { Numbers::InRange }
    }
}

impl<'a> DynamicToolBuilder<'a> {
    /// Sets the treatment of keys that the schema does not list; see [`UnknownFields`].
    pub fn unknown_fields(mut self, unknown: UnknownFields) -> Self {
        self.schema = self.schema.unknown_fields(unknown);
        self
    }

    /// Sets whether `format` is checked; see [`InputSchemaBuilder::assert_formats`](super::InputSchemaBuilder::assert_formats).
    pub fn assert_formats(mut self, assert: bool) -> Self {
        self.schema = self.schema.assert_formats(assert);
        self
    }

    /// Adds another name under which the tool can be called. The model is not shown this name.
    pub fn alias(mut self, name: impl Into<Text>) -> Self {
        self.aliases.push(name.into());
        self
    }

    /// Sets the annotations, which describe the effects of a call.
    pub fn annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Sets the schema of the results, which may be of any JSON type. The schema is parsed when the tool is built. If the toolbox has an
    /// [`output_check`](tool_runtime::toolbox::ToolboxBuilder::output_check), a result that does not match the schema gets a warning.
    /// Definitions for MCP contain the schema only if it describes an object, because revisions of the protocol before 2026 do not accept
    /// other schemas. `ToolSpec::output` contains the schema in any case.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_dynamic::{DynamicTool, JsonSchemaOutputCheck};
    /// use tool_runtime::Toolbox;
    ///
    /// let primes = DynamicTool::builder("primes", "Lists primes.", "{}")
    ///     .output_schema(r#"{"type": "array", "items": {"type": "integer"}}"#)
    ///     .sync_handler(|_, _| Ok::<_, String>(json!([2, 3, "5"])))?;
    /// let session = Toolbox::builder().tool(primes).output_check(JsonSchemaOutputCheck).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "primes", "{}"));
    /// assert_eq!(outcome.warnings(), ["Result does not fit its output schema at: /2."]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn output_schema(mut self, schema: impl Into<RawSchema<'a>>) -> Self {
        self.output = Some(schema.into());
        self
    }

    /// Sets how the tool is shown to people.
    pub fn display_metadata(mut self, display_metadata: DisplayMetadata) -> Self {
        self.display_metadata = display_metadata;
        self
    }

    /// Sets throttle rules for this tool, which override those of the toolbox.
    ///
    /// ```
    /// use tool_dynamic::DynamicTool;
    /// use tool_runtime::throttle::LimitOverrides;
    /// use tool_runtime::tool::Tool;
    ///
    /// let status = DynamicTool::builder("build_status", "The state of the build.", "{}")
    ///     .throttle(LimitOverrides::NONE.polling())
    ///     .sync_handler(|_, _| Ok::<_, String>("running"))?;
    /// assert_eq!(status.spec().throttle, LimitOverrides::NONE.polling());
    /// # Ok::<(), tool_dynamic::SchemaError>(())
    /// ```
    pub fn throttle(mut self, overrides: LimitOverrides) -> Self {
        self.throttle = overrides;
        self
    }

    /// Builds the tool with an async handler.
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    pub fn handler<H, F, T, E>(self, handler: H) -> Result<DynamicTool, SchemaError>
    where
        H: Fn(Map<String, Value>, CallContext) -> F + Send + Sync + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
        T: Into<Value>,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        self.build(Handler::Async(Box::new(move |arguments, cx| {
            let running = handler(arguments, cx);
            Box::pin(async move { answer(running.await) })
        })))
    }

    /// Builds the tool with a synchronous handler, which runs on the calling thread.
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    pub fn sync_handler<H, T, E>(self, handler: H) -> Result<DynamicTool, SchemaError>
    where
        H: Fn(Map<String, Value>, &CallContext) -> Result<T, E> + Send + Sync + 'static,
        T: Into<Value>,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        self.build(Handler::Sync(Box::new(move |arguments, cx| answer(handler(arguments, cx)))))
    }

    /// Builds the tool with an async handler that returns an [`Answer`]: a result of [several parts](tool_runtime::tool::ContentParts), or any
    /// [`CallError`].
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    ///
    /// ```
    /// use tool_dynamic::DynamicTool;
    /// use tool_runtime::Toolbox;
    /// use tool_runtime::tool::{Content, ContentParts, Payload};
    ///
    /// let chart = DynamicTool::builder("chart", "Draws a chart.", "{}").answer_handler(|_, _| async {
    ///     Ok(Payload::Parts(ContentParts::from_parts([Content::text("Sales:"), Content::image("image/png", [0; 20_000])])))
    /// })?;
    /// let session = Toolbox::builder().tool(chart).build()?.session();
    /// let outcome = pollster::block_on(session.call("call_1", "chart", "{}"));
    /// assert_eq!(outcome.to_text(), "Sales:\n[image/png, 20.0 kB, not shown]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_handler<H, F>(self, handler: H) -> Result<DynamicTool, SchemaError>
    where
        H: Fn(Map<String, Value>, CallContext) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        self.build(Handler::Async(Box::new(move |arguments, cx| Box::pin(handler(arguments, cx)))))
    }

    /// Builds the tool without a handler, for calls that a front end or a human answers. Every call is checked, repaired if necessary, and
    /// deferred. Answer it with [`Session::complete`](tool_runtime::Session::complete); see
    /// [`ExternalTool`](tool_runtime::tool::ExternalTool).
    ///
    /// # Errors
    ///
    /// Fails if the schema is not valid. The error is about the first issue, and contains its location.
    ///
    /// ```
    /// use tool_runtime::Toolbox;
    /// use tool_dynamic::DynamicTool;
    ///
    /// # pollster::block_on(async {
    /// let schema = r#"{"type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"]}"#;
    /// let ask_user = DynamicTool::builder("ask_user", "Asks the user.", schema).external()?;
    /// let session = Toolbox::builder().tool(ask_user).build()?.session();
    /// assert!(session.call("call_1", "ask_user", r#"{"question": "Which colour?"}"#).await.is_deferred());
    /// assert_eq!(session.complete("call_1", "Blue.")?.to_text(), "Blue.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn external(self) -> Result<DynamicTool, SchemaError> {
        self.build(Handler::External)
    }

    fn build(self, handler: Handler) -> Result<DynamicTool, SchemaError> {
        let schema = self.schema.parse()?;
        let mut spec = ToolSpec::new(self.name, self.description, schema.shape()).aliases(self.aliases).portable();
        spec.declared_schema = Some(schema.declared());
        spec.settings.annotations = self.annotations;
        spec.display_metadata = self.display_metadata;
        spec.throttle = self.throttle;
        spec.output = self.output.as_ref().map(output::read).transpose()?;
        spec.external = matches!(handler, Handler::External);
        Ok(DynamicTool { spec, schema, handler })
    }
}

fn answer<T: Into<Value>, E: Into<Box<dyn Error + Send + Sync>>>(result: Result<T, E>) -> Answer {
    match result.map(Into::into) {
        Ok(Value::Null) => Ok(Payload::Done),
        Ok(Value::String(text)) => Ok(Payload::Text(text)),
        Ok(value) => Payload::json(&value),
        Err(error) => Err(CallError::Failed(error.into())),
    }
}

impl Tool for DynamicTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        let decoded = self.schema.decode_or_reject(arguments.as_borrowed(), self.numbers());
        decoded.map(drop).map_err(|rejected| rejected.into_error())
    }

    fn prepare<'a>(&self, arguments: &Arguments<'a>) -> Result<Option<DecodedArguments>, Box<Rejected<'a>>> {
        let decoded = self.schema.decode_or_reject(arguments.as_borrowed(), self.numbers());
        decoded
            .map(|arguments| Some(DecodedArguments::new(arguments)))
            .map_err(|rejected| Box::new(decode::carried(*rejected).into()))
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let arguments = match cx.take_decoded_arguments(&arguments) {
            Some(arguments) => arguments,
            None => match self.schema.decode_or_reject(arguments, self.numbers()) {
                Ok(arguments) => arguments,
                Err(rejected) => return AnswerOrFuture::Rejected(rejected),
            },
        };
        match &self.handler {
            Handler::Sync(handler) => AnswerOrFuture::Ready(handler(arguments, cx)),
            Handler::Async(handler) => AnswerOrFuture::Pending(handler(arguments, cx.clone())),
            Handler::External => AnswerOrFuture::Ready(Err(no_handler_error())),
        }
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool").field("spec", &self.spec).finish_non_exhaustive()
    }
}

impl fmt::Debug for DynamicToolBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicToolBuilder").field("name", &self.name).finish_non_exhaustive()
    }
}
