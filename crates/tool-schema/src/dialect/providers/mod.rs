//! The dialects, one file for each provider.

mod anthropic;
mod bedrock;
mod envelope;
mod gemini;
mod mcp;
mod mistral;
mod ollama;
mod openai;
mod vllm;

use super::rules::Rules;

/// Every dialect, in the order in which they are listed for users.
pub(super) static ALL: [&Rules; 15] = [
    &openai::CHAT,
    &openai::CHAT_STRICT,
    &openai::RESPONSES,
    &openai::RESPONSES_STRICT,
    &anthropic::PLAIN,
    &anthropic::STRICT,
    &gemini::JSON_SCHEMA,
    &gemini::OPEN_API,
    &mistral::PLAIN,
    &bedrock::PLAIN,
    &bedrock::STRICT,
    &ollama::PLAIN,
    &vllm::PLAIN,
    &vllm::STRICT,
    &mcp::PLAIN,
];
