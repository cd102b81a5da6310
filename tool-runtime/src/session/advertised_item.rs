//! The tools and containers that a model can call, as data for the host: [`AdvertisedItem`].
//!
//! In: an item of the catalog. Out: its name, description and kind. Invariants: the description is the text that the
//! model reads, and the names are those that it calls.

use std::borrow::Cow;

use super::conditional_tools::ConditionalTools;
use crate::container::{ContainerSource, ContainerSpec};
use crate::feedback::description_with_members;
use crate::shape::{Ref, Text};
use crate::tool::ToolSpec;
use crate::toolbox::{CALL_TOOL, Catalog, Item};

/// A tool or container that the model can call now.
///
/// ```
/// use tool_runtime::{Container, Toolbox, session::AdvertisedItem};
///
/// let files = Container::new("Files", "All about files.").container(Container::new("Writing", "Writing of files."));
/// let session = Toolbox::builder().container(files).build()?.session();
/// let tools = session.tools();
/// assert!(matches!(&tools[0], AdvertisedItem::Container { spec, .. } if spec.name == "Files"));
/// assert!(tools[0].description().starts_with("All about files. Contains "));
/// assert_eq!(tools[0].members(), ["Writing"]);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub enum AdvertisedItem {
    /// A tool.
    Tool {
        /// The name that the model calls. It is `Container__member` if members of several containers have the same name.
        name: Text,
        /// The tool's own specification.
        spec: Box<ToolSpec>,
        /// The current description. A state can replace the description in the spec.
        description: Text,
        /// The current input: the input in the spec, narrowed by `enum_from`, without the parameters that a state hides.
        input: Ref,
        /// The containers that have this tool as a member.
        containers: Vec<Text>,
    },
    /// A container, expanded or not.
    Container {
        /// The container's own specification.
        spec: Box<ContainerSpec>,
        /// The advertised names of its members.
        members: Vec<Text>,
    },
}

impl AdvertisedItem {
    pub(super) fn from_item(catalog: &Catalog, item: Item, seen: &ConditionalTools) -> Self {
        match item {
            Item::Tool(index) => {
                let entry = &catalog.tools[index];
                let containers =
                    entry.owners.iter().map(|&owner| catalog.containers[owner].spec.name.clone()).collect();
                Self::Tool {
                    name: entry.name.clone(),
                    spec: Box::new(entry.tool.spec().clone()),
                    description: seen.description(entry).clone(),
                    input: seen.input(entry).clone(),
                    containers,
                }
            }
            Item::CallTool => Self::Tool {
                name: CALL_TOOL.name.clone(),
                spec: Box::new(CALL_TOOL.clone()),
                description: CALL_TOOL.description.clone(),
                input: CALL_TOOL.input.clone(),
                containers: Vec::new(),
            },
            Item::Container(index) => {
                let members = seen.members(catalog, index).into_iter().cloned().collect();
                Self::Container { spec: Box::new(catalog.containers[index].spec.clone()), members }
            }
        }
    }

    /// Returns the name that the model calls.
    pub fn name(&self) -> &str {
        match self {
            Self::Tool { name, .. } => name,
            Self::Container { spec, .. } => &spec.name,
        }
    }

    /// Returns the description as the model reads it. A container's description lists its members.
    pub fn description(&self) -> Cow<'_, str> {
        match self {
            Self::Tool { description, .. } => Cow::Borrowed(description),
            Self::Container { spec, members } => {
                Cow::Owned(description_with_members(&spec.description, members.iter().map(Text::as_str)))
            }
        }
    }

    /// Returns `true` for a container, which a call expands.
    pub const fn is_container(&self) -> bool {
        matches!(self, Self::Container { .. })
    }

    /// Returns the advertised names of a container's members (tools and containers). A tool has none.
    pub fn members(&self) -> &[Text] {
        match self {
            Self::Tool { .. } => &[],
            Self::Container { members, .. } => members,
        }
    }

    /// Returns the source of a container's members; `None` for a tool.
    pub const fn container_source(&self) -> Option<ContainerSource> {
        match self {
            Self::Tool { .. } => None,
            Self::Container { spec, .. } => Some(spec.source),
        }
    }
}
