//! What the model can see: which containers are expanded, in which order, and the definitions that follow from it.
//!
//! In: expansions. Out: the visible items and their rendered definitions. What always holds: what became visible later stands later
//! and nothing is re-sorted, so a prompt cache keeps its beginning; asking whether a container is expanded takes no lock.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::definitions::Rendered;
use crate::container::ContainerSpec;
use crate::feedback::container_description;
use crate::schema::{Definitions, Format};
use crate::shape::Text;
use crate::tool::ToolSpec;
use crate::toolbox::{Catalog, Item};

pub(super) struct Visible {
    /// For each container of the catalog.
    expanded: Box<[AtomicBool]>,
    revision: AtomicU64,
    view: Mutex<View>,
}

/// What is looked at between calls only.
#[derive(Default)]
struct View {
    /// Expanded containers, in the order of expansion.
    order: Vec<usize>,
    rendered: Rendered,
}

impl Visible {
    pub(super) fn new(containers: usize) -> Self {
        Self {
            expanded: (0..containers).map(|_| AtomicBool::new(false)).collect(),
            revision: AtomicU64::new(0),
            view: Mutex::default(),
        }
    }

    pub(super) fn is_expanded(&self, container: usize) -> bool {
        self.expanded[container].load(Ordering::Acquire)
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    pub(super) fn expand(&self, container: usize) {
        let mut view = self.view();
        if !self.is_expanded(container) {
            view.order.push(container);
            view.rendered = Rendered::default();
            self.expanded[container].store(true, Ordering::Release);
            self.revision.fetch_add(1, Ordering::Release);
        }
    }

    pub(super) fn items(&self, catalog: &Catalog) -> impl Iterator<Item = Item> {
        items(catalog, self.view().order.clone())
    }

    pub(super) fn definitions(&self, catalog: &Catalog, format: Format) -> Arc<Definitions> {
        let View { order, rendered } = &mut *self.view();
        rendered.get_or_render(format, || items(catalog, order.clone()).map(|item| Advertised::of(catalog, item)))
    }

    fn view(&self) -> MutexGuard<'_, View> {
        // Nothing of a caller's runs under the lock, and both lists are whole between two statements.
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn items(catalog: &Catalog, order: Vec<usize>) -> impl Iterator<Item = Item> {
    let members = order.into_iter().flat_map(|container| &catalog.containers[container].members);
    catalog.roots.iter().copied().chain(members.map(|&member| Item::Tool(member)))
}

/// Something that the model can call now.
///
/// ```
/// use tool_runtime::{Container, Toolbox, session::Advertised};
///
/// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
/// assert!(matches!(&session.tools()[..], [Advertised::Container { spec, .. }] if spec.name == "Files"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Advertised<'s> {
    /// A tool.
    #[non_exhaustive]
    Tool {
        /// The name that the model calls; for a member whose name several containers have, `Container__member`.
        name: &'s Text,
        /// What the tool says of itself.
        spec: &'s ToolSpec,
        /// The container that it is a member of.
        container: Option<&'s str>,
    },
    /// A container, expanded or not.
    #[non_exhaustive]
    Container {
        /// What the container says of itself.
        spec: &'s ContainerSpec,
        /// The advertised names of its members.
        functions: Vec<&'s str>,
    },
}

impl<'s> Advertised<'s> {
    pub(super) fn of(catalog: &'s Catalog, item: Item) -> Self {
        match item {
            Item::Tool(index) => {
                let entry = &catalog.tools[index];
                let container = entry.container.map(|container| catalog.containers[container].spec.name.as_str());
                Self::Tool { name: &entry.name, spec: entry.tool.spec(), container }
            }
            Item::Container(index) => {
                Self::Container { spec: &catalog.containers[index].spec, functions: catalog.functions(index).collect() }
            }
        }
    }

    /// The name that the model calls.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// assert_eq!(session.tools()[0].name(), "Files");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn name(&self) -> &'s str {
        match self {
            Self::Tool { name, .. } => name,
            Self::Container { spec, .. } => &spec.name,
        }
    }

    /// The description as the model reads it; a container's says what it contains.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// assert!(session.tools()[0].description().starts_with("Reading of files. Contains "));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn description(&self) -> Cow<'s, str> {
        match self {
            Self::Tool { spec, .. } => Cow::Borrowed(&spec.description),
            Self::Container { spec, functions } => {
                Cow::Owned(container_description(&spec.description, functions.iter().copied()))
            }
        }
    }

    /// Whether calling it expands it.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// assert!(session.tools()[0].is_container());
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub const fn is_container(&self) -> bool {
        matches!(self, Self::Container { .. })
    }
}
