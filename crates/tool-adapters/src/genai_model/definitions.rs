//! The definitions of tools in a request: [`Api`].
//!
//! genai rewrites definitions and drops keywords that it does not know. Therefore, the definitions are put into genai's `extra_body`, whose
//! keys replace those of the request body. Invariant: a definition in the form of the provider's API is sent unchanged. Any other
//! definition is converted to that form, with its schema unchanged.

use std::collections::HashSet;

use genai::adapter::AdapterKind;
use serde_json::{Map, Value, json};
use tool_chat::model::{Message, ModelError, ModelErrorKind, Request};
use tool_runtime::Dialect;
use tool_runtime::tool_schema::dialect::{Definition, Definitions};

use crate::definition_parts::Parts;

/// The API of a provider, as genai uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    ChatCompletions,
    Responses,
    /// Anthropic's Messages API.
    Messages {
        /// `true` if genai adds `extra_body` to its requests to this provider.
        takes_body: bool,
    },
    Gemini,
    GeminiInteractions,
    /// Ollama's own API. genai sends the name, the description and the schema unchanged, so the definition is complete.
    Ollama,
    /// Bedrock. genai sends the name, the description and the schema unchanged, but not `strict`.
    Converse,
    /// The first version of Cohere's chat API. genai does not send tools to it.
    Cohere,
}

impl Api {
    /// Returns the API that genai uses for a model.
    pub(super) fn of(kind: AdapterKind, model: &str) -> Self {
        let (namespace, name) = model.split_once("::").unwrap_or(("", model));
        match kind {
            AdapterKind::OpenAIResp => Self::Responses,
            AdapterKind::Anthropic | AdapterKind::MiniMax => Self::Messages { takes_body: true },
            AdapterKind::Baidu if namespace == "baidu-coding-anthropic" => Self::Messages { takes_body: true },
            AdapterKind::Vertex if name.starts_with("claude") => Self::Messages { takes_body: false },
            AdapterKind::OpenCodeGo if name.to_lowercase().starts_with("minimax-") => {
                Self::Messages { takes_body: false }
            }
            AdapterKind::Gemini | AdapterKind::Vertex => Self::Gemini,
            AdapterKind::GeminiIx => Self::GeminiInteractions,
            AdapterKind::Ollama | AdapterKind::OllamaCloud => Self::Ollama,
            AdapterKind::Cohere => Self::Cohere,
            // The name is compared, because one of the kinds for Bedrock only exists with a feature of genai.
            _ if kind.as_lower_str().starts_with("bedrock") => Self::Converse,
            _ => Self::ChatCompletions,
        }
    }

    /// Returns the dialect whose definitions have the form of this API. For Cohere, no dialect matters, because genai sends no tools
    /// to it.
    pub(super) const fn dialect(self) -> Dialect {
        match self {
            Self::ChatCompletions | Self::Cohere => Dialect::OPENAI,
            Self::Responses => Dialect::OPENAI_RESPONSES,
            Self::Messages { .. } => Dialect::ANTHROPIC,
            Self::Gemini | Self::GeminiInteractions => Dialect::GEMINI,
            Self::Ollama => Dialect::OLLAMA,
            Self::Converse => Dialect::BEDROCK,
        }
    }

    /// Returns `true` if the provider can load deferred definitions for a model, and genai sends them. Of `OpenAI`'s models, the documentation
    /// names `gpt-5.4` as the first one. A name that says nothing about the version may be a newer one.
    pub(super) fn defers(self, model: &str) -> bool {
        let name = model.rsplit("::").next().unwrap_or(model);
        match self {
            Self::Messages { takes_body } => takes_body,
            Self::Responses => !is_before_search(name),
            _ => false,
        }
    }

    /// Inserts the definitions into the request body, before tools of the host. Deferred definitions are sent as such if `defers` is `true`, and
    /// otherwise like all others. `loaded` are functions of the Responses API.
    pub(super) fn define(
        self,
        definitions: &Definitions,
        defers: bool,
        loaded: Vec<Value>,
        body: &mut Map<String, Value>,
    ) -> Result<(), ModelError> {
        let own = definitions.iter().map(|definition| self.definition(definition, defers));
        let mut tools: Vec<Value> = match self {
            Self::Gemini => vec![json!({ "functionDeclarations": own.collect::<Vec<_>>() })],
            Self::Cohere => {
                let message = "genai sends no tools to Cohere, so the model could not call any";
                return Err(ModelError::new(ModelErrorKind::Rejected, message));
            }
            Self::Ollama | Self::Converse | Self::Messages { takes_body: false } => return Ok(()),
            _ => own.chain(loaded).collect(),
        };
        if let Some(Value::Array(others)) = body.remove("tools") {
            tools.extend(others);
        }
        body.insert("tools".to_owned(), Value::Array(tools));
        Ok(())
    }

    fn definition(self, definition: &Definition, defers: bool) -> Value {
        let json = definition.as_json();
        let has = |key: &str| json.get(key).is_some();
        let is_own = match self {
            Self::ChatCompletions => has("function"),
            Self::Responses => has("type") && has("strict") || defers && definition.is_tool_search(),
            Self::Messages { .. } => has("input_schema"),
            // Recognized by the absence of other keys, because a tool without parameters has only a name and a description.
            Self::Gemini => !["type", "function", "input_schema", "inputSchema", "toolSpec"].into_iter().any(has),
            _ => false,
        };
        if is_own {
            let mut value = json.to_value();
            if definition.is_deferred()
                && !defers
                && let Some(members) = value.as_object_mut()
            {
                members.remove("defer_loading");
            }
            return value;
        }
        let Parts { name, description, schema } = Parts::of(definition);
        let key = match self {
            Self::Messages { .. } => "input_schema",
            Self::Gemini => "parametersJsonSchema",
            _ => "parameters",
        };
        let mut tool = Map::new();
        if matches!(self, Self::Responses | Self::GeminiInteractions) {
            tool.insert("type".to_owned(), "function".into());
        }
        tool.insert("name".to_owned(), name.into());
        if let Some(description) = description {
            tool.insert("description".to_owned(), description.into());
        }
        if let Some(schema) = schema {
            tool.insert(key.to_owned(), schema.to_value());
        } else if matches!(self, Self::Messages { .. } | Self::Responses) {
            tool.insert(key.to_owned(), json!({"type": "object", "properties": {}}));
        }
        match self {
            Self::ChatCompletions => json!({ "type": "function", "function": tool }),
            Self::Responses => {
                // By default, the Responses API turns strictness on if the schema allows it, and strictness would make optional arguments
                // required.
                tool.insert("strict".to_owned(), false.into());
                Value::Object(tool)
            }
            _ => Value::Object(tool),
        }
    }
}

/// Returns `true` if the answers of the conversation load definitions, so that the list of tools does not contain them.
pub(super) fn loads_from_answers(request: &Request<'_>) -> bool {
    let loads = |message: &Message| matches!(message, Message::Tool { definitions: Some(_), .. });
    request.tools.dialect().has_tool_search() && (search_name(request).is_some() || request.messages.iter().any(loads))
}

/// Returns the name of the tool that is sent as a `tool_search`.
pub(super) fn search_name<'r>(request: &Request<'r>) -> Option<&'r str> {
    request.tools.iter().find(|tool| tool.is_tool_search()).map(Definition::name)
}

/// Returns the definitions that the answers so far have loaded, without repetitions, as functions of the Responses API that are not deferred.
pub(super) fn loaded(messages: &[Message]) -> Vec<Value> {
    let (mut functions, mut known) = (Vec::new(), HashSet::new());
    for message in messages {
        let Message::Tool { definitions: Some(definitions), .. } = message else { continue };
        for (_, mut function) in members(definitions) {
            let name = function.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            if known.insert(name) {
                function.remove("defer_loading");
                functions.push(Value::Object(function));
            }
        }
    }
    functions
}

/// Returns the functions in a JSON array of namespaces, each with the name of its namespace.
pub(super) fn members(definitions: &str) -> Vec<(String, Map<String, Value>)> {
    let namespaces: Vec<Value> = serde_json::from_str(definitions).unwrap_or_default();
    let mut members = Vec::new();
    for mut namespace in namespaces {
        let name = namespace.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let Some(Value::Array(tools)) = namespace.get_mut("tools").map(Value::take) else { continue };
        members.extend(tools.into_iter().filter_map(|tool| match tool {
            Value::Object(tool) => Some((name.clone(), tool)),
            _ => None,
        }));
    }
    members
}

/// Returns `true` for the models of `OpenAI` that are older than `tool_search`.
fn is_before_search(name: &str) -> bool {
    let Some(version) = name.strip_prefix("gpt-") else {
        return name.starts_with("codex-")
            || name.starts_with('o') && name[1..].starts_with(|next: char| next.is_ascii_digit());
    };
    let version = version.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next().unwrap_or_default();
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    let major = numbers.next().flatten();
    major.is_some_and(|major| (major, numbers.next().flatten().unwrap_or_default()) < (5, 4))
}

#[cfg(test)]
mod tests {
    use super::is_before_search;

    #[test]
    fn only_models_of_known_older_versions_cannot_search() {
        for name in ["gpt-5", "gpt-5-mini", "gpt-5.3-codex", "gpt-4o-codex", "gpt-4.1", "o3-pro", "codex-mini-latest"] {
            assert!(is_before_search(name), "{name}");
        }
        for name in
            ["gpt-5.4", "gpt-5.4-mini", "gpt-5.10", "gpt-5.6-sol", "gpt-6-astra", "gpt-test", "my-deployment", "oé"]
        {
            assert!(!is_before_search(name), "{name}");
        }
    }
}
