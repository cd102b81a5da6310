//! Lists in sentences, bounded: as many elements as fit, then `… and 7 more`.

use std::fmt::{self, Display, Write};

use crate::json::write_string;

/// How many bytes a list takes before it is cut.
const LONGEST: usize = 160;

/// How many elements a list shows.
const MOST: usize = 10;

/// What takes no longer than this is rendered without growing its text.
const USUAL: usize = 128;

/// A text as `to_string` gives it, with room for the usual length from the start.
pub(crate) fn rendered(words: &impl Display) -> String {
    let mut text = String::with_capacity(USUAL);
    // Writing to a `String` cannot fail.
    let _ = write!(text, "{words}");
    text
}

/// Writes the elements with commas between them; the first always, the others while they fit.
pub(super) fn write_list<T: Display>(
    f: &mut fmt::Formatter<'_>,
    separator: &str,
    elements: impl ExactSizeIterator<Item = T>,
) -> fmt::Result {
    let (all, mut written) = (elements.len(), 0);
    let mut text = String::new();
    for (index, element) in elements.enumerate() {
        text.clear();
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{element}");
        written += text.len() + separator.len();
        if index > 0 && (index == MOST || written > LONGEST) {
            return write!(f, "{separator}… and {} more", all - index);
        }
        write!(f, "{}{}", if index == 0 { "" } else { separator }, Cut(&text))?;
    }
    Ok(())
}

/// A string in the quotes of JSON.
pub(super) struct Quoted<'t>(pub(super) &'t str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.0.len() + 2);
        write_string(&mut text, self.0);
        f.write_str(&text)
    }
}

/// A text that is cut where it alone would be longer than a list may be.
pub(super) struct Cut<'t>(pub(super) &'t str);

impl Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.len() <= LONGEST {
            return f.write_str(self.0);
        }
        write!(f, "{}…", beginning(self.0, LONGEST))
    }
}

/// A noun with the article that English wants before it.
pub(super) struct WithArticle<T>(pub(super) T);

impl<T: Display> Display for WithArticle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = self.0.to_string();
        let article = match noun.as_bytes() {
            [b'a' | b'e' | b'i' | b'o' | b'A' | b'E' | b'I' | b'O', ..] if !noun.starts_with("one of") => "an ",
            _ if ["one of", "null", "any ", "true "].iter().any(|start| noun.starts_with(start)) => "",
            _ => "a ",
        };
        write!(f, "{article}{noun}")
    }
}

/// At most so many bytes of a text, cut between two characters.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
