//! The visible items as data: for a snapshot of the session, and for the session's next toolbox.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;

use super::super::snapshot::format::{SavedForms, SavedVisible};
use super::{Openness, Visible, has_own_call_tool};
use crate::throttle::{Digest, count};
use crate::toolbox::{Catalog, Item, Parts};

impl Visible {
    /// Takes over the view of the session's previous toolbox. Items that the model saw keep their order, and new items are appended.
    pub(in crate::session) fn follow(&self, catalog: &Catalog, before: &Self, earlier: &Catalog) {
        self.resume(catalog, &before.saved(earlier));
        // Calls that the model made with the previous definitions may still arrive.
        let seen = before.view();
        self.view().advertised.follow(&seen.advertised, |tool| match catalog.find(&earlier.tools[tool].name) {
            Some(Item::Tool(tool)) => {
                catalog.tools[tool].set_rewritten();
                Some(tool)
            }
            _ => None,
        });
    }

    /// Returns the visible items as data.
    pub(in crate::session) fn saved(&self, catalog: &Catalog) -> SavedVisible {
        let view = self.view();
        // Containers that are always open count too, because the model has seen their members.
        let open = (0..catalog.containers.len()).filter(|&index| catalog.containers[index].open);
        let expanded = open.chain(view.expanded.iter().copied()).map(|container| {
            let last_used = self.containers[container].last_used.load(Ordering::Relaxed);
            (catalog.containers[container].spec.name.to_string(), last_used)
        });
        let is_partial = |container: &&usize| !self.is_expanded(**container);
        let found = (0..self.found.len()).filter(|&tool| self.is_found(tool));
        SavedVisible {
            is_open: self.openness == Openness::Open,
            revision: self.revision(),
            uses: self.uses.load(Ordering::Relaxed),
            expanded: expanded.collect(),
            partly: view
                .expanded
                .iter()
                .filter(is_partial)
                .map(|&container| catalog.containers[container].spec.name.to_string())
                .collect(),
            found: found.map(|tool| catalog.tools[tool].name.to_string()).collect(),
            described: view.advertised.other_descriptions(catalog, &view.memory.seen),
            listed: view.listed.iter().map(|&item| catalog.name(item).to_string()).collect(),
        }
    }

    /// Takes over saved items. Items that the model saw keep their order, and new items are appended.
    pub(in crate::session) fn resume(&self, catalog: &Catalog, saved: &SavedVisible) {
        let mut view = self.view();
        for (container, last_used) in &saved.expanded {
            let Some(index) = catalog.find_container(container) else { continue };
            self.containers[index].last_used.store(count(*last_used), Ordering::Relaxed);
            let is_new = if saved.partly.contains(container) {
                !self.is_expanded(index)
            } else {
                !self.containers[index].is_expanded.swap(true, Ordering::AcqRel)
            };
            if is_new {
                view.expanded.push(index);
            }
        }
        view.advertised.describe_as(&saved.described);
        for name in &saved.found {
            if let Some(Item::Tool(tool)) = catalog.find(name)
                && let Some(found) = self.found.get(tool)
            {
                found.store(true, Ordering::Release);
            }
        }
        self.uses.store(count(saved.uses), Ordering::Relaxed);
        let kept = saved.listed.iter().filter_map(|name| self.find(catalog, name));
        let shown = view.expanded.iter().flat_map(|&container| &catalog.containers[container].members);
        let own = (self.openness == Openness::Open && has_own_call_tool(catalog)).then_some(Item::CallTool);
        let all = kept.chain(catalog.roots.iter().copied()).chain(own).chain(shown.copied());
        let mut listed = HashSet::new();
        let all: Vec<_> = all.filter(|&item| self.is_visible(catalog, item) && listed.insert(item)).collect();
        view.listed = all;
        self.revision.store(count(saved.revision) + 1, Ordering::Release);
    }

    /// Returns the tools that were advertised in a rewritten form, with the dialects and fingerprints of the forms.
    pub(in crate::session) fn saved_forms(&self, catalog: &Catalog) -> Vec<SavedForms> {
        let view = self.view();
        let mut saved: BTreeMap<&str, BTreeMap<String, Digest>> = BTreeMap::new();
        for (tool, form) in view.advertised.forms() {
            let tools = saved.entry(form.dialect.name()).or_default();
            tools.insert(catalog.tools[tool].name.to_string(), Digest(form.fingerprint()));
        }
        saved.into_iter().map(|(dialect, tools)| SavedForms { dialect: dialect.to_owned(), tools }).collect()
    }

    /// Takes over the saved forms, if the tools still have the same forms.
    pub(in crate::session) fn resume_forms(&self, parts: &Parts, saved: &SavedForms) {
        let Ok(dialect) = saved.dialect.parse() else { return };
        let (catalog, provider, seen) = (&parts.catalog, parts.providers.get(dialect), self.seen());
        for (name, fingerprint) in &saved.tools {
            let Some(Item::Tool(tool)) = catalog.find(name) else { continue };
            let forms = provider.forms(catalog, tool, seen.narrowed(catalog, tool));
            if let Some(form) = forms.into_iter().find(|form| form.fingerprint() == fingerprint.0) {
                self.view().advertised.add(tool, form);
            }
        }
    }
}
