//! The tools that depend on the state, as the model has seen them.
//!
//! In: the state, asked each time the host lists the tools. Out: the availability, description and input of each tool. Invariants: the
//! definitions and the checks of a tool use the same snapshot. Between two snapshots, changes of the state have no effect. The availability
//! of a tool is read without a lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::context::Scope;
use crate::shape::{Ref, Text};
use crate::tool::Now;
use crate::toolbox::{Catalog, Entry, Item};

/// One snapshot of the tools in [`Catalog::conditional`].
#[derive(Clone, Default)]
pub(super) struct ConditionalTools(Arc<Vec<Now>>);

impl ConditionalTools {
    pub(super) fn is_available(&self, catalog: &Catalog, item: Item) -> bool {
        let Item::Tool(tool) = item else { return true };
        self.state_of(&catalog.tools[tool]).is_none_or(|now| now.is_available)
    }

    /// Returns the input of a tool, as the model last saw it.
    pub(super) fn input<'n>(&'n self, entry: &'n Entry) -> &'n Ref {
        let narrowed = self.state_of(entry).and_then(|now| now.input.as_ref());
        narrowed.unwrap_or_else(|| &entry.tool.spec().input)
    }

    /// Returns the description and the input of a tool, if the state changes one of them.
    pub(super) fn narrowed(&self, catalog: &Catalog, tool: usize) -> Option<(Text, Ref)> {
        let entry = &catalog.tools[tool];
        let now = self.state_of(entry).filter(|now| now.input.is_some() || now.description.is_some());
        now.map(|_| (self.description(entry).clone(), self.input(entry).clone()))
    }

    /// Returns the description of a tool, as the model last saw it.
    pub(super) fn description<'n>(&'n self, entry: &'n Entry) -> &'n Text {
        let described = self.state_of(entry).and_then(|now| now.description.as_ref());
        described.unwrap_or_else(|| &entry.tool.spec().description)
    }

    /// Returns the names of a container's members, as the model reads them.
    pub(super) fn members<'c>(&self, catalog: &'c Catalog, container: usize) -> Vec<&'c Text> {
        let members = catalog.containers[container].members.iter().copied();
        members.filter(|&member| self.is_available(catalog, member)).map(|member| catalog.name(member)).collect()
    }

    fn state_of(&self, entry: &Entry) -> Option<&Now> {
        entry.conditional.and_then(|index| self.0.get(index))
    }
}

/// The availability of each tool, readable without a lock.
pub(super) struct Availability {
    is_available: Box<[AtomicBool]>,
    looks: AtomicU64,
}

/// A new snapshot that is not yet compared with the previous one.
pub(super) struct StateQuery {
    number: u64,
    found: Vec<Option<Now>>,
}

/// The remembered entries, and for each of them the number of the snapshot from which it comes.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) seen: ConditionalTools,
    numbers: Vec<u64>,
}

impl Availability {
    pub(super) fn new(catalog: &Catalog) -> Self {
        let is_available = catalog.conditional.iter().map(|_| AtomicBool::new(false)).collect();
        Self { is_available, looks: AtomicU64::new(0) }
    }

    #[inline]
    pub(super) fn is_available(&self, entry: &Entry) -> bool {
        entry.conditional.is_none_or(|index| self.is_available[index].load(Ordering::Acquire))
    }

    /// Asks the state about some of the tools. No lock may be held, because this runs code of the host.
    pub(super) fn look(
        &self,
        catalog: &Catalog,
        scope: &Scope,
        before: &ConditionalTools,
        at: impl Fn(usize) -> bool,
    ) -> StateQuery {
        // The number is taken before the state is asked, so that a higher number never belongs to an older state.
        let number = self.looks.fetch_add(1, Ordering::AcqRel) + 1;
        let tools = catalog.conditional.iter().enumerate();
        let ask = |(index, &tool): (usize, &usize)| {
            at(tool).then(|| catalog.tools[tool].tool.spec().now(scope, before.0.get(index)))
        };
        StateQuery { number, found: tools.map(ask).collect() }
    }

    /// Returns `true` if a snapshot differs from the remembered one.
    pub(super) fn is_news(memory: &Memory, look: &StateQuery) -> bool {
        let known = memory.seen.0.iter().zip(&memory.numbers);
        let is_new = |(found, (known, number)): (&Option<Now>, (&Now, &u64))| {
            found.as_ref().is_some_and(|found| *number < look.number && found != known)
        };
        look.found.iter().zip(known).any(is_new)
    }

    /// Remembers a snapshot. Entries that a later snapshot has already set are kept. Returns `true` if an entry changed.
    pub(super) fn remember(&self, memory: &mut Memory, look: StateQuery) -> bool {
        memory.numbers.resize(look.found.len(), 0);
        let before = &memory.seen.0;
        let mut after = Vec::with_capacity(look.found.len());
        let mut is_new = false;
        for (index, found) in look.found.into_iter().enumerate() {
            let known = before.get(index);
            let later = found.filter(|_| memory.numbers[index] < look.number);
            if later.is_some() {
                memory.numbers[index] = look.number;
            }
            match (later, known) {
                (Some(found), Some(known)) if found == *known => after.push(found),
                (Some(found), _) => {
                    is_new = true;
                    after.push(found);
                }
                (None, Some(known)) => after.push(known.clone()),
                // This entry is unknown: nothing is remembered before the first snapshot, which covers every tool.
                (None, None) => return false,
            }
        }
        if is_new {
            for (flag, now) in self.is_available.iter().zip(&after) {
                flag.store(now.is_available, Ordering::Release);
            }
            memory.seen = ConditionalTools(Arc::new(after));
        }
        is_new
    }
}
