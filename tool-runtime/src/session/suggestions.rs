//! Suggests names for a call with an unknown name.
//!
//! In: a name as a model wrote it. Out: at most three names that the model may have meant, best first. Invariants: a suggested name is only
//! shown, never called. The work is linear in the number of names and in the length of the unknown name.

use std::collections::HashMap;

use super::generation::Generation;
use super::member_call::find_member;
use crate::input::Arguments;
use crate::json::Node;
use crate::shape::Text;
use crate::suggest::{ranked, words};
use crate::toolbox::{Catalog, Item};

/// The maximum number of suggested names.
const SUGGESTIONS: usize = 3;
/// The number of similar names to collect. It exceeds the number of suggestions, because several members may lead to
/// the same container.
const RANKED: usize = 24;
/// The maximum length of names that are compared word by word.
const LONGEST: usize = 64;
/// The minimum length of an abbreviation, such as `dir` for `directory`.
const ABBREVIATION: usize = 3;

impl Generation {
    /// Returns the names that are most similar to an unknown name. A hidden tool is replaced by the container
    /// that leads to it.
    pub(super) fn suggestions(&self, name: &str) -> Vec<&str> {
        let catalog = self.catalog();
        let mut found = Vec::new();
        // If the name contains the name of a container, the members of the container come first.
        for (container, rest) in catalog.qualified_rests(name) {
            self.add_ways(&mut found, self.members(container).near(&rest));
        }
        let all = self.candidates();
        self.add_ways(&mut found, all.near(name));
        if found.len() < SUGGESTIONS {
            self.add_ways(&mut found, all.near_without_prefix(name));
        }
        if found.len() < SUGGESTIONS {
            self.add_ways(&mut found, all.sharing_words(name));
        }
        found
    }

    /// Returns the members of a container that are most similar to the `function` in its arguments, if no member has
    /// that name.
    pub(super) fn near_members(&self, container: usize, arguments: &Arguments<'_>) -> Vec<Text> {
        let (catalog, members) = (self.catalog(), self.members(container));
        let near = arguments.to_json().ok().and_then(|json| {
            let Node::Object(sent) = json.node else { return None };
            let mut named = sent.iter().filter(|member| member.key == "function");
            let (Some(function), None) = (named.next(), named.next()) else { return None };
            let name = function.value.as_str().filter(|name| find_member(catalog, container, name).is_none())?;
            let rankings = [members.near(name), members.near_without_prefix(name), members.sharing_words(name)];
            rankings.into_iter().find(|near| !near.is_empty())
        });
        near.into_iter().flatten().take(SUGGESTIONS).map(|item| catalog.name(item).clone()).collect()
    }

    /// Returns every candidate name, visible ones first. If two names are equally similar, the earlier one takes precedence.
    fn candidates(&self) -> Candidates<'_> {
        let catalog = self.catalog();
        let visible = self.visible.items(catalog);
        let seen = self.visible.seen();
        let tools = (0..catalog.tools.len()).map(Item::Tool).filter(|&tool| seen.is_available(catalog, tool));
        let containers = (0..catalog.containers.len()).map(Item::Container);
        Candidates::of(catalog, visible.into_iter().chain(tools).chain(containers))
    }

    /// Returns the names of a container's available members.
    fn members(&self, container: usize) -> Candidates<'_> {
        let catalog = self.catalog();
        let seen = self.visible.seen();
        let members = catalog.containers[container].members.iter().copied();
        Candidates::of(catalog, members.filter(|&member| seen.is_available(catalog, member)))
    }

    /// Adds, for each item, the name under which it can be reached, up to the maximum number of suggestions.
    fn add_ways<'s>(&'s self, found: &mut Vec<&'s str>, items: Vec<Item>) {
        for item in items {
            if let Some(way) = self.visible_way_to(item)
                && found.len() < SUGGESTIONS
                && !found.contains(&way)
            {
                found.push(way);
            }
        }
    }

    /// Returns the name of the item if it is visible, or else the name of the innermost visible container that contains it.
    fn visible_way_to(&self, item: Item) -> Option<&str> {
        let catalog = self.catalog();
        let (mut around, mut next) = (vec![item], 0);
        while let Some(&item) = around.get(next) {
            if self.visible.is_visible(catalog, item) {
                return Some(catalog.name(item));
            }
            for &owner in catalog.owners(item) {
                let owner = Item::Container(owner);
                if !around.contains(&owner) {
                    around.push(owner);
                }
            }
            next += 1;
        }
        None
    }
}

/// Names that the model may have meant, in order, each with the items that have this name.
struct Candidates<'c> {
    names: Vec<&'c str>,
    items: HashMap<&'c str, Vec<Item>>,
}

impl<'c> Candidates<'c> {
    fn of(catalog: &'c Catalog, all: impl Iterator<Item = Item>) -> Self {
        let mut candidates = Self { names: Vec::new(), items: HashMap::new() };
        for item in all {
            for name in catalog.names_of(item) {
                let items = candidates.items.entry(name).or_insert_with(|| {
                    candidates.names.push(name);
                    Vec::new()
                });
                if !items.contains(&item) {
                    items.push(item);
                }
            }
        }
        candidates
    }

    /// Returns the items with the most similar names.
    fn near(&self, name: &str) -> Vec<Item> {
        self.items_of(ranked(name, self.names.iter().copied(), RANKED))
    }

    /// Removes a foreign prefix from the name, such as `functions.` from `functions.read_file`, and returns the items with
    /// the most similar names. Returns no items if the name has no such prefix.
    fn near_without_prefix(&self, name: &str) -> Vec<Item> {
        let plain = without_prefix(name);
        if plain == name { Vec::new() } else { self.near(plain) }
    }

    /// Returns the items whose names share most of their words with this name.
    fn sharing_words(&self, name: &str) -> Vec<Item> {
        let name = without_prefix(name);
        if name.len() > LONGEST {
            return Vec::new();
        }
        let wanted = words(name);
        let others = self.names.iter().filter(|other| other.len() <= LONGEST);
        let mut sharing: Vec<_> =
            others.filter_map(|&other| Some((shared_letters(&wanted, &words(other))?, other))).collect();
        sharing.sort_by_key(|&(letters, other)| (std::cmp::Reverse(letters), other.len()));
        self.items_of(sharing.into_iter().take(RANKED).map(|(_, other)| other))
    }

    fn items_of(&self, names: impl IntoIterator<Item = &'c str>) -> Vec<Item> {
        names.into_iter().filter_map(|name| self.items.get(name)).flatten().copied().collect()
    }
}

/// Returns `read_file` for `functions.read_file`, `mcp__files__read_file`, `functions.read_file:0` and
/// `read_file@files`.
fn without_prefix(name: &str) -> &str {
    let name = name.rsplit_once('@').map_or(name, |(front, _)| front);
    let parts = name.rsplit(['.', ':', '/', '\\', '#', '|', '>']).flat_map(|part| part.rsplit("__"));
    parts.map(str::trim).find(|part| part.contains(char::is_alphabetic)).unwrap_or(name)
}

/// Counts the letters in words that both names share. Returns `None` unless they are more than half of the letters of each name.
fn shared_letters(name: &[String], other: &[String]) -> Option<usize> {
    let letters = |words: &[String]| words.iter().map(String::len).sum::<usize>();
    let shared = |words: &[String], others: &[String]| {
        let is_shared = |word: &&String| others.iter().any(|other| is_same_word(word, other));
        words.iter().filter(is_shared).map(String::len).sum::<usize>()
    };
    let (here, there) = (shared(name, other), shared(other, name));
    (2 * here > letters(name) && 2 * there > letters(other)).then_some(here + there)
}

/// Returns `true` if two words are equal, or if one is a long enough abbreviation of the other.
fn is_same_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short == long || (short.len() >= ABBREVIATION && long.starts_with(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_of_another_program_is_left_out() {
        for (name, plain) in [
            ("functions.ReadFile", "ReadFile"),
            ("default_api.read_file", "read_file"),
            ("default_api:read_file", "read_file"),
            ("mcp__files__read_file", "read_file"),
            ("functions.read_file:0", "read_file"),
            ("files/read_file", "read_file"),
            ("files->read_file", "read_file"),
            ("read_file@files", "read_file"),
            ("read_file", "read_file"),
            ("__read_file", "read_file"),
            ("...", "..."),
            ("", ""),
        ] {
            assert_eq!(without_prefix(name), plain, "{name}");
        }
    }

    #[test]
    fn names_share_words_if_most_of_both_is_shared() {
        let shares = |name, other| shared_letters(&words(name), &words(other)).is_some();
        for (name, other) in [
            ("list_dir", "ListDirectory"),
            ("fetch_weather", "get_weather"),
            ("exec_command", "run_command"),
            ("search_web", "web_search_tool"),
        ] {
            assert!(shares(name, other) && shares(other, name), "{name} {other}");
        }
        for (name, other) in [
            ("get_weather", "get_time"),
            ("read_file", "write_file"),
            ("get", "get_weather"),
            ("ls", "list"),
            ("", "a"),
            ("", ""),
        ] {
            assert!(!shares(name, other) && !shares(other, name), "{name} {other}");
        }
    }
}
