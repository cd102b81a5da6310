//! Compares every format with the `jsonschema` crate, on texts a few edits away from valid ones.
//!
//! A difference is a bug unless it is in `DIFFERENCES`, and each entry there must occur.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use super::StringFormat;

static VALIDATORS: LazyLock<HashMap<StringFormat, Validator>> = LazyLock::new(|| {
    let compile = |format: StringFormat| {
        let schema = json!({ "format": format.name() });
        jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema of one format")
    };
    StringFormat::ALL.iter().map(|&format| (format, compile(format))).collect()
});

/// A deliberate difference from `jsonschema`: the reason, a test for the texts concerned, and an example (its format,
/// its text, and our result).
type Difference = (&'static str, fn(StringFormat, &str) -> bool, StringFormat, &'static str, bool);

const DIFFERENCES: [Difference; 6] = [
    (
        "a digit is 0 to 9; there, `*` to `/` before another digit also pass as one",
        has_false_digit,
        StringFormat::Date,
        ".900-02-28",
        false,
    ),
    (
        "RFC 5321 `Mailbox` has no display name",
        |format, text| format == StringFormat::Email && text.contains(" <"),
        StringFormat::Email,
        "Ada <a@b.c>",
        false,
    ),
    (
        "RFC 5321 `qtextSMTP` has no tab",
        |format, text| format == StringFormat::Email && text.contains('\t'),
        StringFormat::Email,
        "\"a\tb\"@c.d",
        false,
    ),
    (
        "RFC 5321 `quoted-pairSMTP` has the space",
        |format, text| format == StringFormat::Email && text.contains("\\ "),
        StringFormat::Email,
        "\"a\\ b\"@c.d",
        true,
    ),
    (
        "the payload of an `xn--` label is not decoded",
        |format, text| is_host(format) && text.contains("xn--"),
        StringFormat::Hostname,
        "xn--X",
        true,
    ),
    (
        "DNS does not know case, so `XN--` is `xn--`",
        |format, text| is_host(format) && text.to_ascii_lowercase().contains("xn--"),
        StringFormat::Hostname,
        "XN--4gbwdl",
        true,
    ),
];

/// Returns `true` if a date or a time has one of `*+,-./` instead of a digit.
fn has_false_digit(format: StringFormat, text: &str) -> bool {
    let is_false = |byte: &u8| (b'*'..=b'/').contains(byte);
    let in_date = |text: &str| text.bytes().enumerate().any(|(at, byte)| !matches!(at, 4 | 7) && is_false(&byte));
    let in_time = |text: &str| {
        let bytes = text.as_bytes();
        let offset = if text.ends_with(['Z', 'z']) { bytes.len() } else { bytes.len().saturating_sub(5) };
        bytes.iter().take(8).any(is_false) || bytes[offset..].iter().any(is_false)
    };
    match format {
        StringFormat::Date => in_date(text),
        StringFormat::Time => in_time(text),
        StringFormat::DateTime => {
            text.split_once(['T', 't']).is_some_and(|(date, time)| in_date(date) || in_time(time))
        }
        _ => false,
    }
}

fn is_host(format: StringFormat) -> bool {
    matches!(format, StringFormat::Hostname | StringFormat::Email)
}

fn is_known_difference(format: StringFormat, text: &str) -> bool {
    DIFFERENCES.iter().any(|(_, covers, ..)| covers(format, text))
}

fn judge(format: StringFormat, text: &str) -> bool {
    VALIDATORS[&format].is_valid(&Value::from(text))
}

/// Returns valid texts that together use every part of the grammar.
fn seeds(format: StringFormat) -> &'static [&'static str] {
    match format {
        StringFormat::DateTime => {
            &["2024-02-29t23:59:60.123z", "1998-12-31T15:59:60-08:00", "0000-01-01T00:00:00+23:59"]
        }
        StringFormat::Date => &["2024-02-29", "1900-02-28", "2000-02-29", "2025-11-30", "9999-12-31"],
        StringFormat::Time => {
            &["23:59:60Z", "00:29:60.5+00:30", "22:59:60-01:00", "08:30:06.283185z", "12:00:00-23:59"]
        }
        StringFormat::Duration => &["P1Y2M3DT4H5M6S", "P4W", "PT0S", "P1M2D", "PT36H", "P3DT1M2S"],
        StringFormat::Email => {
            &["a.b+c@x-1.org", "\"a\\\"b @\"@x.y", "\"\"@x", "j@[127.0.0.1]", "j@[ipv6:::1]", "te~st@a.b"]
        }
        StringFormat::Hostname => &["a", "www.example.org", "1-2.x--y", "xn--4gbwdl.xn--wgbh1c", "ab-cd.e"],
        StringFormat::Ipv4 => &["0.0.0.0", "255.255.255.255", "192.0.2.1"],
        StringFormat::Ipv6 => {
            &["::", "::1", "2001:db8::ff00:42:8329", "::ffff:192.168.0.1", "1:2:3:4:5:6:7:8", "1::3:4:5:6:7:8"]
        }
        StringFormat::Uri => &[
            "http://user:pa%20ss@host:8080/a/b;c=1?q=/?#f/?",
            "urn:oasis:names:x",
            "ldap://[2001:db8::7]:/c=GB?one",
            "x://[v1f.a:b!]",
            "a+b-c.1:",
            "file:///etc//x",
            "mailto:a@b.c",
        ],
        StringFormat::UriReference => {
            &["../a?b#c", "//h:1/x", "a/b:c", "?q", "#f", "", "./a:b", "//[::1]:80", "http://a@b:1/"]
        }
        StringFormat::Uuid => &["123e4567-e89b-12d3-a456-426614174000", "FFFFFFFF-ffff-0000-0000-000000000000"],
        StringFormat::JsonPointer => &["", "/", "/a~0b~1c/0", "/é//-", "/~01"],
    }
}

/// Applies one edit to the text: replace, insert, delete or swap.
fn edit((kind, place, with): (u8, Index, char), text: &mut Vec<char>) {
    let at = place.index(text.len() + 1);
    match kind {
        0 => text.insert(at, with),
        _ if at == text.len() => text.push(with),
        1 => text[at] = with,
        2 => drop(text.remove(at)),
        _ => {
            let last = text.len() - 1;
            text.swap(at, last);
        }
    }
}

fn near_valid() -> impl Strategy<Value = (StringFormat, String)> {
    let likely = "0123456789 :.-+/?#[]@%~TZtzPYMWDHSPvxnaAfFé\\\"<>=\u{0}\t٣_!".chars().collect::<Vec<_>>();
    let character = prop_oneof![9 => select(likely), 1 => any::<char>()];
    let edits = vec((0u8..4, any::<Index>(), character), 0..4);
    (select(StringFormat::ALL), any::<Index>(), edits).prop_map(|(format, seed, edits)| {
        let seeds = seeds(format);
        let mut text = seeds[seed.index(seeds.len())].chars().collect();
        for one in edits {
            edit(one, &mut text);
        }
        (format, text.into_iter().collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn formats_agree_with_jsonschema((format, text) in near_valid()) {
        let verdicts = (format.accepts(&text), judge(format, &text));
        prop_assert!(verdicts.0 == verdicts.1 || is_known_difference(format, &text), "{:?} {:?}: {:?}", format, text, verdicts);
    }
}

#[test]
fn an_expectation_contains_no_value_that_a_model_could_send() {
    for &format in StringFormat::ALL {
        let expectation = format.expectation();
        assert!(!expectation.contains(format.example()) && !expectation.contains("such as"), "{expectation}");
        let notation = expectation.split_once('(').map(|(_, rest)| rest.trim_end_matches(')'));
        let words = notation.into_iter().flat_map(|words| words.split(", "));
        let is_shown = |word: &&str| format.accepts(word);
        assert_eq!(words.filter(is_shown).count(), 0, "{expectation}");
    }
}

#[test]
fn every_seed_is_accepted() {
    for &format in StringFormat::ALL {
        for text in seeds(format) {
            assert!(format.accepts(text), "{format:?}: {text}");
        }
    }
}

#[test]
fn every_known_difference_occurs() {
    for (reason, covers, format, text, ours) in DIFFERENCES {
        assert!(covers(format, text), "{reason}: not covered");
        assert_eq!(format.accepts(text), ours, "{reason}: our result");
        assert_eq!(judge(format, text), !ours, "{reason}: the result of `jsonschema`");
    }
}

#[test]
fn names_round_trip_and_examples_are_accepted() {
    for &format in StringFormat::ALL {
        assert_eq!(StringFormat::from_name(format.name()), Some(format));
        assert!(format.accepts(format.example()), "{format:?}");
        assert!(judge(format, format.example()), "{format:?}");
    }
}

#[test]
fn lengths_are_bounded_like_in_dns_and_smtp() {
    let host = |last: usize| format!("{0}.{0}.{0}.{1}", "a".repeat(63), "b".repeat(last));
    let mail = |local: usize| format!("{}@example.org", "a".repeat(local));
    let cases = [
        (StringFormat::Hostname, host(61), true),
        (StringFormat::Hostname, host(62), false),
        (StringFormat::Hostname, "a".repeat(64), false),
        (StringFormat::Email, mail(64), true),
        (StringFormat::Email, mail(65), false),
    ];
    for (format, text, expected) in cases {
        assert_eq!((format.accepts(&text), judge(format, &text)), (expected, expected), "{text}");
    }
}

#[test]
fn ten_megabytes_are_checked() {
    let cases: [(&str, &[StringFormat]); 4] = [
        ("/~0", &[StringFormat::UriReference, StringFormat::JsonPointer]),
        ("P1Y", &[StringFormat::UriReference]),
        ("a.", &[StringFormat::UriReference]),
        ("x://[:\"", &[]),
    ];
    for (piece, expected) in cases {
        let text = piece.repeat(10_000_000 / piece.len());
        let accepted: Vec<_> = StringFormat::ALL.iter().copied().filter(|format| format.accepts(&text)).collect();
        assert_eq!(accepted, expected, "{piece}…");
    }
}
