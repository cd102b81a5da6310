//! The dialects, one file for each provider.

mod anthropic;
mod bedrock;
mod envelope;
mod gemini;
mod llama_cpp;
mod mcp;
mod mistral;
mod moonshot;
mod ollama;
mod openai;
mod vllm;

use super::rules::Rules;

/// Every dialect, in the order in which they are listed for users.
pub(super) static ALL: [&Rules; 17] = [
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
    &moonshot::PLAIN,
    &ollama::PLAIN,
    &llama_cpp::PLAIN,
    &vllm::PLAIN,
    &vllm::STRICT,
    &mcp::PLAIN,
];
