//! Snapshots of the state that tools depend on: which tools and parameters exist, and how they are described.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use super::super::conditional_tools::{Availability, ConditionalTools};
use super::Visible;
use crate::context::Scope;
use crate::toolbox::{Catalog, Entry, Item};

impl Visible {
    /// Takes a new snapshot of the state, for a list that the model will see. From now on, calls are checked against this snapshot.
    ///
    /// A fixed list keeps the snapshot from the beginning of the session.
    pub(in crate::session) fn look(&self, catalog: &Catalog, scope: &Scope) {
        if catalog.conditional.is_empty() || self.is_fixed {
            return;
        }
        let look = self.availability.look(catalog, scope, &self.seen(), |_| true);
        let mut view = self.view();
        let is_new = self.availability.remember(&mut view.memory, look);
        match (is_new, std::mem::take(&mut view.is_announced)) {
            (true, false) => self.changed(&mut view),
            (true, true) => view.forget(),
            (false, _) => {}
        }
    }

    /// Asks the state whether the next list will differ. Calls are still checked against the list that the model has
    /// seen.
    pub(in crate::session) fn peek(&self, catalog: &Catalog, scope: &Scope) {
        if catalog.conditional.is_empty() || self.is_fixed {
            return;
        }
        let look = self.availability.look(catalog, scope, &self.seen(), |_| true);
        let mut view = self.view();
        if !view.is_announced && Availability::is_news(&view.memory, &look) {
            view.is_announced = true;
            self.revision.fetch_add(1, Ordering::Release);
        }
    }

    /// Asks the state about members that the model has not seen yet, because their container is about to be expanded.
    pub(in crate::session) fn look_into(&self, catalog: &Catalog, scope: &Scope, container: usize) {
        let members = &catalog.containers[container].members;
        let is_unseen = |&item: &Item| match item {
            Item::Tool(tool) if catalog.tools[tool].conditional.is_none() => false,
            _ if self.is_fixed => !catalog.is_always_visible(item),
            _ => !self.is_visible(catalog, item),
        };
        let unseen: HashSet<Item> = members.iter().copied().filter(is_unseen).collect();
        if !catalog.conditional.is_empty() && !unseen.is_empty() {
            self.look_at(catalog, scope, |tool| unseen.contains(&Item::Tool(tool)));
        }
    }

    pub(in crate::session) fn look_at(&self, catalog: &Catalog, scope: &Scope, at: impl Fn(usize) -> bool) {
        let look = self.availability.look(catalog, scope, &self.seen(), at);
        let mut view = self.view();
        if self.availability.remember(&mut view.memory, look) {
            self.changed(&mut view);
        }
    }

    /// Returns the snapshot of the tools that depend on the state, as the model last saw them.
    pub(in crate::session) fn seen(&self) -> ConditionalTools {
        self.view().memory.seen.clone()
    }

    /// Returns `true` if a tool was available when the model last saw the list.
    #[inline]
    pub(in crate::session) fn is_available(&self, entry: &Entry) -> bool {
        self.availability.is_available(entry)
    }
}
