//! JSON text with halves of surrogate pairs, which RFC 8259 §8.2 allows in escapes, and which no text in Rust can contain.

use std::borrow::Cow;

/// The length of `\u` with four digits.
const ESCAPE: usize = 6;

/// Replaces each escape of half a surrogate pair in valid JSON text by that of U+FFFD, like `String.prototype.toWellFormed` in JavaScript. All
/// other bytes are kept. The result is borrowed if there is no such escape.
pub fn well_formed(json: &str) -> Cow<'_, str> {
    let (mut fixed, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(backslash) = json.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + backslash;
        at = match (unit(json, start), unit(json, start + ESCAPE)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => start + 2 * ESCAPE,
            (Some(0xD800..=0xDFFF), _) => {
                fixed.push_str(&json[copied..start]);
                fixed.push_str("\\ufffd");
                copied = start + ESCAPE;
                copied
            }
            // The escaped character may be a backslash.
            _ => start + 2,
        };
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    fixed.push_str(&json[copied..]);
    Cow::Owned(fixed)
}

/// Returns the code unit of the escape that starts here; `None` if there is no escape with digits.
fn unit(json: &str, start: usize) -> Option<u16> {
    let digits = json.get(start..start + ESCAPE)?.strip_prefix("\\u")?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::well_formed;
    use crate::json::Json;

    #[test]
    fn halves_of_pairs_are_replaced() {
        for (json, expected) in [
            (r#"{"a\ud800":"b\udc00c"}"#, r#"{"a\ufffd":"b\ufffdc"}"#),
            (r#""\uD83D\uDE00\uD83D""#, r#""\uD83D\uDE00\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\n\ude00\ud83dé""#, r#""\ufffd\n\ufffd\ufffdé""#),
        ] {
            assert_eq!(well_formed(json), expected);
            assert!(Json::parse(json).is_err() && Json::parse(expected).is_ok(), "{json}");
        }
        for json in
            [r#""\\ud800""#, r#""\\\\ud800\u00e9\ud83d\ude00""#, "{}", "", "\\", "\\u", r"\ué", r"\ud83", r"\u+d80"]
        {
            assert!(matches!(well_formed(json), Cow::Borrowed(same) if same == json), "{json}");
        }
    }

    proptest! {
        #[test]
        fn well_formed_text_can_be_parsed_if_serde_can_skip_it(
            units in proptest::collection::vec(
                prop_oneof![
                    "[a-c\\\\]".prop_map(|text| text.replace('\\', "\\\\")),
                    (0xD7F0_u16..0xE010).prop_map(|unit| format!("\\u{unit:04x}")),
                ],
                0..12,
            ),
        ) {
            let json = format!("\"{}\"", units.concat());
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok());
            let fixed = well_formed(&json);
            prop_assert!(Json::parse(&fixed).is_ok(), "{}", fixed);
            prop_assert_eq!(matches!(fixed, Cow::Borrowed(_)), Json::parse(&json).is_ok());
        }
    }
}
