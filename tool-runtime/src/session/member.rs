//! What the throttle decides about the calls of a batch, before any of them runs.
//!
//! In: the calls of a batch. Out: for each that reaches a tool, whether it may run. What always holds: the decision about a call depends
//! on the calls before the batch and on those of the batch, not on how any of the batch ends; a call that never starts leaves nothing
//! behind.

use std::collections::HashMap;

use super::Session;
use super::invoke::guarded;
use super::member_call::{member_call, proxied_call};
use super::queue::Label;
use crate::input::Arguments;
use crate::repair::{Reread, reread_unchecked};
use crate::shape::Ref;
use crate::throttle::{Batch, Refusal, Ticket, Told};
use crate::toolbox::{Entry, Item};

/// A call of a batch, where there is a throttle.
pub(super) struct Member<'s> {
    pub(super) batch: Batch,
    pub(super) decision: Option<Decision<'s>>,
}

/// Whether a call of a batch may run.
pub(super) struct Decision<'s> {
    pub(super) subject: usize,
    pub(super) admitted: Result<Ticket<'s>, Refusal>,
}

/// The batch that a call belongs to, if any.
pub(super) fn batch_of(member: Option<&Member<'_>>) -> Option<Batch> {
    member.map(|member| member.batch)
}

impl Member<'_> {
    /// Whether it was decided that a tool may run.
    pub(super) fn decided(&self, subject: usize) -> Option<bool> {
        let decision = self.decision.as_ref().filter(|decision| decision.subject == subject)?;
        Some(decision.admitted.is_ok())
    }
}

impl Session {
    /// Decides about all calls of a batch.
    pub(super) fn decide_all<'s, 'c>(
        &'s self,
        calls: impl Iterator<Item = (&'c Label<'c>, &'c Arguments<'c>)>,
        batch: Batch,
    ) -> Vec<Option<Decision<'s>>> {
        let Some(throttle) = &self.0.throttle else { return Vec::new() };
        let reached: Vec<_> = calls.map(|(label, arguments)| self.reach(&label.name, arguments.lent())).collect();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for (tool, _) in reached.iter().flatten() {
            *counts.entry(*tool).or_default() += 1;
        }
        let decide = |(tool, arguments): (usize, Arguments<'_>)| {
            let entry = &self.catalog().tools[tool];
            let subject = self.catalog().subject(Item::Tool(tool));
            // A tool that is called once repeats nothing.
            let may_repeat = counts.get(&tool).is_some_and(|count| *count > 1);
            let told = |input: &Ref| self.told(entry, &arguments, input);
            Decision { subject, admitted: throttle.reserve(subject, batch, may_repeat, told) }
        };
        reached.into_iter().map(|call| call.map(decide)).collect()
    }

    /// The tool that a call seems to reach, and its arguments.
    fn reach<'a>(&self, name: &str, arguments: Arguments<'a>) -> Option<(usize, Arguments<'a>)> {
        match self.reached(name, &arguments)? {
            (Item::Tool(tool), inner) => Some((tool, inner.unwrap_or(arguments))),
            _ => None,
        }
    }

    /// What a call reaches, through a container or `call_tool` too, and its arguments where they stood inside those of the call.
    pub(super) fn reached(&self, name: &str, arguments: &Arguments<'_>) -> Option<(Item, Option<Arguments<'static>>)> {
        let catalog = self.catalog();
        match self.find(name).ok()?.item {
            tool @ Item::Tool(_) => Some((tool, None)),
            Item::Container(container) => {
                let call = member_call(catalog, container, arguments)?;
                Some((call.item, Some(call.arguments)))
            }
            Item::CallTool => {
                let (tool, inner) = proxied_call(arguments, false).ok()?;
                Some((self.find(&tool).ok()?.item, Some(inner)))
            }
        }
    }

    /// How a call is told from others: by the arguments that would run, which are not always those that were sent.
    #[cold]
    pub(super) fn told(&self, entry: &Entry, arguments: &Arguments<'_>, input: &Ref) -> Told {
        let repaired = || match reread_unchecked(&self.input(entry), &arguments.lent(), self.policy(entry)) {
            Ok(Reread { arguments: repaired, .. }) => {
                Told::of_tree(&repaired.to_text().as_str().into(), Some(&repaired), input)
            }
            Err(tree) => Told::of_tree(arguments, tree.as_ref(), input),
        };
        // A rule of the user's own may panic.
        guarded(repaired).unwrap_or_else(|_| Told::of(arguments, input))
    }
}
