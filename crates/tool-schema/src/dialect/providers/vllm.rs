//! Servers with a Chat Completions API, such as vLLM: arguments are constrained if a tool sets `strict`, as in the API
//! of `OpenAI`.

use super::envelope::{CHAT, chat_answer};
use super::openai;
use crate::dialect::rules::{AnswerRules, Rules};

const RULES: Rules = Rules { name: "vllm", ..CHAT };

pub(super) static PLAIN: Rules = Rules { answer: Some(&ANSWER), ..RULES };

pub(super) static STRICT: Rules =
    Rules { name: "vllm-strict", strict: Some(&openai::STRICT_FORM), answer: Some(&ANSWER), ..RULES };

/// The grammar of the answer would leave the model no way to call a tool.
static ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: chat_answer, strict: Some(&openai::STRICT_FORM), ..RULES },
    only_strict: false,
    beside_tools: false,
};
