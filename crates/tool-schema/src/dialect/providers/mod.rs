//! The dialects, one file for each provider.

mod anthropic;
mod bedrock;
#[cfg(test)]
mod docs_table;
mod envelope;
mod gemini;
mod llama_cpp;
mod mcp;
mod mistral;
mod moonshot;
mod ollama;
mod openai;
mod vllm;

pub(crate) use mcp::extended as extended_for_mcp;

use super::rules::Rules;

pub(super) const OPENAI: &Rules = &openai::CHAT;
pub(super) const OPENAI_STRICT: &Rules = &openai::CHAT_STRICT;
pub(super) const OPENAI_RESPONSES: &Rules = &openai::RESPONSES;
pub(super) const OPENAI_RESPONSES_STRICT: &Rules = &openai::RESPONSES_STRICT;
pub(super) const ANTHROPIC: &Rules = &anthropic::PLAIN;
pub(super) const ANTHROPIC_STRICT: &Rules = &anthropic::STRICT;
pub(super) const GEMINI: &Rules = &gemini::JSON_SCHEMA;
pub(super) const GEMINI_SCHEMA: &Rules = &gemini::OPEN_API;
pub(super) const MISTRAL: &Rules = &mistral::PLAIN;
pub(super) const BEDROCK: &Rules = &bedrock::PLAIN;
pub(super) const BEDROCK_STRICT: &Rules = &bedrock::STRICT;
pub(super) const MOONSHOT: &Rules = &moonshot::PLAIN;
pub(super) const OLLAMA: &Rules = &ollama::PLAIN;
pub(super) const LLAMA_CPP: &Rules = &llama_cpp::PLAIN;
pub(super) const VLLM: &Rules = &vllm::PLAIN;
pub(super) const VLLM_STRICT: &Rules = &vllm::STRICT;
pub(super) const MCP: &Rules = &mcp::PLAIN;

/// The definitions of members that are called in their own form. It is not listed, because it belongs to no provider.
pub(super) const AS_WRITTEN: &Rules = &anthropic::AS_WRITTEN;

/// Every dialect, in the order in which they are listed for users.
pub(super) const ALL: [&Rules; 17] = [
    OPENAI,
    OPENAI_STRICT,
    OPENAI_RESPONSES,
    OPENAI_RESPONSES_STRICT,
    ANTHROPIC,
    ANTHROPIC_STRICT,
    GEMINI,
    GEMINI_SCHEMA,
    MISTRAL,
    BEDROCK,
    BEDROCK_STRICT,
    MOONSHOT,
    OLLAMA,
    LLAMA_CPP,
    VLLM,
    VLLM_STRICT,
    MCP,
];
