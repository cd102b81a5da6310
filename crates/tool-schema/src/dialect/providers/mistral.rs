//! Mistral: the form of Chat Completions. Mistral documents no rules for a strict mode.

use super::envelope::{WORDS, chat_function};
use crate::dialect::rules::{Budget, Form, Rules};

pub(super) static PLAIN: Rules = Rules {
    name: "mistral",
    wrap: chat_function,
    names: WORDS,
    tools: None,
    plain: &Form::AS_WRITTEN,
    strict: None,
    budget: Budget::UNLIMITED,
};
