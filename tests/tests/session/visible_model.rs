//! For any sequence of expansions, releases, turns and calls, the visible set equals that of a simple model.

use std::sync::Arc;

use proptest::prelude::*;
use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::tool::Tool;
use tool_runtime::{Container, Session, Toolbox};

use super::tools::{call, group, named, rejection, visible};

/// Each container and its members.
const SHOWS: [(&str, &[&str]); 4] =
    [("A", &["a", "shared", "Inner"]), ("B", &["b", "shared", "root"]), ("Skill", &["a", "Inner"]), ("Inner", &["i"])];
const ROOTS: [&str; 4] = ["A", "root", "B", "Skill"];
const TOOLS: [&str; 5] = ["a", "b", "i", "shared", "root"];

fn fresh(scope: ExpansionScope) -> Session {
    let [shared, root]: [Arc<dyn Tool>; 2] = [Arc::new(named("shared")), Arc::new(named("root"))];
    let a = Container::new("A", "A.").tool(named("a")).tool(Arc::clone(&shared)).container(group("Inner", &["i"]));
    let b = Container::new("B", "B.").tool(named("b")).tool(shared).tool(Arc::clone(&root));
    let skill = Container::skill("Skill", "A skill.", "Do it.").add_by_name("a").add_by_name("Inner");
    let builder = Toolbox::builder().no_throttle().container(a).tool(root).container(b).container(skill);
    builder.expansion(ExpansionSettings::new().scope(scope)).build().expect("the registration is valid").session()
}

#[derive(Clone, Debug)]
enum Step {
    Expand(&'static str),
    Call(&'static str),
    Release(&'static str),
    BeginTurn,
    EndTurn,
}

fn step() -> impl Strategy<Value = Step> {
    let container = || prop::sample::select(SHOWS.map(|(name, _)| name).to_vec());
    prop_oneof![
        4 => container().prop_map(Step::Expand),
        4 => prop::sample::select(TOOLS.to_vec()).prop_map(Step::Call),
        2 => container().prop_map(Step::Release),
        1 => Just(Step::BeginTurn),
        1 => Just(Step::EndTurn),
    ]
}

/// Expected state, in the simplest possible implementation.
struct Model {
    scope: ExpansionScope,
    /// Containers with the time of their last use.
    expanded: Vec<(&'static str, usize)>,
    listed: Vec<&'static str>,
    now: usize,
}

impl Model {
    fn shows(container: &str) -> &'static [&'static str] {
        SHOWS.iter().find(|(name, _)| *name == container).map_or(&[], |(_, shows)| shows)
    }

    fn is_visible(&self, name: &str) -> bool {
        ROOTS.contains(&name) || self.expanded.iter().any(|(container, _)| Self::shows(container).contains(&name))
    }

    fn apply(&mut self, step: &Step) {
        self.now += 1;
        let now = self.now;
        match *step {
            Step::Expand(container) => {
                // Of several with the same last use, the one that was expanded first collapses.
                match self.expanded.iter_mut().find(|(other, _)| *other == container) {
                    Some((_, used)) => *used = now,
                    None => self.expanded.push((container, now)),
                }
                if let ExpansionScope::AtMost(most) = self.scope
                    && self.expanded.len() > most
                {
                    let oldest = (0..self.expanded.len()).min_by_key(|&index| self.expanded[index].1).unwrap_or(0);
                    self.expanded.remove(oldest);
                }
            }
            Step::Call(tool) => {
                for (container, used) in &mut self.expanded {
                    if Self::shows(container).contains(&tool) {
                        *used = now;
                    }
                }
            }
            Step::Release(container) => {
                let was_expanded = self.expanded.iter().any(|(other, _)| *other == container);
                self.expanded.retain(|(other, _)| *other != container);
                // `Inner` is the only container inside another.
                if was_expanded && Self::shows(container).contains(&"Inner") && !self.is_visible("Inner") {
                    self.expanded.retain(|(other, _)| *other != "Inner");
                }
            }
            Step::BeginTurn | Step::EndTurn if self.scope == ExpansionScope::Turn => self.expanded.clear(),
            Step::BeginTurn | Step::EndTurn => {}
        }
        let listed = std::mem::take(&mut self.listed);
        self.listed = listed.into_iter().filter(|name| self.is_visible(name)).collect();
        if let Step::Expand(container) = *step {
            let new = Self::shows(container).iter().filter(|name| !ROOTS.contains(name) && !self.listed.contains(name));
            let new: Vec<_> = new.copied().collect();
            self.listed.extend(new);
        }
    }
}

fn scope() -> impl Strategy<Value = ExpansionScope> {
    prop_oneof![
        Just(ExpansionScope::Session),
        Just(ExpansionScope::Turn),
        (1..4_usize).prop_map(ExpansionScope::AtMost),
    ]
}

fn apply(session: &Session, step: &Step) -> String {
    match *step {
        Step::Expand(name) => call(session, name, "").to_text().into_owned(),
        Step::Call(tool) => call(session, tool, "{}").to_text().into_owned(),
        Step::Release(container) => session.collapse_container(container).to_string(),
        Step::BeginTurn => format!("{:?}", session.begin_turn()),
        Step::EndTurn => format!("{:?}", session.end_turn()),
    }
}

proptest! {
    #[test]
    fn the_visible_set_agrees_with_a_simple_model(scope in scope(), steps in prop::collection::vec(step(), 0..40)) {
        let (session, again) = (fresh(scope), fresh(scope));
        let mut model = Model { scope, expanded: Vec::new(), listed: Vec::new(), now: 0 };
        for step in &steps {
            let (before, revision) = (visible(&session), session.revision());
            if let Step::Call(tool) = *step {
                let outcome = call(&again, tool, "{}");
                prop_assert_eq!(outcome.is_ok(), model.is_visible(tool), "{}", tool);
                prop_assert_eq!(outcome.call_id(), "call_1");
                if !outcome.is_ok() {
                    prop_assert_eq!(&rejection(&outcome)["error_type"], "container_not_expanded");
                }
                apply(&session, step);
            } else {
                // Equal inputs give equal outputs.
                prop_assert_eq!(apply(&session, step), apply(&again, step));
            }
            model.apply(step);
            let expected: Vec<_> = ROOTS.iter().chain(&model.listed).map(|name| (*name).to_owned()).collect();
            prop_assert_eq!(visible(&session), expected.clone());
            prop_assert_eq!(visible(&again), expected.clone());
            if before != expected {
                prop_assert_ne!(session.revision(), revision, "definitions changed");
            }
            for (container, _) in SHOWS {
                let is_expanded = model.expanded.iter().any(|(name, _)| *name == container);
                prop_assert_eq!(session.is_expanded(container), is_expanded);
            }
        }
    }
}
