//! Moonshot (Kimi): the form of Chat Completions, with a subset of JSON Schema that Moonshot calls MFJS.
//!
//! Output is constrained unless a tool turns this off, so every definition has to be valid MFJS; otherwise, the whole request is rejected. The
//! [validator](https://github.com/MoonshotAI/walle) is public. It requires one schema for the items of an array, a type beside every `enum`,
//! and no type beside `anyOf`. It rejects some keys of properties. It removes other keywords, so they are repeated in words. A type is a single
//! word in the [specification](https://github.com/MoonshotAI/walle/blob/main/docs/mfjs-spec.md). Empty values of an `enum` are
//! [rejected](https://github.com/NousResearch/hermes-agent/pull/18271).

use super::envelope::CHAT;
use crate::dialect::rules::{Arrays, Form, Keys, Limits, Names, References, Rules, Values};

pub(super) static PLAIN: Rules = Rules {
    name: "moonshot",
    names: Names { least: 3, most: 64, others: b"_-", starts_with_letter: true },
    tools: Some(128),
    plain: &FORM,
    ..CHAT
};

static FORM: Form = Form {
    keywords: Some(&[
        "type",
        "enum",
        "default",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "additionalProperties",
    ]),
    keeps_unread: false,
    values: Values::OfOneType,
    needs_types: true,
    one_type: true,
    needs_objects: true,
    any_of_only: true,
    references: References::Alone,
    arrays: Arrays::OneSchema,
    root_branches: false,
    keys: Some(Keys { most: 64, others: b"_-.", starts_with_letter: false, rejects: Some(is_rejected) }),
    limits: Limits { properties: 3_000, levels: 30, characters: 120_000, ..Limits::NONE },
    ..Form::AS_WRITTEN
};

/// Returns `true` for a key that the validator takes for a keyword or for a part of a reference.
fn is_rejected(key: &str) -> bool {
    matches!(key, "$defs" | "$ref" | "anyOf" | "required" | "additionalProperties") || key.contains('/')
}
