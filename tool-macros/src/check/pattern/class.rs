//! Translates character classes, such as `[a-z\d]`, after their `[`.
//!
//! Rejects classes that other regex dialects interpret differently: nested classes, set operations, POSIX names, empty classes.

use super::escape::{self, Escape, Place};
use super::source::{PatternError, Source, push_literal};

pub(super) fn translate(source: &mut Source, pattern: &mut String) -> Result<(), PatternError> {
    let negated = source.take("^");
    pattern.push_str(if negated { "[^" } else { "[" });
    if source.take("]") {
        return Err(if negated {
            PatternError::instead("[^]", "is not portable", r"[\s\S]")
        } else {
            PatternError::instead("[]", "matches nothing, and a bracket in a class is escaped", r"[\]…]")
        });
    }
    while !source.take("]") {
        let low = item(source)?;
        if source.rest.starts_with('-') && !source.rest.starts_with("-]") {
            source.take("-");
            let (Escape::Character(low), Escape::Character(high)) = (low, item(source)?) else {
                return Err(PatternError::new(
                    r"a set such as `\d` cannot begin or end a range: write `\-` for the hyphen itself",
                ));
            };
            if low > high {
                let (low, high) = (low.escape_default(), high.escape_default());
                let range = format!("{low}-{high}");
                return Err(PatternError::instead(&range, "is a range from high to low", &format!("{high}-{low}")));
            }
            push_literal(pattern, low);
            pattern.push('-');
            push_literal(pattern, high);
        } else {
            match low {
                Escape::Character(character) => push_literal(pattern, character),
                Escape::Set(set) => pattern.push_str(&set),
            }
        }
    }
    pattern.push(']');
    Ok(())
}

fn item(source: &mut Source) -> Result<Escape, PatternError> {
    match source.next() {
        None => Err(PatternError::instead("[", "is not closed", r"\[")),
        Some('\\') => escape::read(source, Place::Class),
        Some('[') => Err(nested(source.rest)),
        Some('&') if source.rest.starts_with('&') => {
            Err(PatternError::new("`&&` in a class is not portable: write `&` once, or write the class out"))
        }
        Some(character) => Ok(Escape::Character(character)),
    }
}

/// Returns the error for a `[` inside a class; `rest` is the text after it.
fn nested(rest: &str) -> PatternError {
    const POSIX: [(&str, &str); 8] = [
        ("alpha", "A-Za-z"),
        ("digit", "0-9"),
        ("alnum", "A-Za-z0-9"),
        ("upper", "A-Z"),
        ("lower", "a-z"),
        ("space", r"\s"),
        ("xdigit", "0-9A-Fa-f"),
        ("word", r"\w"),
    ];
    let name = rest.strip_prefix(':').and_then(|rest| rest.split_once(":]")).map(|(name, _)| name);
    match POSIX.iter().find(|&&(posix, _)| Some(posix) == name) {
        Some((posix, replacement)) => PatternError::instead(&format!("[:{posix}:]"), "is not ECMA-262", replacement),
        None => PatternError::instead("[", "in a class is not portable", r"\["),
    }
}
