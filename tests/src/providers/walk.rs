//! A traversal of a schema that visits every subschema with its path.

use serde_json::Value;

/// A schema with its path as `OpenAI` prints it: `('properties', 'tags', 'items')`.
pub(super) struct Place<'v> {
    pub(super) schema: &'v Value,
    pub(super) way: Vec<String>,
}

impl Place<'_> {
    pub(super) fn context(&self) -> String {
        let parts: Vec<_> = self.way.iter().map(|part| format!("'{part}'")).collect();
        format!("In context=({})", parts.join(", "))
    }
}

/// Returns every subschema of a schema, itself first. Unknown keywords contain no schemas.
pub(super) fn places(schema: &Value) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![Place { schema, way: Vec::new() }];
    while let Some(place) = waiting.pop() {
        for (keyword, value) in place.schema.as_object().into_iter().flatten() {
            let mut add = |schema, step: Option<String>| {
                let mut way = place.way.clone();
                way.push(keyword.clone());
                way.extend(step);
                waiting.push(Place { schema, way });
            };
            match (keyword.as_str(), value) {
                (
                    "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas",
                    Value::Object(named),
                ) => {
                    named.iter().for_each(|(name, schema)| add(schema, Some(name.clone())));
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(parts)) => {
                    parts.iter().enumerate().for_each(|(index, schema)| add(schema, Some(index.to_string())));
                }
                (
                    "items" | "additionalProperties" | "not" | "if" | "then" | "else" | "contains" | "propertyNames",
                    _,
                ) if value.is_object() || value.is_boolean() => {
                    add(value, None);
                }
                _ => {}
            }
        }
        found.push(place);
    }
    found
}

/// Returns the names of the properties of a schema.
pub(super) fn properties(schema: &Value) -> Vec<&String> {
    schema.get("properties").and_then(Value::as_object).map(|named| named.keys().collect()).unwrap_or_default()
}

/// Returns the names that a schema requires.
pub(super) fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.map(|names| names.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

/// Returns `true` if a schema names a type, alone or in a list.
pub(super) fn names_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|known| known == name),
        _ => false,
    }
}

/// Returns the target of a local reference.
pub(super) fn target<'v>(root: &'v Value, schema: &Value) -> Option<&'v Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// Returns `true` if the references form a cycle.
pub(super) fn is_circular(root: &Value) -> bool {
    fn visit<'v>(root: &'v Value, schema: &'v Value, open: &mut Vec<&'v Value>, done: &mut Vec<*const Value>) -> bool {
        if open.iter().any(|other| std::ptr::eq(*other, schema)) {
            return true;
        }
        if done.contains(&std::ptr::from_ref(schema)) {
            return false;
        }
        open.push(schema);
        let found = places(schema)
            .iter()
            .filter(|place| !place.way.iter().any(|part| part == "$defs"))
            .filter_map(|place| target(root, place.schema))
            .any(|target| visit(root, target, open, done));
        open.pop();
        done.push(schema);
        found
    }
    visit(root, root, &mut Vec::new(), &mut Vec::new())
}
