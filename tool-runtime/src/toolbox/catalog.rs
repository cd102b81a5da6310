//! Every tool and container under the name that a model calls: [`Catalog`].
//!
//! In: registrations. Out: tables by position and by name. A member's name that occurs once is advertised as it is; one that occurs
//! in several containers is always advertised as `Container__member`. What always holds: positions follow the order of
//! registration, an advertised name leads to one item, and looking one up costs one hash.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::Problem;
use super::builder::Registered;
use crate::container::ContainerSpec;
use crate::shape::Text;
use crate::suggest::fold;
use crate::tool::Tool;

#[derive(Default)]
pub(crate) struct Catalog {
    pub(crate) tools: Vec<Entry>,
    pub(crate) containers: Vec<Group>,
    /// What the model sees from the beginning.
    pub(crate) roots: Vec<Item>,
    names: HashMap<Text, Item>,
    /// Made when the first name comes that nobody has.
    folded: OnceLock<HashMap<String, Vec<Item>>>,
}

/// A position in [`Catalog::tools`] or [`Catalog::containers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Tool(usize),
    Container(usize),
}

/// A tool and the name that it is advertised by.
pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) name: Text,
    /// The container that has to be expanded first.
    pub(crate) container: Option<usize>,
    pub(crate) blocking: bool,
}

/// A container and the positions of its members.
pub(crate) struct Group {
    pub(crate) spec: ContainerSpec,
    pub(crate) members: Vec<usize>,
}

impl Catalog {
    /// What has exactly this name.
    pub(crate) fn find(&self, name: &str) -> Option<Item> {
        self.names.get(name).copied()
    }

    /// What has this name but for case and separators, and every member that has it before its container's name is put in front; where
    /// there is none, the members that have it once it is put in front.
    pub(crate) fn find_folded(&self, name: &str) -> &[Item] {
        let folded = self.folded.get_or_init(|| self.fold_names());
        folded.get(&fold(name)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn name(&self, item: Item) -> &Text {
        match item {
            Item::Tool(index) => &self.tools[index].name,
            Item::Container(index) => &self.containers[index].spec.name,
        }
    }

    /// The advertised names of a container's members.
    pub(crate) fn functions(&self, container: usize) -> impl Iterator<Item = &str> {
        self.containers[container].members.iter().map(|&member| self.tools[member].name.as_str())
    }

    /// Whether a member of a container has a sensitive parameter, or one with a sensitive field.
    pub(crate) fn functions_take_secrets(&self, container: usize) -> bool {
        let members = &self.containers[container].members;
        members.iter().any(|&member| self.tools[member].tool.spec().input.shape().has_secrets())
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
        for (index, entry) in self.tools.iter().enumerate() {
            add(&entry.name, Item::Tool(index));
            add(&entry.tool.spec().name, Item::Tool(index));
        }
        // A member that shares its name with nobody may still be called by its container's name and its own, unless that is a name of
        // somebody else.
        let mut qualified: HashMap<String, Vec<Item>> = HashMap::new();
        for (index, entry) in self.tools.iter().enumerate() {
            let Some(container) = entry.container else { continue };
            let name = fold(&format!("{}__{}", self.containers[container].spec.name, entry.tool.spec().name));
            if !folded.contains_key(&name) {
                qualified.entry(name).or_default().push(Item::Tool(index));
            }
        }
        folded.extend(qualified);
        folded
    }

    fn add_tool(&mut self, tool: Arc<dyn Tool>, name: Text, container: Option<usize>) -> usize {
        let blocking = tool.spec().blocking;
        self.tools.push(Entry { tool, name, container, blocking });
        self.tools.len() - 1
    }
}

/// Gives everything its name; what is wrong with the names goes to `problems`.
///
/// Names that are visible from the beginning come first, so that a member's clash is told as the member's.
pub(super) fn build(registered: Vec<Registered>, problems: &mut Vec<Problem>) -> Catalog {
    let mut catalog = Catalog::default();
    let mut members = Vec::new();
    for registration in registered {
        match registration {
            Registered::Tool(tool) => {
                let name = tool.spec().name.clone();
                let item = Item::Tool(catalog.add_tool(tool, name.clone(), None));
                claim_root(&mut catalog, name, item, problems);
            }
            Registered::Container(container) => {
                let (spec, tools) = container.into_parts();
                let name = spec.name.clone();
                let index = catalog.containers.len();
                catalog.containers.push(Group { spec, members: Vec::new() });
                claim_root(&mut catalog, name, Item::Container(index), problems);
                members.push(tools);
            }
        }
    }
    add_members(&mut catalog, members, problems);
    catalog
}

fn claim_root(catalog: &mut Catalog, name: Text, item: Item, problems: &mut Vec<Problem>) {
    check_name(&name, problems);
    catalog.roots.push(item);
    let taken = catalog.names.get(&*name).copied();
    let called = || name.to_string();
    match (taken, item) {
        (None, _) => drop(catalog.names.insert(name, item)),
        (Some(Item::Tool(_)), Item::Tool(_)) => problems.push(Problem::DuplicateTool { name: called() }),
        (Some(Item::Container(_)), Item::Container(_)) => problems.push(Problem::DuplicateContainer { name: called() }),
        _ => problems.push(Problem::ContainerIsTool { name: called() }),
    }
}

fn add_members(catalog: &mut Catalog, members: Vec<Vec<Arc<dyn Tool>>>, problems: &mut Vec<Problem>) {
    let owners = count_owners(&members);
    for (index, tools) in members.into_iter().enumerate() {
        let container = catalog.containers[index].spec.name.clone();
        if catalog.find(&container) != Some(Item::Container(index)) {
            // The container's own name is the problem to solve; its members would only repeat it.
            continue;
        }
        let mut own = HashSet::new();
        for tool in tools {
            let member = tool.spec().name.clone();
            if !own.insert(member.clone()) {
                problems.push(Problem::DuplicateMember { container: container.to_string(), name: member.to_string() });
                continue;
            }
            let shared = owners.get(&member).is_some_and(|&owners| owners > 1);
            let name = if shared { format!("{container}__{member}").into() } else { member.clone() };
            check_name(&name, problems);
            // A member whose name is taken is a clash even where another container's name in front would hide it.
            if let Some(taken) = [&member, &name].into_iter().find(|name| catalog.names.contains_key(*name)) {
                problems.push(Problem::MemberIsTaken {
                    container: container.to_string(),
                    member: member.to_string(),
                    name: taken.to_string(),
                });
            }
            let position = catalog.add_tool(tool, name.clone(), Some(index));
            catalog.containers[index].members.push(position);
            catalog.names.entry(name).or_insert(Item::Tool(position));
        }
    }
}

/// In how many containers each name occurs.
fn count_owners(members: &[Vec<Arc<dyn Tool>>]) -> HashMap<Text, usize> {
    let mut owners = HashMap::new();
    for tools in members {
        let names: HashSet<Text> = tools.iter().map(|tool| tool.spec().name.clone()).collect();
        for name in names {
            *owners.entry(name).or_default() += 1;
        }
    }
    owners
}

fn check_name(name: &str, problems: &mut Vec<Problem>) {
    if !is_name(name) {
        problems.push(Problem::InvalidName { name: name.to_owned() });
    }
}

/// `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`
fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|other| other.is_ascii_alphanumeric() || matches!(other, b'_' | b'-'))
}
