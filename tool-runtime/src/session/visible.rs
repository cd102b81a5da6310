//! The tools and containers that the model can see: the expanded containers in order, and the resulting definitions.
//!
//! In: expansions, searches and collapses. Out: the visible items and their rendered definitions. Invariants: an item is visible if it is a
//! root, if an expanded container shows it, or if a search has found it. Of a container that is *partly expanded*, only found tools are
//! visible; apart from that, it is treated like an expanded one. Items are listed in the order in which they became visible, and are never re-sorted, even if the
//! toolbox is replaced, so that a prompt cache keeps its beginning. A check of visibility takes no lock.

mod condition_snapshot;
mod saved;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tool_schema::dialect::{Definitions, Dialect};

use super::conditional_tools::{Availability, Memory};
use super::definitions::AdvertisedDefinitions;
use crate::container::{ExpansionScope, ExpansionSettings};
use crate::context::Scope;
use crate::toolbox::{Advertisement, CALL_TOOL, Catalog, Item, Parts, RenderedTools, Settings};

pub(super) struct Visible {
    /// The expansion of each container in the catalog.
    containers: Box<[ExpansionState]>,
    /// For each tool, whether a search has found it while its containers were collapsed. Empty if no container hides
    /// its members.
    found: Box<[AtomicBool]>,
    scope: ExpansionScope,
    /// `true` if the definitions never change. In this case, members are called through `call_tool`, and are listed only in the answer to
    /// the expansion.
    is_fixed: bool,
    /// The dialect of the toolbox if the provider loads the definitions of members: from the list, or from answers. Then the definitions in
    /// this dialect never change, and members are called directly.
    native: Option<Dialect>,
    openness: Openness,
    revision: AtomicU64,
    /// The number of calls of members so far. They are counted only if the expansion scope depends on this number.
    uses: AtomicU64,
    availability: Availability,
    view: Mutex<View>,
}

/// The way in which calls of members whose container is not expanded are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Openness {
    /// The policy of the toolbox applies.
    Gated,
    /// Every member can be called at any time, directly or through `call_tool`, and the definitions never change. This is for protocols
    /// without conversations, in which another session may have shown the expansion to the model.
    Open,
}

struct ExpansionState {
    is_expanded: AtomicBool,
    last_used: AtomicU64,
}

/// The data behind the lock. The lock is only taken between calls.
#[derive(Default)]
struct View {
    /// The expanded and partly expanded containers, in the order of expansion.
    expanded: Vec<usize>,
    /// The visible items, in the order in which they became visible.
    listed: Vec<Item>,
    memory: Memory,
    /// `true` if the revision was increased because the state has changed, but no list with the change was shown yet.
    is_announced: bool,
    advertised: AdvertisedDefinitions,
}

impl View {
    /// Drops the rendered definitions, because the visible items have changed.
    fn forget(&mut self) {
        self.advertised.change();
    }
}

impl Visible {
    pub(super) fn new(parts: &Parts, state: &Scope, openness: Openness) -> Self {
        let catalog = &parts.catalog;
        let &Settings { expansion: ExpansionSettings { scope, fixed_definitions, .. }, is_native, .. } =
            &parts.settings;
        let native = parts.providers.chosen().filter(|_| is_native && openness == Openness::Gated);
        let mut listed = catalog.roots.clone();
        listed.extend((openness == Openness::Open && has_own_call_tool(catalog)).then_some(Item::CallTool));
        let expansion = |open| ExpansionState { is_expanded: AtomicBool::new(open), last_used: AtomicU64::new(0) };
        let searched = if catalog.hides_members() { catalog.tools.len() } else { 0 };
        let visible = Self {
            containers: catalog.containers.iter().map(|group| expansion(group.open)).collect(),
            found: (0..searched).map(|_| AtomicBool::new(false)).collect(),
            scope,
            is_fixed: fixed_definitions || native.is_some() || openness == Openness::Open,
            native,
            openness,
            revision: AtomicU64::new(0),
            uses: AtomicU64::new(0),
            availability: Availability::new(catalog),
            view: Mutex::new(View { listed, ..View::default() }),
        };
        if !catalog.conditional.is_empty() {
            visible.look_at(catalog, state, |_| true);
            visible.revision.store(0, Ordering::Release);
        }
        visible
    }

    /// Returns `true` if a search has shown the tool, and its container has not collapsed since.
    #[inline]
    pub(super) fn is_found(&self, tool: usize) -> bool {
        self.found.get(tool).is_some_and(|found| found.load(Ordering::Acquire))
    }

    pub(super) fn is_expanded(&self, container: usize) -> bool {
        self.containers[container].is_expanded.load(Ordering::Acquire)
    }

    /// Returns `true` if the definitions never change.
    pub(super) fn is_fixed(&self) -> bool {
        self.is_fixed
    }

    /// Returns `true` if the provider loads the definitions of members.
    pub(super) fn is_native(&self) -> bool {
        self.native.is_some()
    }

    /// Returns `true` if the provider loads the definitions of members in a dialect. Definitions in other dialects are listed when they become
    /// visible.
    fn defers_in(&self, dialect: Dialect) -> bool {
        let has_search = self.native.map(Dialect::has_tool_search);
        dialect.defers_tools() && has_search == Some(dialect.has_tool_search())
    }

    /// Returns `true` if answers contain the definitions of members, which are called through `call_tool`.
    pub(super) fn is_shown_in_answers(&self) -> bool {
        self.is_fixed && !self.is_native()
    }

    pub(super) fn openness(&self) -> Openness {
        self.openness
    }

    /// Returns the item with exactly this name. An open session has `call_tool` even if the toolbox does not.
    pub(super) fn find(&self, catalog: &Catalog, name: &str) -> Option<Item> {
        let is_call_tool = || self.openness == Openness::Open && CALL_TOOL.name == *name && has_own_call_tool(catalog);
        catalog.find(name).or_else(|| is_call_tool().then_some(Item::CallTool))
    }

    /// Returns `true` if the model can call a member, because the member is visible or because the session is open.
    #[inline]
    pub(super) fn is_callable(&self, catalog: &Catalog, item: Item) -> bool {
        self.openness == Openness::Open || self.is_visible(catalog, item)
    }

    /// Returns `true` if the model sees an item.
    pub(super) fn is_visible(&self, catalog: &Catalog, item: Item) -> bool {
        catalog.is_always_visible(item)
            || catalog.owners(item).iter().any(|&owner| self.is_expanded(owner))
            || matches!(item, Item::Tool(tool) if self.is_found(tool))
    }

    /// Records the use of a member for the containers that show it.
    pub(super) fn used(&self, owners: &[usize]) {
        if let ExpansionScope::AtMost(_) = self.scope
            && !owners.is_empty()
        {
            let now = self.uses.fetch_add(1, Ordering::Relaxed) + 1;
            for &owner in owners {
                self.containers[owner].last_used.fetch_max(now, Ordering::Relaxed);
            }
        }
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Expands a container. Returns the containers that collapsed to make room.
    pub(super) fn expand(&self, catalog: &Catalog, container: usize) -> Vec<usize> {
        let mut view = self.view();
        self.used(&[container]);
        if self.is_expanded(container) {
            return Vec::new();
        }
        let known: HashSet<Item> = view.listed.iter().copied().collect();
        let members = catalog.containers[container].members.iter().copied();
        let new = members.filter(|&member| !catalog.is_always_visible(member) && !known.contains(&member));
        view.listed.extend(new);
        if !view.expanded.contains(&container) {
            view.expanded.push(container);
        }
        self.containers[container].is_expanded.store(true, Ordering::Release);
        let collapsed = self.make_room(&mut view, catalog, &[container]);
        self.changed(&mut view);
        collapsed
    }

    /// Shows tools that a search has found, and expands their containers partly. Returns the containers that collapsed to make room.
    pub(super) fn show_found(&self, catalog: &Catalog, tools: &[usize]) -> Vec<usize> {
        let mut view = self.view();
        let owner = |tool: &usize| catalog.tools[*tool].owners.first().copied();
        let owners: Vec<usize> = tools.iter().filter_map(owner).collect();
        self.used(&owners);
        let hidden = |&&tool: &&usize| owner(&tool).is_some() && !self.is_visible(catalog, Item::Tool(tool));
        let new: Vec<usize> = tools.iter().filter(hidden).copied().collect();
        if new.is_empty() {
            return Vec::new();
        }
        for &tool in &new {
            if let Some(found) = self.found.get(tool) {
                found.store(true, Ordering::Release);
                view.listed.push(Item::Tool(tool));
            }
        }
        for &owner in &owners {
            if !self.is_expanded(owner) && !view.expanded.contains(&owner) {
                view.expanded.push(owner);
            }
        }
        let collapsed = self.make_room(&mut view, catalog, &owners);
        self.changed(&mut view);
        collapsed
    }

    /// Collapses the least recently used containers, except for some, until no more are expanded than the scope allows.
    fn make_room(&self, view: &mut View, catalog: &Catalog, kept: &[usize]) -> Vec<usize> {
        let mut collapsed = Vec::new();
        if let ExpansionScope::AtMost(most) = self.scope {
            while view.expanded.len() > most.max(1) {
                let others = view.expanded.iter().copied().filter(|other| !kept.contains(other));
                let last_used = |other: usize| self.containers[other].last_used.load(Ordering::Relaxed);
                let Some(oldest) = others.min_by_key(|&other| last_used(other)) else { break };
                collapsed.push(oldest);
                self.collapse(view, catalog, &[oldest]);
            }
        }
        collapsed
    }

    /// Collapses a container, and the containers inside it that no other container shows. Returns the collapsed containers.
    pub(super) fn release(&self, catalog: &Catalog, container: usize) -> Vec<usize> {
        let mut view = self.view();
        let mut collapsed = Vec::new();
        let mut rest = vec![container];
        while let Some(next) = rest.pop() {
            if !view.expanded.contains(&next) || catalog.containers[next].open {
                continue;
            }
            self.collapse(&mut view, catalog, &[next]);
            collapsed.push(next);
            let hidden = |&&member: &&Item| !self.is_visible(catalog, member);
            let inside = catalog.containers[next].members.iter().rev().filter(hidden);
            rest.extend(inside.filter_map(|&member| match member {
                Item::Container(index) => Some(index),
                Item::Tool(_) | Item::CallTool => None,
            }));
        }
        if !collapsed.is_empty() {
            self.changed(&mut view);
        }
        collapsed
    }

    /// Collapses the containers that were expanded for a turn.
    pub(super) fn end_turn(&self, catalog: &Catalog) -> Vec<usize> {
        if self.scope != ExpansionScope::Turn {
            return Vec::new();
        }
        let mut view = self.view();
        let expanded = view.expanded.clone();
        if !expanded.is_empty() {
            self.collapse(&mut view, catalog, &expanded);
            self.changed(&mut view);
        }
        expanded
    }

    /// Hides the items that only these containers showed.
    fn collapse(&self, view: &mut View, catalog: &Catalog, containers: &[usize]) {
        for &container in containers {
            self.containers[container].is_expanded.store(false, Ordering::Release);
            for &member in &catalog.containers[container].members {
                if let Item::Tool(tool) = member
                    && catalog.tools[tool].owners.first() == Some(&container)
                    && let Some(found) = self.found.get(tool)
                {
                    found.store(false, Ordering::Release);
                }
            }
        }
        view.expanded.retain(|expanded| !containers.contains(expanded));
        view.listed.retain(|&item| self.is_visible(catalog, item));
    }

    fn changed(&self, view: &mut View) {
        if self.is_native() {
            view.advertised.change_unless(|dialect| self.defers_in(dialect));
        } else if self.is_fixed {
            return;
        } else {
            view.forget();
        }
        self.revision.fetch_add(1, Ordering::Release);
    }

    /// Returns the expanded and partly expanded containers, in the order of expansion.
    pub(super) fn expanded(&self) -> Vec<usize> {
        self.view().expanded.clone()
    }

    pub(super) fn items(&self, catalog: &Catalog) -> Vec<Item> {
        let view = self.view();
        self.items_of(catalog, &view).collect()
    }

    pub(super) fn definitions(&self, catalog: &Catalog, provider: &RenderedTools) -> Arc<Definitions> {
        let mut view = self.view();
        let mut advertised = std::mem::take(&mut view.advertised);
        let items = || {
            let items = self.items_of(catalog, &view);
            if self.defers_in(provider.dialect) {
                let is_deferred =
                    |item: &Item| !provider.dialect.has_tool_search() && !catalog.is_always_visible(*item);
                let deferred = catalog.items().filter(is_deferred);
                (items.filter(|&item| catalog.is_always_visible(item)).collect(), deferred.collect())
            } else {
                (items.collect(), Vec::new())
            }
        };
        let has_search = self.defers_in(provider.dialect) && provider.dialect.has_tool_search();
        let definitions =
            advertised.get_or_render(provider, catalog, &view.memory.seen, self.is_fixed, has_search, items);
        view.advertised = advertised;
        definitions
    }

    /// Returns the definitions of items that an answer loads.
    pub(super) fn load(
        &self,
        catalog: &Catalog,
        provider: &RenderedTools,
        items: &[Item],
        are_deferred: bool,
    ) -> Arc<Definitions> {
        let view = &mut *self.view();
        view.advertised.load(provider, catalog, &view.memory.seen, items, are_deferred)
    }

    /// Returns the latest rewritten form in which a tool was advertised; `None` if there is none.
    pub(super) fn rewritten(&self, tool: usize) -> Option<Arc<Advertisement>> {
        self.view().advertised.rewritten(tool)
    }

    /// Returns the items of the list. A fixed list does not show expanded members.
    fn items_of<'v>(&'v self, catalog: &'v Catalog, view: &'v View) -> impl Iterator<Item = Item> + 'v {
        let is_listed = |&item: &Item| !self.is_shown_in_answers() || catalog.is_always_visible(item);
        view.listed.iter().copied().filter(is_listed).filter(|&item| view.memory.seen.is_available(catalog, item))
    }

    fn view(&self) -> MutexGuard<'_, View> {
        // No code of a tool or host runs under the lock, and the lists are consistent between two statements.
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if an open session has to add `call_tool`, because some tools are not listed, and no item of the toolbox has that name.
fn has_own_call_tool(catalog: &Catalog) -> bool {
    catalog.hides_members() && catalog.find(&CALL_TOOL.name).is_none()
}
