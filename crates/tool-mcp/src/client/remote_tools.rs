//! The tools of a server as tools of a toolbox: [`RemoteTools`].
//!
//! In: the definitions of a server. Out: a [`DynamicTool`] for each definition that can be used, and the reason for each that cannot.
//! Invariants: the tools of one list can be registered together. If a definition has not changed since the previous list, its tool is the
//! same object as before.

use std::collections::{HashMap, HashSet};
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{IconTheme, Tool as Definition, ToolAnnotations};
use serde_json::{Map, Value};
use tool_dynamic::DynamicTool;
use tool_runtime::tool::{Annotations, DisplayMetadata, Icon, Tool, portable_name};
use tool_runtime::{CallContext, Container};

use super::call::call;
use super::error::SkippedTool;
use super::list::Listed;
use super::reconnecting_link::Link;
use crate::private::bounded;

/// The tools of a server, as listed at one point in time.
#[derive(Default)]
pub(super) struct RemoteTools {
    tools: Vec<RemoteTool>,
    pub(super) left_out: Vec<SkippedTool>,
    /// The value of `Link::stale` when the list was requested.
    pub(super) generation: u64,
    /// The time at which the list was requested.
    pub(super) listed_at: Duration,
    /// The time at which the list expires; `None` if it never does.
    pub(super) expires_at: Option<Duration>,
}

struct RemoteTool {
    definition: Definition,
    tool: Arc<dyn Tool>,
}

impl RemoteTools {
    /// Creates a tool for each definition. Tools of the list `before` are reused if their definitions are unchanged.
    pub(super) fn new(listed: Listed, before: &Self, prefix: &str, container: &str, link: &Arc<Link>) -> Self {
        let known: HashMap<&str, &RemoteTool> =
            before.tools.iter().map(|remote| (&*remote.definition.name, remote)).collect();
        let mut remote = Self { left_out: listed.left_out, ..Self::default() };
        let mut names = HashSet::from([container.to_owned()]);
        for definition in listed.tools {
            let name =
                if prefix.is_empty() { definition.name.to_string() } else { format!("{prefix}__{}", definition.name) };
            if definition.name.is_empty() {
                remote.left_out.push(SkippedTool::new("", "the tool has no name"));
                continue;
            }
            if !names.insert(portable_name(&name).into_owned()) {
                remote
                    .left_out
                    .push(SkippedTool::new(&definition.name, "another tool of the server has the same name"));
                continue;
            }
            match known.get(&*definition.name) {
                Some(same) if same.definition == definition => {
                    remote.tools.push(RemoteTool { definition, tool: Arc::clone(&same.tool) });
                }
                _ => match tool(&definition, name, link) {
                    Ok(tool) => remote.tools.push(RemoteTool { definition, tool: Arc::new(tool) }),
                    Err(reason) => remote.left_out.push(SkippedTool::new(&definition.name, reason)),
                },
            }
        }
        remote
    }

    pub(super) fn tools(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.iter().map(|remote| &remote.tool)
    }

    /// Returns `true` if both lists have the same tools in the same order.
    pub(super) fn has_tools_of(&self, other: &Self) -> bool {
        let is_same =
            |(one, other): (&RemoteTool, &RemoteTool)| ptr::addr_eq(&raw const *one.tool, &raw const *other.tool);
        self.tools.len() == other.tools.len() && self.tools.iter().zip(&other.tools).all(is_same)
    }

    pub(super) fn add_to(&self, container: Container) -> Container {
        self.tools().cloned().fold(container, Container::tool)
    }
}

fn tool(definition: &Definition, name: String, link: &Arc<Link>) -> Result<DynamicTool, String> {
    let description = truncate_description(definition.description.as_deref().unwrap_or_default());
    let schema = |schema: &Arc<Map<String, Value>>| Value::Object(Map::clone(schema));
    let mut builder = DynamicTool::builder(name, description, schema(&definition.input_schema))
        .annotations(annotations(definition.annotations.as_ref()))
        .display_metadata(display_metadata(definition));
    if let Some(output) = &definition.output_schema {
        builder = builder.output_schema(schema(output));
    }
    let (called, link) = (definition.name.to_string(), Arc::clone(link));
    let handler = move |arguments: Map<String, Value>, cx: CallContext| {
        let (called, link) = (called.clone(), Arc::clone(&link));
        async move { call(&link, called, arguments, &cx).await }
    };
    builder.answer_handler(handler).map_err(|error| error.to_string())
}

/// Truncates a description to the length that a toolbox accepts.
pub fn truncate_description(text: &str) -> String {
    truncate(text, bounded::DESCRIPTION)
}

/// Truncates a text to a number of characters.
pub(super) fn truncate(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

fn annotations(hints: Option<&ToolAnnotations>) -> Annotations {
    let mut annotations = Annotations::NONE;
    if let Some(hints) = hints {
        annotations.read_only = hints.read_only_hint;
        annotations.destructive = hints.destructive_hint;
        annotations.idempotent = hints.idempotent_hint;
        annotations.open_world = hints.open_world_hint;
    }
    annotations
}

fn display_metadata(definition: &Definition) -> DisplayMetadata {
    let hinted = || definition.annotations.as_ref().and_then(|hints| hints.title.clone());
    let mut metadata = DisplayMetadata::NONE;
    metadata.title = definition.title.clone().or_else(hinted).map(Into::into);
    for icon in definition.icons.iter().flatten() {
        let mut shown = Icon::new(icon.src.clone());
        shown.mime_type = icon.mime_type.clone().map(Into::into);
        shown.sizes = icon.sizes.iter().flatten().map(|size| size.clone().into()).collect::<Vec<_>>().into();
        shown.theme = icon.theme.as_ref().and_then(|theme| match theme {
            IconTheme::Light => Some("light".into()),
            IconTheme::Dark => Some("dark".into()),
            _ => None,
        });
        metadata = metadata.icon(shown);
    }
    match &definition.meta {
        Some(meta) => metadata.with_meta(meta),
        None => metadata,
    }
}
