//! llama.cpp, and servers that use its grammars: the form of Chat Completions.
//!
//! llama.cpp converts the definitions of all tools to one grammar. A schema that its
//! [converter](https://github.com/ggml-org/llama.cpp/blob/master/common/json-schema-to-grammar.cpp) cannot convert makes it reject the whole
//! request: a `pattern` that is not a whole line between `^` and `$`
//! ([#26930](https://github.com/ggml-org/llama.cpp/issues/26930)) or has classes such as `\d`
//! ([#27580](https://github.com/ggml-org/llama.cpp/issues/27580)), a length of 2,000 or more
//! ([#25746](https://github.com/ggml-org/llama.cpp/issues/25746)), a schema that is `true` or `false`, a reference to `#`. The converter takes
//! `{}` for an object, and a list of items for a list of this length.

use super::envelope::{CHAT, chat_answer};
use crate::dialect::keyword_text::sentence;
use crate::dialect::rewrite::describe;
use crate::dialect::rules::{AnswerRules, Arrays, Form, Rules};
use crate::json::build::{member, object, string};
use crate::json::{Json, Member, Node};

pub(super) static PLAIN: Rules = Rules { answer: Some(&ANSWER), ..RULES };

/// The grammar of the answer would leave the model no way to call a tool.
static ANSWER: AnswerRules =
    AnswerRules { rules: Rules { wrap: chat_answer, ..RULES }, only_strict: false, beside_tools: false };

const RULES: Rules = Rules { name: "llama-cpp", plain: &FORM, ..CHAT };

static FORM: Form = Form {
    needs_objects: true,
    arrays: Arrays::OneSchema,
    root_branches: false,
    begin: Some(convertible),
    ..Form::AS_WRITTEN
};

/// The number of repetitions that a grammar may not reach.
const REPETITIONS: f64 = 2_000.0;

/// The keywords by which the converter recognizes the values of a schema.
const RECOGNIZED: [&str; 11] = [
    "type",
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "const",
    "enum",
    "properties",
    "additionalProperties",
    "items",
    "pattern",
];

/// Rewrites a schema for the converter.
fn convertible(schema: &mut Json<'static>) {
    if let Node::Bool(is_any) = schema.node {
        let never = || member("not", object([]));
        *schema = object((!is_any).then(never));
    }
    let Node::Object(members) = &mut schema.node else { return };
    let mut words = Vec::new();
    members.retain(|entry| {
        let is_kept = is_convertible(entry);
        if !is_kept {
            words.extend(sentence(&entry.key, &entry.value));
        }
        is_kept
    });
    if !words.is_empty() {
        describe(members, words.join(" "));
    }
    if !members.iter().any(|entry| RECOGNIZED.contains(&&*entry.key)) {
        let all = ["string", "number", "boolean", "object", "array", "null"].map(string);
        members.insert(0, member("type", Json::from_node(Node::Array(all.into()))));
    }
}

fn is_convertible(entry: &Member<'static>) -> bool {
    match &*entry.key {
        "pattern" => entry.value.as_str().is_some_and(is_simple),
        "minLength" | "maxLength" | "minItems" | "maxItems" => entry
            .value
            .as_number()
            .and_then(|number| number.0.parse::<f64>().ok())
            .is_some_and(|count| count < REPETITIONS),
        "enum" => !entry.value.items().is_empty(),
        _ => true,
    }
}

/// Returns `true` for a pattern that certainly has the same meaning in a grammar: classes, groups and counts of a few literal characters. A
/// grammar describes the text of the arguments, so a pattern must match no character that JSON escapes.
fn is_simple(pattern: &str) -> bool {
    let Some(inner) = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$')) else { return false };
    let mut rest = inner.as_bytes();
    let (mut depth, mut before) = (0_usize, Before::Nothing);
    while let [byte, tail @ ..] = rest {
        rest = tail;
        before = match byte {
            _ if is_literal(*byte) => Before::Item,
            b'[' => match class(rest) {
                Some(tail) => {
                    rest = tail;
                    Before::Item
                }
                None => return false,
            },
            b'(' => {
                depth += 1;
                Before::Nothing
            }
            b'|' if depth > 0 && before != Before::Nothing => Before::Nothing,
            b')' if depth > 0 && before != Before::Nothing => {
                depth -= 1;
                Before::Item
            }
            b'?' | b'*' | b'+' if before == Before::Item => Before::Count,
            b'{' if before == Before::Item => match count(rest) {
                Some(tail) => {
                    rest = tail;
                    Before::Count
                }
                None => return false,
            },
            _ => return false,
        };
    }
    depth == 0 && before != Before::Nothing
}

/// The part of a pattern before a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Item,
    Count,
}

fn is_literal(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_ -:/@,#".contains(&byte)
}

/// Skips the rest of a class: letters, digits, `_`, and ranges within capital letters, small letters or digits.
fn class(mut rest: &[u8]) -> Option<&[u8]> {
    let start = rest.len();
    loop {
        rest = match rest {
            [b']', tail @ ..] if rest.len() < start => return Some(tail),
            [low, b'-', high, tail @ ..] if *high != b']' => {
                if !is_range(*low, *high) {
                    return None;
                }
                tail
            }
            [b'-', b']', ..] if rest.len() < start => &rest[1..],
            [byte, tail @ ..] if byte.is_ascii_alphanumeric() || *byte == b'_' => tail,
            _ => return None,
        };
    }
}

fn is_range(low: u8, high: u8) -> bool {
    let kinds: [fn(&u8) -> bool; 3] = [u8::is_ascii_digit, u8::is_ascii_lowercase, u8::is_ascii_uppercase];
    low <= high && kinds.iter().any(|is_kind| is_kind(&low) && is_kind(&high))
}

/// Skips the rest of a count: `2}`, `2,}` or `2,4}`, with at most three digits each.
fn count(rest: &[u8]) -> Option<&[u8]> {
    let end = rest.iter().position(|byte| *byte == b'}')?;
    let (numbers, tail) = (std::str::from_utf8(&rest[..end]).ok()?, &rest[end + 1..]);
    let (least, most) = numbers.split_once(',').unwrap_or((numbers, ""));
    let is_number = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    (!least.is_empty() && is_number(least) && is_number(most)).then_some(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_classes_groups_and_counts_is_simple() {
        for pattern in
            ["^a$", "^[a-z]+$", "^[A-Za-z0-9_-]{1,64}$", "^[0-9]{4}-[0-9]{2}$", "^(ab|c[0-9]?)*$", "^#[0-9a-f]{6}$"]
        {
            assert!(is_simple(pattern), "{pattern}");
        }
        let others = [
            "",
            "^",
            "$",
            "^$",
            "a",
            "^a",
            "a$",
            "^a|b$",
            "^.*$",
            r"^\d+$",
            r"^[\w-]+$",
            r"^a\.b$",
            "^(?!a).*$",
            "^(?:a)$",
            "^[^a]$",
            "^[A-z]$",
            "^[ -~]$",
            "^[]$",
            "^[a$",
            "^(a$",
            "^a)$",
            "^()$",
            "^(|a)$",
            "^*a$",
            "^a+?$",
            "^a{1000}$",
            "^a{,3}$",
            "^a{x}$",
            "^a{1$",
            "^é$",
            "^a^$",
            "^\"$",
        ];
        for pattern in others {
            assert!(!is_simple(pattern), "{pattern}");
        }
    }
}
