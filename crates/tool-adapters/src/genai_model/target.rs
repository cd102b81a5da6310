//! The model and the address of requests: [`Target`].
//!
//! Invariant: for the host's own server, the model name is sent unchanged. Otherwise, genai would interpret the end of `mistral-medium` as
//! a reasoning effort.

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ModelSpec, ServiceTarget};
use serde_json::{Map, Value};
use tool_runtime::Dialect;

use super::definitions::Api;

#[derive(Clone)]
pub(super) enum Target {
    /// A model whose address and key genai resolves from its name.
    Named { name: String, kind: AdapterKind },
    /// A model of a server that is compatible with `OpenAI`'s chat completions.
    Served { name: String, base: String, auth: AuthData },
}

impl Target {
    pub(super) fn named(name: String, bound: Option<AdapterKind>) -> Self {
        // If the provider cannot be derived from the name, genai reports the error.
        let kind = bound.or_else(|| AdapterKind::from_model(&name).ok()).unwrap_or(AdapterKind::OpenAI);
        Self::Named { name, kind }
    }

    pub(super) fn served(endpoint: &str, name: &str, key: Option<&str>) -> Self {
        let (path, query) = match endpoint.split_once('?') {
            Some((path, query)) => (path, format!("?{query}")),
            None => (endpoint, String::new()),
        };
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let auth = match key {
            Some(key) => AuthData::from_single(key),
            // This is the only way in which genai sends a request without a key.
            None => AuthData::RequestOverride {
                url: format!("{path}/chat/completions{query}"),
                headers: Headers::default(),
            },
        };
        Self::Served { name: name.to_owned(), base: format!("{path}/{query}"), auth }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Named { name, .. } | Self::Served { name, .. } => name,
        }
    }

    /// Returns `true` for a model of a provider that genai knows.
    pub(super) const fn is_known(&self) -> bool {
        matches!(self, Self::Named { .. })
    }

    pub(super) const fn kind(&self) -> AdapterKind {
        match self {
            Self::Named { kind, .. } => *kind,
            Self::Served { .. } => AdapterKind::OpenAI,
        }
    }

    pub(super) fn spec(&self) -> ModelSpec {
        match self {
            Self::Named { name, .. } => name.into(),
            Self::Served { name, base, auth } => ModelSpec::Target(ServiceTarget {
                endpoint: Endpoint::from_owned(base.as_str()),
                auth: auth.clone(),
                model: ModelIden::new(AdapterKind::OpenAI, name.as_str()),
            }),
        }
    }

    /// Adds the options that keep the model name unchanged, and the keys that replace genai's keys in the request body.
    pub(super) fn options(&self, options: ChatOptions, mut body: Map<String, Value>) -> ChatOptions {
        let options = match self {
            Self::Named { .. } => options,
            // In this dialect, genai sends nothing for a reasoning budget. Setting one prevents that genai derives an effort from the name.
            Self::Served { name, .. } => {
                body.insert("model".to_owned(), name.as_str().into());
                options.with_reasoning_effort(ReasoningEffort::Budget(0))
            }
        };
        if body.is_empty() { options } else { options.with_extra_body(Value::Object(body)) }
    }

    /// Returns `true` if the provider is known to accept the request for a typed answer, and genai sends it.
    pub(super) const fn has_answer_forms(&self) -> bool {
        use AdapterKind::{Anthropic, Gemini, Mistral, OpenAI, OpenAIResp};
        self.is_known() && matches!(self.kind(), OpenAI | OpenAIResp | Anthropic | Mistral | Gemini)
    }

    /// Returns the API that genai uses for the model.
    pub(super) fn api(&self) -> Api {
        Api::of(self.kind(), self.name())
    }

    /// Returns `true` if the provider can load deferred definitions for the model, and genai sends them.
    pub(super) fn defers(&self) -> bool {
        self.api().defers(self.name())
    }

    /// Returns the dialect of the provider, without strictness.
    pub(super) fn dialect(&self) -> Dialect {
        if self.kind() == AdapterKind::Mistral { Dialect::MISTRAL } else { self.api().dialect() }
    }
}
