//! Writes keywords as sentences, for providers that do not read them.
//!
//! In: a keyword and its value. Out: a sentence, or nothing if the keyword does not constrain the value.

use crate::json::{Json, Node};

/// The maximum length of a value in a sentence, in bytes.
const LONGEST: usize = 600;

/// Returns the sentence for a keyword.
pub(super) fn sentence(keyword: &str, value: &Json<'static>) -> Option<String> {
    let count = |bound: &str, one: &str, several: &str| {
        let number = value.as_number()?.0;
        Some([bound, number, if number == "1" { one } else { several }].concat())
    };
    let text = || value.as_str().or_else(|| value.as_number().map(|number| number.0));
    let phrase = |before: &str| Some([before, text()?, "."].concat());
    Some(match keyword {
        "minLength" => count("At least ", " character.", " characters.")?,
        "maxLength" => count("At most ", " character.", " characters.")?,
        "minItems" => count("At least ", " item.", " items.")?,
        "maxItems" => count("At most ", " item.", " items.")?,
        "minProperties" => count("At least ", " key.", " keys.")?,
        "maxProperties" => count("At most ", " key.", " keys.")?,
        "minimum" => phrase("At least ")?,
        "maximum" => phrase("At most ")?,
        "exclusiveMinimum" if value.as_number().is_some() => phrase("More than ")?,
        "exclusiveMaximum" if value.as_number().is_some() => phrase("Less than ")?,
        "multipleOf" => phrase("A multiple of ")?,
        "uniqueItems" => value.as_bool()?.then(|| "No two items are equal.".to_owned())?,
        "pattern" => format!("Matches the regular expression {}", short_json(value)),
        "format" => phrase("Format: ")?,
        "enum" => format!("One of {}.", short_list(value)),
        "const" => format!("Always {}.", short_json(value)),
        "default" => format!("Default: {}.", short_json(value)),
        "examples" => format!("Examples: {}.", short_list(value)),
        "example" => format!("Example: {}.", short_json(value)),
        "deprecated" => value.as_bool()?.then(|| "Deprecated.".to_owned())?,
        "readOnly" => value.as_bool()?.then(|| "Read-only.".to_owned())?,
        "contentEncoding" => phrase("Encoded as ")?,
        "contentMediaType" => phrase("Media type: ")?,
        // The values of these keywords are schemas.
        "not"
        | "if"
        | "then"
        | "else"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "prefixItems"
        | "contains"
        | "minContains"
        | "maxContains"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "propertyNames"
        | "patternProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "additionalItems"
        | "contentSchema" => {
            format!("JSON Schema `{keyword}`: {}", short_json(value))
        }
        _ => return None,
    })
}

/// Returns a value as JSON text, shortened.
pub(super) fn short_json(value: &Json<'_>) -> String {
    let preview = value.preview(LONGEST);
    if preview.complete { preview.text } else { preview.text + "…" }
}

/// Returns the values of a list, shortened.
fn short_list(value: &Json<'static>) -> String {
    let Node::Array(values) = &value.node else { return short_json(value) };
    let mut text = String::new();
    for (position, value) in values.iter().enumerate() {
        let separator = if position == 0 { "" } else { ", " };
        let value = short_json(value);
        if text.len() + separator.len() + value.len() > LONGEST {
            text.push_str(", …");
            break;
        }
        text.extend([separator, &value]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence_of(keyword: &str, value: &str) -> Option<String> {
        sentence(keyword, &Json::parse(value).ok()?.into_owned())
    }

    #[test]
    fn a_keyword_is_a_sentence() {
        assert_eq!(sentence_of("minLength", "1").as_deref(), Some("At least 1 character."));
        assert_eq!(sentence_of("maxItems", "3").as_deref(), Some("At most 3 items."));
        assert_eq!(sentence_of("exclusiveMinimum", "0.5").as_deref(), Some("More than 0.5."));
        assert_eq!(sentence_of("enum", r#"["a", 1, null]"#).as_deref(), Some(r#"One of "a", 1, null."#));
        assert_eq!(sentence_of("pattern", r#""^a$""#).as_deref(), Some(r#"Matches the regular expression "^a$""#));
        assert_eq!(sentence_of("uniqueItems", "false"), None);
        assert_eq!(sentence_of("minimum", "{}"), None);
        assert_eq!(sentence_of("x-unit", r#""m""#), None);
    }

    #[test]
    fn a_sentence_is_bounded() {
        let many = format!("[{}]", vec!["12345"; 1_000].join(","));
        let long = format!("\"{}\"", "a".repeat(10_000));
        for text in [sentence_of("enum", &many), sentence_of("const", &long), sentence_of("not", &many)] {
            assert!(text.is_some_and(|text| text.len() < 2 * LONGEST && text.contains('…')));
        }
    }
}
