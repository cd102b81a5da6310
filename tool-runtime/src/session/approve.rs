//! Asks the host before a tool runs.
//!
//! In: a call whose arguments are acceptable. Out: permission to run, or the end of the call. Invariants: a hook sees exactly the arguments that the tool will
//! receive. While a hook decides, the call can be cancelled. If a hook panics, the tool does not run.

use super::attempt::{Attempt, End};
use super::run_interruptible::{Interruption, Race, guarded};
use super::session_with_toolbox::SessionView;
use crate::failure::Failure;
use crate::hook::{HostArguments, ProposedCall, Verdict, VerdictOrFuture};
use crate::toolbox::Entry;

impl SessionView {
    /// Asks the hooks whether a call may run. This is a stage.
    pub(super) async fn approve<'a>(&'a self, entry: &'a Entry, call: &mut Attempt<'a>) -> Result<(), End<'a>> {
        if !self.is_asked_about(entry) {
            return Ok(());
        }
        // Boxed, to keep the future of the other calls small.
        let verdict = Box::pin(self.ask_hooks(entry, call)).await;
        match verdict {
            Ok(Verdict::Run | Verdict::RunWith(_)) if !entry.tool.spec().external => {
                if self.shared.durability.are_detached() {
                    return Err(self.defer_to_session(entry, call));
                }
                self.start(entry, call);
                Ok(())
            }
            Ok(Verdict::Run | Verdict::RunWith(_) | Verdict::Defer) => Err(self.defer(entry, call)),
            Ok(Verdict::Deny(reason)) => {
                self.start(entry, call);
                Err(End::Denied(Failure::denied(&entry.name, &reason)))
            }
            Err(interruption) => {
                self.start(entry, call);
                Err(End::Undecided(interruption))
            }
        }
    }

    /// Asks the hooks in order, until one prevents the call from running. Adds the values that hooks supply for host
    /// parameters.
    async fn ask_hooks<'a>(&'a self, entry: &'a Entry, call: &mut Attempt<'a>) -> Result<Verdict, Interruption> {
        let cx = self.context(entry, call);
        let mut supplied = HostArguments::new();
        let mut decided = Verdict::Run;
        for hook in &self.toolbox.parts().settings.hooks {
            let proposed = ProposedCall {
                call_id: call.call_id,
                name: &entry.name,
                spec: entry.tool.spec(),
                arguments: call.arguments(),
                repairs: &call.ledger,
                scope: &self.scope,
                supplied: &supplied,
            };
            let verdict = match guarded(|| hook.before_call(&proposed))? {
                VerdictOrFuture::Decided(verdict) => verdict,
                VerdictOrFuture::Pending(future) => Race::new(self.shared.running.register(cx), cx, future).await?,
            };
            match verdict {
                Verdict::Run => {}
                Verdict::RunWith(values) => supplied.extend(values),
                Verdict::Deny(_) | Verdict::Defer => {
                    decided = verdict;
                    break;
                }
            }
        }
        call.supplied = supplied;
        Ok(decided)
    }
}
