//! A mechanical fixer, which acts like a model that follows the hint exactly.
//!
//! [`fix`] only uses the JSON of the hint and the previous arguments. It relies on the contract of `docs/wire.md`: each path of
//! `missing_fields` has a value in `example_input`, nested by key, or an entry in `constraints`; each entry is sufficient on its own.

use serde_json::{Map, Value, json};

enum Step {
    Key(String),
    Index(usize),
}

/// Corrects the arguments with the hint.
pub(super) fn fix(hint: &Value, arguments: &mut Value) {
    if !arguments.is_object() {
        *arguments = json!({});
    }
    let entries = hint["constraints"].as_array().cloned().unwrap_or_default();
    let missing: Vec<_> = hint["missing_fields"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for entry in &entries {
        let field = entry["field"].as_str().unwrap_or_default();
        if !missing.contains(&field) {
            act(entry, &steps(field), arguments);
        }
    }
    for field in missing {
        let steps = steps(field);
        let entry = entries.iter().find(|entry| entry["field"] == field);
        let example = at_path(&hint["example_input"], &steps).cloned();
        let value = example.or_else(|| entry.map(|entry| value_for(entry, &Value::Null)));
        *place(arguments, &steps) = value.unwrap_or_else(|| "text".into());
    }
}

fn act(entry: &Value, steps: &[Step], arguments: &mut Value) {
    let Some((Step::Key(key), parent)) = steps.split_last() else {
        let current = place(arguments, steps);
        *current = value_for(entry, current);
        return;
    };
    // Without a type, the allowed values are names for the key.
    let names = entry["allowed_values"].as_array().filter(|_| entry["type"].is_null());
    let renamed = entry["rename_to"].as_str().or_else(|| names?.first()?.as_str());
    if renamed.is_none() && entry["remove"] != true {
        let current = place(arguments, steps);
        *current = value_for(entry, current);
        return;
    }
    if let Value::Object(object) = place(arguments, parent)
        && let Some(value) = object.remove(&spelt(object, key))
        && let Some(renamed) = renamed
    {
        object.insert(renamed.to_owned(), value);
    }
}

/// Returns a value that satisfies the members of an entry, as near to the current one as possible.
fn value_for(entry: &Value, current: &Value) -> Value {
    let texts = |key: &str| entry[key].as_array().and_then(|list| list.first()).and_then(Value::as_str);
    if let Some(text) = entry["did_you_mean"].as_str().or_else(|| texts("allowed_values")) {
        return text.into();
    }
    if let Some(example) = entry.get("example") {
        return example.clone();
    }
    match entry["type"].as_str() {
        Some("integer" | "number") => number(entry, current),
        Some("string") => string(entry, current),
        Some("boolean") => true.into(),
        Some("array") => array(entry, current),
        Some("object") => {
            let mut object = current.as_object().cloned().unwrap_or_default();
            let most = entry["max_properties"].as_u64().and_then(|most| usize::try_from(most).ok());
            let mut kept = 0..most.unwrap_or(usize::MAX);
            object.retain(|_, _| kept.next().is_some());
            for (name, words) in entry["required_fields"].as_object().into_iter().flatten() {
                object.entry(name).or_insert_with(|| from_words(words.as_str().unwrap_or_default()));
            }
            object.into()
        }
        Some(_) => Value::Null,
        None => from_words(texts("variants").or(entry["expected"].as_str()).unwrap_or_default()),
    }
}

fn number(entry: &Value, current: &Value) -> Value {
    let bound = |key: &str| entry[key].as_f64();
    let mut value = current.as_f64().unwrap_or(1.0);
    let step = bound("multiple_of");
    let nudge = step.unwrap_or(if entry["type"] == "integer" { 1.0 } else { 0.5 });
    value = bound("min").map_or(value, |min| value.max(min));
    value = bound("exclusive_min").map_or(value, |min| if value > min { value } else { min + nudge });
    value = bound("max").map_or(value, |max| value.min(max));
    value = bound("exclusive_max").map_or(value, |max| if value < max { value } else { max - nudge });
    value = if entry["type"] == "integer" { value.round() } else { value };
    if let Some(step) = step {
        let up = (value / step).ceil() * step;
        value = if bound("max").is_some_and(|max| up > max) { up - step } else { up };
    }
    if entry["type"] == "integer" {
        serde_json::from_str(&format!("{value:.0}")).unwrap_or_default()
    } else {
        value.into()
    }
}

fn string(entry: &Value, current: &Value) -> Value {
    match entry["format"].as_str() {
        Some("date") => return "2025-01-31".into(),
        Some("email") => return "ada@example.org".into(),
        _ => {}
    }
    let mut text: Vec<char> = current.as_str().unwrap_or("text").chars().collect();
    text.truncate(entry["max_length"].as_u64().map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)));
    let least = entry["min_length"].as_u64().unwrap_or(0);
    while (text.len() as u64) < least {
        text.push('x');
    }
    text.into_iter().collect::<String>().into()
}

fn array(entry: &Value, current: &Value) -> Value {
    let mut items = current.as_array().cloned().unwrap_or_default();
    if entry["unique_items"] == true {
        let mut seen: Vec<Value> = Vec::new();
        items.retain(|item| {
            !seen.contains(item) && {
                seen.push(item.clone());
                true
            }
        });
    }
    let length = |key: &str| entry[key].as_u64().and_then(|length| usize::try_from(length).ok());
    items.truncate(length("max_items").unwrap_or(usize::MAX));
    while items.len() < length("min_items").unwrap_or(0) {
        items.push(match entry["items_type"].as_str() {
            Some("integer" | "number") => items.len().into(),
            _ => format!("text{}", items.len()).into(),
        });
    }
    items.into()
}

/// Returns a value for a textual expectation, such as `integer from 1 to 14` or `one of "a", "b"`.
fn from_words(words: &str) -> Value {
    let quoted = words.strip_prefix("one of ").unwrap_or(words);
    let number =
        |word: &str| words.split_once(word).and_then(|(_, rest)| rest.split([' ', ',']).next()?.parse::<i64>().ok());
    if let Some(Ok(text)) =
        quoted.starts_with('"').then(|| serde_json::Deserializer::from_str(quoted).into_iter().next()).flatten()
    {
        return text;
    }
    match words.split(' ').next().unwrap_or_default() {
        "integer" | "number" => number(" from ").or(number(" above ").map(|bound| bound + 1)).unwrap_or(1).into(),
        "boolean" => true.into(),
        "object" => json!({}),
        "array" => json!([]),
        "date" => "2025-01-31".into(),
        "email" => "ada@example.org".into(),
        "null" => Value::Null,
        _ => "x"
            .repeat(number(" of ").or(number(" least ")).and_then(|length| length.try_into().ok()).unwrap_or(4))
            .into(),
    }
}

/// Parses a path such as `order.items[2]["odd key"]`.
fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path.trim_start_matches('$');
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix("[\"") {
            // The key is a JSON string: a quote in it is escaped with a backslash.
            let mut key = serde_json::Deserializer::from_str(&rest[1..]).into_iter::<String>();
            steps.push(Step::Key(key.next().and_then(Result::ok).unwrap_or_default()));
            rest = inner.get(key.byte_offset()..).unwrap_or_default();
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']').unwrap_or((inner, ""));
            steps.push(Step::Index(index.parse().unwrap_or_default()));
            rest = after;
        } else {
            let key = rest.trim_start_matches('.');
            let end = key.find(['.', '[']).unwrap_or(key.len());
            steps.push(Step::Key(key[..end].to_owned()));
            rest = &key[end..];
        }
    }
    steps
}

/// Returns the key for a shown path segment: the key itself, or the first key with this beginning if the segment ends in `…`.
fn spelt(members: &Map<String, Value>, shown: &str) -> String {
    let begins = |key: &&String| shown.strip_suffix('…').is_some_and(|beginning| key.starts_with(beginning));
    if members.contains_key(shown) { shown } else { members.keys().find(begins).map_or(shown, String::as_str) }
        .to_owned()
}

fn place<'v>(mut value: &'v mut Value, steps: &[Step]) -> &'v mut Value {
    for step in steps {
        value = match step {
            Step::Key(key) => {
                if !value.is_object() {
                    *value = Map::new().into();
                }
                let key = value.as_object().map(|members| spelt(members, key)).unwrap_or_default();
                &mut value[&key]
            }
            Step::Index(index) => &mut value[index],
        };
    }
    value
}

/// Returns the value at a path of `example_input`, which never leads through a list.
fn at_path<'v>(example: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(example, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(_) => None,
    })
}
