//! Which model answers: a server that the environment names, or the script of the example.
//!
//! In: `AGENT_ENDPOINT`, `AGENT_MODEL` and, where the server wants one, `AGENT_KEY`. Out: a model. What always holds: half a setting is an
//! error and not the script, so nobody takes a rehearsal for the real thing; the key is never printed.

use std::fmt;
use std::sync::Arc;

use tool_adapters::GenAi;
use tool_chat::model::ChatModel;

/// What the help of both programs says about it.
pub const VARIABLES: &str = "AGENT_ENDPOINT and AGENT_MODEL name a server that speaks like OpenAI's chat completions and one of its models; \
     AGENT_KEY is sent as the key.";

/// A server that speaks the form of `OpenAI`.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    model: String,
    key: Option<String>,
}

/// What is wrong with the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// One of the two is set without the other.
    Half {
        /// The one that is set.
        there: &'static str,
        /// The one that is not.
        missing: &'static str,
    },
    /// The endpoint is no address of a server.
    NoAddress,
}

impl Endpoint {
    /// The server that the environment names; `None` where it names none.
    ///
    /// # Errors
    ///
    /// Where only one of the two variables is set, and where the endpoint is no address.
    pub fn from_env() -> Result<Option<Self>, Unusable> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// The same from any variables.
    ///
    /// ```
    /// use agents::endpoint::Endpoint;
    ///
    /// assert_eq!(Endpoint::from_variables(|_| None), Ok(None));
    /// let half = Endpoint::from_variables(|name| (name == "AGENT_MODEL").then(|| "small".to_owned()));
    /// let said = half.map_err(|error| error.to_string());
    /// assert_eq!(said, Err("AGENT_MODEL is set, so AGENT_ENDPOINT has to be set too".to_owned()));
    /// ```
    ///
    /// # Errors
    ///
    /// Where only one of the two variables is set, and where the endpoint is no address.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, Unusable> {
        let variable = |name| variable(name).filter(|value| !value.trim().is_empty());
        match (variable("AGENT_ENDPOINT"), variable("AGENT_MODEL")) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(Unusable::Half { there: "AGENT_ENDPOINT", missing: "AGENT_MODEL" }),
            (None, Some(_)) => Err(Unusable::Half { there: "AGENT_MODEL", missing: "AGENT_ENDPOINT" }),
            (Some(url), Some(_)) if !is_address(&url) => Err(Unusable::NoAddress),
            (Some(url), Some(model)) => Ok(Some(Self { url, model, key: variable("AGENT_KEY") })),
        }
    }

    /// The model behind it.
    pub fn model(&self) -> GenAi {
        GenAi::openai_compatible(&self.url, &self.model, self.key.as_deref())
    }
}

/// The model that answers: the server's, or else the script's.
pub fn model<M: ChatModel + 'static>(endpoint: Option<&Endpoint>, script: impl FnOnce() -> M) -> Arc<dyn ChatModel> {
    match endpoint {
        Some(endpoint) => Arc::new(endpoint.model()),
        None => Arc::new(script()),
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("model", &self.model).finish_non_exhaustive()
    }
}

/// Whether it is what a client can ask; `localhost:11434` alone is none, because nobody says how to speak there.
fn is_address(url: &str) -> bool {
    let host = ["http://", "https://"].into_iter().find_map(|scheme| url.trim().strip_prefix(scheme));
    host.is_some_and(|host| host.starts_with(|first: char| first.is_alphanumeric() || first == '['))
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Half { there, missing } => write!(f, "{there} is set, so {missing} has to be set too"),
            Self::NoAddress => f.write_str(
                "AGENT_ENDPOINT has to be an address with http:// or https://, such as http://localhost:11434/v1",
            ),
        }
    }
}

impl std::error::Error for Unusable {}
