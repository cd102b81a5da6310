//! The dialects, one file for each provider.

pub(super) mod anthropic;
pub(super) mod bedrock;
mod envelope;
pub(super) mod gemini;
pub(super) mod llama_cpp;
pub(super) mod mcp;
pub(super) mod mistral;
pub(super) mod moonshot;
pub(super) mod ollama;
pub(super) mod openai;
#[cfg(test)]
mod page;
pub(super) mod vllm;

pub(crate) use mcp::extended as extended_for_mcp;
