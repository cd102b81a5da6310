//! Mistral: the form of Chat Completions. Mistral documents no rules for a strict mode.

use super::envelope::CHAT;
use crate::dialect::rules::Rules;

pub(super) static PLAIN: Rules = Rules { name: "mistral", ..CHAT };
