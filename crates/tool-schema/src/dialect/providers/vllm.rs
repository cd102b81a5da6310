//! Servers with a Chat Completions API, such as vLLM: arguments are constrained if a tool sets `strict`, as in the API
//! of `OpenAI`.

use super::envelope::CHAT;
use super::openai;
use crate::dialect::rules::Rules;

pub(super) static PLAIN: Rules = Rules { name: "vllm", ..CHAT };

pub(super) static STRICT: Rules = Rules { name: "vllm-strict", strict: Some(&openai::STRICT_FORM), ..CHAT };
