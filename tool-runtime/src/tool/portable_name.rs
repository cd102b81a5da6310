//! [`portable_name`], which makes names that every provider accepts.
//!
//! Invariant: equal names give equal results in every version and on every machine. A changed name ends in a hash of the original name, so
//! that different tools keep different names.

use std::borrow::Cow;

/// The maximum length of a name that every provider accepts. The limit of Gemini is the lowest.
const LONGEST: usize = 63;
/// The length of `_` and the digits of the hash.
const SUFFIX: usize = 9;

/// Returns a name for a tool that every provider accepts: `^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$`.
///
/// A name of this form is returned unchanged. Any other name is changed in these steps:
///
/// 1. Each character except ASCII letters, digits, `_` and `-` is replaced by `_`.
/// 2. `_` is prepended if the first character is neither a letter nor `_`.
/// 3. The first 54 characters are kept.
/// 4. `_` and eight hexadecimal digits are appended. They are the 64-bit FNV-1a hash of all UTF-8 bytes of the original name, with its two
///    halves combined by exclusive or.
///
/// Different names therefore have different results, unless two 32-bit hashes collide or another tool deliberately has such a name. In
/// these cases, [`build`](crate::toolbox::ToolboxBuilder::build) returns an error that contains both names.
/// [`ToolSpec::original_name`](super::ToolSpec::original_name) keeps the original name. These rules do not change between versions.
///
/// ```
/// use tool_runtime::tool::portable_name;
///
/// assert_eq!(portable_name("get_weather"), "get_weather");
/// assert_eq!(portable_name("svc.tool"), "svc_tool_eec1fb55");
/// assert_eq!(portable_name("svc tool"), "svc_tool_75d158e5");
/// assert_eq!(portable_name(&"x".repeat(80)).len(), 63);
/// ```
pub fn portable_name(name: &str) -> Cow<'_, str> {
    if is_portable(name) {
        return Cow::Borrowed(name);
    }
    let is_first = |first: char| first.is_ascii_alphabetic() || !(first.is_ascii_digit() || first == '-');
    let mut portable = String::with_capacity(LONGEST);
    if !name.starts_with(is_first) {
        portable.push('_');
    }
    let characters = name.chars().map(|next| if is_allowed(next) { next } else { '_' });
    portable.extend(characters.take(LONGEST - SUFFIX - portable.len()));
    let hash = fnv_1a(name.as_bytes());
    let folded = (hash >> 32) ^ (hash & 0xffff_ffff);
    Cow::Owned(format!("{portable}_{folded:08x}"))
}

fn is_portable(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(is_allowed)
}

fn is_allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Returns the 64-bit FNV-1a hash. It is implemented here, because the hashes are part of names and must never change.
fn fnv_1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        // These test vectors are from the Internet-Draft draft-eastlake-fnv.
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            assert_eq!(fnv_1a(text.as_bytes()), hash, "{text}");
        }
    }

    #[test]
    fn portable_names_never_change() {
        for (name, portable) in [
            ("a", "a"),
            ("get-weather_2", "get-weather_2"),
            ("svc.tool", "svc_tool_eec1fb55"),
            ("svc tool", "svc_tool_75d158e5"),
            ("2nd", "_2nd_49e50e87"),
            ("-v", "_-v_b348166d"),
            ("wetter_für_🌍", "wetter_f_r___64ae5160"),
            ("", "__4fd0bfc1"),
            ("\0\u{202e}", "___51bd372d"),
        ] {
            assert_eq!(portable_name(name), portable, "{name}");
        }
        assert_eq!(portable_name(&"x".repeat(63)), "x".repeat(63));
        assert_eq!(portable_name(&"x".repeat(64)), format!("{}_0c07e2ee", "x".repeat(54)));
        assert_eq!(portable_name(&"ä".repeat(1_000_000)), format!("{}_91fe3850", "_".repeat(54)));
    }

    proptest! {
        #[test]
        fn every_result_is_portable_and_unchanged_by_a_second_pass(name in ".{0,80}|[a-z._ -]{0,70}") {
            let portable = portable_name(&name);
            prop_assert!(is_portable(&portable), "{portable}");
            prop_assert_eq!(portable_name(&portable), portable.as_ref());
        }

        #[test]
        fn different_names_have_different_results(one in "[a-z._ -]{1,12}", other in "[a-z._ -]{1,12}") {
            prop_assert_eq!(portable_name(&one) == portable_name(&other), one == other);
        }
    }
}
