//! Replaces the toolbox of a running session: [`Session::replace_toolbox`].
//!
//! In: a toolbox. Out: the names that were added and removed. Invariants: a running call keeps its toolbox until it ends. If both toolboxes
//! have a tool, it keeps its counts, its pauses and its position in the list. If the new toolbox is rejected, the session is not changed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::events::listen;
use super::session_age::SessionStart;
use super::session_with_toolbox::{self, SessionView, Views};
use super::stable_tool_numbers::ToolNumbers;
use super::visible::Visible;
use crate::context::{Listeners, Scope};
use crate::shape::Text;
use crate::throttle::Throttle;
use crate::toolbox::{MissingSessionState, NeedsSessionState, Toolbox};

/// The tools and containers that a new toolbox has added to a session or removed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolboxChange {
    /// The advertised names that the previous toolbox did not have, in the order of registration.
    pub added: Vec<String>,
    /// The advertised names that the new toolbox does not have.
    pub removed: Vec<String>,
}

/// Replaces the toolbox of a session.
pub(super) fn replace(
    views: &Views,
    toolbox: &Toolbox<NeedsSessionState>,
) -> Result<ToolboxChange, MissingSessionState> {
    let first = &views.first;
    toolbox.check_states(&first.scope.session)?;
    let parts = toolbox.parts();
    let results = Arc::clone(&first.scope.results);
    results.add(&parts.catalog.stores);
    let states = first.scope.session.clone();
    let shared = Arc::clone(&parts.shared);
    let id = Arc::clone(&first.scope.id);
    let scope = Arc::new(Scope { shared, session: states, results, listeners: Listeners::default(), id });
    // This asks the host's state, so it runs before a lock is taken.
    let visible = Visible::new(parts, &scope, views.current().visible.openness());
    let beginning = SessionStart::start(parts, views.current().observed_time());
    listen(&scope, toolbox, beginning);

    let mut held = first.shared.hold();
    let before = views.current();
    visible.follow(&parts.catalog, &before.visible, before.catalog());
    let (numbers, fresh) = before.numbers.next(before.catalog(), &parts.catalog);
    let next = Arc::new(SessionView {
        toolbox: toolbox.clone(),
        scope,
        visible,
        throttle: following(before.throttle.as_ref(), toolbox, &numbers, &fresh),
        numbers,
        beginning,
        shared: Arc::clone(&first.shared),
    });
    held.begin(&next);
    let later = views.later.get_or_init(|| Mutex::new(Arc::clone(&next)));
    let replaced = ToolboxChange::between(&before, &next);
    let last = std::mem::replace(&mut *later.lock().unwrap_or_else(PoisonError::into_inner), next);
    drop(held);
    // These are dropped after the lock was released, because dropping a toolbox runs code of the host's tools.
    drop((before, last));
    Ok(replaced)
}

impl ToolboxChange {
    fn between(before: &SessionView, after: &SessionView) -> Self {
        let names = |of: &SessionView, without: &SessionView| {
            let without: HashSet<&Text> = without.catalog().names().collect();
            of.catalog().names().filter(|name| !without.contains(name)).map(ToString::to_string).collect()
        };
        Self { added: names(after, before), removed: names(before, after) }
    }
}

/// Returns the throttle for the new toolbox, which continues with all counts so far.
fn following(
    before: Option<&Throttle>,
    toolbox: &Toolbox<NeedsSessionState>,
    numbers: &ToolNumbers,
    fresh: &[usize],
) -> Option<Throttle> {
    let parts = toolbox.parts();
    let policy = numbers.policy(parts.throttle.as_ref()?);
    let begun = session_with_toolbox::throttle(parts);
    before.or(begun.as_ref()).map(|throttle| throttle.follow(policy, fresh))
}
