//! Names that say the container too: `Math.add`, `math:add`, `MATH__ADD`, `add-math`.
//!
//! In: containers and members under their names, and later a name as a model wrote it. Out: the members that it can mean. What always
//! holds: container and member are told apart at the end of a word (`mathadd` means nothing), case and separators do not matter, and the
//! work grows with the length of a name of at most 64 letters, not with the number of tools.

use std::collections::HashMap;

use super::item::Item;
use crate::suggest::{fold, words};

/// What has a longer name has none of ours twice.
const LONGEST: usize = 2 * 64 + 2;

#[derive(Default)]
pub(super) struct QualifiedNames {
    containers: HashMap<String, Vec<usize>>,
    members: HashMap<(usize, String), Vec<Item>>,
}

impl QualifiedNames {
    pub(super) fn add_container(&mut self, name: &str, container: usize) {
        self.containers.entry(fold(name)).or_default().push(container);
    }

    /// A member under one of its names.
    pub(super) fn add_member(&mut self, container: usize, name: &str, item: Item) {
        let items = self.members.entry((container, fold(name))).or_default();
        if !items.contains(&item) {
            items.push(item);
        }
    }

    /// The members that it can mean, each once, with the first container through which it does.
    pub(super) fn find(&self, name: &str) -> Vec<(Item, usize)> {
        let mut found: Vec<(Item, usize)> = Vec::new();
        if name.len() > LONGEST {
            return found;
        }
        let words = words(name);
        for split in 1..words.len() {
            let (front, back) = (words[..split].concat(), words[split..].concat());
            for (container, member) in [(&front, &back), (&back, &front)] {
                for &container in self.containers.get(container).into_iter().flatten() {
                    for &item in self.members.get(&(container, member.clone())).into_iter().flatten() {
                        if found.iter().all(|&(other, _)| other != item) {
                            found.push((item, container));
                        }
                    }
                }
            }
        }
        found
    }
}
