//! Rules for names and descriptions: limits of providers, and names that models mix up.

use std::collections::HashMap;

use tool_runtime::tool_schema::dialect::Dialect;

use crate::private::bounded::DESCRIPTION;
use crate::private::suggest::fold;

use super::finding::Finding;
use crate::shelf::Shelved;

/// The maximum length of a name for `OpenAI` and Gemini.
const LONGEST_NAME: usize = 64;

/// The maximum number of tools in one request to `OpenAI`.
const MOST: usize = 128;

/// Returns the findings about a name.
pub(super) fn of(name: &str) -> Vec<Finding> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if begins
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    {
        return Vec::new();
    }
    let message =
        "providers only accept names that are a letter or `_`, followed by at most 63 letters, digits, `_` and `-`";
    vec![Finding::error("name", "", message)]
}

/// Adds the findings about the description of a tool.
pub(super) fn description(text: &str, findings: &mut Vec<Finding>) {
    if text.trim().is_empty() {
        findings.push(Finding::warning("description", "", "the tool has no description: a model only knows its name"));
    } else if text.chars().count() > DESCRIPTION {
        let message =
            format!("the description has {} characters; OpenAI accepts at most {DESCRIPTION}", text.chars().count());
        findings.push(Finding::error("description", "", message));
    }
}

/// Returns the findings about all tools together, each with the index of its tool.
pub(super) fn together(tools: &[Shelved], dialect: Option<Dialect>) -> Vec<(usize, Finding)> {
    let mut findings = Vec::new();
    let mut folded: HashMap<String, usize> = HashMap::new();
    for (index, shelved) in tools.iter().enumerate() {
        match folded.get(&fold(&shelved.name)) {
            Some(&first) if tools[first].name != shelved.name => {
                let message = format!("differs from \"{}\" only in case or separators", tools[first].name);
                findings.push((index, Finding::warning("similar_name", "", message)));
            }
            Some(_) => {}
            None => {
                folded.insert(fold(&shelved.name), index);
            }
        }
    }
    let (provider, most) = match dialect {
        Some(dialect) => (format!("`{}`", dialect.name()), dialect.max_tools()),
        None => ("OpenAI".to_owned(), Some(MOST)),
    };
    if let Some(most) = most.filter(|most| tools.len() > *most) {
        let message = format!(
            "{} tools in one request; {provider} accepts at most {most}: group them in containers",
            tools.len()
        );
        findings.push((most, Finding::error("too_many_tools", "", message)));
    }
    findings
}
