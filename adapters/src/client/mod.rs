//! A chat model over the `genai` client: [`GenAi`].
//!
//! In: a request of the runtime. Out: the answer of a provider in the runtime's words. What always holds: genai chooses the dialect, the
//! address and the key, and makes the request; where an answer has the arguments of calls as text, it is read here, because genai parses
//! them and drops the whole answer when they are not valid JSON.

mod answer;
mod chat_completions;
mod error;
mod events;
mod numbered;
mod request;
mod responses;
mod retry;
mod stream;
mod target;
mod thoughts;

use std::fmt;
use std::sync::Arc;

use genai::adapter::AdapterKind;
use genai::{Client, Error};
use tool_runtime::Format;
use tool_runtime::model::{
    ChatModel, Completion, DeltaStream, ModelError, ModelErrorKind, Request, Response, StopReason,
};

use self::numbered::Numbered;
use self::target::Target;

/// A chat model over the `genai` client. Clones are the same model.
///
/// It has to be awaited within a tokio runtime; elsewhere every answer is an error.
///
/// ```
/// use tool_adapters::GenAi;
///
/// // By its name, with the key that genai finds in the environment: `ANTHROPIC_API_KEY` here.
/// let hosted = GenAi::new("claude-sonnet-4-5");
/// // Whatever speaks like OpenAI's chat completions.
/// let local = GenAi::openai_compatible("http://127.0.0.1:8080/v1", "qwen3", None);
/// # let _ = (hosted, local);
/// ```
#[derive(Clone)]
pub struct GenAi {
    /// Building it fails where there is no TLS; that is told when somebody asks.
    client: Result<Client, ModelError>,
    target: Target,
    calls: Arc<Numbered>,
}

impl GenAi {
    /// A model by its name, at the provider that genai infers from it, with the key in the variable that genai reads for that
    /// provider: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` and so on. `provider::name` says the provider; a name that
    /// genai does not know is a model of the local Ollama.
    ///
    /// ```
    /// let model = tool_adapters::GenAi::new("gemini-2.5-flash");
    /// # let _ = model;
    /// ```
    pub fn new(model: impl Into<String>) -> Self {
        Self::over(build(), Target::named(model.into(), None))
    }

    /// A model of a server that speaks like `OpenAI`'s chat completions. The endpoint is the base of the address, as in other
    /// clients: `https://api.openai.com/v1`. Without a key none is sent. The name goes to the server as it is.
    ///
    /// ```
    /// let model = tool_adapters::GenAi::openai_compatible("http://127.0.0.1:11434/v1", "qwen3", None);
    /// # let _ = model;
    /// ```
    pub fn openai_compatible(endpoint: &str, model: &str, key: Option<&str>) -> Self {
        Self::over(build(), Target::served(endpoint, model, key))
    }

    /// A model by its name, over a client of the host's own making: with resolvers of keys and addresses, headers, timeouts. A sink
    /// for raw frames in the client's options learns nothing of streams, because the adapter has one of its own.
    ///
    /// ```
    /// use tool_adapters::{GenAi, genai::Client};
    ///
    /// let model = GenAi::with_client(Client::new()?, "claude-sonnet-4-5");
    /// # let _ = model;
    /// # Ok::<(), tool_adapters::genai::Error>(())
    /// ```
    pub fn with_client(client: Client, model: impl Into<String>) -> Self {
        let bound = client.adapter_kind();
        Self::over(Ok(client), Target::named(model.into(), bound))
    }

    fn over(client: Result<Client, ModelError>, target: Target) -> Self {
        Self { client, target, calls: Arc::default() }
    }

    async fn answer(&self, request: Request<'_>) -> Result<Response, ModelError> {
        let client = self.client()?;
        let (messages, options) = request::translate(request, &self.target)?;
        let options = options.with_capture_raw_body(true);
        let response = match client.exec_chat(self.target.spec(), messages, Some(&options)).await {
            Ok(chat) => match chat.captured_raw_body.as_ref().and_then(read) {
                Some(response) => response?,
                None => answer::whole(chat, &self.calls)?,
            },
            Err(Error::ChatResponseGeneration { response_body, cause, .. }) => {
                read(&response_body).unwrap_or_else(|| Err(error::unreadable(&response_body, &cause)))?
            }
            Err(failed) => return Err(error::model_error(failed)),
        };
        Ok(response)
    }

    /// The client, where it can be used.
    fn client(&self) -> Result<&Client, ModelError> {
        if tokio::runtime::Handle::try_current().is_err() {
            return Err(ModelError::new(ModelErrorKind::Transport, "there is no tokio runtime here"));
        }
        self.client.as_ref().map_err(Clone::clone)
    }
}

/// An answer in one of the dialects that have arguments as text; `None` where it is in another.
fn read(body: &serde_json::Value) -> Option<Result<Response, ModelError>> {
    chat_completions::whole(body).or_else(|| responses::whole(body))
}

fn build() -> Result<Client, ModelError> {
    Client::new().map_err(error::model_error)
}

/// Calls are calls, whatever a provider gives as its reason.
fn settled(stop: StopReason, has_calls: bool) -> StopReason {
    if has_calls && stop == StopReason::Finished { StopReason::ToolCalls } else { stop }
}

impl ChatModel for GenAi {
    fn complete<'a>(&'a self, request: Request<'a>) -> Completion<'a> {
        Box::pin(self.answer(request))
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        stream::pieces(self, request)
    }

    fn format(&self) -> Format {
        match self.target.kind() {
            AdapterKind::Anthropic => Format::Anthropic,
            AdapterKind::Gemini | AdapterKind::GeminiIx => Format::Gemini,
            _ => Format::OpenAi,
        }
    }
}

impl fmt::Debug for GenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenAi").field("model", &self.target.name()).finish_non_exhaustive()
    }
}
