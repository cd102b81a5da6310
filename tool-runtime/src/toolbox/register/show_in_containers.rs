//! Determines which containers show which items.
//!
//! An open container is replaced by its members. Invariant: each container shows an item only once.

use std::collections::HashSet;

use crate::toolbox::catalog::Catalog;
use crate::toolbox::item::Item;

/// Determines which containers show which items. An open container is replaced by its members.
pub(super) fn show(catalog: &mut Catalog, open: &[bool]) {
    let roots = flattened(&catalog.roots, catalog, open);
    let shown: Vec<_> =
        (0..open.len()).map(|index| flattened(&catalog.containers[index].members, catalog, open)).collect();
    let mut outermost = catalog.roots.clone();
    while let Some(item) = outermost.pop() {
        let Item::Container(index) = item else { continue };
        if open[index] && !catalog.containers[index].open {
            catalog.containers[index].open = true;
            outermost.extend_from_slice(&catalog.containers[index].members);
        }
    }
    for &item in &roots {
        match item {
            Item::Tool(index) => catalog.tools[index].always = true,
            Item::Container(index) => catalog.containers[index].always = true,
            Item::CallTool => {}
        }
    }
    for (index, members) in shown.into_iter().enumerate() {
        for &member in &members {
            match member {
                Item::Tool(tool) => catalog.tools[tool].owners.push(index),
                Item::Container(inner) => catalog.containers[inner].owners.push(index),
                Item::CallTool => {}
            }
        }
        let before = std::mem::replace(&mut catalog.containers[index].members, members);
        catalog.containers[index].inner = before.into_iter().filter_map(container).collect();
    }
    catalog.roots = roots;
}

fn container(item: Item) -> Option<usize> {
    match item {
        Item::Container(index) => Some(index),
        Item::Tool(_) | Item::CallTool => None,
    }
}

/// Replaces each open container by its members, keeping each item once.
fn flattened(items: &[Item], catalog: &Catalog, open: &[bool]) -> Vec<Item> {
    let (mut found, mut seen) = (Vec::with_capacity(items.len()), HashSet::new());
    let mut rest: Vec<Item> = items.iter().rev().copied().collect();
    while let Some(item) = rest.pop() {
        if !seen.insert(item) {
            continue;
        }
        match item {
            Item::Container(index) if open[index] => rest.extend(catalog.containers[index].members.iter().rev()),
            item => found.push(item),
        }
    }
    found
}
