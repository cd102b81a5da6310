//! Recognizes markup that somebody else wrote.

use std::borrow::Cow;

/// Texts that the model has read, and that it may repeat.
pub(crate) struct Seen<'t> {
    texts: Vec<Cow<'t, str>>,
    /// The essence of each text. Most answers contain no call, so that it is computed late.
    essences: Option<Vec<String>>,
}

impl<'t> Seen<'t> {
    pub(crate) const fn new(texts: Vec<Cow<'t, str>>) -> Self {
        Self { texts, essences: None }
    }

    pub(crate) fn extend(&mut self, texts: impl IntoIterator<Item = Cow<'t, str>>) {
        self.texts.extend(texts);
        self.essences = None;
    }

    /// Returns `true` if one of the texts contains the markup. White space and escapes do not count, because most results of tools are JSON,
    /// and a model repeats the text in it without the escapes.
    pub(crate) fn contains(&mut self, markup: &str) -> bool {
        let essences = self.essences.get_or_insert_with(|| self.texts.iter().map(|text| essence(text)).collect());
        let markup = essence(markup);
        essences.iter().any(|text| text.contains(&markup))
    }
}

/// Returns a text without white space, with the escapes of JSON and HTML undone, however often they were applied.
fn essence(text: &str) -> String {
    const ENTITIES: [(&str, char); 6] =
        [("lt;", '<'), ("gt;", '>'), ("quot;", '"'), ("apos;", '\''), ("#39;", '\''), ("#34;", '"')];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
        match next {
            '\\' => {
                rest = rest.trim_start_matches('\\');
                let code = rest.strip_prefix('u').and_then(|rest| rest.get(..4));
                let code = code.and_then(|code| u32::from_str_radix(code, 16).ok()).and_then(char::from_u32);
                if let Some(code) = code {
                    rest = rest.get(5..).unwrap_or_default();
                    out.extend(Some(code).filter(|code| !is_skipped(*code)));
                } else {
                    rest = rest.strip_prefix(['n', 't', 'r']).unwrap_or(rest);
                }
            }
            '&' => {
                while let Some(inner) = rest.strip_prefix("amp;") {
                    rest = inner;
                }
                let entity = ENTITIES.iter().find_map(|(name, char)| Some((rest.strip_prefix(name)?, *char)));
                if let Some((after, char)) = entity {
                    rest = after;
                    out.push(char);
                } else {
                    out.push('&');
                }
            }
            next if is_skipped(next) => {}
            next => out.push(next),
        }
    }
    out
}

/// White space, and characters that nobody sees.
fn is_skipped(char: char) -> bool {
    char.is_whitespace()
        || char.is_control()
        || matches!(char, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}
