//! Decides whether a range of text around or between values certainly is prose, so that it can be removed without loss.
//!
//! Text is not prose if it may be a value, a member or an item, or if it says that the model left something out. If this is not certain,
//! the call is rejected.

use super::scalar::Word;

/// The classification of a range of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prose {
    /// Words that are not part of any value.
    Plain,
    /// Text that may contain a value, a member or an item, which begins at this byte of the range.
    Value(usize),
    /// A note that something was left out.
    Cut,
}

/// Words which say that a text is not complete; they are in lower case and sorted.
#[rustfmt::skip]
const CUTS: [&str; 158] = [
    "a.o", "a.u", "abbreviated", "above", "abridged", "additional", "afgekort", "altre", "altri", "altro", "andere",
    "anderen", "ausgelassen", "autres", "clipped", "cont", "continua", "continue", "continued", "continues",
    "continuing", "cropped", "cut", "dalej", "demais", "demás", "departe", "ditto", "diğer", "diğerleri", "ecc",
    "eccetera", "elided", "elision", "ellipsis", "enz", "enzovoort", "etc", "etcetera", "excerpt", "existing",
    "fehlen", "fehlende", "fehlt", "fixme", "folgen", "folgt", "fortsetzung", "further", "gekürzt", "incomplete",
    "inni", "itd", "itp", "kalan", "kalanı", "likewise", "m.fl", "mais", "mehr", "missing", "more",
    "más", "omesse", "omessi", "omesso", "omis", "omise", "omises", "omission", "omit", "omite", "omitida",
    "omitidas", "omitido", "omitidos", "omits", "omitted", "omitting", "osv", "other", "others", "otras", "otros",
    "outras", "outros", "overige", "partial", "partially", "placeholder", "pozostałe", "previous", "remain",
    "remainder", "remaining", "remains", "repeated", "rest", "restante", "restantes", "restants", "reste", "resten",
    "restes", "restliche", "restlichen", "resto", "reszta", "rimanente", "rimanenti", "saire", "same", "sebagainya",
    "seterusnya", "shortened", "similar", "similarly", "skipped", "skipping", "snip", "snipped", "sucesivamente",
    "suivants", "tbc", "tbd", "todo", "tronqué", "truncado", "truncate", "truncated", "truncates", "truncation",
    "u.s.w", "unchanged", "usf", "usw", "vân", "weggelassen", "weiter", "weitere", "weiteren", "weiterer", "weiteres",
    "übrige", "übrigen", "далее", "др", "другие", "еще", "ещё", "и.т.д", "остальное", "остальные", "пропущено",
    "прочее", "т.д", "т.п", "إلخ",
];
/// Texts with the same meaning in scripts that do not separate words by spaces.
const CUTS_WITHIN: [&str; 18] = [
    "省略",
    "以下略",
    "下略",
    "後略",
    "中略",
    "略",
    "等",
    "其他",
    "其余",
    "其餘",
    "剩余",
    "更多",
    "など",
    "残り",
    "その他",
    "나머지",
    "생략",
    "계속",
];

/// The position of a range of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Before the value. An introduction that ends in a colon may contain numbers: "Step 2: {…}".
    Before,
    /// After the value.
    Behind,
    /// In a comment. A star at the beginning of a line is not a bullet.
    Comment,
    /// In a comment between the members of an object. A number without a key is not a member.
    Members,
}

/// Classifies a range of text.
pub(super) fn judge(text: &str, place: Where) -> Prose {
    let is_introduction = || text.trim_end().ends_with([':', '：']);
    let may_count = place == Where::Members || place == Where::Before && is_introduction();
    let mut label = None;
    let (mut before, mut at, mut is_so, mut begins_line) = (None::<char>, 0, false, true);
    let mut bullet = None;
    while let Some(next) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at + next.len_utf8()..).unwrap_or_default();
        let after = rest.chars().next();
        let mut length = next.len_utf8();
        if is_of_word(next) {
            // A word after a label (`key: value`) or after a bullet (`- item`) may be a value.
            if let Some(place) = label.or(bullet) {
                return Prose::Value(place);
            }
            length = word_length(&text[at..]);
            let word = &text[at..at + length];
            if !may_count && (next.is_numeric() || !matches!(Word::parse(word), Word::Name)) {
                return Prose::Value(at);
            }
            let word = word.to_lowercase();
            let is_phrase = is_so && matches!(&*word, "on" | "forth");
            if is_phrase || CUTS.contains(&&*word) {
                return Prose::Cut;
            }
            is_so = word == "so";
        } else {
            match next {
                '{' | '}' | '[' | ']' => return Prose::Value(at),
                '"' | '`' | '“' | '”' | '„' | '«' | '»' if after.is_some_and(is_of_word) => {
                    return Prose::Value(at);
                }
                '\'' | '‘' | '‚' if after.is_some_and(is_of_word) && !before.is_some_and(is_of_word) => {
                    return Prose::Value(at);
                }
                ':' | '=' | '：' | '＝' | '→' | '⇒' | '↦' => label = label.or(Some(at)),
                '>' if before == Some('-') => label = label.or(Some(at)),
                '…' | '⋯' | '‥' => return Prose::Cut,
                '.' if rest.starts_with("..") => return Prose::Cut,
                // Two stars emphasize the text between them and two others, such as a title before the value.
                '*' if begins_line && place == Where::Before && after == Some('*') => {}
                '-' | '*' | '+' | '•' | '·' | '–' | '—'
                    if begins_line && matches!(place, Where::Before | Where::Behind) =>
                {
                    bullet = Some(at);
                }
                '\n' | '\r' => bullet = None,
                _ => {}
            }
        }
        begins_line = matches!(next, '\n' | '\r') || begins_line && next.is_whitespace();
        before = text[..at + length].chars().next_back();
        at += length;
    }
    if !text.is_ascii() && CUTS_WITHIN.iter().any(|cut| text.contains(cut)) {
        return Prose::Cut;
    }
    Prose::Plain
}

fn is_of_word(next: char) -> bool {
    next.is_alphanumeric() || next == '_'
}

/// Returns the length of the first word: letters and digits, and signs between two of them.
fn word_length(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((_, next)) = chars.next() {
        let Some(&(at, after)) = chars.peek() else { return text.len() };
        let joins = matches!(after, '-' | '.' | '\'' | '’') && is_of_word(next);
        let goes_on = || text[at + after.len_utf8()..].chars().next().is_some_and(is_of_word);
        if !(is_of_word(after) || joins && goes_on()) {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{CUTS, Prose, Where, judge};

    #[test]
    fn plain_words_are_prose() {
        for text in [
            "",
            "The output is:",
            "is the output.",
            "Anything else I can help with?",
            "callback_123 (",
            "some text\n",
            " it's here ",
            "The diameter of the circle. (with a \", \")",
            "<|im_end|>",
            "- ",
            "arguments =",
            "* a line\n * another one",
            "GPT-4",
        ] {
            assert_eq!(judge(text, Where::Comment), Prose::Plain, "{text:?}");
        }
    }

    #[test]
    fn values_members_and_items_are_not_prose() {
        for text in [
            "u: 6",
            "u = 6",
            "u: six",
            "u -> six",
            "n: 5, ",
            "and 6",
            "true",
            "with \"x\"",
            "with 'x'",
            "`x`",
            "- Paris",
            "\n* Paris",
            "a ] b",
            "１",
            "five → six",
            "٣",
            "// 2, 5",
        ] {
            assert!(matches!(judge(text, Where::Behind), Prose::Value(_)), "{text:?}");
        }
        assert_eq!(judge("Step 2: ", Where::Before), Prose::Plain);
        for text in ["Step 2 ", "n: 5: ", "u 6, ", "“u”: "] {
            assert!(matches!(judge(text, Where::Before), Prose::Value(_)), "{text:?}");
        }
    }

    #[test]
    fn a_note_about_a_cut_is_recognized() {
        for text in [
            "... the others",
            "…",
            "and so on",
            "and so forth",
            "etc.",
            "rest omitted",
            "More",
            "usw.",
            "и т.д.",
            "等",
            "以下省略",
            "reste",
            "TRUNCATED",
            "unchanged",
        ] {
            assert_eq!(judge(text, Where::Comment), Prose::Cut, "{text:?}");
        }
        assert!(CUTS.is_sorted(), "the list is sorted, so that no word is listed twice");
    }
}
