//! Conversion of a value to the arguments that a model sends: a value of the plain schema, in the form of the shown schema.
//!
//! The two schemas are read side by side, as a person would: a key that is required but absent becomes `null`, an object becomes an array
//! of entries if the shown schema has one, and keys are spelled as in the shown schema.

use serde_json::{Map, Value, json};

/// A schema with its document.
#[derive(Clone, Copy)]
pub struct In<'v> {
    /// The whole document.
    pub root: &'v Value,
    /// The schema in it.
    pub schema: &'v Value,
}

impl<'v> In<'v> {
    /// Returns a document as its own schema.
    pub fn root(root: &'v Value) -> Self {
        Self { root, schema: root }
    }

    /// Returns another schema of the same document.
    #[must_use]
    pub fn at(self, schema: &'v Value) -> Self {
        Self { schema, ..self }
    }

    /// Returns the schema after following `$ref` and `allOf` with one schema.
    fn resolved(mut self) -> Self {
        for _ in 0..64 {
            let target = self
                .schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|reference| self.root.pointer(reference.strip_prefix('#')?));
            let part = self.schema.get("allOf").and_then(Value::as_array).filter(|parts| parts.len() == 1);
            match (target, part) {
                (Some(target), _) => self.schema = target,
                (None, Some(parts)) => self.schema = &parts[0],
                (None, None) => break,
            }
        }
        self
    }

    /// Returns the branches of a union; none for any other schema.
    pub fn branches(self) -> &'v [Value] {
        let list = ["anyOf", "oneOf"].into_iter().find_map(|keyword| self.schema.get(keyword)?.as_array());
        list.map_or(&[], Vec::as_slice)
    }

    /// Returns the schema of an item.
    #[must_use]
    pub fn item(self, position: usize) -> Self {
        let list = ["prefixItems", "items"].into_iter().find_map(|keyword| self.schema.get(keyword)?.as_array());
        let own = list.and_then(|list| list.get(position));
        let is_older = self.schema.get("items").is_some_and(Value::is_array);
        let rest = if is_older { "additionalItems" } else { "items" };
        self.at(own.or_else(|| self.schema.get(rest)).unwrap_or(&Value::Bool(true)))
    }

    /// Returns `true` if `jsonschema` accepts a value at this location.
    pub fn accepts(self, value: &Value) -> bool {
        let mut alone = self.schema.clone();
        if let Some(members) = alone.as_object_mut() {
            for keyword in ["$defs", "definitions", "$schema"] {
                if let Some(value) = self.root.get(keyword) {
                    members.insert(keyword.to_owned(), value.clone());
                }
            }
        }
        jsonschema::options().build(&alone).is_ok_and(|validator| validator.is_valid(value))
    }

    fn names(self, name: &str) -> bool {
        match self.schema.get("type") {
            Some(Value::String(only)) => only == name,
            Some(Value::Array(names)) => names.iter().any(|known| known == name),
            _ => false,
        }
    }
}

/// Returns the form in which a model sends a value, or an error if the shown schema has no form for it.
pub fn sent(plain: In<'_>, shown: In<'_>, value: &Value) -> Result<Value, String> {
    let (plain, shown) = (plain.resolved(), shown.resolved());
    let branches = plain.branches();
    if !branches.is_empty() && (shown.branches().is_empty() || shown.branches().len() >= branches.len()) {
        let position = branches.iter().position(|branch| plain.at(branch).accepts(value));
        let position = position.ok_or("no branch accepts the value")?;
        // Without branches, only `null` was joined with the other branch.
        let theirs = shown.branches().get(position).unwrap_or(shown.schema);
        return sent(plain.at(&branches[position]), shown.at(theirs), value);
    }
    if !shown.branches().is_empty() && !value.is_null() {
        // Only `null` was added, or each type or variant has its own branch.
        let forms = shown.branches().iter().filter_map(|branch| {
            let branch = shown.at(branch);
            sent(plain, branch, value).ok().filter(|sent| branch.accepts(sent))
        });
        return forms.into_iter().next().ok_or_else(|| format!("no shown branch takes {value}"));
    }
    match value {
        Value::Array(items) => {
            let item = |(position, item)| sent(plain.item(position), shown.item(position), item);
            items.iter().enumerate().map(item).collect()
        }
        Value::Object(members) if shown.names("array") && !shown.names("object") => entries(plain, shown, members),
        Value::Object(members) => object(plain, shown, members),
        _ => Ok(value.clone()),
    }
}

fn entries(plain: In<'_>, shown: In<'_>, members: &Map<String, Value>) -> Result<Value, String> {
    let values = plain.schema.get("additionalProperties").ok_or("it is no map")?;
    let asked = shown.schema.pointer("/items/properties/value").ok_or("no entries are shown")?;
    let entry = |(key, value): (&String, &Value)| {
        Ok(json!({"key": key, "value": sent(plain.at(values), shown.at(asked), value)?}))
    };
    members.iter().map(entry).collect()
}

fn object(plain: In<'_>, shown: In<'_>, members: &Map<String, Value>) -> Result<Value, String> {
    let none = Map::new();
    let asked = shown.schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required = |key: &str| {
        shown.schema.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|name| name == key))
    };
    let mut written = Map::new();
    let mut seen = Vec::new();
    for (key, theirs) in asked {
        let own = own_key(key, theirs);
        match members.get(&own) {
            Some(value) => {
                let value = match property(plain, &own, members) {
                    Some(own) => sent(own, shown.at(theirs), value)?,
                    None => value.clone(),
                };
                written.insert(key.clone(), value);
            }
            None if required(key) => {
                written.insert(key.clone(), Value::Null);
            }
            None => {}
        }
        seen.push(own);
    }
    let others = shown.schema.get("additionalProperties");
    for (key, value) in members.iter().filter(|(key, _)| !seen.contains(key)) {
        if others == Some(&Value::Bool(false)) {
            return Err(format!("the key {key} is not shown, and others are rejected"));
        }
        let value = match (plain.schema.get("additionalProperties"), others) {
            (Some(own @ Value::Object(_)), Some(theirs @ Value::Object(_))) => {
                sent(plain.at(own), shown.at(theirs), value)?
            }
            _ => value.clone(),
        };
        written.insert(key.clone(), value);
    }
    Ok(Value::Object(written))
}

/// Returns the original key, which the description of a renamed key contains.
fn own_key(key: &str, mut shown: &Value) -> String {
    // If nothing may be beside branches, the description is in the first of them.
    while let (None, Some(first)) = (shown.get("description"), shown.pointer("/anyOf/0")) {
        shown = first;
    }
    let named = shown.get("description").and_then(Value::as_str).and_then(|words| words.rsplit("Named ").next());
    let named = named.and_then(|rest| serde_json::Deserializer::from_str(rest).into_iter::<String>().next()?.ok());
    match named {
        Some(own) if shown["description"].as_str().is_some_and(|words| words.contains("Named \"")) => own,
        _ => key.to_owned(),
    }
}

/// Returns the plain schema of a property, from the schema itself or from the branch that the object matches.
fn property<'v>(plain: In<'v>, key: &str, members: &Map<String, Value>) -> Option<In<'v>> {
    if let Some(own) = plain.schema.get("properties").and_then(|named| named.get(key)) {
        return Some(plain.at(own));
    }
    let value = Value::Object(members.clone());
    let branch = plain.branches().iter().find(|branch| plain.at(branch).accepts(&value))?;
    property(plain.at(branch).resolved(), key, members)
}
