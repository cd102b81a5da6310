//! Splits names and texts into the words that a search compares.
//!
//! Invariant: the work is linear in the length of the text, whatever characters it contains.

/// The maximum number of bytes of a word. Longer words are cut.
const LONGEST: usize = 64;

/// The minimum number of letters that remain if an ending is removed.
const STEM: usize = 4;

/// Endings of which words may have at most one, the longest first.
const ENDINGS: [&str; 11] = ["ation", "ating", "ated", "ator", "ate", "ing", "ion", "ed", "er", "or", "e"];

/// Words that say nothing about the task, in alphabetical order.
const FILLERS: [&str; 79] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could", "do", "does",
    "for", "from", "has", "have", "he", "how", "i", "if", "in", "into", "is", "it", "its", "like", "may", "me",
    "might", "must", "my", "need", "of", "on", "or", "our", "please", "s", "she", "should", "so", "some", "t", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "tool", "tools", "us",
    "use", "used", "using", "want", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with",
    "would", "you", "your",
];

/// Calls `each` with every word of a text, in lower case. A text in a script without spaces is split into pairs of neighbors.
pub(super) fn for_each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut last = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if has_no_spaces(letter) {
            flush(&mut word, &mut each);
            let next = letters.peek().copied().filter(|&next| has_no_spaces(next));
            // The last letter of a run is part of the pair before it.
            if next.is_some() || !has_no_spaces(last) {
                word.extend([Some(letter), next].into_iter().flatten());
                flush(&mut word, &mut each);
            }
        } else if letter.is_alphanumeric() {
            let begins_acronym_end = last.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
            if letter.is_uppercase() && (last.is_lowercase() || last.is_numeric() || begins_acronym_end) {
                flush(&mut word, &mut each);
            }
            if word.len() < LONGEST {
                word.extend(letter.to_lowercase());
            }
        } else {
            flush(&mut word, &mut each);
        }
        last = letter;
    }
    flush(&mut word, &mut each);
}

fn flush(word: &mut String, each: &mut impl FnMut(&str)) {
    if !word.is_empty() {
        each(word);
        word.clear();
    }
}

/// Returns `true` for the letters of Chinese, Japanese and Korean.
fn has_no_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

/// Returns `true` for a word that says nothing about the task.
pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.binary_search(&word).is_ok()
}

/// Returns a word without its English ending, so that `reports`, `reported` and `reporting` become equal. Other words stay as they are.
pub(super) fn stem(word: &str) -> String {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut stem = singular(word);
    let ending = ENDINGS.into_iter().find(|ending| stem.len() >= STEM + ending.len() && stem.ends_with(ending));
    stem.truncate(stem.len() - ending.map_or(0, str::len));
    let letters = stem.as_bytes();
    if let [.., before, last] = letters
        && before == last
        && ending.is_some()
        && letters.len() > STEM
    {
        stem.pop();
    }
    if stem.len() > STEM && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

fn singular(word: &str) -> String {
    if word.len() < STEM {
        return word.to_owned();
    }
    match word.strip_suffix("es") {
        Some(stem) if stem.ends_with('i') => return format!("{}y", &stem[..stem.len() - 1]),
        Some(stem) if stem.ends_with(['s', 'x', 'z', 'h']) => return stem.to_owned(),
        _ => {}
    }
    let stem = word.strip_suffix('s').filter(|stem| !stem.ends_with(['s', 'u']));
    stem.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_word(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn names_and_texts_are_split_into_words() {
        assert_eq!(words("getHTTPServer_v2"), ["get", "http", "server", "v2"]);
        assert_eq!(words("issue.list-all, e.g. \u{0}\u{7}Ärger!"), ["issue", "list", "all", "e", "g", "ärger"]);
        assert_eq!(words("搜索关键词 SQL词"), ["搜索", "索关", "关键", "键词", "sql", "词"]);
        assert_eq!(words(&"x".repeat(1_000)), ["x".repeat(LONGEST)]);
        assert!(words(" \n…").is_empty());
    }

    #[test]
    fn endings_of_english_words_are_removed() {
        for same in [
            &["report", "reports", "reported", "reporting"][..],
            &["query", "queries"],
            &["summarize", "summarizes", "summarizing", "summarization"],
            &["plan", "planning", "plans"],
            &["batch", "batches"],
            &["translate", "translating", "translation", "translator"],
            &["create", "creating", "creation", "created", "creator"],
        ] {
            let stems: Vec<_> = same.iter().map(|word| stem(word)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{same:?}: {stems:?}");
        }
        for other in ["status", "news", "class", "s3", "größe", "bus", "is"] {
            assert!(stem(other).len() + 1 >= other.len(), "{other}: {}", stem(other));
        }
    }

    #[test]
    fn fillers_are_in_order() {
        assert!(FILLERS.is_sorted());
        assert!(is_filler("please") && !is_filler("weather"));
    }
}
