//! The trait that a system implements to make a run durable: [`Engine`].

use std::future::Future;

use tool_chat::conversation::TurnEnd;
use tool_chat::run::{Next, Run};

/// An implementation of the actions of a [`Run`] that makes each result durable before the run continues.
///
/// The engine of a [`DurableConversation`](crate::DurableConversation) records everything in a [`Store`](crate::store::Store). An engine
/// for a workflow system records the answers of the model, and the start and the end of each call, in the journal of that system. Each
/// method waits until its result is durable, and then applies the result to the run.
pub trait Engine: Send {
    /// The reason why the run cannot continue in this process.
    type Error;

    /// Asks the model, and applies its answer.
    fn ask(&mut self, run: &mut Run) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Runs the open calls, and applies their outcomes. If a call was started in an earlier process and its outcome is not known, it runs
    /// again only if it is repeatable.
    fn call(&mut self, run: &mut Run) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Waits for the answers to deferred calls, and applies them. Returns `false` if the answers are not here yet, so that [`drive`]
    /// returns [`TurnEnd::Deferred`].
    fn wait(&mut self, run: &mut Run) -> impl Future<Output = Result<bool, Self::Error>> + Send;
}

/// Drives a run to the end of its turn. Returns `None` if no turn has begun.
///
/// # Errors
///
/// Fails if the engine fails. The turn can be continued later.
pub async fn drive<E: Engine>(run: &mut Run, engine: &mut E) -> Result<Option<TurnEnd>, E::Error> {
    enum Action {
        Ask,
        Call,
        Wait(Vec<String>),
    }
    loop {
        let action = match run.next() {
            Next::Ask(_) => Action::Ask,
            Next::Call(_) => Action::Call,
            Next::Wait(calls) => {
                Action::Wait(calls.iter().map(|waits| waits.call.outcome.call_id().to_owned()).collect())
            }
            Next::Done(end) => return Ok(Some(end.clone())),
            _ => return Ok(None),
        };
        match action {
            Action::Ask => engine.ask(run).await?,
            Action::Call => engine.call(run).await?,
            Action::Wait(call_ids) => {
                if !engine.wait(run).await? {
                    return Ok(Some(TurnEnd::Deferred { call_ids }));
                }
            }
        }
    }
}
