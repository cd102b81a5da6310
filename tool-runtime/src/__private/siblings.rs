//! Views of a toolbox for our other crates, which a host has no use for.

use std::sync::Arc;

use crate::tool::{Tool, ToolSpec};
use crate::toolbox::{CALL_TOOL, Item, Toolbox};

/// Every tool of a toolbox, members of containers included, under the name that it is advertised by.
pub fn tools(toolbox: &Toolbox) -> impl Iterator<Item = (&str, &Arc<dyn Tool>)> {
    toolbox.parts().catalog.tools.iter().map(|entry| (&*entry.name, &entry.tool))
}

/// The container that has to be expanded before a tool can be called; `None` if the tool is always visible, or is unknown.
pub fn container_of<'t>(toolbox: &'t Toolbox, name: &str) -> Option<&'t str> {
    let catalog = &toolbox.parts().catalog;
    let Some(Item::Tool(index)) = catalog.find(name) else { return None };
    let [container, ..] = catalog.tools[index].owners[..] else { return None };
    (!catalog.tools[index].always).then(|| &*catalog.containers[container].spec.name)
}

/// The tool that calls members of containers which are not expanded.
pub fn call_tool() -> &'static ToolSpec {
    &CALL_TOOL
}
