//! A mechanical fixer, which takes the place of the simplest possible model: it does what a hint says and nothing else.
//!
//! It imports none of our crates. It only reads the keys of a hint that `docs/wire.md` defines, and the keys `example`, `unique_items`,
//! `min_properties` and `max_properties` of a constraint.
//!
//! Invariant: arguments that the hint does not name are not changed.

use serde_json::{Map, Number, Value, json};

/// One step of a path as in `docs/wire.md`: `order.items[2]["x y"]`.
enum Step {
    Key(String),
    Index(usize),
}

/// Returns the next arguments. Text that is not valid JSON is replaced by an empty object.
pub fn fix(hint: &str, arguments: &str) -> String {
    let hint: Value = serde_json::from_str(hint).unwrap_or_default();
    let mut arguments: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!({}));
    for entry in list(&hint["constraints"]) {
        if let (Some(how), Some(Step::Key(key))) =
            (entry["content"].as_str(), entry["field"].as_str().and_then(steps).and_then(|mut path| path.pop()))
        {
            arguments = unwrapped(arguments, &key, how == "replaces_arguments");
        } else if let Some(path) = entry["field"].as_str().and_then(steps) {
            correct(entry, &path, &mut arguments);
        }
    }
    for field in list(&hint["missing_fields"]).iter().filter_map(Value::as_str) {
        let Some(path) = steps(field) else { continue };
        let entry = list(&hint["constraints"]).iter().find(|entry| entry["field"] == field);
        let value =
            exemplified(&hint["example_input"], &path).or_else(|| entry.map(|entry| built(entry, &Value::Null)));
        if let Some(value) = value {
            insert(&path, value, &mut arguments);
        }
    }
    arguments.to_string()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the content of a field, alone or joined with the other arguments.
fn unwrapped(mut arguments: Value, key: &str, alone: bool) -> Value {
    let Some(content) = arguments.as_object_mut().and_then(|members| members.remove(key)) else { return arguments };
    let content = match content {
        Value::String(text) => serde_json::from_str(&text).unwrap_or_default(),
        content => content,
    };
    match (arguments, content) {
        (Value::Object(mut members), Value::Object(content)) if !alone => {
            members.extend(content);
            Value::Object(members)
        }
        (_, content) => content,
    }
}

/// Follows one constraint.
fn correct(entry: &Value, path: &[Step], arguments: &mut Value) {
    let Some((last, parent)) = path.split_last() else {
        *arguments = built(entry, arguments);
        return;
    };
    let renamed = entry["rename_to"].as_str().or_else(|| {
        // If an entry has no type, its allowed values are names of keys.
        let names_a_key = entry.get("type").is_none() && entry.get("expected").is_none();
        entry["allowed_values"][0].as_str().filter(|_| names_a_key)
    });
    let (Some(parent), Step::Key(key)) = (at(parent, arguments), last) else {
        if let Some(place) = at(path, arguments) {
            *place = built(entry, place);
        }
        return;
    };
    let Some(members) = parent.as_object_mut() else { return };
    let Some(key) = spelt(members, key) else { return };
    if entry["remove"] == true {
        members.remove(&key);
    } else if let Some(name) = renamed {
        let value = members.remove(&key).unwrap_or_default();
        members.insert(name.to_owned(), value);
    } else if let Some(place) = members.get_mut(&key) {
        *place = built(entry, place);
    }
}

/// Returns a value that satisfies an entry, derived from the sent one if possible.
fn built(entry: &Value, sent: &Value) -> Value {
    if let Some(meant) = entry["did_you_mean"].as_str() {
        return json!(meant);
    }
    if let Some(first) = list(&entry["allowed_values"]).first() {
        return first.clone();
    }
    if let Some(example) = entry.get("example") {
        return example.clone();
    }
    match entry["type"].as_str() {
        Some("string") => string(entry, sent),
        Some("integer" | "number") => number(entry, sent),
        Some("array") => array(entry, sent),
        Some("object") => object(entry, sent),
        Some("boolean") => json!(true),
        _ => Value::Null,
    }
}

fn string(entry: &Value, sent: &Value) -> Value {
    let known = match entry["format"].as_str() {
        Some("date-time") => "2024-01-01T00:00:00Z",
        Some("date") => "2024-01-01",
        Some("time") => "12:00:00Z",
        Some("duration") => "P1D",
        Some("email") => "a@example.com",
        Some("hostname") => "example.com",
        Some("ipv4") => "127.0.0.1",
        Some("ipv6") => "::1",
        Some("uri") => "https://example.com/",
        Some("uri-reference" | "json-pointer") => "/a",
        Some("uuid") => "123e4567-e89b-12d3-a456-426614174000",
        _ => sent.as_str().unwrap_or("text"),
    };
    let (least, most) = (entry["min_length"].as_u64().unwrap_or(0), entry["max_length"].as_u64().unwrap_or(u64::MAX));
    let mut text: String = known.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
    while (text.chars().count() as u64) < least {
        text.push('a');
    }
    json!(text)
}

/// Returns the number that satisfies the bounds and the divisor and is nearest to the sent one.
fn number(entry: &Value, sent: &Value) -> Value {
    let is_integer = entry["type"] == "integer";
    let step = entry["multiple_of"].as_f64();
    let gap = step.unwrap_or(if is_integer { 1.0 } else { 0.125 });
    let least = entry["min"].as_f64().into_iter().chain(entry["exclusive_min"].as_f64().map(|end| end + gap));
    let most = entry["max"].as_f64().into_iter().chain(entry["exclusive_max"].as_f64().map(|end| end - gap));
    let (least, most) = (least.fold(f64::NEG_INFINITY, f64::max), most.fold(f64::INFINITY, f64::min));
    let mut value = sent.as_f64().unwrap_or(0.0).clamp(least, most);
    if let Some(step) = step {
        value = (value / step).floor() * step;
        value = if value < least { value + step } else { value };
    }
    // Bounds are copied as written, because a float may not represent them.
    let end = ["min", "max"].into_iter().map(|key| &entry[key]).find(|end| end.as_f64() == Some(value));
    match end {
        Some(end) => end.clone(),
        #[allow(clippy::cast_possible_truncation)] // Values outside of the range of `i64` do not occur.
        None if is_integer => json!(value.round() as i64),
        None => Number::from_f64(value).map_or(Value::Null, Value::Number),
    }
}

fn array(entry: &Value, sent: &Value) -> Value {
    let mut items = sent.as_array().cloned().unwrap_or_default();
    let count = |key: &str| entry[key].as_u64().and_then(|count| usize::try_from(count).ok());
    if entry["unique_items"] == true {
        let mut seen = Vec::new();
        items.retain(|item| {
            !seen.contains(item) && {
                seen.push(item.clone());
                true
            }
        });
    }
    items.truncate(count("max_items").unwrap_or(usize::MAX));
    for number in items.len()..count("min_items").unwrap_or(0) {
        let other = match entry["items_type"].as_str() {
            Some("string") => json!(format!("text{number}")),
            Some("integer" | "number") => json!(number),
            Some("boolean") => json!(number % 2 == 0),
            _ => items.first().cloned().unwrap_or_default(),
        };
        let again = items.first().filter(|_| entry["unique_items"] != true).cloned();
        items.push(again.unwrap_or(other));
    }
    Value::Array(items)
}

fn object(entry: &Value, sent: &Value) -> Value {
    let mut members = sent.as_object().cloned().unwrap_or_default();
    for (name, words) in entry["required_fields"].as_object().into_iter().flatten() {
        if !members.contains_key(name) {
            members.insert(name.clone(), from_words(words.as_str().unwrap_or_default()));
        }
    }
    let most = entry["max_properties"].as_u64().and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let mut members: Map<String, Value> = members.into_iter().take(most).collect();
    while (members.len() as u64) < entry["min_properties"].as_u64().unwrap_or(0) {
        let value = members.values().next().cloned().unwrap_or_default();
        members.insert(format!("key{}", members.len()), value);
    }
    Value::Object(members)
}

/// Returns a value for an expectation in words: `string of 1 to 80 characters`, `integer from 1 to 14`, `one of "a", "b"`.
fn from_words(words: &str) -> Value {
    let first_number =
        || words.split(|other: char| !other.is_ascii_digit()).find_map(|digits| digits.parse::<u64>().ok());
    match words.split([' ', ',']).next().unwrap_or_default() {
        "one" => words.split('"').nth(1).map_or(Value::Null, |value| json!(value)),
        "string" => json!(
            "text".chars().cycle().take(usize::try_from(first_number().unwrap_or(4)).unwrap_or(4)).collect::<String>()
        ),
        "integer" | "number" => json!(first_number().unwrap_or(0)),
        "boolean" => json!(true),
        "array" => json!([]),
        "object" => json!({}),
        _ => Value::Null,
    }
}

/// Returns the value at a path of an example, which never leads through a list.
fn exemplified(example: &Value, path: &[Step]) -> Option<Value> {
    let value = path.iter().try_fold(example, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(_) => None,
    });
    value.cloned()
}

fn insert(path: &[Step], value: Value, arguments: &mut Value) {
    let Some((last, parent)) = path.split_last() else { return };
    match (at(parent, arguments), last) {
        (Some(Value::Object(members)), Step::Key(key)) => {
            members.insert(key.clone(), value);
        }
        (Some(Value::Array(items)), Step::Index(_)) => items.push(value),
        _ => {}
    }
}

/// Returns the key that a path shows: the key itself, or, if the shown key ends with `…`, the first key with that beginning.
fn spelt(members: &Map<String, Value>, shown: &str) -> Option<String> {
    let begins = |key: &&String| shown.strip_suffix('…').is_some_and(|beginning| key.starts_with(beginning));
    if members.contains_key(shown) { Some(shown.to_owned()) } else { members.keys().find(begins).cloned() }
}

fn at<'v>(path: &[Step], value: &'v mut Value) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => {
            let members = value.as_object_mut()?;
            let key = spelt(members, key)?;
            members.get_mut(&key)
        }
        Step::Index(index) => value.get_mut(index),
    })
}

/// Parses a path. Returns `None` if the beginning of the path is truncated.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = if path == "$" { "" } else { path };
    while !rest.is_empty() {
        if rest.starts_with('…') {
            return None;
        }
        if let Some(quoted) = rest.strip_prefix("[\"") {
            // The key is a JSON string, which ends at the first unescaped quote.
            let mut escaped = false;
            let end = quoted.find(|character| {
                let ends = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                ends
            })?;
            steps.push(Step::Key(serde_json::from_str(&rest[1..=end + 2]).ok()?));
            rest = quoted[end + 1..].strip_prefix(']')?;
        } else if let Some(index) = rest.strip_prefix('[') {
            let (digits, after) = index.split_once(']')?;
            steps.push(Step::Index(digits.parse().ok()?));
            rest = after;
        } else {
            let plain = rest.strip_prefix('.').unwrap_or(rest);
            let end = plain.find(['.', '[']).unwrap_or(plain.len());
            steps.push(Step::Key(plain[..end].to_owned()));
            rest = &plain[end..];
        }
    }
    Some(steps)
}
