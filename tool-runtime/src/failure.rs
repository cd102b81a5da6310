//! Placeholder until the failure room lands.
#![allow(missing_docs, clippy::needless_pass_by_value)]
use std::borrow::Cow;
use std::error::Error;

use serde_json::{Value, json};

use crate::issue::ValidationError;
use crate::json::Json;

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    message: Cow<'static, str>,
    source: Option<Box<dyn Error + Send + Sync>>,
}
impl ToolError {
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), source: None }
    }
    #[must_use]
    pub fn caused_by(mut self, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(error.into());
        self
    }
    pub fn from_error(error: Box<dyn Error + Send + Sync>, shown: bool) -> Self {
        match error.downcast::<Self>() {
            Ok(on_purpose) => *on_purpose,
            Err(error) if shown => Self::new(error.to_string()).caused_by(error),
            Err(error) => Self::new("The tool failed; its details are not shown.").caused_by(error),
        }
    }
}
#[derive(Debug)]
pub struct Failure {
    error_type: &'static str,
    facts: Value,
    details: Option<String>,
}
impl Failure {
    fn of(error_type: &'static str, tool: &str, mut facts: Value) -> Self {
        facts["tool"] = tool.into();
        Self { error_type, facts, details: None }
    }
    pub fn validation(tool: &str, _error: ValidationError) -> Self {
        Self::of("validation_error", tool, json!({}))
    }
    pub fn unknown_tool<'n>(
        name: &str,
        did_you_mean: impl IntoIterator<Item = &'n str>,
        available: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let (did_you_mean, available) = (Vec::from_iter(did_you_mean), Vec::from_iter(available));
        Self::of("unknown_tool", name, json!({"did_you_mean": did_you_mean, "available_tools": available}))
    }
    pub fn container_invocation<'n>(
        container: &str,
        json: &Json<'_>,
        functions: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let facts = json!({"attempted_parameters": json.to_value(), "available_functions": Vec::from_iter(functions)});
        Self::of("container_invocation_error", container, facts)
    }
    pub fn container_not_expanded(member: &str, container: &str) -> Self {
        Self::of("container_not_expanded", member, json!({"container_name": container}))
    }
    pub fn ambiguous_tool<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Self {
        Self::of("ambiguous_tool", name, json!({"candidates": Vec::from_iter(candidates)}))
    }
    pub fn tool_error(tool: &str, error: &ToolError) -> Self {
        let details = format!("{error}: {}", error.source().map(ToString::to_string).unwrap_or_default());
        Self { details: Some(details), ..Self::of("tool_error", tool, json!({"error_message": error.to_string()})) }
    }
    pub fn malformed_response(tool: &str, _payload: &str) -> Self {
        Self::of("malformed_response", tool, json!({}))
    }
    pub fn internal(tool: &str, details: impl Into<String>) -> Self {
        Self { details: Some(details.into()), ..Self::of("internal_error", tool, json!({})) }
    }
    pub fn cancelled(tool: &str) -> Self {
        Self::of("cancelled", tool, json!({}))
    }
    pub fn error_type(&self) -> &'static str {
        self.error_type
    }
    pub fn details(&self) -> Option<&str> {
        self.details.as_deref()
    }
    pub fn to_value(&self) -> Value {
        self.facts.clone()
    }
    pub fn to_json(&self) -> String {
        format!("{{\"error_type\":\"{}\",{}", self.error_type, &self.facts.to_string()[1..])
    }
}
