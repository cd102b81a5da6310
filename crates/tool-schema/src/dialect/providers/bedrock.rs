//! Bedrock Converse, plain and strict: the rules of Claude in another envelope.

use super::anthropic;
use super::envelope::{CHAT, named};
use crate::dialect::rules::{Parts, Rules};
use crate::json::Json;
use crate::json::build::{boolean, member, object};

const RULES: Rules =
    Rules { name: "bedrock", wrap: tool_spec, plain: &anthropic::PLAIN_FORM, budget: anthropic::BUDGET, ..CHAT };

pub(super) static PLAIN: Rules = RULES;

pub(super) static STRICT: Rules = Rules { name: "bedrock-strict", strict: Some(&anthropic::STRICT_FORM), ..RULES };

fn tool_spec(parts: Parts<'_>) -> Json<'static> {
    let mut members = named(&parts);
    members.push(member("inputSchema", object([member("json", parts.input)])));
    if parts.is_strict {
        members.push(member("strict", boolean(true)));
    }
    object([member("toolSpec", object(members))])
}
