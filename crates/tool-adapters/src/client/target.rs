//! Which model is asked, and where: [`Target`].
//!
//! In: a name, or an address with a name and a key. Out: what genai is to ask. What always holds: a name for a server of one's own goes
//! out as it is; genai would take the end of `mistral-medium` for an effort of reasoning.

use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ModelSpec, ServiceTarget};
use serde_json::json;

#[derive(Clone)]
pub(super) enum Target {
    /// genai knows the address and the key.
    Named { name: String, kind: AdapterKind },
    /// A server that speaks like `OpenAI`'s chat completions.
    Served { name: String, base: String, auth: AuthData },
}

impl Target {
    pub(super) fn named(name: String, bound: Option<AdapterKind>) -> Self {
        // A name that cannot be told is genai's to refuse.
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
            // The only way to send no key at all.
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

    /// What the name says, and no more.
    pub(super) fn options(&self, options: ChatOptions) -> ChatOptions {
        match self {
            Self::Named { .. } => options,
            // A budget is no word of this dialect: nothing is sent, and nothing is read from the name.
            Self::Served { name, .. } => {
                let options = options.with_reasoning_effort(ReasoningEffort::Budget(0));
                options.with_extra_body(json!({ "model": name }))
            }
        }
    }
}
