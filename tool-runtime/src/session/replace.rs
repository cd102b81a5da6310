//! Replaces the toolbox of a running session: [`Session::replace_toolbox`].
//!
//! In: a toolbox. Out: the names that were added and removed. Invariants: a running call keeps its toolbox until it ends. If both toolboxes
//! have a tool, it keeps its counts, its pauses and its position in the list. If the new toolbox is refused, the session is not changed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::Session;
use super::elapsed::Beginning;
use super::listening::listen;
use super::numbers::Numbers;
use super::view::{self, SessionView};
use super::visible::Visible;
use crate::context::{Listeners, Scope};
use crate::shape::Text;
use crate::throttle::Throttle;
use crate::toolbox::{MissingState, Toolbox};

/// The tools and containers that a new toolbox has added to a session or removed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replaced {
    /// The advertised names that the previous toolbox did not have, in the order of registration.
    pub added: Vec<String>,
    /// The advertised names that the new toolbox does not have.
    pub removed: Vec<String>,
}

impl Session {
    /// Gives the session another toolbox, for example because a remote server has changed its list of tools. All handles of the session use
    /// the new toolbox at once.
    ///
    /// - If a tool has the same advertised name in both toolboxes, it keeps its throttle state (pauses, repetitions, statistics) and its
    ///   position in the list. New tools are appended, so that the beginning of a cached prompt stays the same. Expanded containers that
    ///   still exist stay expanded.
    /// - A call of a removed tool is answered with `tool_removed`, which says that the tool is no longer available.
    /// - A running call keeps its toolbox until it ends. A [deferred](Self::deferred) call of a removed tool can still
    ///   be [completed](Self::complete); if it is [resumed](Self::resume), it is answered with `tool_removed`.
    /// - Long results that were [kept](crate::toolbox::Guard::spill) before can still be read, if the new toolbox keeps results too.
    /// - From the next call on, the session uses the settings, hooks, observer and shared state of the new toolbox. It keeps
    ///   its own state.
    ///
    /// You may call this method while calls run, even in a tool or a hook.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Reads a page.
    /// #[tool]
    /// fn read_page() -> &'static str {
    ///     "…"
    /// }
    ///
    /// /// Searches the web.
    /// #[tool]
    /// fn search() -> &'static str {
    ///     "…"
    /// }
    ///
    /// let session = Toolbox::builder().tool(ReadPageTool).build()?.session();
    /// let replaced = session.replace_toolbox(&Toolbox::builder().tool(SearchTool).build()?)?;
    /// assert_eq!(replaced.added, ["search"]);
    /// assert_eq!(replaced.removed, ["read_page"]);
    ///
    /// let outcome = pollster::block_on(session.call("call_1", "read_page", "{}"));
    /// assert!(outcome.to_text().contains("read_page is no longer available."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the new toolbox [declares](crate::toolbox::ToolboxBuilder::session_state) states that the session does not have. The error
    /// names each of them. In this case, the session is not changed.
    pub fn replace_toolbox(&self, toolbox: &Toolbox) -> Result<Replaced, MissingState> {
        let first = &self.0.first;
        toolbox.check_states(&first.scope.session)?;
        let parts = toolbox.parts();
        let results = Arc::clone(&first.scope.results);
        results.add(&parts.catalog.stores);
        let session = first.scope.session.clone();
        let shared = Arc::clone(&parts.shared);
        let id = Arc::clone(&first.scope.id);
        let scope = Arc::new(Scope { shared, session, results, listeners: Listeners::default(), id });
        // This asks the host's state, so it runs before a lock is taken.
        let visible = Visible::new(parts, &scope, self.current().visible.openness());
        let beginning = Beginning::of(parts, self.current().observed_time());
        listen(&scope.listeners, toolbox, beginning);

        let mut held = first.shared.hold();
        let before = self.current();
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
        let later = self.0.later.get_or_init(|| Mutex::new(Arc::clone(&next)));
        let replaced = Replaced::between(&before, &next);
        let last = std::mem::replace(&mut *later.lock().unwrap_or_else(PoisonError::into_inner), next);
        drop(held);
        // These are dropped after the lock was released, because dropping a toolbox runs code of the host's tools.
        drop((before, last));
        Ok(replaced)
    }
}

impl Replaced {
    fn between(before: &SessionView, after: &SessionView) -> Self {
        let names = |of: &SessionView, without: &SessionView| {
            let without: HashSet<&Text> = without.catalog().names().collect();
            of.catalog().names().filter(|name| !without.contains(name)).map(ToString::to_string).collect()
        };
        Self { added: names(after, before), removed: names(before, after) }
    }
}

/// Returns the throttle for the new toolbox, which continues with all counts so far.
fn following(before: Option<&Throttle>, toolbox: &Toolbox, numbers: &Numbers, fresh: &[usize]) -> Option<Throttle> {
    let parts = toolbox.parts();
    let policy = numbers.policy(parts.throttle.as_ref()?);
    let begun = view::throttle(parts);
    before.or(begun.as_ref()).map(|throttle| throttle.follow(policy, fresh))
}
