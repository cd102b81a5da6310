//! [`Item`], a tool or container that a model can call.

/// An index among the tools or the containers of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Tool(usize),
    Container(usize),
    /// The tool that calls members when the list of tools is fixed.
    CallTool,
}
