//! The arguments that a call sent to a container, shortened for an answer.

use crate::bounded;
use crate::json::{Json, ObjectWriter, Writer, preview};

/// The maximum number of bytes of one value (see `docs/wire.md`).
const VALUE: usize = 200;
/// The maximum number of bytes of all keys and values together.
const TOGETHER: usize = 800;

/// Returns the arguments as JSON text. Short values are unchanged; every other value becomes a string with its beginning and `…`.
pub(super) fn attempted_parameters(attempted: &Json<'_>) -> String {
    let mut text = String::new();
    if attempted.members().is_empty() {
        write_preview(Writer::new(&mut text), attempted);
        return text;
    }
    let members = attempted.members();
    Writer::new(&mut text).object(|object| {
        let mut spent = 0;
        for (index, member) in members.iter().enumerate() {
            let mut value = String::new();
            write_preview(Writer::new(&mut value), &member.value);
            let key = bounded::truncated_name(&member.key);
            spent += 2 * bounded::json_string_len(&key) + value.len() + 4;
            if spent > TOGETHER && index > 0 {
                return write_rest(object, members.len() - index);
            }
            object.json_text(&key, &value);
        }
    });
    text
}

fn write_rest(object: &mut ObjectWriter<'_>, omitted: usize) {
    object.string("…", &format!("and {omitted} more"));
}

fn write_preview(place: Writer<'_>, value: &Json<'_>) {
    let preview = preview(value, VALUE);
    match value.as_str() {
        _ if preview.complete => place.json_text(&preview.text),
        Some(text) => place.string(&bounded::exact_text(text, VALUE)),
        None => place.string(&bounded::text(&(preview.text + "…"), VALUE)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempted(text: &str) -> String {
        Json::parse(text).map_or_else(|error| error.to_string(), |json| attempted_parameters(&json))
    }

    #[test]
    fn short_values_are_unchanged() {
        let sent = r#"{"function":"add","a":5.0,"b":[1,{"c":null}]}"#;
        assert_eq!(attempted(sent), sent);
        assert_eq!(attempted("[1, 2]"), "[1,2]");
    }

    #[test]
    fn a_long_value_is_cut() {
        let long = "é\\\"".repeat(300);
        let shown = attempted(&serde_json::json!({ "a": long, "b": vec![long.clone(); 2] }).to_string());
        let shown: serde_json::Value = serde_json::from_str(&shown).unwrap_or_default();
        assert!(shown["a"].as_str().is_some_and(|text| long.starts_with(text.trim_end_matches('…'))), "{shown}");
        assert!(shown["b"].as_str().is_some_and(|text| text.starts_with("[\"é") && text.ends_with('…')), "{shown}");
    }

    #[test]
    fn many_members_are_counted() {
        let members = (0..500).map(|index| (format!("key{index}"), index.into()));
        let shown = attempted(&serde_json::Value::Object(members.collect()).to_string());
        let shown: serde_json::Map<_, _> = serde_json::from_str(&shown).unwrap_or_default();
        assert_eq!(shown["…"], format!("and {} more", 500 - (shown.len() - 1)));
    }
}
