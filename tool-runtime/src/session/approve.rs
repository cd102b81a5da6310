//! Asks the host before a tool runs.
//!
//! In: a call whose arguments are acceptable. Out: the hooks' verdict. Invariants: a hook sees exactly the arguments that the tool will
//! receive. While a hook decides, the call can be cancelled. If a hook panics, the tool does not run.

use super::attempt::Attempt;
use super::generation::Generation;
use super::invoke::{Interruption, Race, guarded};
use crate::context::CallContext;
use crate::hook::{Asking, HostArguments, ProposedCall, Verdict};
use crate::toolbox::Entry;

impl Generation {
    /// Asks the hooks in order, until one prevents the call from running. Adds the values that hooks supply for host
    /// parameters.
    pub(super) async fn approve(
        &self,
        entry: &Entry,
        cx: &CallContext,
        attempt: &Attempt<'_>,
        supplied: &mut HostArguments,
    ) -> Result<Verdict, Interruption> {
        for hook in &self.toolbox.parts().settings.hooks {
            let proposed = ProposedCall {
                call_id: attempt.call_id,
                name: attempt.name,
                spec: entry.tool.spec(),
                arguments: attempt.arguments(),
                repairs: &attempt.ledger,
                scope: &self.scope,
                supplied,
            };
            let verdict = match guarded(|| hook.before_call(&proposed))? {
                Asking::Decided(verdict) => verdict,
                Asking::Pending(future) => Race::new(self.shared.running.register(cx), cx, future).await?,
            };
            match verdict {
                Verdict::Run => {}
                Verdict::RunWith(values) => supplied.extend(values),
                Verdict::Deny(_) | Verdict::Defer => return Ok(verdict),
            }
        }
        Ok(Verdict::Run)
    }
}
