//! A chat model over the `genai` client: [`GenAi`].
//!
//! genai chooses the dialect, the address and the key, and sends the request. Answers in dialects that send arguments as text are parsed
//! here, because genai drops the whole answer if the arguments are not valid JSON. Answers pass through a relay that limits their size,
//! because genai reads without a limit.

mod answer_limits;
mod call_ids;
mod chat_completions;
mod chat_model;
mod convert_answer;
mod convert_error;
mod definitions;
mod load_deferred_definitions;
mod request;
mod responses_api_parser;
mod result_media;
mod retry_after;
mod size_limiting_relay;
mod sse_parser;
mod stop_reason;
mod stream;
mod target;
mod thought_signatures;

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use genai::adapter::AdapterKind;
use genai::{Client, ClientConfig, Error, ModelSpec};
use serde_json::{Map, Value};
use tool_chat::model::{ModelError, ModelErrorKind, Request, Response};

use self::answer_limits::{Bounded, Framing, Limits};
use self::call_ids::UniqueCallIds;
use self::load_deferred_definitions::DeferredLoading;
use self::result_media::Media;
use self::size_limiting_relay::Relay;
use self::target::Target;

/// A chat model over the `genai` client. Clones share the same client.
///
/// Its futures must run within a tokio runtime. Without one, every request fails.
///
/// ```
/// use tool_adapters::GenAi;
///
/// // By its name, with the key that genai finds in the environment: `ANTHROPIC_API_KEY` here.
/// let hosted = GenAi::new("claude-sonnet-4-5");
/// // Any server with an API like OpenAI's chat completions.
/// let local = GenAi::openai_compatible("http://127.0.0.1:8080/v1", "qwen3", None);
/// # let _ = (hosted, local);
/// ```
///
/// [`ChatModel::dialect`](tool_chat::model::ChatModel::dialect) returns the plain dialect of the provider, in which a conversation
/// advertises its tools unless another dialect was
/// [chosen for the toolbox](tool_runtime::toolbox::ToolboxBuilder::for_provider). Definitions in this dialect are sent unchanged, and so
/// are strict ones, with two exceptions. For the Gemini Interactions API, they are sent in its own flat form, with the schema of the
/// dialect. For Bedrock, Claude on Vertex AI and `MiniMax` on `OpenCode` Go, strict definitions are sent without `strict`, because genai
/// does not read `extra_body` there, and would rewrite the schema if it sent `strict` itself. Your own server is assumed to be compatible
/// with `OpenAI`'s API. If it constrains the output of the model, choose `Dialect::VLLM_STRICT` for the toolbox.
///
/// ```
/// use tool_adapters::GenAi;
/// use tool_chat::model::ChatModel;
/// use tool_runtime::Dialect;
///
/// assert_eq!(GenAi::new("claude-sonnet-4-5").dialect(), Dialect::ANTHROPIC);
/// assert_eq!(GenAi::new("gemini-2.5-flash").dialect(), Dialect::GEMINI);
/// ```
#[derive(Clone)]
pub struct GenAi {
    /// The way to the provider, or the error if TLS cannot be set up, which every request returns.
    client: Result<Route, ModelError>,
    target: Target,
    limits: Limits,
    media: Media,
    /// `true` if a typed answer is requested in the form of the provider.
    answer_forms: bool,
    /// The keys for the request body that were set with [`GenAi::extra_body`].
    body: Map<String, Value>,
    calls: Arc<UniqueCallIds>,
}

/// A way to send requests to a provider.
#[derive(Clone)]
enum Route {
    /// A client that the host created. The size of its answers is not limited.
    Direct(Client),
    /// A relay that limits the size of answers.
    Relayed {
        /// The configuration, which resolves addresses and keys.
        config: Box<ClientConfig>,
        /// The client between genai and the relay.
        client: Client,
        /// The client between the relay and the provider.
        http: reqwest::Client,
    },
}

impl GenAi {
    /// Creates a model from its name.
    ///
    /// genai derives the provider from the name, and reads the key from the environment variable of that provider: `OPENAI_API_KEY`,
    /// `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` and so on. Write `provider::name` to choose the provider explicitly. If genai does not know
    /// the name, it requests the model from a local Ollama server.
    pub fn new(model: impl Into<String>) -> Self {
        Self::from_config(ClientConfig::default(), model)
    }

    /// Creates a model of a server that is compatible with `OpenAI`'s chat completions.
    ///
    /// The endpoint is the base URL, as in other clients: `https://api.openai.com/v1`. If `key` is `None`, requests are sent without a key.
    /// The model name is sent unchanged.
    pub fn openai_compatible(endpoint: &str, model: &str, key: Option<&str>) -> Self {
        Self::over(relayed(ClientConfig::default()), Target::served(endpoint, model, key))
    }

    /// Creates a model from its name, with a configuration of genai: resolvers, headers, timeouts, or a proxy.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tool_adapters::{GenAi, genai::{ClientConfig, WebConfig}};
    ///
    /// let web = WebConfig::default().with_connect_timeout(Duration::from_secs(5));
    /// let model = GenAi::from_config(ClientConfig::default().with_web_config(web), "claude-sonnet-4-5");
    /// # let _ = model;
    /// ```
    pub fn from_config(config: ClientConfig, model: impl Into<String>) -> Self {
        let target = Target::named(model.into(), config.adapter_kind());
        Self::over(relayed(config), target)
    }

    /// Creates a model from its name, with your own client. Use this for settings that [`ClientConfig`] does not have, such as
    /// certificates. Two options of the client have no effect, because the adapter replaces them and cannot read them: a raw-frame sink
    /// receives nothing from streams, and an `extra_body` is not sent with tools. Use [`extra_body`](Self::extra_body) instead.
    ///
    /// Such a client reads answers without a limit, because genai has no hook for limits: [`max_event_bytes`](Self::max_event_bytes) and
    /// [`max_stream_bytes`](Self::max_stream_bytes) do not apply. A server that never ends a line can keep the program busy beyond the time
    /// limit of a turn. So use your own client only for servers that you trust, and [`from_config`](Self::from_config) for all others.
    ///
    /// ```
    /// use tool_adapters::{GenAi, genai::Client};
    ///
    /// let model = GenAi::from_client(Client::new()?, "claude-sonnet-4-5");
    /// # let _ = model;
    /// # Ok::<(), tool_adapters::genai::Error>(())
    /// ```
    pub fn from_client(client: Client, model: impl Into<String>) -> Self {
        let bound = client.adapter_kind();
        Self::over(Ok(Route::Direct(client)), Target::named(model.into(), bound))
    }

    /// Sets the maximum size of one event of a stream, in bytes. The default is 4 MiB.
    ///
    /// An answer that is not a stream counts as one event. If an event is longer, the request fails with the kind
    /// [`Malformed`](ModelErrorKind::Malformed).
    #[must_use]
    pub fn max_event_bytes(mut self, bytes: usize) -> Self {
        self.limits.event = bytes;
        self
    }

    /// Sets the maximum size of all events of a stream together, in bytes. The default is 64 MiB.
    ///
    /// A longer stream ends with an error of the kind [`Malformed`](ModelErrorKind::Malformed).
    #[must_use]
    pub fn max_stream_bytes(mut self, bytes: usize) -> Self {
        self.limits.stream = bytes;
        self
    }

    /// Adds keys to the body of every request, such as an option that genai does not know. They replace keys that genai writes. The
    /// `extra_body` in the options of a [configuration](Self::from_config) is sent too, but the keys that you add here replace its keys.
    ///
    /// A list under `tools`, for example with a tool that the provider runs, is appended to the definitions of the session. Any other value
    /// under `tools` is dropped if the request has definitions. The keys are not sent to Ollama, Bedrock, Cohere, Claude on Vertex AI and
    /// `MiniMax` on `OpenCode` Go, because genai's adapters for them do not read `extra_body`.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_adapters::GenAi;
    ///
    /// let search = json!({"type": "web_search_20250305", "name": "web_search"});
    /// let model = GenAi::new("claude-sonnet-4-5").extra_body([("tools", json!([search])), ("top_k", json!(5))]);
    /// # let _ = model;
    /// ```
    #[must_use]
    pub fn extra_body<K: Into<String>>(mut self, keys: impl IntoIterator<Item = (K, Value)>) -> Self {
        self.body.extend(keys.into_iter().map(|(key, value)| (key.into(), value)));
        self
    }

    /// Sets whether images in results are sent to the model, or described in words. By default, images are sent to models of `OpenAI`,
    /// Anthropic and Gemini that were created from their name, but not to other servers. Use `false` for a model that does not accept
    /// images, because its provider would reject the request.
    ///
    /// Images are sent after the answers, in a message of the user, because genai sends an answer to a call as text.
    #[must_use]
    pub fn images(mut self, are_sent: bool) -> Self {
        self.media.images = are_sent;
        self
    }

    /// Sets whether a [typed answer](tool_chat::conversation::Conversation::answer) is requested in the form of the provider. Otherwise, a
    /// tool stands for the answer. By default, the form is only used for models of `OpenAI`, Anthropic, Mistral and Gemini that were created
    /// from their name, because other servers may ignore or reject it. Choose the dialect of your server for the toolbox if you use `true`.
    #[must_use]
    pub fn answer_forms(mut self, are_used: bool) -> Self {
        self.answer_forms = are_used;
        self
    }

    fn over(client: Result<Route, ModelError>, target: Target) -> Self {
        let media = Media::of(target.kind(), target.is_known());
        let answer_forms = target.has_answer_forms();
        Self { client, target, limits: Limits::DEFAULT, media, answer_forms, body: Map::new(), calls: Arc::default() }
    }

    async fn answer(&self, request: Request<'_>) -> Result<Response, ModelError> {
        let (messages, options) =
            request::translate(request, &self.target, self.media, self.defers(), self.own_body())?;
        let options = options.with_capture_raw_body(true);
        let (client, spec, mut relay) = self.reach(&request, |_| Framing::Whole).await?;
        let mut chat = pin!(client.exec_chat(spec, messages, Some(&options)));
        let chat = poll_fn(|cx| {
            relay.poll(cx);
            chat.as_mut().poll(cx)
        });
        let response = match chat.await {
            Ok(chat) => match chat.captured_raw_body.as_ref().and_then(|body| read(body, &request)) {
                Some(response) => response?,
                None => convert_answer::parse_answer(chat, &self.calls)?,
            },
            Err(Error::ChatResponseGeneration { response_body, cause, .. }) => read(&response_body, &request)
                .unwrap_or_else(|| Err(convert_error::unreadable(&response_body, &cause)))?,
            Err(failed) => return Err(relay.reason(convert_error::model_error(failed))),
        };
        Ok(response)
    }

    /// Returns the keys that the host has set for the body of every request.
    fn own_body(&self) -> Map<String, Value> {
        let mut body = match &self.client {
            Ok(Route::Relayed { config, .. }) => {
                let body = config.chat_options().and_then(|options| options.extra_body.as_ref());
                body.and_then(Value::as_object).cloned().unwrap_or_default()
            }
            _ => Map::new(),
        };
        body.extend(self.body.clone());
        body
    }

    /// Returns `true` if the provider loads deferred definitions, because the relay makes answers load them.
    fn defers(&self) -> bool {
        matches!(self.client, Ok(Route::Relayed { .. })) && self.target.defers()
    }

    /// Returns the client, the target of the request, and the relay, which must be polled together with the request.
    async fn reach(
        &self,
        request: &Request<'_>,
        framing: fn(AdapterKind) -> Framing,
    ) -> Result<(&Client, ModelSpec, Relay), ModelError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(ModelError::new(ModelErrorKind::Transport, "there is no tokio runtime here"));
        }
        let spec = self.target.spec();
        match self.client.as_ref().map_err(Clone::clone)? {
            Route::Direct(client) => Ok((client, spec, Relay::default())),
            Route::Relayed { config, client, http } => {
                let mut target = config.resolve_model_spec(spec).await.map_err(convert_error::model_error)?;
                let events = Bounded::new(framing(target.model.adapter_kind), self.limits);
                let loading = if self.defers() {
                    DeferredLoading::of(request, self.target.api())
                } else {
                    DeferredLoading::default()
                };
                let relay = Relay::open(&mut target, http.clone(), events, loading).await?;
                Ok((client, ModelSpec::Target(target), relay))
            }
        }
    }
}

/// Parses an answer in one of the dialects that send arguments as text. Returns `None` for other dialects.
fn read(body: &Value, request: &Request<'_>) -> Option<Result<Response, ModelError>> {
    let search = definitions::search_name(request).unwrap_or_default();
    chat_completions::parse_answer(body).or_else(|| responses_api_parser::parse_answer(body, search))
}

fn relayed(config: ClientConfig) -> Result<Route, ModelError> {
    let built = |builder: reqwest::ClientBuilder| builder.build().map_err(|error| convert_error::unreachable(&error));
    let http = built(config.web_config().cloned().unwrap_or_default().apply_to_builder(reqwest::Client::builder()))?;
    // The client of the relay follows redirects and pools connections, so the local client must do neither.
    let local = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let mut client = Client::builder().with_reqwest(built(local.pool_max_idle_per_host(0))?);
    // Only the options are passed on, because the target is already resolved when the relay replaces it.
    if let Some(options) = config.chat_options() {
        client = client.with_chat_options(options.clone());
    }
    Ok(Route::Relayed { client: client.build().map_err(convert_error::model_error)?, config: Box::new(config), http })
}

impl fmt::Debug for GenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenAi").field("model", &self.target.name()).finish_non_exhaustive()
    }
}
