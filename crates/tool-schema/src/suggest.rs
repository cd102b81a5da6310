//! Suggestions ("did you mean"). The names of tools, fields, enum values and tags are all compared in the same way.
//!
//! Invariant: the same input gives the same result, ties go to the earlier candidate, and the work for each candidate is bounded by its
//! length: names of more than 64 characters are only compared by [`fold`].

mod compare_names;
mod compare_words;

use self::compare_names::{Name, is_same_thing};
use self::compare_words::{NEGATING_WORDS, OTHER_THING};
use crate::case_significance::is_unlike;
use crate::visible::is_hidden;

/// Returns the candidate that `name` most likely means; `None` if no candidate is similar.
///
/// Candidates are similar in these ways, the best first:
///
/// 1. the name itself, then the same name after [`fold`];
/// 2. the same words in another order (`weather_get`, `get_weather`);
/// 3. one name contains all the words of the other name and is at most twice as long: `weather` resembles `get_weather`,
///    but `get` does not;
/// 4. the same number of words, each with a Damerau–Levenshtein distance of at most 2 and at most a quarter of its length: `colour`
///    resembles `color`. A letter may only be replaced in words of six or more letters, and the first letter stays the same, because
///    other changes often make another word: `math` is not `path`, `descending` is not `ascending`, `gigabytes` is not `megabytes`. A word
///    with digits is never misspelled.
///
/// Names are never similar if one of them negates the other (`inactive`, `active`; `not_content`, `content`).
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let (name, mut room) = (Name::new(name), Name::new(""));
    candidates
        .into_iter()
        .filter_map(|text| Some((name.resemblance(text, &mut room)?, text)))
        .min_by_key(|&(rank, _)| rank)
        .map(|(_, text)| text)
}

/// Returns the candidates that `name` may mean, the best first and at most `most` of them. They are ranked as in [`nearest`].
pub fn ranked<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>, most: usize) -> Vec<&'c str> {
    let (name, mut room) = (Name::new(name), Name::new(""));
    let resembling = candidates.into_iter().filter_map(|text| Some((name.resemblance(text, &mut room)?, text)));
    let mut found: Vec<_> = resembling.collect();
    found.sort_by_key(|&(rank, _)| rank);
    found.into_iter().take(most).map(|(_, text)| text).collect()
}

/// Returns `true` if a key is certainly another spelling of a field, so that a value may move from the one to the other.
///
/// The two have the same words in the same order, apart from a plural (`users`). Or one has a noun more that says nothing else (`file_path`,
/// `path`). Another order may be another thing (`lon_lat`), and so may a plural of a unit of time: an hour is not a number of hours.
pub fn is_same_field(key: &str, field: &str) -> bool {
    Name::new(key).is_same_field(&Name::new(field))
}

/// Returns the field to suggest for an unknown key: one with a similar name, or else the only field that the key abbreviates (`qty`).
///
/// In addition to [`nearest`], a key that contains the words of a field, or the reverse, must end with the same word, which says what the
/// value is: `content_type` is not a content. And the other words must not name another thing of the same kind: `parent_id` is not `id`.
pub fn suggested_field<'c>(key: &str, fields: impl IntoIterator<Item = &'c str> + Clone) -> Option<&'c str> {
    let (name, mut room) = (Name::new(key), Name::new(""));
    let mut same = fields.clone().into_iter().filter(|&field| {
        room.read(field);
        name.is_same_field(&room)
    });
    let same = same.next().filter(|_| same.next().is_none());
    let similar = || nearest(key, fields.clone()).filter(|field| is_same_thing(&name, &Name::new(field)));
    same.or_else(similar).or_else(|| {
        let mut abbreviated = fields.into_iter().filter(|field| name.abbreviates(&Name::new(field)));
        abbreviated.next().filter(|_| abbreviated.next().is_none())
    })
}

/// Returns the allowed value to suggest for a text: the same letters and digits in another case and with other separators between words,
/// or else the only one that differs by one letter of a word.
///
/// There is no suggestion if the case of letters may carry meaning, as in units; and a text with digits is never a misspelling, because
/// another number is another value.
pub fn suggested_value<'c>(text: &str, allowed: impl IntoIterator<Item = &'c str> + Clone) -> Option<&'c str> {
    let is_allowed = |name: &str| allowed.clone().into_iter().any(|known| known == name);
    let (name, mut room) = (Name::new(text), Name::new(""));
    let mut misspelt = None;
    for value in allowed.clone() {
        room.read(value);
        if name.length == 0 || room.length == 0 {
            continue;
        }
        if name.folded == room.folded && signs(text) == signs(value) {
            return Some(value).filter(|value| !is_unlike(text, value, is_allowed));
        }
        if name.is_misspelt(&room) && signs(text) == signs(value) && misspelt.replace(value).is_some() {
            return None;
        }
    }
    misspelt
}

/// Returns the signs of a text that do not only separate words.
fn signs(text: &str) -> String {
    let text = text.trim();
    let inner = text.trim_matches(['_', '-']);
    let is_sign = |letter: &char| {
        !letter.is_alphanumeric() && !letter.is_whitespace() && !matches!(letter, '_' | '-') && !is_hidden(*letter)
    };
    let outer = text.len() - inner.len();
    inner.chars().filter(is_sign).chain(std::iter::repeat_n('-', outer)).collect()
}

/// Returns the name in lower case and without separators (white space and `_ - . / :`), so that `get-weather`, `GetWeather`, `get_weather`
/// and `get weather` become equal.
///
/// A separator before a digit is kept if there is no letter before it: `-5` is not `5`, and `1.5` is not `15`.
pub fn fold(name: &str) -> String {
    Name::new(name).folded
}

/// Returns `true` if a key negates, or names another thing than the one that is asked for.
pub fn is_negating_or_other(key: &str) -> bool {
    Name::new(key).words().any(|word| NEGATING_WORDS.contains(&word) || OTHER_THING.contains(&word))
}

/// Returns the words of a name in lower case, split at separators and before capitals that follow a small letter.
pub fn words(name: &str) -> Vec<String> {
    Name::new(name).words().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    #[test]
    fn fold_ignores_case_and_separators() {
        assert_eq!(fold("Get-Weather"), "getweather");
        assert_eq!(fold("gpt-4.1"), "gpt4.1");
    }

    #[test]
    fn nearest_finds_the_expected_names() {
        let tools = ["get_weather", "get_time", "list_files", "read_file"];
        let cases: [(&str, &[&str], Option<&str>); 35] = [
            ("celcius", &["celsius", "fahrenheit"], Some("celsius")),
            ("farenheit", &["celsius", "fahrenheit"], Some("fahrenheit")),
            ("citty", &["city"], Some("city")),
            ("colour", &["color"], Some("color")),
            ("file", &["path"], None),
            ("math", &["path"], None),
            ("inactive", &["active", "archived"], None),
            ("is_inactive", &["is_active"], None),
            ("descending", &["ascending"], None),
            ("megabytes", &["gigabytes"], None),
            ("microseconds", &["milliseconds"], None),
            ("unsubscribe", &["subscribe"], None),
            ("timeout_ms", &["timeout_s"], None),
            ("no_cache", &["cache"], None),
            ("uninstaled", &["uninstalled", "installed"], Some("uninstalled")),
            ("not_found", &["found", "notFound"], Some("notFound")),
            ("adress", &["address"], Some("address")),
            ("ad", &["id"], None),
            ("asynchronous", &["synchronous"], None),
            ("un_active", &["active"], None),
            ("dry_run", &["run"], None),
            ("address1", &["address2"], None),
            ("url", &["uri"], None),
            ("id", &["ID"], Some("ID")),
            ("get weather", &tools, Some("get_weather")),
            ("getWeather", &tools, Some("get_weather")),
            ("weather-get", &tools, Some("get_weather")),
            ("weather", &tools, Some("get_weather")),
            ("get_current_weather", &tools, Some("get_weather")),
            ("get", &tools, None),
            ("list", &tools, None),
            ("-5", &["5"], None),
            ("15", &["1.5"], None),
            ("_", &["-"], None),
            ("", &["a"], None),
        ];
        for (name, candidates, expected) in cases {
            assert_eq!(nearest(name, candidates.iter().copied()), expected, "{name}");
        }
    }

    #[test]
    fn the_name_itself_comes_before_its_other_spellings() {
        assert_eq!(ranked("getA", ["get_a", "getA", "a_get", "geta_"], 3), ["getA", "get_a", "geta_"]);
    }

    #[test]
    fn ties_go_to_the_earlier_candidate() {
        assert_eq!(nearest("colour", ["color", "colours"]), Some("color"));
        assert_eq!(nearest("colour", ["colours", "color"]), Some("colours"));
    }

    #[test]
    fn only_certain_spellings_are_the_same_field() {
        for (key, field) in
            [("filePath", "file_path"), ("file_path", "path"), ("userNames", "user_name"), ("userId", "userid")]
        {
            assert!(is_same_field(key, field) && is_same_field(field, key), "{key} {field}");
        }
        for (key, field) in [
            ("colour", "color"),
            ("timeout_msecs", "timeout_secs"),
            ("usd_to_eur", "eur_to_usd"),
            ("lon_lat", "lat_lon"),
            ("hour", "hours"),
            ("due_days", "due_day"),
            ("adress", "address"),
            ("diner", "dinner"),
            ("tax_amount", "amount"),
            ("dry_run", "run"),
            ("contract_id", "contact_id"),
            ("address1", "address2"),
            ("file_name", "name"),
            ("", ""),
        ] {
            assert!(!is_same_field(key, field) && !is_same_field(field, key), "{key} {field}");
        }
    }

    #[test]
    fn a_suggested_value_has_the_same_digits_and_signs() {
        let cases: [(&str, &[&str], Option<&str>); 16] = [
            ("celcius", &["celsius", "fahrenheit"], Some("celsius")),
            ("degrees-celsius", &["degrees_celsius"], Some("degrees_celsius")),
            ("1.5m", &["15m", "5m"], None),
            ("10ms", &["10m", "30m"], None),
            ("100", &["10.0", "1.00"], None),
            ("m/s", &["s", "ms", "m"], None),
            ("-A", &["A", "B"], None),
            ("in-active", &["active", "archived"], None),
            ("soft_delete", &["delete"], None),
            ("right_to_left", &["left_to_right"], None),
            ("USD", &["USDT"], None),
            ("korea", &["north_korea", "south_korea"], None),
            ("locked", &["blocked", "open"], None),
            ("us", &["US", "DE"], Some("US")),
            ("mW", &["MW", "W"], None),
            ("orang", &["orange", "range"], Some("orange")),
        ];
        for (text, allowed, expected) in cases {
            assert_eq!(suggested_value(text, allowed.iter().copied()), expected, "{text}");
        }
    }

    #[test]
    fn a_long_name_is_only_folded() {
        let long = "a_b".repeat(1_700);
        assert_eq!(nearest(&long, ["aba", long.replace('_', "-").as_str()]), Some(long.replace('_', "-").as_str()));
        assert_eq!(nearest(&format!("{long}x"), [long.as_str()]), None);
    }

    proptest! {
        #[test]
        fn one_edit_after_the_first_letter_is_found(name in "[b-h][o-z]{5,8}(_[b-h][o-z]{5,8}){0,2}", at: Index, letter in "[o-z]", kind in 0..3) {
            let mut text: Vec<char> = name.chars().collect();
            let at = at.index(text.len());
            // The first letter of a word, and the separator after the word before it, stay as they are.
            prop_assume!(!"bcdefgh_".contains(text[at]) && text.get(at + 1) != Some(&'_') || kind == 1 && !"bcdefgh_".contains(text[at]));
            match kind {
                0 => text.splice(at..at, letter.chars()).for_each(drop),
                1 => text.splice(at..=at, letter.chars()).for_each(drop),
                _ => drop(text.remove(at)),
            }
            prop_assert_eq!(nearest(&text.into_iter().collect::<String>(), [name.as_str()]), Some(name.as_str()));
        }

        #[test]
        fn a_name_is_its_own_nearest(name in ".{0,80}", others in proptest::collection::vec(".{0,12}", 0..5)) {
            let candidates = others.iter().chain([&name]).map(String::as_str);
            prop_assert_eq!(nearest(&name, candidates), Some(name.as_str()));
        }

        #[test]
        fn ranked_begins_with_the_nearest_and_is_cut(name in "[ab_]{0,9}", others in proptest::collection::vec("[ab_]{0,9}", 0..9), most in 1usize..4) {
            let candidates = || others.iter().map(String::as_str);
            let found = ranked(&name, candidates(), most);
            prop_assert!(found.len() <= most);
            prop_assert_eq!(found.first().copied(), nearest(&name, candidates()));
            prop_assert_eq!(found, ranked(&name, candidates(), usize::MAX).into_iter().take(most).collect::<Vec<_>>());
        }

        #[test]
        fn without_a_tie_the_order_of_the_candidates_changes_nothing(
            name in "[a-cA_é]{0,9}", others in proptest::collection::vec("[a-cA_é]{0,9}", 0..9).prop_shuffle(), turn: Index,
        ) {
            let known = Name::new(&name);
            let mut ranks: Vec<_> = others.iter().filter_map(|other| known.resemblance(other, &mut Name::new(""))).collect();
            ranks.sort_unstable();
            prop_assume!(ranks.len() < 2 || ranks[0] != ranks[1]);
            let mut turned = others.clone();
            turned.rotate_left(turn.index(others.len().max(1)));
            turned.reverse();
            let found = |names: &[String]| nearest(&name, names.iter().map(String::as_str)).map(str::to_owned);
            prop_assert_eq!(found(&others), found(&turned));
        }

        #[test]
        fn folding_twice_changes_nothing(name in ".{0,40}|[aA1_. -]{0,12}") {
            prop_assert_eq!(fold(&fold(&name)), fold(&name));
        }
    }
}
