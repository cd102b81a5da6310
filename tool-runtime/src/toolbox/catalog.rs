//! [`Catalog`], the tools and containers by advertised name.
//!
//! Invariants: indices follow the order of registration. An advertised name belongs to exactly one item. A lookup hashes the name at most
//! once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::call_tool_spec::CALL_TOOL;
use super::item::Item;
use super::qualified_names::QualifiedNames;
use super::time_limit_and_retries::TimeLimitAndRetries;
use crate::container::ContainerSpec;
use crate::fast_hash::RandomHashState;
use crate::result_guard::{Guard, GuardPerTool, OutputSchemaCompiler, ResultSchema, cursor};
use crate::shape::{Text, has_secrets};
use crate::spill::ResultStore;
use crate::suggest::fold;
use crate::tool::Tool;

/// The maximum number of tools for which names are compared instead of hashed.
const FEW: usize = 8;

#[derive(Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Vec<Entry>,
    pub(crate) containers: Vec<Group>,
    /// The tools that depend on the state.
    pub(crate) conditional: Vec<usize>,
    /// The stores in which guards keep long results.
    pub(crate) stores: Arc<[Arc<dyn ResultStore>]>,
    /// `true` if any tool is `sequential`, so that it runs alone in a batch.
    pub(crate) has_sequential: bool,
    /// The items that the model sees from the beginning.
    pub(crate) roots: Vec<Item>,
    pub(super) names: HashMap<Text, Item, RandomHashState>,
    /// Aliases and original names that belong to a single item.
    pub(super) aliases: HashMap<Text, Item, RandomHashState>,
    /// The items, keyed by folded name; created at the first unknown name.
    folded: OnceLock<HashMap<String, Vec<Item>>>,
    /// The index of names that include a container; created at the first name that matches no item, even with a different spelling.
    qualified: OnceLock<QualifiedNames>,
}

/// A tool and its advertised name.
pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) name: Text,
    /// The index in [`Catalog::tools`].
    pub(crate) position: usize,
    /// `true` if the tool is always visible.
    pub(crate) always: bool,
    /// The containers that show the tool, in the order of registration.
    pub(crate) owners: Vec<usize>,
    pub(crate) blocking: bool,
    /// The time limit and the attempts; `None` if the tool has neither.
    pub(crate) watch: Option<TimeLimitAndRetries>,
    /// The checks of the results of the tool.
    pub(crate) guard: Guard,
    /// The parameter that requests another page of the result, if there is one.
    pub(crate) cursor: Option<Text>,
    /// The check of the results of the tool against its output schema.
    pub(crate) described: ResultSchema,
    /// `true` if a hook is asked before the tool runs, if the host supplies arguments, or if the host answers instead of the tool.
    pub(crate) is_asked_about: bool,
    /// `true` if the tool uses nothing of its context but the decoded arguments.
    pub(crate) ignores_context: bool,
    /// `true` for the tool that searches the members of containers.
    pub(crate) is_search: bool,
    /// `true` if calls may have to be converted back, because a session has advertised the tool in a provider's form.
    pub(super) is_rewritten: AtomicBool,
    /// `true` if a parameter is sensitive or contains a sensitive field.
    pub(crate) takes_secrets: bool,
    /// `true` if a host parameter is sensitive or contains a sensitive field.
    pub(crate) host_has_secrets: bool,
    /// The index in [`Catalog::conditional`]; `None` if the tool does not depend on the state.
    pub(crate) conditional: Option<usize>,
}

impl Entry {
    /// Returns `true` if a call needs no other stages than admission, the call of the tool, and the check of its result.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        let has_stages = self.is_asked_about || self.is_rewritten() || self.blocking || self.is_search;
        !has_stages && self.watch.is_none() && self.conditional.is_none()
    }

    /// Returns `true` if calls may have to be converted back, because a session has advertised the tool in a provider's form.
    #[inline]
    pub(crate) fn is_rewritten(&self) -> bool {
        self.is_rewritten.load(Ordering::Relaxed)
    }

    pub(crate) fn set_rewritten(&self) {
        self.is_rewritten.store(true, Ordering::Relaxed);
    }
}

/// A container and the items that it shows.
pub(crate) struct Group {
    pub(crate) spec: ContainerSpec,
    /// The items that become visible when the container is expanded.
    pub(crate) members: Vec<Item>,
    /// The containers directly inside this one, including those whose members are shown in their place.
    pub(crate) inner: Vec<usize>,
    /// `true` if the container is always visible.
    pub(crate) always: bool,
    /// `true` if the container is never collapsed. Its members are roots.
    pub(crate) open: bool,
    /// The containers that show this container.
    pub(crate) owners: Vec<usize>,
}

impl Catalog {
    /// Returns `true` if a container hides its members until it is expanded.
    pub(crate) fn hides_members(&self) -> bool {
        self.containers.iter().any(|group| !group.open)
    }

    /// Stores in each tool's entry the facts that every call needs.
    pub(super) fn settle(
        &mut self,
        guards: &GuardPerTool,
        check: Option<&Arc<dyn OutputSchemaCompiler>>,
        has_hooks: bool,
    ) {
        for entry in &mut self.tools {
            let spec = entry.tool.spec();
            entry.guard = guards.guard_for(&entry.name, &spec.input.shape());
            entry.cursor = cursor(&spec.input.shape());
            entry.described = ResultSchema::new(spec.output.as_ref(), check);
            entry.is_asked_about = has_hooks || spec.external || spec.host.is_some();
            entry.host_has_secrets = spec.host.as_ref().is_some_and(|host| has_secrets(&host.shape.shape()));
            entry.ignores_context = entry.tool.ignores_context();
            entry.takes_secrets = has_secrets(&spec.input.shape());
        }
    }

    /// Gives an item another advertised name. A call may still use the previous name.
    pub(super) fn rename(&mut self, item: Item, before: &Text, name: Text) {
        match item {
            Item::Tool(index) => self.tools[index].name = name.clone(),
            Item::Container(index) => self.containers[index].spec.name = name.clone(),
            Item::CallTool => return,
        }
        self.names.remove(before);
        self.names.insert(name, item);
        self.aliases.insert(before.clone(), item);
    }

    /// Returns the item with exactly this name.
    pub(crate) fn find(&self, name: &str) -> Option<Item> {
        self.names.get(name).copied()
    }

    /// Returns the tool with exactly this alias or original name.
    pub(crate) fn find_alias(&self, name: &str) -> Option<Item> {
        self.aliases.get(name).copied()
    }

    /// Returns the tool with exactly this name.
    #[inline]
    pub(crate) fn find_tool(&self, name: &str) -> Option<&Entry> {
        if self.tools.len() <= FEW {
            return self.tools.iter().find(|entry| entry.name == *name);
        }
        match self.find(name) {
            Some(Item::Tool(position)) => self.tools.get(position),
            _ => None,
        }
    }

    /// Returns the items with a name that differs only in case and separators.
    pub(crate) fn find_folded(&self, name: &str) -> &[Item] {
        let folded = self.folded.get_or_init(|| self.fold_names());
        folded.get(&fold(name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the members to which a name that includes a container can refer, each with the container.
    pub(crate) fn find_qualified(&self, name: &str) -> Vec<(Item, usize)> {
        self.qualified.get_or_init(|| self.qualify_names()).find(name)
    }

    /// Returns the container with exactly this name.
    pub(crate) fn find_container(&self, name: &str) -> Option<usize> {
        match self.find(name) {
            Some(Item::Container(index)) => Some(index),
            _ => None,
        }
    }

    /// Returns all tools and containers, in the order of registration.
    pub(crate) fn items(&self) -> impl Iterator<Item = Item> {
        let containers = (0..self.containers.len()).map(Item::Container);
        (0..self.tools.len()).map(Item::Tool).chain(containers)
    }

    pub(crate) fn name(&self, item: Item) -> &Text {
        match item {
            Item::Tool(index) => &self.tools[index].name,
            Item::Container(index) => &self.containers[index].spec.name,
            Item::CallTool => &CALL_TOOL.name,
        }
    }

    /// Returns the names of an item: its advertised name, its name within its container, and further names.
    pub(crate) fn names_of(&self, item: Item) -> impl Iterator<Item = &Text> {
        let spec = match item {
            Item::Tool(index) => Some(self.tools[index].tool.spec()),
            Item::Container(_) | Item::CallTool => None,
        };
        let own = spec.into_iter().flat_map(|spec| [&spec.name].into_iter().chain(spec.other_names()));
        [self.name(item)].into_iter().chain(own)
    }

    /// Returns `true` if the item is always visible.
    pub(crate) fn is_always_visible(&self, item: Item) -> bool {
        match item {
            Item::Tool(index) => self.tools[index].always,
            Item::Container(index) => self.containers[index].always,
            Item::CallTool => true,
        }
    }

    /// Returns the containers that show the item.
    pub(crate) fn owners(&self, item: Item) -> &[usize] {
        match item {
            Item::Tool(index) => &self.tools[index].owners,
            Item::Container(index) => &self.containers[index].owners,
            Item::CallTool => &[],
        }
    }

    /// Returns `true` if a member of a container has a parameter that is sensitive or contains a sensitive field.
    pub(crate) fn functions_take_secrets(&self, container: usize) -> bool {
        let takes_secrets = |&member: &Item| match member {
            Item::Tool(index) => self.tools[index].takes_secrets,
            // An inner container may have such a member, so all tools are checked.
            Item::Container(_) | Item::CallTool => self.takes_secrets(),
        };
        self.containers[container].members.iter().any(takes_secrets)
    }

    /// Returns `true` if any tool has a parameter that is sensitive or contains a sensitive field.
    pub(crate) fn takes_secrets(&self) -> bool {
        self.tools.iter().any(|entry| entry.takes_secrets)
    }

    /// Returns the containers whose names occur in a name, each with the rest of the name.
    pub(crate) fn qualified_rests(&self, name: &str) -> Vec<(usize, String)> {
        self.qualified.get_or_init(|| self.qualify_names()).rests(name)
    }

    fn fold_names(&self) -> HashMap<String, Vec<Item>> {
        let mut folded: HashMap<String, Vec<Item>> = HashMap::new();
        let mut add = |name: &str, item| {
            let items = folded.entry(fold(name)).or_default();
            if items.last() != Some(&item) {
                items.push(item);
            }
        };
        for (index, group) in self.containers.iter().enumerate() {
            add(&group.spec.name, Item::Container(index));
        }
        for item in (0..self.tools.len()).map(Item::Tool) {
            for name in self.names_of(item) {
                add(name, item);
            }
        }
        folded
    }

    fn qualify_names(&self) -> QualifiedNames {
        let mut qualified = QualifiedNames::default();
        for (index, group) in self.containers.iter().enumerate() {
            qualified.add_container(&group.spec.name, index);
            let inner = group.inner.iter().map(|&inner| Item::Container(inner));
            for item in group.members.iter().copied().chain(inner) {
                for name in self.names_of(item) {
                    qualified.add_member(index, name, item);
                }
            }
        }
        qualified
    }
}
