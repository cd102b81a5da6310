//! Compares translations with `regress`, an ECMA-262 engine, and checks that each rejection says what to write.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use regex::Regex;

use super::escape::{CATEGORIES, PROPERTIES};
use super::translate;

const PATTERNS: [&str; 52] = [
    r"^\d+$",
    r"^\w+$",
    r"\s",
    r"^\S+$",
    r"\D\W",
    r"^[\s\d]+$",
    r"^[^\s\d]+$",
    r"^[\S]*$",
    r"^[^\S]+$",
    r"^[\D_]+$",
    r"^[^\W]+$",
    r"^.$",
    r"^.*$",
    r"a.b",
    r"a$",
    r"^a",
    r"a$|^b",
    r"\bab\b",
    r"\Ba",
    r"a\B",
    r"\b-\b",
    r"^\/a\/$",
    r"^\u0061+\x62$",
    r"^\u{1F600}|\uD83D\uDE00$",
    r"^[\u00E0-\u00FF]+$",
    r"\cJ|\cj",
    r"^[\cA-\cZ\x08]$",
    r"[\0\f\v]|\0",
    r"^[a-z]{2,3}$",
    r"^a{2,}?b??$",
    r"^(?:ab|a)(?<x>b+)?(b)*$",
    r"^(a|b|)+$",
    r"^(?:a?)*?b$",
    r"^[\]\[\^\-\\]$",
    r"^[-a.]$",
    r"^[a-]$",
    r"^[+--]$",
    r"^[a-c-e]+$",
    r"^[&~#]$",
    r"^[^^]$",
    r"#&~-@!%<>",
    r"\.\*\+\?\(\)\[\]\{\}\|\^\$\\",
    r"^\p{L}+$",
    r"^\p{Lu}\p{Lowercase_Letter}",
    r"^[\p{Nd}\P{L}]$",
    r"^\p{Script=Greek}+$",
    r"^\p{sc=Latn}|\p{scx=Grek}$",
    r"^\p{White_Space}\p{Alphabetic}",
    r"^\p{gc=Sc}|\p{Emoji}",
    r"^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
    r"^(?:[a-z0-9]+(?:[._-][a-z0-9]+)*)@[a-z]+\.[a-z]{2,}$",
    "é|^$",
];

const LIKELY: &str = "aabbcABZ012_-+.,@/\\#&~%!<>()[]{}|^$*? \t\n\r\u{b}\u{c}\u{0}\u{1}\u{8}\u{85}\u{a0}\u{180e}\u{2028}\u{2029}\u{200b}\u{feff}\u{3000}éàÿ٣αΩ😀€";

fn engines(pattern: &str) -> (Regex, regress::Regex) {
    let translated = translate(pattern).expect(pattern);
    (Regex::new(&translated).expect(&translated), regress::Regex::with_flags(pattern, "u").expect(pattern))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_translation_finds_what_an_ecma_engine_finds(
        texts in vec(vec(select(LIKELY.chars().collect::<Vec<_>>()), 0..7).prop_map(String::from_iter), 20),
        other in any::<char>(),
    ) {
        thread_local! {
            static ENGINES: Vec<(Regex, regress::Regex)> = PATTERNS.iter().map(|pattern| engines(pattern)).collect();
        }
        ENGINES.with(|all| {
            for ((ours, theirs), pattern) in all.iter().zip(PATTERNS) {
                // The two engines use different Unicode versions, so patterns with properties are not tried on random characters.
                let other = (!pattern.contains(r"\p")).then(|| format!("a{other}"));
                for text in texts.iter().cloned().chain(other).chain(near(pattern)) {
                    prop_assert_eq!(ours.is_match(&text), theirs.find(&text).is_some(), "{} on {:?}", pattern, text);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn accepted_patterns_are_valid_ecma_and_compile(pieces in vec(select(PIECES.to_vec()), 0..8), text in "[ab01 \\-\\]\n]{0,6}") {
        let pattern = pieces.concat();
        if let Ok(translated) = translate(&pattern) {
            let ours = Regex::new(&translated);
            let theirs = regress::Regex::with_flags(&pattern, "u");
            prop_assert!(ours.is_ok(), "{} as {}", pattern, translated);
            prop_assert!(theirs.is_ok(), "{} is not ECMA-262", pattern);
            prop_assert_eq!(ours.unwrap().is_match(&text), theirs.unwrap().find(&text).is_some(), "{} on {:?}", pattern, text);
        }
    }

    #[test]
    fn translating_a_pattern_never_panics(pattern in ".{0,30}") {
        if let Ok(translated) = translate(&pattern) {
            prop_assert!(Regex::new(&translated).is_ok());
        }
    }
}

/// Valid and invalid parts of patterns, which the test joins in any order.
const PIECES: [&str; 44] = [
    "a",
    "b",
    "0",
    "-",
    "]",
    "}",
    "{",
    "[",
    "[^",
    "(",
    ")",
    "(?:",
    "(?<n>",
    "(?=",
    "(?i)",
    "|",
    "^",
    "$",
    ".",
    "*",
    "+",
    "?",
    "{2}",
    "{1,}",
    "{,2}",
    "{2,1}",
    ",",
    r"\d",
    r"\D",
    r"\s",
    r"\W",
    r"\b",
    r"\B",
    r"\-",
    r"\]",
    r"\1",
    r"\x61",
    r"\u{61}",
    r"\cA",
    r"\p{L}",
    "&&",
    "[:alpha:]",
    r"\",
    "/",
];

/// Returns short texts cut from the pattern itself, because they contain characters on which its result depends.
fn near(pattern: &str) -> impl Iterator<Item = String> {
    pattern.split(['\\', '^', '$']).map(str::to_owned)
}

#[test]
fn a_rejection_suggests_a_replacement() {
    let cases = [
        (r"(?=a)b", "`custom = path`"),
        (r"(?<!a)b", "`custom = path`"),
        (r"(a)\1", "repeat the group"),
        (r"(?<n>a)\k<n>", "repeat the group"),
        (r"(?P=n)", "repeat the group"),
        (r"(?i)a", "write `[Aa]`"),
        (r"(?-i:a)", "write `[Aa]`"),
        (r"a++", "leave it out"),
        (r"a{2}{3}", "write `(?:…){3}`"),
        (r"(?>a)", "write `(?:`"),
        (r"(?#a)", "leave it out"),
        (r"(?P<n>a)", "write `(?<`"),
        (r"(?<1>a)", "write `(?<name>…)`"),
        (r"(?<n>a)(?<n>b)", "write `(?:…)`"),
        (r"[[:alpha:]]", "write `A-Za-z`"),
        (r"[[:nonsense:]]", r"write `\[`"),
        (r"[a[b]]", r"write `\[`"),
        (r"[a-z&&b]", "write `&` once"),
        (r"[]", r"write `[\]…]`"),
        (r"[^]", r"write `[\s\S]`"),
        (r"[z-a]", "write `a-z`"),
        (r"[\w-.]", r"write `\-`"),
        (r"[a", r"write `\[`"),
        (r"(a", r"write `\(`"),
        (r"a)", r"write `\)`"),
        (r"a{,3}", "write `{0,3}`"),
        (r"a{3,2}", "write `{2,3}`"),
        (r"a{b", r"write `\{`"),
        (r"a}", r"write `\}`"),
        (r"a]", r"write `\]`"),
        (r"*a", r"write `\*`"),
        (r"^*a", "leave it out"),
        (r"\Aa", "write `^`"),
        (r"a\z", "write `$`"),
        (r"a\Z", "write `$`"),
        (r"\h", r"write `[ \t]`"),
        (r"\#", "write `#`"),
        (r"a\-b", "write `-`"),
        (r"\07", r"`\x07`"),
        (r"\x4", r"write `\x41`"),
        (r"\uD83D", r"`\u{1F600}`"),
        (r"\c1", r"write `\cJ`"),
        (r"\pL", r"write `\p{L}`"),
        (r"\p{Greek}", r"write `\p{Script=Greek}`"),
        (r"\p{greek}", r"`\p{Lu}`"),
        ("a\\", r"write `\\`"),
        (r"a{99999999999}", "write smaller repetitions"),
        (r"(a{1000}){1000}", "write smaller repetitions"),
    ];
    for (pattern, expected) in cases {
        let message = translate(pattern).expect_err(pattern).message;
        assert!(message.contains(expected), "{pattern}: {message}");
    }
}

#[test]
fn both_engines_support_every_listed_property() {
    for name in CATEGORIES.split_ascii_whitespace().chain(PROPERTIES.split_ascii_whitespace()) {
        let (ours, theirs) = engines(&format!(r"^\p{{{name}}}$"));
        for text in LIKELY.chars().map(String::from) {
            assert_eq!(ours.is_match(&text), theirs.find(&text).is_some(), "{name} on {text:?}");
        }
    }
}

#[test]
fn patterns_within_the_size_bound_compile() {
    let atoms =
        ["a", "é", r"\d", r"\w", r"\S", ".", r"\p{L}", r"[\p{L}\p{M}' -]", r"(?:ab|\d*)", "(?:a|b|)", "(?:[^a]{0,3})"];
    for atom in atoms {
        // Finds the largest count that passes, with an error of at most ten percent.
        let pattern = |count: u64| format!("^{atom}{{0,{count}}}$");
        let (mut passes, mut fails) = (1, 300_000);
        while fails - passes > 1 + passes / 10 {
            let count = u64::midpoint(passes, fails);
            *if translate(&pattern(count)).is_ok() { &mut passes } else { &mut fails } = count;
        }
        let translated = translate(&pattern(passes)).expect(atom);
        assert!(Regex::new(&translated).is_ok(), "{}", pattern(passes));
    }
}

#[test]
fn ordinary_patterns_pass_the_size_bound() {
    for pattern in [r"^\w{1,10000}$", r"^\S{1,3000}$", r"^[\p{L}\p{M}' -]{1,150}$", r"^(?:[a-z0-9-]{1,63}\.){1,8}$"] {
        assert!(translate(pattern).is_ok(), "{pattern}");
    }
}

#[test]
fn deep_nesting_is_rejected() {
    for depth in [1_000, 100_000] {
        let pattern = format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(translate(&pattern).expect_err("deep").message.contains("nested too deeply"));
    }
}
