//! The methods of a session with which a host lists, inspects and collapses containers, and begins and ends turns.
//!
//! In: the host's decisions between calls. Out: the containers that have collapsed. Invariants: every collapse is
//! reported to the observer; containers that never collapse stay expanded.

use super::view::SessionView;
use super::visible::Visible;
use super::{Advertised, Session};
use crate::event::Decision;
use crate::toolbox::{Catalog, Item};

impl Session {
    /// Returns all containers, visible or not, in the order of registration, followed by nested containers. If the members of a container
    /// depend on the state, the result contains the members that the model saw last.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let files = Container::new("Files", "All about files.").container(Container::new("Writing", "Writing of files."));
    /// let session = Toolbox::builder().container(files).build()?.session();
    /// let names: Vec<_> = session.containers().iter().map(|container| container.name().to_owned()).collect();
    /// assert_eq!(names, ["Files", "Writing"]);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn containers(&self) -> Vec<Advertised> {
        let current = self.current();
        let catalog = current.catalog();
        let seen = current.visible.seen();
        (0..catalog.containers.len()).map(|index| Advertised::of(catalog, Item::Container(index), &seen)).collect()
    }

    /// Returns `true` if a container is expanded. Returns `false` if it is not expanded, or if there is no such container.
    pub fn is_expanded(&self, container: &str) -> bool {
        let current = self.current();
        current.catalog().find_container(container).is_some_and(|index| current.visible.is_expanded(index))
    }

    /// Collapses a container, and the containers inside it that no other container shows. Returns `true` if it was
    /// expanded.
    ///
    /// A tool that another expanded container also shows stays visible. A container that never collapses
    /// stays expanded.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let session = Toolbox::builder().container(Container::new("Files", "Reading of files.")).build()?.session();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert!(session.release("Files"));
    /// assert!(!session.release("Files"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn release(&self, container: &str) -> bool {
        self.collapse(|catalog, visible| {
            catalog.find_container(container).map_or_else(Vec::new, |index| visible.release(catalog, index))
        })
    }

    /// Begins a turn, which lasts from a message of the user to the final answer. If the previous turn has not ended, it ends now. The
    /// failure budget is restored.
    pub fn begin_turn(&self) {
        self.collapse(|catalog, visible| visible.end_turn(catalog));
        self.begin_reminders();
        self.current().begin_run();
    }

    /// Ends a turn and collapses the containers that were expanded for it.
    pub fn end_turn(&self) {
        self.end_reminders();
        self.collapse(|catalog, visible| visible.end_turn(catalog));
    }

    /// Collapses containers of the current toolbox. Returns `true` if there were any.
    fn collapse(&self, collapse: impl FnOnce(&Catalog, &Visible) -> Vec<usize>) -> bool {
        let held = self.0.first.shared.hold();
        let current = self.current();
        let collapsed = collapse(current.catalog(), &current.visible);
        drop(held);
        current.tell_collapsed("", &collapsed);
        !collapsed.is_empty()
    }
}

impl SessionView {
    pub(super) fn tell_collapsed(&self, call_id: &str, collapsed: &[usize]) {
        for &container in collapsed {
            let container = &self.catalog().containers[container].spec.name;
            self.observe(call_id, || Decision::Collapsed { container });
        }
    }
}
