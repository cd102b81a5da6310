//! The tools that calls are judged against: out of a file, or those of a program.
//!
//! In: definitions, or a toolbox. Out: the tool that a call means. What always holds: a `ref` goes before a name; a name that two tools
//! share leads to neither; another spelling of a name is read only where a single tool answers to it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::private::suggest::{fold, ranked};
use tool_runtime::Repair;
use tool_runtime::failure::Failure;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::repair::tool_name;

use super::definitions::Definition;
use super::input::InputError;

/// One tool and where it was described.
pub(super) struct Shelved {
    pub(super) name: String,
    pub(super) reference: Option<String>,
    /// The line of its definition; 0 for a tool of the program.
    pub(super) line: usize,
    /// The schema as it was written, for a tool out of a file.
    pub(super) schema: Option<String>,
    /// The tool, or why its schema is none.
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

/// What a call led to.
pub(super) enum Found<'s> {
    Tool(&'s Shelved, Option<Repair>),
    /// The model called what is not there.
    Unknown(Failure),
    /// It cannot be told which tool was meant, or whether it exists.
    Unusable(String),
}

impl Shelf {
    /// Puts tools in their places.
    ///
    /// # Errors
    ///
    /// Two tools with one name that no `ref` tells apart, or with one `ref`.
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

    /// The tool that a call means.
    pub(super) fn find(&self, reference: Option<&str>, name: Option<&str>) -> Found<'_> {
        if let Some(reference) = reference {
            return match self.references.get(reference) {
                Some(&index) => Found::Tool(&self.tools[index], None),
                None => Found::Unusable(format!("no tool has the ref \"{reference}\"")),
            };
        }
        let name = name.unwrap_or_default();
        if let Some(indices) = self.names.get(name) {
            return match indices[..] {
                [index] => Found::Tool(&self.tools[index], None),
                _ => Found::Unusable(self.several(name, indices)),
            };
        }
        self.respelt(name)
    }

    fn respelt(&self, name: &str) -> Found<'_> {
        if let Some((meant, repair)) = tool_name(name)
            && let Some(&[index]) = self.names.get(meant).map(Vec::as_slice)
        {
            return Found::Tool(&self.tools[index], Some(repair));
        }
        match self.folded.get(&fold(name)).map_or(&[][..], Vec::as_slice) {
            [index] => {
                let shelved = &self.tools[*index];
                Found::Tool(shelved, Some(Repair::tool_name(name, shelved.name.clone().into())))
            }
            [] => {
                let names = || self.tools.iter().map(|tool| tool.name.as_str());
                Found::Unknown(Failure::unknown_tool(name, ranked(name, names(), 3), names()))
            }
            several => {
                let candidates = several.iter().map(|&index| self.tools[index].name.as_str());
                Found::Unknown(Failure::ambiguous_tool(name, candidates))
            }
        }
    }

    fn several(&self, name: &str, indices: &[usize]) -> String {
        let lines: Vec<_> = indices.iter().map(|&index| self.tools[index].line.to_string()).collect();
        format!(
            "\"{name}\" is the name of several tools ({}, lines {}): say which with tool_ref",
            self.file,
            lines.join(" and ")
        )
    }
}

fn shelf_clash(file: &str, first: &Shelved, second: &Shelved, what: &str, word: &str) -> InputError {
    let reason = match what {
        "name" => format!("two tools have the name \"{word}\", and no ref tells them apart"),
        _ => format!("two tools have the {what} \"{word}\""),
    };
    InputError::Lines { file: file.to_owned(), first: first.line, second: second.line, reason }
}

impl Shelved {
    /// A tool out of a file.
    pub(super) fn of(definition: Definition, load: impl FnOnce(&Definition) -> Result<Arc<dyn Tool>, String>) -> Self {
        let tool = load(&definition);
        Self {
            name: definition.name,
            reference: definition.reference,
            line: definition.line,
            schema: Some(definition.schema),
            tool,
        }
    }

    /// A tool of the program.
    pub(super) fn typed(name: &str, tool: Arc<dyn Tool>) -> Self {
        Self { name: name.to_owned(), reference: None, line: 0, schema: None, tool: Ok(tool) }
    }
}
