//! One of the things that a model can call: [`Item`].

/// A position among the tools or the containers of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Item {
    Tool(usize),
    Container(usize),
    /// The tool that reaches members where the list of tools is fixed.
    CallTool,
}
