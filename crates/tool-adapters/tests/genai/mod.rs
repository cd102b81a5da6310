//! `GenAi` against a server on this machine that speaks the dialects of `OpenAI`, Anthropic and Gemini. Nothing leaves the machine.

mod agent;
mod answers;
mod conversations;
mod definitions;
mod dialect;
mod hostile;
mod prefixes;
mod recorded;
mod rejections;
mod requests;
mod rules;
mod server;
mod thoughts;
mod typed;
