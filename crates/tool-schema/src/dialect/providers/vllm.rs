//! Servers with a Chat Completions API, such as vLLM: arguments are constrained if a tool sets `strict`, as in the API
//! of `OpenAI`.

use super::envelope::{WORDS, chat_function};
use super::openai;
use crate::dialect::rules::{Budget, Form, Rules};

const RULES: Rules = Rules {
    name: "vllm",
    wrap: chat_function,
    names: WORDS,
    tools: None,
    plain: &Form::AS_WRITTEN,
    strict: None,
    budget: Budget::UNLIMITED,
};

pub(super) static PLAIN: Rules = RULES;

pub(super) static STRICT: Rules = Rules { name: "vllm-strict", strict: Some(&openai::STRICT_FORM), ..RULES };
