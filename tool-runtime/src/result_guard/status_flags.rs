//! Finds flags in a result (failure, success without content, incompleteness), and control characters.
//!
//! Invariant: a text is only parsed if it begins like an object and contains one of the keys. Keys of inner objects do not count.

#![allow(clippy::needless_bitwise_bool)] // Without branches, many bytes are compared in one step.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::byte_search::{any, any_pair};
use super::repeated_path_parts::last_word;
use crate::tool::Payload;

const SUCCESS: &str = "success";
const INCOMPLETE: [&str; 4] = ["truncated", "has_more", "hasMore", "is_truncated"];
const MESSAGES: [&str; 5] = ["error", "message", "reason", "detail", "error_message"];
/// Keys that do not count as content, in addition to [`SUCCESS`], [`INCOMPLETE`] and [`MESSAGES`].
const REMARKS: [&str; 2] = ["errors", "warnings"];
/// Keys whose values say how to get the rest of a result, in lower case without separators. Keys that begin with `next` or end in a word of
/// [`ADVICE`] count too.
const WAYS: [&str; 12] = [
    "cursor",
    "pagetoken",
    "continuation",
    "continuationtoken",
    "offset",
    "links",
    "hint",
    "message",
    "note",
    "instructions",
    "guidance",
    "howtocontinue",
];

/// The flags of an object.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) is_failure: bool,
    /// `true` for a success without content.
    pub(super) is_empty: bool,
    /// The reason for a failure, if the object contains one.
    pub(super) message: Option<String>,
    pub(super) is_incomplete: bool,
    /// `true` if the object says how to get the rest.
    pub(super) leads_on: bool,
}

/// Returns `true` if the text may contain flags.
#[inline]
pub(super) fn may_have(text: &str) -> bool {
    let object = text.trim_ascii_start();
    object.starts_with('{') && any_pair(object.as_bytes(), is_decided) && has_word(object)
}

/// Returns `true` if JSON may contain a flag or a control character.
#[inline]
pub(super) fn is_striking(json: &str) -> bool {
    any_pair(json.as_bytes(), |first, second| is_decided(first, second) | (first == b'\\') | (first == 0x7f))
}

/// Matches a colon followed by the first letter of `true` or `false`, or by a space. Every flag contains one of these pairs.
#[inline]
const fn is_decided(first: u8, second: u8) -> bool {
    // The mask ignores the two bits in which `t` and `f` differ. It also matches `d` and `v`, which is harmless.
    (first == b':') & ((second | 0x12 == b'v') | (second <= b' '))
}

/// Returns `true` if the text contains a part of a key. The parts are rare in other texts.
fn has_word(object: &str) -> bool {
    ["\"success\"", "runcated\"", "\"has_more\"", "\"hasMore\""].iter().any(|word| object.contains(word))
}

impl Flags {
    /// Returns the flags of an object. No flag is set if the text is not an object.
    pub(super) fn from_json_text(text: &str) -> Self {
        serde_json::Deserializer::from_str(text).deserialize_map(Reader).unwrap_or_default()
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Flags;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Flags, A::Error> {
        let mut flags = Flags::default();
        let mut best = MESSAGES.len();
        let (mut is_success, mut has_content, mut is_empty) = (false, false, true);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            let key = &*key;
            let rank = MESSAGES.iter().position(|message| *message == key);
            let leads = leads_on(key);
            let (is_outcome, is_part) = (key == SUCCESS, INCOMPLETE.contains(&key));
            has_content |= !is_outcome && !is_part && rank.is_none() && !REMARKS.contains(&key);
            if !is_outcome && !is_part && rank.is_none() && !leads {
                if is_empty {
                    is_empty = map.next_value::<Content>()?.is_empty;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
                continue;
            }
            let value: Value = map.next_value()?;
            is_success |= is_outcome && value == Value::Bool(true);
            is_empty &= is_outcome || !says_something(&value);
            flags.is_failure |= is_outcome && value == Value::Bool(false);
            flags.is_incomplete |= is_part && value == Value::Bool(true);
            flags.leads_on |= leads && says_something(&value);
            if let (Some(rank), Some(message)) = (rank, message(&value))
                && rank < best
            {
                best = rank;
                flags.message = Some(message.to_owned());
            }
        }
        flags.is_empty = is_success && has_content && is_empty;
        Ok(flags)
    }
}

/// A value of which only its emptiness is of interest.
struct Content {
    is_empty: bool,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self { is_empty: true })
    }
}

impl<'de> Visitor<'de> for Content {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(Self { is_empty: false })
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(Self { is_empty: false })
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(Self { is_empty: false })
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(Self { is_empty: false })
    }

    fn visit_str<E>(self, text: &str) -> Result<Self, E> {
        Ok(Self { is_empty: text.trim().is_empty() })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        let mut is_empty = true;
        while items.next_element::<IgnoredAny>()?.is_some() {
            is_empty = false;
        }
        Ok(Self { is_empty })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        let mut is_empty = true;
        while members.next_key::<IgnoredAny>()?.is_some() {
            is_empty &= members.next_value::<Self>()?.is_empty;
        }
        Ok(Self { is_empty })
    }
}

/// Last words of keys that say how to get the rest of an incomplete result, as in `refinement_hint` and `usageGuidance`.
const ADVICE: [&str; 8] =
    ["hint", "hints", "advice", "cursor", "guidance", "instructions", "suggestion", "suggestions"];

fn leads_on(key: &str) -> bool {
    if ADVICE.iter().any(|word| word.eq_ignore_ascii_case(last_word(key))) {
        return true;
    }
    let key: String = key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    key.starts_with("next") || WAYS.contains(&&*key)
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => members.values().any(says_something),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// Returns a text, or the text of an object such as `{"code": 5, "message": "…"}`.
fn message(value: &Value) -> Option<&str> {
    let text = |value: &'_ Value| value.as_str().map(str::trim).is_some_and(|text| !text.is_empty());
    let value = value.get("message").unwrap_or(value);
    if text(value) { value.as_str() } else { None }
}

/// Returns `true` if a result may contain a control character.
#[inline]
pub(super) fn may_have_control_character(payload: &Payload) -> bool {
    match payload {
        Payload::Done => false,
        Payload::Text(text) => has_control_character(text),
        Payload::Parts(parts) => has_control_character(parts.as_str()),
        // `DEL` is the only one of these characters that JSON allows without an escape.
        Payload::Json(json) => {
            json.contains("\\u00") || json.contains("\\b") || json.contains("\\f") || json.contains('\u{7f}')
        }
    }
}

/// Returns `true` if a text contains a control character.
#[inline]
pub(super) fn has_control_character(text: &str) -> bool {
    any(text.as_bytes(), is_control)
}

#[inline]
const fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\n') & (byte != b'\t') & (byte != b'\r') | (byte == 0x7f)
}

/// Returns the first control character. In JSON, this is the first escaped one, or else an unescaped `DEL`.
pub(super) fn control_character(payload: &Payload) -> Option<char> {
    match payload {
        Payload::Done => None,
        Payload::Text(text) => text.bytes().find(|&byte| is_control(byte)).map(char::from),
        Payload::Parts(parts) => parts.as_str().bytes().find(|&byte| is_control(byte)).map(char::from),
        Payload::Json(json) => {
            let mut escapes = json.split('\\').skip(1);
            while let Some(escape) = escapes.next() {
                let code = match escape.as_bytes() {
                    // The second backslash of `\\` does not begin an escape.
                    [] => {
                        escapes.next();
                        continue;
                    }
                    [b'b', ..] => 0x08,
                    [b'f', ..] => 0x0c,
                    [b'u', b'0', b'0', high, low, ..] => {
                        let hex = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                        match (hex(*high), hex(*low)) {
                            (Some(high), Some(low)) => high * 16 + low,
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                if is_control(code) {
                    return Some(char::from(code));
                }
            }
            json.contains('\u{7f}').then_some('\u{7f}')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::JsonText;

    #[test]
    fn only_keys_of_the_object_itself_count() {
        let inner = r#"{"rows": [{"success": false, "truncated": true}]}"#;
        assert!(may_have(inner));
        assert_eq!(Flags::from_json_text(inner), Flags::default());
        assert_eq!(Flags::from_json_text(r#"{"success": false"#), Flags::default());
    }

    #[test]
    fn the_quick_check_misses_no_flag() {
        for colon in [":", ": ", " : ", ":\n\t", ":\r\n"] {
            for (key, value) in [("success", false), ("truncated", true), ("has_more", true), ("hasMore", true)] {
                let text = format!("{{\"rows\":[1,2],\"{key}\"{colon}{value}}}");
                let flags = Flags::from_json_text(&text);
                assert!(flags.is_failure || flags.is_incomplete, "{text}");
                assert!(may_have(&text) && is_striking(&text), "{text}");
            }
        }
        assert!(!is_striking(r#"{"success":1,"truncated":null,"rows":["a:b"],"at":"12:30","url":"http://x"}"#));
    }

    #[test]
    fn a_success_is_empty_if_all_of_its_content_is() {
        for text in [
            r#"{"success": true, "content": ""}"#,
            r#"{"content": " \n", "success": true, "error": null}"#,
            r#"{"success": true, "data": {"rows": [], "next": null}, "message": "", "has_more": false}"#,
        ] {
            assert!(may_have(text) && Flags::from_json_text(text).is_empty, "{text}");
        }
        for text in [
            r#"{"success": true}"#,
            r#"{"success": true, "error": null, "message": ""}"#,
            r#"{"success": true, "content": "", "message": "No match."}"#,
            r#"{"success": true, "exists": false}"#,
            r#"{"success": true, "content": "", "bytes": 0}"#,
            r#"{"success": true, "rows": [""]}"#,
            r#"{"success": false, "content": ""}"#,
            r#"{"content": ""}"#,
        ] {
            assert!(!Flags::from_json_text(text).is_empty, "{text}");
        }
    }

    #[test]
    fn the_last_word_of_a_key_decides() {
        for key in ["refinement_hint", "refinementHint", "usage-guidance", "page_cursor", "nextPage", "hint"] {
            assert!(leads_on(key), "{key}");
        }
        for key in ["hinted", "hint_count", "chint", "cursor_kind", "whynext"] {
            assert!(!leads_on(key), "{key}");
        }
    }

    #[test]
    fn the_best_message_is_reported() {
        let text = r#"{"message": "See error.", "success": false, "error": {"code": 5, "message": "Disk full."}}"#;
        assert_eq!(Flags::from_json_text(text).message.as_deref(), Some("Disk full."));
    }

    #[test]
    fn escapes_are_decoded_like_in_json() {
        let found = |json: &str| control_character(&Payload::Json(JsonText::written(json.to_owned())));
        assert_eq!(found(r#""\u001b[0m""#), Some('\u{1b}'));
        assert_eq!(found(r#""a\fb""#), Some('\u{c}'));
        assert_eq!(found(r#""\\u001b \\b \n \u00e9""#), None);
        assert_eq!(found(r#""\\\b""#), Some('\u{8}'));
    }
}
