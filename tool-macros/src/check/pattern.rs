//! Translates the patterns of JSON Schema (ECMA-262 with the `u` flag) for the `regex` crate.
//!
//! Only a portable subset is accepted: patterns that match the same texts in every regex engine, in linear time. Each error suggests a
//! replacement.
//!
//! Invariant: the translation compiles under the default limits of `regex`, and an unanchored search with it matches the same texts as an
//! ECMA engine. Groups lose their names and captures, because only the fact that a text matches is used.

mod class;
mod escape;
mod size;
mod source;

#[cfg(test)]
mod tests;

use escape::Escape;
pub(crate) use source::PatternError;
use source::{Source, push_literal};

/// Every character except line terminators.
const DOT: &str = r"[^\n\r\u{2028}\u{2029}]";

/// Returns a pattern for the `regex` crate that matches the same texts as `ecma` under the `u` flag.
pub(crate) fn translate(ecma: &str) -> Result<String, PatternError> {
    let mut translation = Translation::default();
    let mut source = Source::new(ecma);
    while let Some(character) = source.next() {
        translation.term(character, &mut source)?;
    }
    if translation.open_groups > 0 {
        return Err(PatternError::instead("(", "is not closed", r"\("));
    }
    size::check(&translation.pattern)?;
    Ok(translation.pattern)
}

/// The element that precedes the current position, to which a quantifier would apply.
#[derive(Clone, Copy, Default)]
enum Before {
    #[default]
    Nothing,
    Assertion,
    Quantifier,
    Atom,
}

#[derive(Default)]
struct Translation<'p> {
    pattern: String,
    before: Before,
    open_groups: usize,
    group_names: Vec<&'p str>,
}

impl<'p> Translation<'p> {
    fn term(&mut self, character: char, source: &mut Source<'p>) -> Result<(), PatternError> {
        match character {
            '^' | '$' => self.push(Before::Assertion, character.encode_utf8(&mut [0; 4])),
            '|' => self.push(Before::Nothing, "|"),
            '.' => self.push(Before::Atom, DOT),
            '(' => self.open_group(source)?,
            ')' if self.open_groups == 0 => return Err(PatternError::instead(")", "closes nothing", r"\)")),
            ')' => {
                self.open_groups -= 1;
                self.push(Before::Atom, ")");
            }
            '[' => {
                class::translate(source, &mut self.pattern)?;
                self.before = Before::Atom;
            }
            '\\' if source.take("b") => self.push(Before::Assertion, r"(?-u:\b)"),
            '\\' if source.take("B") => self.push(Before::Assertion, r"(?-u:\B)"),
            '\\' => match escape::read(source, escape::Place::Outside)? {
                Escape::Character(character) => self.literal(character),
                Escape::Set(set) => self.push(Before::Atom, &set),
            },
            '*' | '+' | '?' => self.quantifier(character.encode_utf8(&mut [0; 4]), source)?,
            '{' => {
                let bounds = bounds(source)?;
                self.quantifier(&bounds, source)?;
            }
            '}' | ']' => {
                let fault = character.to_string();
                return Err(PatternError::instead(&fault, "opens nowhere", &format!(r"\{fault}")));
            }
            _ => self.literal(character),
        }
        Ok(())
    }

    fn push(&mut self, kind: Before, text: &str) {
        self.pattern.push_str(text);
        self.before = kind;
    }

    fn literal(&mut self, character: char) {
        push_literal(&mut self.pattern, character);
        self.before = Before::Atom;
    }

    fn open_group(&mut self, source: &mut Source<'p>) -> Result<(), PatternError> {
        if source.take("?") && !source.take(":") {
            let rest = source.rest;
            if ["=", "!", "<=", "<!"].iter().any(|look| rest.starts_with(look)) {
                return Err(PatternError::new(
                    "look-around cannot be matched in linear time: write the alternatives out, or write the rule as a \
                     function and name it with `custom = path`",
                ));
            }
            if !source.take("<") {
                return Err(unknown_group(rest));
            }
            let name = source.take_before(">", is_group_name).ok_or_else(|| {
                PatternError::new("a group's name has letters, digits and `_`, and ends in `>`: write `(?<name>…)`")
            })?;
            if self.group_names.contains(&name) {
                return Err(PatternError::new(format!(
                    "two groups are called `{name}`: write `(?:…)` for one of them"
                )));
            }
            self.group_names.push(name);
        }
        self.open_groups += 1;
        self.push(Before::Nothing, "(?:");
        Ok(())
    }

    fn quantifier(&mut self, quantifier: &str, source: &mut Source<'p>) -> Result<(), PatternError> {
        match self.before {
            Before::Atom => {}
            Before::Nothing => {
                return Err(PatternError::instead(quantifier, "repeats nothing", &format!(r"\{quantifier}")));
            }
            Before::Assertion => {
                return Err(PatternError::new(format!("`{quantifier}` repeats an assertion: leave it out")));
            }
            Before::Quantifier => {
                return Err(PatternError::new(format!(
                    "`{quantifier}` follows a quantifier, and possessive ones do not exist in ECMA-262: leave it out, \
                     or write `(?:…){quantifier}` around what is repeated",
                )));
            }
        }
        self.push(Before::Quantifier, quantifier);
        if source.take("?") {
            self.pattern.push('?');
        }
        Ok(())
    }
}

fn is_group_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Returns the reason why the group `(?rest` is not accepted.
fn unknown_group(rest: &str) -> PatternError {
    match rest.chars().next() {
        Some('P') if rest.starts_with("P<") => PatternError::instead("(?P<", "is not ECMA-262", "(?<"),
        Some('P') => PatternError::new("back references cannot be matched in linear time: repeat the group"),
        Some('>') => PatternError::instead("(?>", "(an atomic group) is not ECMA-262", "(?:"),
        Some('#') => PatternError::new("`(?#` (a comment) is not ECMA-262: leave it out"),
        Some(flag) if flag.is_ascii_alphabetic() || flag == '-' || flag == '^' => PatternError::new(
            "inline flags are not portable: write `[Aa]` for a letter of either case, `[\\s\\S]` for any character",
        ),
        _ => PatternError::instead("(?", "opens no group", "(?:"),
    }
}

/// Parses the bounds of a quantifier, after its `{`.
fn bounds(source: &mut Source) -> Result<String, PatternError> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |text: &str| text.parse::<u32>().map_err(|_| size::too_large());
    let is_bounds = |text: &str| match text.split_once(',') {
        Some((least, most)) => digits(least) && (most.is_empty() || digits(most)),
        None => digits(text),
    };
    if let Some(bounds) = source.take_before("}", is_bounds) {
        let (least, most) = bounds.split_once(',').unwrap_or((bounds, ""));
        let least = number(least)?;
        if !most.is_empty() && least > number(most)? {
            let replacement = format!("{{{most},{least}}}");
            return Err(PatternError::instead(
                &format!("{{{bounds}}}"),
                "has its bounds in the wrong order",
                &replacement,
            ));
        }
        return Ok(format!("{{{bounds}}}"));
    }
    match source.take_before("}", |text| text.strip_prefix(',').is_some_and(digits)) {
        Some(bounds) => {
            Err(PatternError::instead(&format!("{{{bounds}}}"), "has no lower bound", &format!("{{0{bounds}}}")))
        }
        None => Err(PatternError::instead("{", "begins no quantifier", r"\{")),
    }
}
