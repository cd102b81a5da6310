//! Names that include the container: `Math.add`, `math->add`, `MATH__ADD`, `add@Math`, `Outer.Inner.add`.
//!
//! One lookup returns the members to which a name can refer. If there is none, another lookup removes the names of containers from the
//! name, and returns the rest.
//!
//! A name is only split at word boundaries, so `mathadd` matches nothing. Each container must contain the next one, and case and separators
//! are ignored. The work is bounded by the length of the name, which is at most [`LONGEST`] bytes, and does not depend on the number of
//! tools.

use std::collections::{HashMap, HashSet};

use super::item::Item;
use crate::suggest::{fold, words};

/// The maximum length of a name that is split: three registered names with separators.
const LONGEST: usize = 3 * 64 + 6;

/// Separators that are neither allowed in tool names nor ignored by [`fold`].
const SEPARATORS: [char; 6] = ['>', '=', '#', '|', '@', '\\'];

#[derive(Default)]
pub(super) struct QualifiedNames {
    containers: HashMap<String, Vec<usize>>,
    /// For each container, its members, keyed by their folded names.
    members: Vec<HashMap<String, Vec<Item>>>,
}

impl QualifiedNames {
    pub(super) fn add_container(&mut self, name: &str, container: usize) {
        self.containers.entry(fold(name)).or_default().push(container);
        self.members.resize_with(self.members.len().max(container + 1), HashMap::new);
    }

    /// Adds a member under one of its names.
    pub(super) fn add_member(&mut self, container: usize, name: &str, item: Item) {
        let items = self.members[container].entry(fold(name)).or_default();
        if !items.contains(&item) {
            items.push(item);
        }
    }

    /// Returns the members to which the name can refer. Each member is returned once, with the first container that leads to it.
    pub(super) fn find(&self, name: &str) -> Vec<(Item, usize)> {
        let mut found: Vec<(Item, usize)> = Vec::new();
        for path in Path::both_ways(name) {
            self.walk(&path, |container, rest| {
                for &item in self.members_called(container, path.between(rest, path.len())) {
                    if found.iter().all(|&(other, _)| other != item) {
                        found.push((item, container));
                    }
                }
            });
        }
        found
    }

    /// Returns every container to which the beginning or the end of a name can refer, with the rest of the name. The rest does not have to
    /// be the name of a member.
    pub(super) fn rests(&self, name: &str) -> Vec<(usize, String)> {
        let mut rests = Vec::new();
        for path in Path::both_ways(name) {
            self.walk(&path, |container, rest| rests.push((container, path.words_from(rest))));
        }
        rests
    }

    /// Follows the names of containers from the beginning of a path. Calls `each` with every container that is reached, and the number of
    /// words that lead to it.
    fn walk(&self, path: &Path, mut each: impl FnMut(usize, usize)) {
        let (mut reached, mut next) = (Vec::new(), 0);
        let mut known = HashSet::new();
        for end in 1..path.len() {
            let outermost = self.containers.get(path.between(0, end)).into_iter().flatten();
            reached.extend(outermost.map(|&container| (end, container)));
        }
        while let Some(&(start, container)) = reached.get(next) {
            next += 1;
            if !known.insert((start, container)) {
                continue;
            }
            each(container, start);
            for end in start + 1..path.len() {
                for item in self.members_called(container, path.between(start, end)) {
                    if let Item::Container(inner) = *item {
                        reached.push((end, inner));
                    }
                }
            }
        }
    }

    fn members_called(&self, container: usize, folded: &str) -> &[Item] {
        self.members.get(container).and_then(|members| members.get(folded)).map_or(&[], Vec::as_slice)
    }
}

/// The words of a name, from the container to the member.
struct Path {
    folded: String,
    /// 0, followed by the position in `folded` at which each word ends.
    ends: Vec<usize>,
    /// `true` if the container comes last, as in `add@Math`.
    is_reversed: bool,
}

impl Path {
    /// Splits a name in two ways: as one that begins with the container, and as one that ends with it. A name that is too long is not
    /// split.
    fn both_ways(name: &str) -> impl Iterator<Item = Self> {
        let is_short = name.len() <= LONGEST;
        is_short.then_some([false, true]).into_iter().flatten().map(|is_reversed| {
            let (mut folded, mut ends) = (String::new(), vec![0]);
            for word in words(&name.replace(SEPARATORS, " ")) {
                folded += &word;
                ends.push(folded.len());
            }
            Self { folded, ends, is_reversed }
        })
    }

    /// Returns the number of words.
    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// Returns the folded words between two positions. They are adjacent in `folded`, even if the container comes last.
    fn between(&self, from: usize, to: usize) -> &str {
        let (from, to) = if self.is_reversed { (self.len() - to, self.len() - from) } else { (from, to) };
        &self.folded[self.ends[from]..self.ends[to]]
    }

    /// Returns the words from a position on, in the order of the name.
    fn words_from(&self, position: usize) -> String {
        let mut words: Vec<&str> = (position..self.len()).map(|word| self.between(word, word + 1)).collect();
        if self.is_reversed {
            words.reverse();
        }
        words.join("_")
    }
}
