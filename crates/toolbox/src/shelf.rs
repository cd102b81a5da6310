//! The tools with which calls are checked: the tools in a file, or the tools of a program.
//!
//! Invariants: a `ref` takes precedence over a name. If two tools have the same name, the name alone refers to neither of them. A different
//! spelling of a name is only accepted if it matches exactly one tool.

use std::collections::HashMap;
use std::sync::Arc;

use crate::private::suggest::fold;
use crate::private::tool_names::{Named, find_tool, suggested_tools};
use tool_dynamic::__private_0_1_0::PoisoningSign;
use tool_runtime::Repair;
use tool_runtime::failure::Failure;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::repair::strip_control_tokens_from_name;

use super::definitions::Definition;
use super::input::InputError;

/// A tool, and the location of its definition.
pub(super) struct Shelved {
    pub(super) name: String,
    pub(super) reference: Option<String>,
    /// The line of the definition; 0 for a tool of the program.
    pub(super) line: usize,
    /// The schema as written, for a tool from a file.
    pub(super) schema: Option<String>,
    /// See [`Definition::not_objects`].
    pub(super) not_objects: Vec<&'static str>,
    /// See [`Definition::signs`]; empty for a tool of the program.
    pub(super) signs: Vec<PoisoningSign>,
    /// The tool, or the reason why its schema is not valid.
    pub(super) tool: Result<Arc<dyn Tool>, String>,
}

#[derive(Default)]
pub(super) struct Shelf {
    pub(super) tools: Vec<Shelved>,
    file: String,
    references: HashMap<String, usize>,
    names: HashMap<String, Vec<usize>>,
    folded: HashMap<String, Vec<usize>>,
}

/// The result of a lookup.
pub(super) enum Found<'s> {
    Tool(&'s Shelved, Option<Repair>),
    /// There is no such tool.
    Unknown(Failure),
    /// The name belongs to several tools, or the `ref` is unknown.
    Unusable(String),
}

impl Shelf {
    /// Creates a shelf of these tools.
    ///
    /// # Errors
    ///
    /// Returns an error if two tools have the same name and at least one of them has no `ref`, or if two tools have the same `ref`.
    pub(super) fn new(file: &str, tools: Vec<Shelved>) -> Result<Self, Vec<InputError>> {
        let mut shelf = Self { tools, file: file.to_owned(), ..Self::default() };
        let mut faults = Vec::new();
        for (index, shelved) in shelf.tools.iter().enumerate() {
            let same_name = shelf.names.entry(shelved.name.clone()).or_default();
            let clash = same_name.first().map(|&first| &shelf.tools[first]);
            if let Some(first) = clash.filter(|first| first.reference.is_none() || shelved.reference.is_none()) {
                faults.push(shelf_clash(&shelf.file, first, shelved, "name", &shelved.name));
            }
            same_name.push(index);
            shelf.folded.entry(fold(&shelved.name)).or_default().push(index);
            if let Some(reference) = &shelved.reference
                && let Some(first) = shelf.references.insert(reference.clone(), index)
            {
                faults.push(shelf_clash(&shelf.file, &shelf.tools[first], shelved, "ref", reference));
            }
        }
        if faults.is_empty() { Ok(shelf) } else { Err(faults) }
    }

    /// Finds the tool of a call.
    pub(super) fn find(&self, reference: Option<&str>, name: Option<&str>) -> Found<'_> {
        if let Some(reference) = reference {
            return match self.references.get(reference) {
                Some(&index) => Found::Tool(&self.tools[index], None),
                None => Found::Unusable(format!("no tool has the ref \"{reference}\"")),
            };
        }
        let name = name.unwrap_or_default();
        if let Some(indices) = self.names.get(name).filter(|indices| indices.len() > 1) {
            return Found::Unusable(self.several(name, indices));
        }
        let exact = |name: &str| match self.names.get(name).map(Vec::as_slice) {
            Some(&[index]) => Some(index),
            _ => None,
        };
        let named = find_tool(name, exact, |name| match exact(name) {
            Some(index) => vec![(index, ())],
            None => self.folded.get(&fold(name)).into_iter().flatten().map(|&index| (index, ())).collect(),
        });
        match named {
            Named::Exact(index) => Found::Tool(&self.tools[index], None),
            Named::BeforeToken(index) => {
                Found::Tool(&self.tools[index], strip_control_tokens_from_name(name).map(|(_, repair)| repair))
            }
            Named::Spelled(found) => match found[..] {
                [(index, ())] => {
                    let shelved = &self.tools[index];
                    Found::Tool(shelved, Some(Repair::for_tool_name(name, shelved.name.clone().into())))
                }
                [] => {
                    let all: Vec<_> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
                    Found::Unknown(Failure::unknown_tool(name, suggested_tools(name, &all, 3), all))
                }
                ref several => {
                    let candidates = several.iter().map(|&(index, ())| self.tools[index].name.as_str());
                    Found::Unknown(Failure::ambiguous_tool(name, candidates))
                }
            },
        }
    }

    fn several(&self, name: &str, indices: &[usize]) -> String {
        let lines: Vec<_> = indices.iter().map(|&index| self.tools[index].line.to_string()).collect();
        format!(
            "\"{name}\" is the name of several tools ({}, lines {}): choose one with tool_ref",
            self.file,
            lines.join(" and ")
        )
    }
}

fn shelf_clash(file: &str, first: &Shelved, second: &Shelved, what: &str, word: &str) -> InputError {
    let reason = match what {
        "name" => format!("two tools have the name \"{word}\", and no ref distinguishes them"),
        _ => format!("two tools have the {what} \"{word}\""),
    };
    InputError::Lines { file: file.to_owned(), first: first.line, second: second.line, reason }
}

impl Shelved {
    /// Creates an entry for a tool from a file.
    pub(super) fn of(definition: Definition, load: impl FnOnce(&Definition) -> Result<Arc<dyn Tool>, String>) -> Self {
        let tool = load(&definition);
        Self {
            name: definition.name,
            reference: definition.reference,
            line: definition.line,
            schema: Some(definition.schema),
            not_objects: definition.not_objects,
            signs: definition.signs,
            tool,
        }
    }

    /// Creates an entry for a tool of the program.
    pub(super) fn typed(name: &str, tool: Arc<dyn Tool>) -> Self {
        Self {
            name: name.to_owned(),
            reference: None,
            line: 0,
            schema: None,
            not_objects: Vec::new(),
            signs: Vec::new(),
            tool: Ok(tool),
        }
    }
}
