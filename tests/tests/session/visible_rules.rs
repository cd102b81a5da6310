//! For random toolboxes, the visible set equals that of a literal implementation of the rules.
//!
//! The toolboxes have nested containers, tools in several containers, separately registered tools, containers that never collapse or only
//! above a number of tools, and tools with conditions. `visible_model` tests the order.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use proptest::prelude::*;
use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::tool::Tool;
use tool_runtime::{Container, Session, Toolbox};

use super::tools::{call, named, rejection, visible};

const TOOLS: [&str; 6] = ["t0", "t1", "t2", "t3", "t4", "t5"];
const CONTAINERS: [&str; 4] = ["K0", "K1", "K2", "K3"];

/// The tools whose condition holds: a bit for each.
struct There(AtomicU8);

/// Registered tools and containers.
#[derive(Clone, Debug)]
struct Plan {
    /// For each tool: its containers, whether it is registered separately, and whether it has a condition.
    tools: Vec<(BTreeSet<usize>, bool, bool)>,
    /// For each container: the enclosing container, and whether it never collapses.
    containers: Vec<(Option<usize>, bool)>,
    scope: ExpansionScope,
    collapse_above: Option<usize>,
}

impl Plan {
    fn toolbox(&self, there: Arc<There>) -> Session {
        let tool = |index: usize| -> Arc<dyn Tool> {
            let mut tool = named(TOOLS[index]);
            if self.tools[index].2 {
                tool.spec =
                    tool.spec.available_if(move |there: &Arc<There>| there.0.load(Ordering::SeqCst) >> index & 1 == 1);
            }
            Arc::new(tool)
        };
        let tools: Vec<_> = (0..TOOLS.len()).map(tool).collect();
        let mut expansion = ExpansionSettings::new().scope(self.scope);
        if let Some(most) = self.collapse_above {
            expansion = expansion.collapse_above(most);
        }
        let mut builder = Toolbox::builder().no_throttle().expansion(expansion).state(there);
        for (tool, (_, explicit, _)) in tools.iter().zip(&self.tools) {
            builder = if *explicit { builder.tool(Arc::clone(tool)) } else { builder };
        }
        for (index, (around, _)) in self.containers.iter().enumerate() {
            builder = if around.is_none() { builder.container(self.container(index, &tools)) } else { builder };
        }
        builder.build().expect("the registration is valid").session()
    }

    fn container(&self, index: usize, tools: &[Arc<dyn Tool>]) -> Container {
        let mut container = Container::new(CONTAINERS[index], "A group.");
        for (tool, (members_of, ..)) in tools.iter().zip(&self.tools) {
            container = if members_of.contains(&index) { container.tool(Arc::clone(tool)) } else { container };
        }
        for (inner, (around, _)) in self.containers.iter().enumerate() {
            container =
                if *around == Some(index) { container.container(self.container(inner, tools)) } else { container };
        }
        if self.containers[index].1 { container.always_expanded() } else { container }
    }

    /// Returns whether a container is always shown as its members.
    fn is_open(&self, container: usize) -> bool {
        let registered = self.tools.iter().filter(|(members_of, explicit, _)| *explicit || !members_of.is_empty());
        self.containers[container].1 || self.collapse_above.is_some_and(|most| registered.count() <= most)
    }

    /// Returns the names that are visible in place of a container: its own, or those of its members.
    fn seen_at(&self, container: usize) -> BTreeSet<&'static str> {
        if self.is_open(container) { self.shows(container) } else { BTreeSet::from([CONTAINERS[container]]) }
    }

    /// Returns the names that the expansion of a container makes visible.
    fn shows(&self, container: usize) -> BTreeSet<&'static str> {
        let tools = TOOLS.iter().zip(&self.tools).filter(|(_, (members_of, ..))| members_of.contains(&container));
        let inside = (0..CONTAINERS.len()).filter(|&inner| self.containers[inner].0 == Some(container));
        tools.map(|(name, _)| *name).chain(inside.flat_map(|inner| self.seen_at(inner))).collect()
    }

    fn roots(&self) -> BTreeSet<&'static str> {
        let explicit = TOOLS.iter().zip(&self.tools).filter(|(_, (_, explicit, _))| *explicit).map(|(name, _)| *name);
        let outermost = (0..CONTAINERS.len()).filter(|&index| self.containers[index].0.is_none());
        explicit.chain(outermost.flat_map(|index| self.seen_at(index))).collect()
    }
}

/// The history, as far as the rules depend on it.
struct Model<'p> {
    plan: &'p Plan,
    /// Containers in the order of expansion, with the time of the last use.
    expanded: Vec<(usize, usize)>,
    there: u8,
}

impl Model<'_> {
    /// Returns the names that are visible if every condition holds.
    fn reached(&self) -> BTreeSet<&'static str> {
        let shown = self.expanded.iter().flat_map(|&(container, _)| self.plan.shows(container));
        self.plan.roots().into_iter().chain(shown).collect()
    }

    fn is_there(&self, tool: usize) -> bool {
        !self.plan.tools[tool].2 || self.there >> tool & 1 == 1
    }

    fn visible(&self) -> BTreeSet<String> {
        let absent = |name: &str| TOOLS.iter().position(|tool| *tool == name).is_some_and(|tool| !self.is_there(tool));
        self.reached().into_iter().filter(|name| !absent(name)).map(str::to_owned).collect()
    }

    fn expand(&mut self, container: usize, now: usize) {
        match self.expanded.iter_mut().find(|(other, _)| *other == container) {
            Some((_, used)) => *used = now,
            None => self.expanded.push((container, now)),
        }
        if let ExpansionScope::AtMost(most) = self.plan.scope
            && self.expanded.len() > most
        {
            let oldest = (0..self.expanded.len()).min_by_key(|&index| self.expanded[index].1).unwrap_or(0);
            self.expanded.remove(oldest);
        }
    }

    /// Collapses a container, and the containers inside it that no other one shows.
    fn release(&mut self, container: usize) {
        let Some(position) = self.expanded.iter().position(|(other, _)| *other == container) else { return };
        self.expanded.remove(position);
        for inner in (0..CONTAINERS.len()).filter(|&inner| self.plan.shows(container).contains(CONTAINERS[inner])) {
            if !self.reached().contains(CONTAINERS[inner]) {
                self.release(inner);
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Expand(usize),
    Release(usize),
    Call(usize),
    There(u8),
    EndTurn,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..CONTAINERS.len()).prop_map(Step::Expand),
        2 => (0..CONTAINERS.len()).prop_map(Step::Release),
        3 => (0..TOOLS.len()).prop_map(Step::Call),
        2 => any::<u8>().prop_map(Step::There),
        1 => Just(Step::EndTurn),
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    let tool = (prop::collection::btree_set(0..CONTAINERS.len(), 0..3), prop::bool::weighted(0.2), any::<bool>());
    let container = |index: usize| {
        let around = if index == 0 { Just(None).boxed() } else { prop::option::of(0..index).boxed() };
        (around, prop::bool::weighted(0.2))
    };
    let containers = (container(0), container(1), container(2), container(3));
    let scope = prop_oneof![
        Just(ExpansionScope::Session),
        Just(ExpansionScope::Turn),
        (1..4_usize).prop_map(ExpansionScope::AtMost),
    ];
    let above = prop::option::weighted(0.2, 0..8_usize);
    (prop::collection::vec(tool, TOOLS.len()), containers, scope, above).prop_map(
        |(tools, (a, b, c, d), scope, collapse_above)| Plan {
            tools,
            containers: vec![a, b, c, d],
            scope,
            collapse_above,
        },
    )
}

proptest! {
    #[test]
    fn visibility_follows_the_rules(plan in plan(), steps in prop::collection::vec(step(), 0..30)) {
        let there = Arc::new(There(AtomicU8::new(0b10_1010)));
        let session = plan.toolbox(Arc::clone(&there));
        let mut model = Model { plan: &plan, expanded: Vec::new(), there: 0b10_1010 };
        for (now, step) in steps.into_iter().enumerate() {
            match step {
                // An open container can be neither expanded nor released.
                Step::Expand(container) | Step::Release(container) if plan.is_open(container) => {}
                Step::Expand(container) => {
                    prop_assert!(call(&session, CONTAINERS[container], "").is_ok());
                    model.expand(container, now);
                }
                Step::Release(container) => {
                    let was_expanded = model.expanded.iter().any(|(other, _)| *other == container);
                    prop_assert_eq!(session.collapse_container(CONTAINERS[container]), was_expanded);
                    model.release(container);
                }
                Step::Call(tool) => {
                    let (outcome, is_reached) = (call(&session, TOOLS[tool], "{}"), model.reached().contains(TOOLS[tool]));
                    let (members_of, explicit, _) = &plan.tools[tool];
                    if members_of.is_empty() && !explicit {
                        prop_assert_eq!(&rejection(&outcome)["error_type"], "unknown_tool");
                    } else if !model.is_there(tool) {
                        prop_assert_eq!(&rejection(&outcome)["error_type"], "unavailable");
                    } else if !is_reached {
                        prop_assert_eq!(&rejection(&outcome)["error_type"], "container_not_expanded");
                    } else {
                        prop_assert_eq!(outcome.to_text(), TOOLS[tool]);
                        for (container, used) in &mut model.expanded {
                            if plan.shows(*container).contains(TOOLS[tool]) {
                                *used = now;
                            }
                        }
                    }
                }
                Step::There(mask) => {
                    there.0.store(mask, Ordering::SeqCst);
                    model.there = mask;
                }
                Step::EndTurn => {
                    session.end_turn();
                    if plan.scope == ExpansionScope::Turn {
                        model.expanded.clear();
                    }
                }
            }
            let shown = visible(&session);
            let set: BTreeSet<String> = shown.iter().cloned().collect();
            prop_assert_eq!(shown.len(), set.len(), "every name is listed once");
            prop_assert_eq!(set, model.visible());
        }
    }
}
