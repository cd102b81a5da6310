//! Asks the host before a tool runs.
//!
//! In: a call whose arguments are acceptable. Out: the verdict of the hooks. Invariants: a hook sees exactly the arguments that the tool will get;
//! while a hook decides, the call can be cancelled; a hook that panics lets nothing run.

use super::attempt::Attempt;
use super::generation::Generation;
use super::invoke::{Interruption, Race, guarded};
use crate::context::CallContext;
use crate::hook::{Asking, ProposedCall, Verdict};
use crate::toolbox::Entry;

impl Generation {
    /// Asks every hook, until one does not let the call run.
    pub(super) async fn approve(
        &self,
        entry: &Entry,
        cx: &CallContext,
        attempt: &Attempt<'_>,
    ) -> Result<Verdict, Interruption> {
        let proposed = ProposedCall {
            call_id: attempt.call_id,
            name: attempt.name,
            spec: entry.tool.spec(),
            arguments: attempt.arguments(),
            repairs: &attempt.ledger,
            scope: &self.scope,
        };
        for hook in &self.toolbox.parts().settings.hooks {
            let verdict = match guarded(|| hook.before_call(&proposed))? {
                Asking::Decided(verdict) => verdict,
                Asking::Pending(future) => Race::new(self.shared.running.register(cx), cx, future).await?,
            };
            if verdict != Verdict::Run {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Run)
    }
}
