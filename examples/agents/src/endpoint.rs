//! The choice of the model: a server that environment variables name, or the script of the example.
//!
//! The variables are `AGENT_ENDPOINT`, `AGENT_MODEL` and, if the server needs a key, `AGENT_KEY`.
//!
//! Invariants: if only some of the variables are set, that is an error. The script is not selected in this case, so nobody mistakes a
//! scripted answer for a real one. The key is never printed.

use std::fmt;
use std::sync::Arc;

use tool_adapters::GenAi;
use tool_chat::model::ChatModel;

/// The text about these variables in the help of both programs.
pub const VARIABLES: &str = "AGENT_ENDPOINT and AGENT_MODEL name a server with an API like OpenAI's chat completions and one of its models; \
     AGENT_KEY is sent as the API key. An endpoint with https:// needs a program that was built with --features https.";

/// A server that is compatible with `OpenAI`'s chat completions.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    model: String,
    key: Option<String>,
}

/// The mistake in the variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Only one of the two variables is set.
    Half {
        /// The variable that is set.
        there: &'static str,
        /// The variable that is missing.
        missing: &'static str,
    },
    /// The endpoint is not an HTTP address.
    NoAddress,
}

impl Endpoint {
    /// Returns the server that the environment variables name, or `None` if they are not set.
    ///
    /// # Errors
    ///
    /// Returns an error if only one of the two variables is set, or if the endpoint is not an HTTP address.
    pub fn from_env() -> Result<Option<Self>, Unusable> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// Returns the server that variables name. `variable` returns the value of a variable.
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
    /// Returns an error if only one of the two variables is set, or if the endpoint is not an HTTP address.
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

    /// Returns the chat model of the server.
    pub fn model(&self) -> GenAi {
        GenAi::openai_compatible(&self.url, &self.model, self.key.as_deref())
    }
}

/// Returns the model of the server if there is one, or else the scripted model.
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

/// Returns `true` for an HTTP address. `localhost:11434` is not an HTTP address, because the protocol is missing.
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
