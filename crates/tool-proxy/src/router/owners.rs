//! The kinds of lists ([`Listing`]), and the servers of everything that is in one or was seen elsewhere: [`Owners`].
//!
//! Invariant: the number of remembered URIs and tasks is bounded.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

use crate::access::fits;
use crate::members::{member, parsed};
use crate::request_table::Table;
use crate::router::grouped_server::GroupedServer;

/// The largest number of remembered URIs, and of remembered tasks.
const MOST: usize = 10_000;
/// The largest number of bytes of a remembered URI or task.
const LONGEST: usize = 4_096;

/// A kind of list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listing {
    Tools,
    Prompts,
    Resources,
    Templates,
    Tasks,
}

/// The texts of the protocol about a list.
pub(super) struct Terms {
    pub(super) method: &'static str,
    /// The member of the result that contains the entries.
    pub(super) member: &'static str,
    /// The member that identifies an entry.
    pub(super) key: &'static str,
    /// The capability of a server with this list.
    pub(super) capability: &'static str,
}

impl Listing {
    const ALL: [(Self, Terms); 5] = [
        (Self::Tools, Terms::new("tools/list", "tools", "name", "tools")),
        (Self::Prompts, Terms::new("prompts/list", "prompts", "name", "prompts")),
        (Self::Resources, Terms::new("resources/list", "resources", "uri", "resources")),
        (Self::Templates, Terms::new("resources/templates/list", "resourceTemplates", "uriTemplate", "resources")),
        (Self::Tasks, Terms::new("tasks/list", "tasks", "taskId", "tasks")),
    ];

    /// Returns the list that a method requests.
    pub(super) fn of(method: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, terms)| terms.method == method).map(|(listing, _)| *listing)
    }

    pub(super) fn terms(self) -> &'static Terms {
        &Self::ALL[self as usize].1
    }

    /// Returns `true` if the entries have names, which get the prefix of their server.
    pub(super) fn is_named(self) -> bool {
        self.terms().key == "name"
    }
}

impl Terms {
    const fn new(method: &'static str, member: &'static str, key: &'static str, capability: &'static str) -> Self {
        Self { method, member, key, capability }
    }
}

/// The servers of the entries of all lists, of unlisted resources that were read, and of tasks.
#[derive(Default)]
pub(super) struct Owners {
    /// The index of the server for each entry of each [`Listing`].
    listed: [Table<Box<str>, usize>; Listing::ALL.len()],
    read: Recent,
    pub(super) tasks: Recent,
}

/// The servers that may have a resource.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Owner {
    One(usize),
    /// The servers whose templates fit. It is not certain that one of them has the resource.
    Likely(Vec<usize>),
}

impl Owners {
    /// Forgets the entries of a server in a list.
    pub(super) fn forget(&mut self, listing: Listing, server: usize) {
        self.listed[listing as usize].retain(|_, owner| *owner != server);
    }

    /// Adds an entry of a list, a name with its prefix. The first server that lists it keeps it.
    pub(super) fn add(&mut self, listing: Listing, key: &str, server: usize) {
        match listing {
            Listing::Tasks => self.tasks.add(key, server),
            _ => drop(self.listed[listing as usize].entry(key.into()).or_insert(server)),
        }
    }

    /// Returns the server of a name: the one that lists it, or else the one with the longest prefix that the name has.
    pub(super) fn by_name(&self, listing: Listing, name: &str, servers: &[GroupedServer]) -> Option<usize> {
        self.listed[listing as usize].get(name).copied().or_else(|| {
            let fitting = servers.iter().enumerate().filter(|(_, server)| name.starts_with(&server.prefix));
            // Of equal prefixes, the first one counts.
            fitting.min_by_key(|(_, server)| Reverse(server.prefix.len())).map(|(index, _)| index)
        })
    }

    /// Notes that a server has answered a request for a resource.
    pub(super) fn add_read(&mut self, uri: &str, server: usize) {
        if !self.listed[Listing::Resources as usize].contains_key(uri) {
            self.read.add(uri, server);
        }
    }

    /// Notes the task in the result of a request.
    pub(super) fn add_task(&mut self, result: &str, server: usize) {
        // Until protocol version 2025-11-25, the task is a member of the result.
        if let Some(id) = parsed::<String>(member(result, "task").unwrap_or(result), "taskId") {
            self.tasks.add(&id, server);
        }
    }

    /// Returns the servers that may have a resource, or the template of a resource.
    pub(super) fn by_uri(&self, uri: &str) -> Owner {
        let templates = &self.listed[Listing::Templates as usize];
        let listed = self.listed[Listing::Resources as usize].get(uri).copied().or_else(|| self.read.owner(uri));
        if let Some(server) = listed.or_else(|| templates.get(uri).copied()) {
            return Owner::One(server);
        }
        let fitting = templates.iter().filter(|(template, _)| fits(&pattern(template), uri));
        let mut likely: Vec<usize> = fitting.map(|(_, server)| *server).collect();
        likely.sort_unstable();
        likely.dedup();
        Owner::Likely(likely)
    }
}

/// The servers of the latest keys that were seen.
#[derive(Default)]
pub(super) struct Recent {
    /// The server of each key; `None` if two servers use it.
    owners: HashMap<Box<str>, Option<usize>>,
    /// The keys, the oldest first.
    keys: VecDeque<Box<str>>,
}

impl Recent {
    fn add(&mut self, key: &str, server: usize) {
        if key.len() > LONGEST {
            return;
        }
        if let Some(owner) = self.owners.get_mut(key) {
            *owner = owner.filter(|owner| *owner == server);
            return;
        }
        if self.keys.len() == MOST
            && let Some(oldest) = self.keys.pop_front()
        {
            self.owners.remove(&oldest);
        }
        self.owners.insert(key.into(), Some(server));
        self.keys.push_back(key.into());
    }

    /// Returns the server of a key, if exactly one server has it.
    pub(super) fn owner(&self, key: &str) -> Option<usize> {
        self.owners.get(key).copied().flatten()
    }
}

/// Returns a URI template as a pattern, in which `*` stands for any text.
fn pattern(template: &str) -> String {
    let mut parts = template.split('{');
    let start = parts.next().unwrap_or_default().to_owned();
    parts.fold(start, |pattern, part| pattern + "*" + part.split_once('}').map_or("", |(_, literal)| literal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_belongs_to_the_server_that_lists_it_or_has_a_template_for_it() {
        let mut owners = Owners::default();
        owners.add(Listing::Resources, "file:///a", 1);
        owners.add(Listing::Resources, "file:///a", 0);
        owners.add(Listing::Templates, "file:///{path}", 2);
        owners.add(Listing::Templates, "db://{table}/rows{?limit}", 0);
        assert_eq!(owners.by_uri("file:///a"), Owner::One(1));
        assert_eq!(owners.by_uri("file:///b"), Owner::Likely(vec![2]));
        assert_eq!(owners.by_uri("db://x/rows?limit=1"), Owner::Likely(vec![0]));
        assert_eq!(owners.by_uri("db://{table}/rows{?limit}"), Owner::One(0));
        assert_eq!(owners.by_uri("memo://1"), Owner::Likely(Vec::new()));
        owners.add_read("memo://1", 1);
        assert_eq!(owners.by_uri("memo://1"), Owner::One(1));
        owners.forget(Listing::Resources, 1);
        assert_eq!(owners.by_uri("file:///a"), Owner::Likely(vec![2]));
    }

    #[test]
    fn the_memory_for_unlisted_resources_is_bounded() {
        let mut owners = Owners::default();
        for number in 0..100_000 {
            owners.add_read(&format!("memo://{number}"), 0);
        }
        owners.add_read(&"x".repeat(LONGEST + 1), 0);
        assert_eq!((owners.read.owners.len(), owners.read.keys.len()), (MOST, MOST));
        assert_eq!(owners.by_uri("memo://99999"), Owner::One(0));
        assert_eq!(owners.by_uri("memo://0"), Owner::Likely(Vec::new()));
    }

    #[test]
    fn a_task_of_two_servers_belongs_to_neither() {
        let mut owners = Owners::default();
        owners.add_task(r#"{"task":{"taskId":"a","status":"working"}}"#, 1);
        owners.add_task(r#"{"resultType":"task","taskId":"b"}"#, 0);
        owners.add_task(r#"{"content":[]}"#, 0);
        let owner = |owners: &Owners, task| owners.tasks.owner(task);
        assert_eq!((owner(&owners, "a"), owner(&owners, "b"), owner(&owners, "c")), (Some(1), Some(0), None));
        owners.add(Listing::Tasks, "a", 1);
        assert_eq!(owner(&owners, "a"), Some(1));
        owners.add(Listing::Tasks, "a", 0);
        assert_eq!(owner(&owners, "a"), None);
    }

    #[test]
    fn each_list_has_its_terms() {
        for (index, (listing, terms)) in Listing::ALL.iter().enumerate() {
            assert_eq!((*listing as usize, Listing::of(terms.method)), (index, Some(*listing)));
        }
    }
}
