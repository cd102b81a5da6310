//! A model without intelligence: it corrects the fields that a text names, and nothing else.
//!
//! It knows the arguments that it means. After a rejection, it sets each field that the text names to the intended value. A text names a
//! field by the name of the field, by the value that was sent, or by the column in a message of serde. If the text names a field that the
//! tool does not have, the field is removed. The same rules are used for all sides, and do not depend on the format of any side.

use serde_json::{Map, Value};

use crate::calls::{BadCall, MEANT, TOOL};
use crate::sides::Side;
use crate::sides::bare::Bare;

/// The end of a sequence of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The tool ran with the intended arguments after this number of further calls.
    Ran(usize),
    /// The tool ran with other arguments than the intended ones, and returned this result.
    Misunderstood(String),
    /// The tool did not run: a text names nothing that can be corrected, or there were too many calls.
    Stuck,
}

/// The maximum number of further calls.
const MOST: usize = 5;

/// Calls a side until the tool runs. Returns the end of the sequence, and the texts that the model reads.
#[must_use]
pub fn correct(side: &dyn Side, call: &BadCall) -> (End, Vec<String>) {
    let meant = Bare.call(TOOL, MEANT).ok();
    let (mut name, mut arguments) = (call.name.to_owned(), call.arguments.to_owned());
    let mut texts = Vec::new();
    for round in 0..=MOST {
        match side.call(&name, &arguments) {
            Ok(result) if Some(&result) == meant.as_ref() => return (End::Ran(round), texts),
            Ok(result) => return (End::Misunderstood(result), texts),
            Err(text) => {
                let next = next(&text, &name, &arguments);
                texts.push(text);
                match next {
                    Some(next) => (name, arguments) = next,
                    None => break,
                }
            }
        }
    }
    (End::Stuck, texts)
}

/// Returns the next call, or `None` if the text does not lead to a change.
fn next(text: &str, name: &str, arguments: &str) -> Option<(String, String)> {
    if name != TOOL {
        return names(text, TOOL).then(|| (TOOL.to_owned(), arguments.to_owned()));
    }
    let Ok(Value::Object(sent)) = serde_json::from_str(arguments) else {
        // The text of the arguments was not valid JSON, so the model writes all of it again.
        return Some((name.to_owned(), MEANT.to_owned()));
    };
    let Ok(Value::Object(meant)) = serde_json::from_str::<Value>(MEANT) else { return None };
    let mut now = Map::new();
    for (key, value) in &sent {
        let named = names(text, key)
            || value.as_str().is_some_and(|value| names(text, value))
            || column(text) == end(arguments, key, value);
        match meant.get(key) {
            Some(value) if named => drop(now.insert(key.clone(), value.clone())),
            None if named => {}
            _ => drop(now.insert(key.clone(), value.clone())),
        }
    }
    for (key, value) in &meant {
        if !now.contains_key(key) && names(text, key) {
            now.insert(key.clone(), value.clone());
        }
    }
    (now != sent).then(|| (name.to_owned(), Value::Object(now).to_string()))
}

/// Returns `true` if a text contains a word.
fn names(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// Returns the column in a message of serde.
fn column(text: &str) -> Option<usize> {
    let digits = text.split("line 1 column ").nth(1)?;
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Returns the column at which the value of a key ends.
fn end(arguments: &str, key: &str, value: &Value) -> Option<usize> {
    let text = format!("{}:{value}", Value::from(key));
    Some(arguments.find(&text)? + text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_name_its_value_or_its_column() {
        let sent = r#"{"city":"Oslo","days":"many","unit":"kelvin"}"#;
        let fixed = |text: &str| next(text, TOOL, sent).map(|(_, arguments)| arguments);
        let days = Some(r#"{"city":"Oslo","days":3,"unit":"kelvin"}"#.to_owned());
        assert_eq!(fixed("days is not a number"), days);
        assert_eq!(fixed("`many` is not a number"), days);
        assert_eq!(fixed("invalid type at line 1 column 28"), days);
        assert_eq!(fixed("birthdays are not allowed"), None);
    }

    #[test]
    fn an_unknown_field_is_removed_and_a_missing_one_is_added() {
        let (_, arguments) =
            next("unknown field `town`, expected `city`", TOOL, r#"{"days":3,"town":"Oslo","unit":"celsius"}"#)
                .expect("a change");
        let (Ok(fixed), Ok(meant)) = (serde_json::from_str::<Value>(&arguments), serde_json::from_str::<Value>(MEANT))
        else {
            panic!("JSON")
        };
        assert_eq!(fixed, meant);
    }
}
