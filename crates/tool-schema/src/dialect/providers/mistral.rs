//! Mistral: the form of Chat Completions. Mistral documents no rules for a strict mode.

use super::envelope::{CHAT, chat_answer};
use super::openai;
use crate::dialect::rules::{AnswerRules, Rules};

pub(super) static PLAIN: Rules = Rules { answer: Some(&ANSWER), ..RULES };

const RULES: Rules = Rules { name: "mistral", ..CHAT };

static ANSWER: AnswerRules = AnswerRules {
    rules: Rules { wrap: chat_answer, strict: Some(&openai::STRICT_FORM), ..RULES },
    only_strict: false,
    beside_tools: true,
};
