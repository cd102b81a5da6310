//! Placeholder until the schema room lands.
#![allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    OpenAi,
    Anthropic,
    Gemini,
    Mcp,
}
