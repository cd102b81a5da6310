//! Builds a [`Catalog`] from registrations: names, references, visibility.
//!
//! If no other tool has the name of a member, the member is advertised under this name, and otherwise as `Container__member`. Problems with
//! names and references are added to `errors`. The cost is linear in the size of the registration.

mod aliases;
mod show_in_containers;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use self::show_in_containers::show;
use super::RegistrationError;
use super::builder::Registered;
use super::call_tool_spec::CALL_TOOL;
use super::catalog::{Catalog, Entry, Group};
use super::item::Item;
use super::read_result::ReadResult;
use crate::container::{Container, Identity, Part, SharedTool};
use crate::result_guard::{Guard, ResultSchema};
use crate::search::{FindTool, FindTools, SearchedMember, SearchedMembers};
use crate::shape::Text;
use crate::tool::{Tool as _, portable_name};

/// The maximum length of a name.
const LONGEST: usize = 64;

/// A part of a container, before the tools of the container get their advertised names.
enum Slot {
    Tool(SharedTool),
    Item(Item),
    Container(usize),
    Reference(Text),
}

#[derive(Default)]
struct Registration<'p> {
    catalog: Catalog,
    /// The parts of each container as registered, until they are moved to `slots`.
    parts: Vec<Vec<Part>>,
    slots: Vec<Vec<Slot>>,
    /// `true` for each container whose members are shown in its place.
    open: Vec<bool>,
    /// The indices of the known tools, keyed by identity.
    known: HashMap<Identity, usize>,
    errors: Option<&'p mut Vec<RegistrationError>>,
}

/// The tools that a toolbox adds to the registered ones.
pub(super) struct BuiltIn {
    /// `true` if the tool `call_tool` is added. A model calls members through it if the list of tools is fixed.
    pub(super) call_tool: bool,
    /// `true` if `read_result` is added, which reads results kept outside of the conversation.
    pub(super) read_result: bool,
    /// The tool that searches the members of containers.
    pub(super) find_tools: Option<FindTools>,
}

/// Registers all items. If there are at most `flat` tools, no container is collapsed. Built-in tools come after the host's tools.
pub(super) fn register(
    registered: Vec<Registered>,
    flat: Option<usize>,
    built_in: BuiltIn,
    errors: &mut Vec<RegistrationError>,
) -> Catalog {
    let mut registration = Registration { errors: Some(errors), ..Registration::default() };
    // The names of roots are claimed first, so that a clash with a member is reported for the member.
    for registered in registered {
        match registered {
            Registered::Tool(shared) => registration.add_root_tool(shared),
            Registered::Container(container) => {
                let index = registration.add_container(*container);
                registration.catalog.roots.push(Item::Container(index));
            }
        }
    }
    if built_in.call_tool {
        registration.claim(CALL_TOOL.name.clone(), Item::CallTool);
        registration.catalog.roots.push(Item::CallTool);
    }
    if built_in.read_result {
        registration.add_read_result();
    }
    registration.add_nested();
    registration.add_members();
    registration.claim_aliases();
    registration.resolve_references();
    let tools = registration.catalog.tools.len() - usize::from(built_in.read_result);
    let all_open = flat.is_some_and(|flat| tools <= flat);
    let open: Vec<bool> = registration.open.iter().map(|open| *open || all_open).collect();
    show(&mut registration.catalog, &open);
    if let Some(find_tools) = built_in.find_tools {
        registration.add_find_tools(find_tools);
    }
    let Registration { mut catalog, .. } = registration;
    if !catalog.hides_members() {
        catalog.roots.retain(|&item| item != Item::CallTool);
    }
    catalog
}

impl Registration<'_> {
    fn error(&mut self, error: RegistrationError) {
        if let Some(errors) = &mut self.errors {
            errors.push(error);
        }
    }

    fn add_root_tool(&mut self, shared: SharedTool) {
        let name = shared.tool.spec().name.clone();
        let item = Item::Tool(self.add_tool(shared, name.clone()));
        self.catalog.roots.push(item);
        self.claim(name, item);
    }

    fn add_read_result(&mut self) {
        let tool = ReadResult::new();
        if self.catalog.names.contains_key(&tool.spec().name) {
            self.error(RegistrationError::BuiltInName { name: tool.spec().name.to_string() });
        }
        let name = tool.spec().name.clone();
        let item = Item::Tool(self.add_tool(SharedTool::new(tool), name.clone()));
        self.catalog.roots.push(item);
        self.catalog.names.entry(name).or_insert(item);
    }

    /// Adds the tool that searches the members of containers, unless no member is hidden.
    fn add_find_tools(&mut self, settings: FindTools) {
        let name = settings.name.clone();
        check_name(&name, |error| self.error(error));
        if self.catalog.find(&name).or_else(|| self.catalog.find_alias(&name)).is_some() {
            self.error(RegistrationError::FindToolsNameTaken { name: name.to_string() });
            return;
        }
        if !self.catalog.hides_members() {
            return;
        }
        let members = SearchedMembers::default();
        let position = self.add_tool(SharedTool::new(FindTool::new(settings, &members)), name.clone());
        let entry = &mut self.catalog.tools[position];
        (entry.always, entry.is_search) = (true, true);
        let item = Item::Tool(position);
        self.catalog.roots.push(item);
        self.catalog.names.insert(name, item);
        let _ = members
            .set(self.catalog.tools.iter().filter(|entry| !entry.always).map(|entry| self.searched(entry)).collect());
    }

    /// Returns a member with the names and descriptions of the containers that show it.
    fn searched(&self, entry: &Entry) -> SearchedMember {
        let specs = entry.owners.iter().map(|&owner| &self.catalog.containers[owner].spec);
        let containers = specs.map(|spec| format!("{} {}", spec.name, spec.description)).collect::<Vec<_>>().join(" ");
        SearchedMember { name: entry.name.clone(), tool: Arc::clone(&entry.tool), containers }
    }

    fn add_tool(&mut self, shared: SharedTool, name: Text) -> usize {
        let SharedTool { tool, identity } = shared;
        let blocking = tool.spec().settings.blocking;
        let position = self.catalog.tools.len();
        let conditional = tool.spec().is_conditional().then(|| {
            self.catalog.conditional.push(position);
            self.catalog.conditional.len() - 1
        });
        self.catalog.tools.push(Entry {
            tool,
            name,
            position,
            always: false,
            owners: Vec::new(),
            blocking,
            watch: None,
            guard: Guard::OFF,
            cursor: None,
            described: ResultSchema::default(),
            is_asked_about: false,
            ignores_context: false,
            is_search: false,
            is_rewritten: AtomicBool::new(false),
            takes_secrets: false,
            host_has_secrets: false,
            conditional,
        });
        if let Some(identity) = identity {
            self.known.entry(identity).or_insert(position);
        }
        position
    }

    fn add_container(&mut self, container: Container) -> usize {
        self.open.push(container.is_always_expanded());
        let (spec, parts) = container.into_parts();
        let (name, index) = (spec.name.clone(), self.catalog.containers.len());
        let group =
            Group { spec, members: Vec::new(), inner: Vec::new(), always: false, open: false, owners: Vec::new() };
        self.catalog.containers.push(group);
        self.parts.push(parts);
        self.claim(name, Item::Container(index));
        index
    }

    fn claim(&mut self, name: Text, item: Item) {
        check_name(&name, |error| self.error(error));
        let called = name.to_string();
        let taken = self.catalog.find(&name);
        match (taken, item) {
            (None, _) => drop(self.catalog.names.insert(name, item)),
            (Some(Item::Tool(first)), Item::Tool(second)) => {
                let [first, second] = [first, second].map(|tool| self.written_name(tool));
                self.error(if first == second {
                    RegistrationError::DuplicateTool { name: first }
                } else {
                    RegistrationError::PortableNameConflict { name: called, first, second }
                });
            }
            (Some(Item::Tool(_)), Item::CallTool) => self.error(RegistrationError::DuplicateTool { name: called }),
            (Some(Item::Container(_)), Item::Container(_)) => {
                self.error(RegistrationError::DuplicateContainer { name: called });
            }
            _ => self.error(RegistrationError::ContainerIsTool { name: called }),
        }
    }

    /// Claims the names of all nested containers, level by level.
    fn add_nested(&mut self) {
        let mut index = 0;
        while index < self.parts.len() {
            let parts = std::mem::take(&mut self.parts[index]);
            let slots = parts.into_iter().map(|part| match part {
                Part::Tool(shared) => Slot::Tool(shared),
                Part::Container(container) => Slot::Container(self.add_container(*container)),
                Part::Reference(name) => Slot::Reference(name),
            });
            let slots = slots.collect();
            self.slots.push(slots);
            index += 1;
        }
    }

    fn add_members(&mut self) {
        let counts = self.count_owners();
        for index in 0..self.slots.len() {
            let container = self.catalog.containers[index].spec.name.clone();
            if self.catalog.find(&container) != Some(Item::Container(index)) {
                // Only the clash of the container is reported, because otherwise each of its members would be reported too.
                self.slots[index].clear();
                continue;
            }
            let (slots, mut own) = (std::mem::take(&mut self.slots[index]), HashMap::new());
            let mut resolved = Vec::with_capacity(slots.len());
            for slot in slots {
                resolved.push(match slot {
                    Slot::Tool(shared) => match self.add_member(shared, &container, &mut own, &counts) {
                        Some(position) => Slot::Item(Item::Tool(position)),
                        None => continue,
                    },
                    other => other,
                });
            }
            self.slots[index] = resolved;
        }
    }

    /// Registers the tool of a member and returns its index, or `None` if the container already has a tool of this name.
    fn add_member(
        &mut self,
        shared: SharedTool,
        container: &Text,
        own: &mut HashMap<Text, (Option<Identity>, Text)>,
        counts: &HashMap<Text, usize>,
    ) -> Option<usize> {
        let member = shared.tool.spec().name.clone();
        let written = shared.tool.spec().written_name().clone();
        if let Some((other, first)) = own.insert(member.clone(), (shared.identity, written.clone())) {
            if first != written {
                let (first, second) = (first.to_string(), written.to_string());
                self.error(RegistrationError::PortableNameConflict { name: member.to_string(), first, second });
            } else if other.is_none() || other != shared.identity {
                self.error(RegistrationError::DuplicateMember {
                    container: container.to_string(),
                    name: written.to_string(),
                });
            }
            return None;
        }
        if let Some(&known) = shared.identity.and_then(|identity| self.known.get(&identity)) {
            return Some(known);
        }
        let several = counts.get(&member).is_some_and(|&tools| tools > 1);
        let name = if several { qualified(container, &member) } else { member.clone() };
        check_name(&name, |error| self.error(error));
        // A clash of the member's own name is reported even if the name of the container will be prepended to it.
        if let Some(taken) = [&member, &name].into_iter().find(|name| self.catalog.names.contains_key(*name)) {
            let (container, member, name) = (container.to_string(), written.to_string(), taken.to_string());
            self.error(RegistrationError::MemberNameTaken { container, member, name });
        }
        let position = self.add_tool(shared, name.clone());
        self.catalog.names.entry(name).or_insert(Item::Tool(position));
        Some(position)
    }

    /// Counts, for each name, the tools with this name among the members of all containers.
    fn count_owners(&self) -> HashMap<Text, usize> {
        let (mut seen, mut counts) = (HashSet::new(), HashMap::new());
        for (index, slots) in self.slots.iter().enumerate() {
            for slot in slots {
                let Slot::Tool(shared) = slot else { continue };
                let name = shared.tool.spec().name.clone();
                let of = if shared.identity.is_some() { None } else { Some(index) };
                if seen.insert((name.clone(), shared.identity, of)) {
                    *counts.entry(name).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Resolves the references.
    fn resolve_references(&mut self) {
        let mut members: HashMap<Text, Vec<usize>> = HashMap::new();
        for (position, entry) in self.catalog.tools.iter().enumerate() {
            members.entry(entry.tool.spec().name.clone()).or_default().push(position);
        }
        for index in 0..self.slots.len() {
            let (mut items, mut seen) = (Vec::new(), HashSet::new());
            for slot in std::mem::take(&mut self.slots[index]) {
                let item = match slot {
                    Slot::Item(item) => Some(item),
                    Slot::Container(container) => Some(Item::Container(container)),
                    Slot::Reference(name) => self.resolve_reference(index, &name, &members),
                    Slot::Tool(_) => None,
                };
                items.extend(item.filter(|&item| seen.insert(item)));
            }
            self.catalog.containers[index].members = items;
        }
    }

    fn resolve_reference(&mut self, index: usize, name: &Text, members: &HashMap<Text, Vec<usize>>) -> Option<Item> {
        if let Some(item) = self.catalog.find(name) {
            return Some(item);
        }
        let container = self.catalog.containers[index].spec.name.to_string();
        let qualified = name.split_once("__").or_else(|| name.split_once('.'));
        if let Some((owner, member)) = qualified
            && let Some(owner) = self.catalog.find_container(owner)
            && let Some(&position) = members.get(member).and_then(|tools| self.member_of(owner, tools))
        {
            return Some(Item::Tool(position));
        }
        let several = members.get(name).map(Vec::as_slice).unwrap_or_default();
        let candidates: Vec<_> = several.iter().map(|&tool| self.catalog.tools[tool].name.to_string()).collect();
        self.error(if candidates.is_empty() {
            RegistrationError::UnknownReference { container, name: name.to_string() }
        } else {
            RegistrationError::AmbiguousReference { container, name: name.to_string(), candidates }
        });
        None
    }

    /// Returns the first of these tools that is in the container, even if the references of the container are not resolved yet.
    fn member_of<'t>(&self, container: usize, tools: &'t [usize]) -> Option<&'t usize> {
        let stands_there = |position: usize| {
            let item = Item::Tool(position);
            let unresolved =
                self.slots[container].iter().any(|slot| matches!(slot, Slot::Item(found) if *found == item));
            unresolved || self.catalog.containers[container].members.contains(&item)
        };
        tools.iter().find(|&&position| stands_there(position))
    }
}

/// Prepends the name of the container to the name of its member. A result that is too long is shortened.
fn qualified(container: &str, member: &str) -> Text {
    let name = format!("{container}__{member}");
    if name.len() > LONGEST { portable_name(&name).into_owned().into() } else { name.into() }
}

fn check_name(name: &str, error: impl FnOnce(RegistrationError)) {
    if !is_name(name) {
        error(RegistrationError::InvalidName { name: name.to_owned() });
    }
}

/// Returns `true` for a name that matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
fn is_name(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|other| other.is_ascii_alphanumeric() || matches!(other, b'_' | b'-'))
}
