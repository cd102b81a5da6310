//! The tool definitions in a file, in the format of any provider.
//!
//! The text is a JSON array, JSON Lines, one object with a list `tools`, or a recording of calls, whose last list counts. Each [`Definition`] contains the number of its first line.
//!
//! Invariant: a definition that cannot be used does not affect the others.

use tool_dynamic::__private_0_1_0::{PoisoningSign, poisoning};
use tool_runtime::tool_schema::json::{Json, Node};

use super::input::InputError;

/// A tool definition.
pub(super) struct Definition {
    pub(super) line: usize,
    /// The `ref`, which distinguishes tools with the same name.
    pub(super) reference: Option<String>,
    pub(super) name: String,
    pub(super) description: String,
    /// The JSON Schema of the arguments, as written.
    pub(super) schema: String,
    /// The keywords of MCP whose schemas have no `"type": "object"` at the root.
    pub(super) not_objects: Vec<&'static str>,
    /// The signs of an attack in the texts of the definition.
    pub(super) signs: Vec<PoisoningSign>,
}

/// The keys under which the formats of `OpenAI`, Anthropic and MCP contain the schema.
pub(super) const SCHEMA: [&str; 3] = ["parameters", "input_schema", "inputSchema"];

/// Parses all definitions of a file. Also returns an error for each definition that cannot be used.
pub(super) fn read(file: &str, text: &str) -> Result<(Vec<Definition>, Vec<InputError>), InputError> {
    let mut found = Found { file, definitions: Vec::new(), faults: Vec::new() };
    match whole(text) {
        Some(Ok(document)) => found.document(text, &document),
        Some(Err((offset, reason))) => {
            let line = 1 + text[..offset].matches('\n').count();
            return Err(InputError::Line { file: file.to_owned(), line, reason });
        }
        None => match recorded(text) {
            Some(list) => {
                let document = Json::parse(list).map_err(|error| InputError::Other(error.to_string()))?;
                found.document(list, &document);
            }
            None => found.lines(text),
        },
    }
    Ok((found.definitions, found.faults))
}

/// Parses the text as one document. Returns `None` if it is JSON Lines. An error contains its offset in the text.
fn whole(text: &str) -> Option<Result<Json<'_>, (usize, String)>> {
    let array = text.trim_start().starts_with('[');
    match Json::parse(text) {
        Ok(document) => Some(Ok(document)),
        Err(error) if array => {
            let mut offset = error.offset().min(text.len());
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            Some(Err((offset, error.to_string())))
        }
        Err(_) => None,
    }
}

/// Returns the last list of tools in a recording; `None` if the text is not one.
fn recorded(text: &str) -> Option<&str> {
    let is_list = |line: &&str| line.starts_with('{') && line.contains(r#""tools""#);
    let version = |line: &str| Json::parse(line).is_ok_and(|json| json.get("recording").is_some());
    text.lines().next().filter(is_list).filter(|line| version(line))?;
    let lists =
        |line: &&str| Json::parse(line).is_ok_and(|json| json.get("tools").is_some() && json.get("tool").is_none());
    text.lines().rfind(|line| is_list(line) && lists(line))
}

struct Found<'f> {
    file: &'f str,
    definitions: Vec<Definition>,
    faults: Vec<InputError>,
}

impl Found<'_> {
    fn document(&mut self, text: &str, document: &Json<'_>) {
        let tools = match &document.node {
            Node::Array(tools) => tools,
            Node::Object(_) => match document.get("tools").map(|tools| &tools.node) {
                Some(Node::Array(tools)) if document.get("name").is_none() => tools,
                _ => return self.one(text, document, 1),
            },
            _ => return self.fault(1, "neither a definition nor a list of definitions".to_owned()),
        };
        // The number of the line and the offset up to which lines were counted. Both only grow, so all lines are counted in one pass.
        let (mut line, mut seen) = (1, 0);
        for tool in tools {
            let start = tool.span.start as usize;
            line += text[seen..start].matches('\n').count();
            seen = start;
            self.one(text, tool, line);
        }
    }

    fn lines(&mut self, text: &str) {
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match Json::parse(line) {
                Ok(tool) => self.one(line, &tool, index + 1),
                Err(error) => self.fault(index + 1, error.to_string()),
            }
        }
    }

    fn one(&mut self, text: &str, tool: &Json<'_>, line: usize) {
        match definition(text, tool, line) {
            Ok(definition) => self.definitions.push(definition),
            Err(reason) => self.fault(line, reason),
        }
    }

    fn fault(&mut self, line: usize, reason: String) {
        self.faults.push(InputError::Line { file: self.file.to_owned(), line, reason });
    }
}

fn definition(text: &str, tool: &Json<'_>, line: usize) -> Result<Definition, String> {
    if !matches!(tool.node, Node::Object(_)) {
        return Err(format!("a definition is an object, not {}", tool.json_type()));
    }
    let function = tool.get("function").filter(|function| matches!(function.node, Node::Object(_))).unwrap_or(tool);
    let word = |key: &str| match function.get(key).map(|value| &value.node) {
        None | Some(Node::Null) => Ok(None),
        Some(Node::String(word)) => Ok(Some(word.to_string())),
        Some(_) => Err(format!("{key} is not a string")),
    };
    let name = word("name")?.ok_or("a definition needs a name")?;
    let reference = match tool.get("ref").or_else(|| function.get("ref")).map(|value| &value.node) {
        None | Some(Node::Null) => None,
        Some(Node::String(word) | Node::Number(word)) => Some(word.to_string()),
        Some(_) => return Err("ref is neither a string nor a number".to_owned()),
    };
    let schema = SCHEMA.iter().find_map(|key| function.get(key)).filter(|schema| !schema.is_null());
    let schema = match schema {
        None => r#"{"type":"object"}"#,
        Some(schema) => &text[schema.span.start as usize..schema.span.end as usize],
    };
    let description = word("description")?.unwrap_or_default();
    let is_other = |keyword: &&str| {
        let schema = tool.get(keyword).filter(|schema| !schema.is_null());
        schema.is_some_and(|schema| schema.get("type").and_then(Json::as_str) != Some("object"))
    };
    let not_objects = ["inputSchema", "outputSchema"].into_iter().filter(is_other).collect();
    Ok(Definition {
        line,
        reference,
        name,
        description,
        schema: schema.to_owned(),
        not_objects,
        signs: poisoning(function),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, usize)> {
        let (definitions, faults) = read("tools.json", text).unwrap_or_default();
        assert!(faults.is_empty(), "{faults:?}");
        definitions.into_iter().map(|tool| (tool.name, tool.line)).collect()
    }

    #[test]
    fn every_format_is_parsed_with_line_numbers() {
        let expected = vec![("a".to_owned(), 2), ("b".to_owned(), 3)];
        assert_eq!(names("[\n{\"name\": \"a\"},\n{\"name\": \"b\", \"inputSchema\": {}}]"), expected);
        assert_eq!(names("\n{\"name\": \"a\"}\n{\"type\": \"function\", \"function\": {\"name\": \"b\"}}\n"), expected);
        assert_eq!(names("{\"tools\": [\n{\"name\": \"a\"},\n{\"name\": \"b\"}]}"), expected);
        assert_eq!(names("{\n\"name\": \"a\"}"), vec![("a".to_owned(), 1)]);
    }

    #[test]
    fn an_unusable_definition_does_not_affect_the_others() {
        let (definitions, faults) =
            read("tools.jsonl", "{\"name\": \"a\"}\nnone\n{}\n{\"name\": \"d\"}").unwrap_or_default();
        assert_eq!(definitions.len(), 2);
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert!(faults[0].starts_with("tools.jsonl, line 2: "), "{faults:?}");
        assert_eq!(faults[1], "tools.jsonl, line 3: a definition needs a name");
    }

    #[test]
    fn the_error_for_a_broken_array_names_the_line() {
        let error = read("tools.json", "[\n{\"name\": \"a\"},\n{]").err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.starts_with("tools.json, line 3: ")));
    }
}
