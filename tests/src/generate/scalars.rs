//! Numbers and strings that satisfy every rule of their location.

use tool_schema::json::Number;
use tool_schema::shape::{Measure, Precision, StringFormat};

use super::Choices;
use super::limits::{self, Ends, Rules, float, in_range};
use crate::tree::Tree;

/// Returns an integer within the rules, usually near one of its bounds.
pub(super) fn integer(rules: &Rules, choices: &mut Choices<'_>) -> Tree {
    let Ends { min, max } = limits::integers(rules);
    let near_zero = 0.clamp(min, max);
    let random = i128::try_from(choices.below(200)).unwrap_or_default();
    let value = [near_zero, min, max, near_zero.saturating_add(random), min.saturating_add(1), max.saturating_sub(1)]
        [choices.below(6)]
    .clamp(min, max);
    let Some(divisor) = limits::divisor(rules) else { return Tree::integer(value) };
    match divisor {
        Number::Integer(divisor) => {
            let below = value - value.rem_euclid(divisor);
            Tree::integer(if below < min { below.saturating_add(divisor) } else { below })
        }
        other => multiple(other, value.clamp(-4, 4), rules),
    }
}

/// Returns a float within the rules.
pub(super) fn number(precision: Precision, rules: &Rules, choices: &mut Choices<'_>) -> Tree {
    if let Some(divisor) = limits::divisor(rules) {
        let factor = i128::try_from(choices.below(9)).unwrap_or_default() - 4;
        return multiple(divisor, factor, rules);
    }
    let large = if precision == Precision::Single { 3e38 } else { 1.5e300 };
    let plain = [0.0, 0.5, 1.0, -2.25, 3.0, 1e3, 0.1, -1e-9, 12.75, large, -7.0];
    let ends = limits::ends(rules);
    let between = |pair: &[f64]| f64::midpoint(pair[0], pair[pair.len() - 1]);
    let fitting: Vec<f64> = plain
        .into_iter()
        .chain(ends.iter().copied())
        .chain(ends.iter().flat_map(|end| [end - 0.25, end + 0.25]))
        .chain((!ends.is_empty()).then(|| between(&ends)))
        .filter(|&value| in_range(rules, value))
        .collect();
    let value = choices.pick(&fitting).copied().unwrap_or_default();
    Tree::Number(float_text(value, choices))
}

/// Returns one of the spellings of a number.
fn float_text(value: f64, choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        1 if value.abs() < 1e15 => format!("{value}"),
        2 => format!("{value:e}"),
        3 => format!("{value:E}"),
        _ => format!("{value:?}"),
    }
}

/// Returns a multiple of the divisor within the ranges, without rounding errors in its text.
fn multiple(divisor: Number, factor: i128, rules: &Rules) -> Tree {
    let step = float(divisor);
    #[allow(clippy::cast_precision_loss)] // Factors are small.
    let value = |factor: i128| {
        let parts = (1.0 / step).round();
        if step < 1.0 { factor as f64 / parts } else { factor as f64 * step }
    };
    let mut factors = (0..400).flat_map(|away| [factor + away, factor - away]);
    let found = factors.find(|&factor| in_range(rules, value(factor))).unwrap_or_default();
    Tree::Number(format!("{}", value(found)))
}

/// Returns a string within the rules. A pattern may need the author's `example`.
pub(super) fn string(rules: &Rules, example: Option<&str>, choices: &mut Choices<'_>) -> String {
    let (min, max) = limits::length(rules, Measure::Characters);
    let fits = |text: &&str| {
        let length = text.chars().count();
        min <= length
            && max.is_none_or(|max| length <= max)
            && limits::pattern(rules).is_none_or(|pattern| pattern.is_match(text))
    };
    let known: Vec<&str> = match limits::format(rules) {
        Some(format) => valid(format).iter().copied().filter(fits).collect(),
        None if limits::pattern(rules).is_some() => WORDS.iter().copied().chain(example).filter(fits).collect(),
        None => return of_length(min, max, choices),
    };
    choices.pick(&known).map_or_else(|| example.unwrap_or_default().to_owned(), |text| (*text).to_owned())
}

/// Returns a string whose length is often one of the bounds. Its characters take one to four bytes.
fn of_length(min: usize, max: Option<usize>, choices: &mut Choices<'_>) -> String {
    let most = max.unwrap_or(min + 6).min(min + 200);
    let length = [min, most, min + choices.below(most - min + 1)][choices.below(3)];
    (0..length).map(|_| ['a', 'b', 'é', '日', '😀', ' ', '"', '\\', '\n', '5'][choices.below(10)]).collect()
}

/// Candidates for a pattern.
const WORDS: &[&str] =
    &["a", "abc", "ABC", "A-1", "AB-12", "ab12", "2024", "0", "x y", "ä", "é", "_", "", "日本", "a.b", "src/main.rs"];

/// Returns valid texts of a format.
pub(super) fn valid(format: StringFormat) -> &'static [&'static str] {
    match format {
        StringFormat::DateTime => &["2024-02-29T12:00:00Z", "1999-12-31T23:59:60Z", "2000-01-01t00:00:00.5+01:00"],
        StringFormat::Date => &["2024-02-29", "0001-01-01"],
        StringFormat::Time => &["12:00:00Z", "23:59:60+00:00", "08:30:00.25-05:00"],
        StringFormat::Duration => &["P1D", "PT1H30M", "P3W", "P1Y2M3DT4H5M6S"],
        StringFormat::Email => &["a@example.com", "first.last@example.org"],
        StringFormat::Hostname => &["example.com", "a-b.example", "localhost"],
        StringFormat::Ipv4 => &["127.0.0.1", "255.255.255.255"],
        StringFormat::Ipv6 => &["::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4"],
        StringFormat::Uri => &["https://example.com/a?b=c#d", "urn:isbn:0451450523"],
        StringFormat::UriReference => &["../a", "https://example.com/", "#x"],
        StringFormat::Uuid => &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"],
        StringFormat::JsonPointer => &["", "/a/0", "/m~0n/~1"],
        _ => &[],
    }
}

/// Returns texts that are almost valid for a format.
pub(super) fn invalid(format: StringFormat) -> &'static [&'static str] {
    match format {
        StringFormat::DateTime => &["2024-02-30T12:00:00Z", "2024-02-29 12:00:00", "2024-02-29T12:00:00", ""],
        StringFormat::Date => &["2023-02-29", "2024-2-9", "24-02-09", ""],
        StringFormat::Time => &["12:00:00", "24:00:00Z", "12:00Z", ""],
        StringFormat::Duration => &["P", "PT", "1D", "P1S", ""],
        StringFormat::Email => &["a", "@example.com", "a@", ""],
        StringFormat::Hostname => &["-a.example", "a..b", "a_b.example", ""],
        StringFormat::Ipv4 => &["256.0.0.1", "1.2.3", "01.2.3.4", ""],
        StringFormat::Ipv6 => &[":::", "1::2::3", "12345::", ""],
        StringFormat::Uri => &["/relative", "a b", "http://[", ""],
        StringFormat::UriReference => &["a b", "http://[", "\\"],
        StringFormat::Uuid => &["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", ""],
        StringFormat::JsonPointer => &["a", "/~2", "#/a"],
        _ => &[],
    }
}

/// Returns texts on which parsers of a format or pattern disagree, or might.
pub(super) fn odd_texts(rules: &Rules) -> &'static [&'static str] {
    match limits::format(rules) {
        Some(StringFormat::DateTime) => &[
            "2024-2-3T04:05:06Z",
            "2024-02-03T24:00:00Z",
            "2024-02-03t04:05:06z",
            "2016-12-31T23:59:60Z",
            "2016-12-31T15:59:60-08:00",
            "2016-12-31T12:30:60Z",
            "2024-02-03T04:05:06+24:00",
            "2024-02-03T04:05:06-00:00",
            "2024-02-03T04:05:06+0100",
            "2024-02-03T04:05:06.Z",
            "2024-02-03T04:05:06,5Z",
            "2024-02-0/T04:05:06Z",
            "+2024-02-03T04:05:06Z",
        ],
        Some(StringFormat::Date) => &[
            "2024-2-3",
            "20240203",
            "2024-034",
            "2024-W05-6",
            ".900-02-28",
            "2024-02-0/",
            "0000-01-01",
            "٢٠٢٤-02-03",
            "2024-02-03 ",
        ],
        Some(StringFormat::Time) => &[
            "24:00:00Z",
            "04:05:06",
            "04:05:06z",
            "4:5:6Z",
            "23:59:60Z",
            "00:29:60+00:30",
            "12:00:60Z",
            "23:59:60.5Z",
            "04:05:06+24:00",
            "04:05:06-00:00",
            "04:05:06+01",
            "04:05:0/Z",
        ],
        Some(StringFormat::Duration) => &["P1W2D", "P0.5D", "PT1.5S", "P1M1Y", "-P1D", "p1d", "P1DT", "PT1H1S", "P٣D"],
        Some(StringFormat::Email) => &[
            "a@xn--a",
            "a@xn--4gbwdl.xn--wgbh1c",
            "a@b\u{fc}cher.example",
            "\u{e4}@example.com",
            "Ada <a@b.c>",
            "\"a\tb\"@c.d",
            "\"a\\ b\"@c.d",
            "\"a b\"@c.d",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
            "a@localhost",
            "a..b@c.d",
            "a@b_c.d",
        ],
        Some(StringFormat::Hostname) => &[
            "xn--a",
            "xn--X",
            "XN--4gbwdl",
            "xn--4gbwdl.xn--wgbh1c",
            "xn--",
            "ab--cd.example",
            "b\u{fc}cher.example",
            "\u{65e5}\u{672c}",
            "example.com.",
            "1.2.3.4",
            "xn--ls8h.la",
            "a\u{3002}b",
        ],
        _ if limits::pattern(rules).is_some() => &[
            "\u{e9}ab",
            "ab\u{e9}",
            "ab\u{65e5}",
            "a\u{e9}",
            "\u{e9}",
            "a_",
            "_ab",
            "ab-\u{e9}",
            "a\u{301}b",
            "\u{663}",
            "\u{a0}",
            "\u{85}",
            "\u{feff}",
            "\u{180e}",
            "\u{2028}",
            "ab\u{2028}",
            "\u{17f}",
            "\u{212a}",
            "A-1\n",
            "ab\n",
        ],
        _ => &[],
    }
}
