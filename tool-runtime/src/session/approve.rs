//! Asks the host before a tool runs, and defers calls that somebody outside answers.
//!
//! In: a call that has found its tool. Out: its outcome: what the tool came to, a refusal, a denial, or a deferral. What always holds: a hook is asked only
//! about arguments that are acceptable, under the names that the schema shows, and the tool runs with exactly those or not at all; while a hook thinks, the call can be
//! cancelled; a hook that panics lets nothing run.

use super::admit::Admitted;
use super::invoke::{Interruption, Invoked, Race, guarded};
use super::member::{Member, batch_of};
use super::repair::{NotRepaired, Repaired};
use super::sent::Sent;
use super::settle::{Ended, conceals_words};
use super::{Outcome, Session};
use crate::context::{CallContext, Prepared};
use crate::decode::{Rejected, canonical, misread};
use crate::failure::Failure;
use crate::hook::{Asking, ProposedCall, Verdict};
use crate::input::Arguments;
use crate::issue::{Issue, ValidationError};
use crate::json::Json;
use crate::repair::Repair;
use crate::shape::Identity;
use crate::throttle::Exit;
use crate::tool::{CallError, Payload};
use crate::toolbox::Entry;

/// Arguments, judged before anything runs.
pub(super) struct Judged<'a> {
    pub(super) arguments: Arguments<'a>,
    /// Whether they are not how they were written.
    pub(super) is_read: bool,
    /// What was read otherwise than it was written: the name, then the arguments.
    pub(super) repairs: Vec<Repair>,
    checked: Result<Checked, Interruption>,
}

/// The verdict on arguments.
enum Checked {
    /// They are acceptable; decoded, if the tool has a type for them.
    Accepted(Option<Prepared>),
    Refused {
        error: ValidationError,
        /// The arguments are known not to be valid JSON.
        is_no_json: bool,
    },
}

impl Checked {
    fn refused(rejected: Rejected<'_>) -> Self {
        let (error, tree) = rejected.into_parts();
        Self::Refused { error, is_no_json: matches!(tree, Some(None)) }
    }
}

impl<'a> Judged<'a> {
    /// Arguments that a hook has accepted.
    pub(super) const fn approved(arguments: Arguments<'a>, is_read: bool, repairs: Vec<Repair>) -> Self {
        Self { arguments, is_read, repairs, checked: Ok(Checked::Accepted(None)) }
    }
}

impl Session {
    /// Answers a call of which the host decides whether it runs.
    pub(super) async fn approve<'s>(
        &'s self,
        call_id: &str,
        entry: &Entry,
        arguments: Arguments<'_>,
        ledger: Vec<Repair>,
        mut member: Option<Box<Member<'s>>>,
    ) -> Outcome {
        let batch = batch_of(member.as_deref());
        let cx = CallContext::new(call_id, self.0.scope.clone());
        let judged = self.judge(entry, &cx, arguments, ledger);
        if let Ok(Checked::Accepted(_)) = judged.checked {
            // Nobody is asked about a call that would be refused all the same.
            if let Err(refusal) = self.ask_throttle(entry, &judged.arguments, &mut member) {
                return self.throttled(call_id, &entry.name, refusal, judged.repairs);
            }
            let proposed = ProposedCall {
                call_id,
                name: &entry.name,
                spec: entry.tool.spec(),
                arguments: &judged.arguments,
                repairs: &judged.repairs,
                scope: &self.0.scope,
            };
            let (failure, exit) = match self.ask(&cx, &proposed).await {
                Ok(Verdict::Run) if !entry.tool.spec().external => {
                    return self.admit_judged(cx, entry, judged, member).await;
                }
                Ok(Verdict::Run | Verdict::Defer) => return self.defer(call_id, entry, judged, batch),
                Ok(Verdict::Deny(reason)) => (Failure::denied(&entry.name, &reason), Exit::Denied),
                // A hook that panics says nothing of the tool.
                Err(interruption) => {
                    let failure = interruption.into_failure(&entry.name);
                    let conceals = conceals_words(entry, &Sent::new(&judged.arguments));
                    (failure.with_secret_details(conceals), Exit::Cancelled)
                }
            };
            drop(member);
            self.count_decided(entry, &judged.arguments, batch, exit);
            let failure = self.reject(call_id, &entry.name, failure);
            return judged.answered(cx, entry, Err(Box::new(failure)));
        }
        self.admit_judged(cx, entry, judged, member).await
    }

    /// Asks every hook, until one does not let it run.
    async fn ask(&self, cx: &CallContext, proposed: &ProposedCall<'_>) -> Result<Verdict, Interruption> {
        for hook in &self.0.toolbox.parts().settings.hooks {
            let verdict = match guarded(|| hook.before_call(proposed))? {
                Asking::Decided(verdict) => verdict,
                Asking::Pending(future) => Race::new(self.0.running.register(cx), cx, future).await?,
            };
            if verdict != Verdict::Run {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Run)
    }

    /// Runs a tool, or says what is wrong with its arguments, unless the throttle refuses the call.
    async fn admit_judged<'s>(
        &'s self,
        cx: CallContext,
        entry: &Entry,
        judged: Judged<'_>,
        member: Option<Box<Member<'s>>>,
    ) -> Outcome {
        match self.admit(entry, &judged.arguments, member) {
            Ok(admitted) => self.run_judged(cx, entry, judged, admitted).await,
            Err(refusal) => self.throttled(cx.call_id(), &entry.name, refusal, judged.repairs),
        }
    }

    /// Runs a tool with arguments that nobody will read otherwise any more, or says what is wrong with them.
    pub(super) async fn run_judged(
        &self,
        cx: CallContext,
        entry: &Entry,
        mut judged: Judged<'_>,
        admitted: Admitted<'_>,
    ) -> Outcome {
        let checked = std::mem::replace(&mut judged.checked, Ok(Checked::Accepted(None)));
        let mut cx = cx;
        let (answer, tree) = match checked {
            Ok(Checked::Accepted(prepared)) => {
                cx = cx.with_prepared(prepared, &judged.arguments);
                match self.invoke(entry, &cx, &judged.arguments) {
                    Invoked::Answered(answer) => (answer, None),
                    Invoked::Waiting(waiting) => (waiting.await, None),
                    Invoked::Rejected(rejected) => {
                        let (error, tree) = rejected.into_parts();
                        (Ok(Err(CallError::Invalid(error))), tree)
                    }
                }
            }
            Ok(Checked::Refused { error, is_no_json }) => {
                (Ok(Err(CallError::Invalid(error))), is_no_json.then_some(None))
            }
            Err(interruption) => (Err(interruption), None),
        };
        let result = self.settle(cx.call_id(), entry, answer, &Sent::known(&judged.arguments, tree));
        let repairs = std::mem::take(&mut judged.repairs);
        let ended = Ended { call_id: cx.into_call_id(), result, ledger: repairs, repaired: judged.read(), admitted };
        self.conclude(ended, entry, &judged.arguments)
    }

    /// Judges arguments without running anything, and repairs them where they are refused. Acceptable arguments stand under the names that the
    /// schema shows, which are those that a hook looks for.
    fn judge<'a>(
        &self,
        entry: &Entry,
        cx: &CallContext,
        arguments: Arguments<'a>,
        mut ledger: Vec<Repair>,
    ) -> Judged<'a> {
        let rejected = match self.check_under_own_names(entry, &arguments, None) {
            Ok(Ok(Named { prepared, renamed })) => {
                let arguments = renamed.map_or(arguments, Arguments::from);
                let checked = Ok(Checked::Accepted(prepared));
                return Judged { arguments, is_read: false, repairs: ledger, checked };
            }
            Ok(Err(rejected)) => rejected,
            Err(panic) => return Judged { arguments, is_read: false, repairs: ledger, checked: Err(panic) },
        };
        if rejected.is_final {
            let checked = Ok(Checked::refused(*rejected.rejected));
            return Judged { arguments, is_read: false, repairs: ledger, checked };
        }
        let lent = arguments.lent();
        let Repaired { text, repairs, tree, left } = match self.repair(entry, &lent, *rejected.rejected) {
            Ok(repaired) => repaired,
            Err(not_repaired) => {
                let checked = match not_repaired {
                    NotRepaired::Rejected(rejected) => Ok(Checked::refused(rejected)),
                    NotRepaired::Panicked(panic) => Err(panic),
                };
                return Judged { arguments, is_read: false, repairs: ledger, checked };
            }
        };
        self.note(cx.call_id(), &mut ledger, repairs);
        let arguments = Arguments::from(String::from(text));
        let checked = match left {
            Some(error) => Ok(Checked::Refused { error, is_no_json: false }),
            None => match self.check_under_own_names(entry, &arguments, Some(tree)) {
                Ok(Ok(Named { prepared, renamed })) => {
                    let arguments = renamed.map_or(arguments, Arguments::from);
                    let checked = Ok(Checked::Accepted(prepared));
                    return Judged { arguments, is_read: true, repairs: ledger, checked };
                }
                Ok(Err(NotNamed { rejected, .. })) => Ok(Checked::refused(*rejected)),
                Err(panic) => Err(panic),
            },
        };
        Judged { arguments, is_read: true, repairs: ledger, checked }
    }

    /// Decodes arguments, and writes them under the names that the schema shows; what a hook sees is what the tool gets. serde reads a struct
    /// from an array too: values that no name leads to are refused. `checked` is the tree of the arguments, if the checker has accepted it.
    fn check_under_own_names<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
        checked: Option<Json<'_>>,
    ) -> Result<Result<Named, NotNamed<'a>>, Interruption> {
        if let Some(rejected) = self.refused_by_state(entry, arguments)? {
            return Ok(Err(NotNamed { rejected, is_final: false }));
        }
        let prepared = match decode(entry, arguments)? {
            Ok(prepared) => prepared,
            Err(rejected) => return Ok(Err(NotNamed { rejected, is_final: false })),
        };
        // serde skips over values that it ignores; a text that it accepts may still be one that no hook can read.
        let is_checked = checked.is_some();
        let tree = match checked.map_or_else(|| arguments.to_json(), Ok) {
            Ok(tree) => tree,
            Err(error) => {
                let rejected = Box::new(Rejected::new(Issue::syntax(&error).into()));
                return Ok(Err(NotNamed { rejected, is_final: true }));
            }
        };
        let spec = entry.tool.spec();
        let input = &spec.input.shape();
        // Others judge by more than the shape says.
        let is_typed = spec.decode.is_some() || matches!(input.identity, Some(Identity::Type(_)));
        if is_typed
            && !is_checked
            && arguments.may_have_array()
            && let Ok(Some(refused)) = guarded(|| misread(input, &tree))
        {
            return Ok(Err(NotNamed { rejected: Box::new(Rejected::new(refused)), is_final: true }));
        }
        let Some(renamed) = guarded(|| canonical(input, &tree))? else {
            return Ok(Ok(Named { prepared, renamed: None }));
        };
        let renamed = renamed.to_text();
        // The tool runs with exactly what the hook sees.
        let prepared = decode(entry, &Arguments::from(renamed.as_str()))?.unwrap_or_default();
        Ok(Ok(Named { prepared, renamed: Some(renamed) }))
    }
}

/// Decodes arguments without running anything; a tool without a type for them checks them.
fn decode<'a>(
    entry: &Entry,
    arguments: &'a Arguments<'_>,
) -> Result<Result<Option<Prepared>, Box<Rejected<'a>>>, Interruption> {
    guarded(|| match entry.tool.spec().decode {
        Some(decode) => decode(&arguments.lent()).map(Some),
        None => entry.tool.check(arguments).map(|()| None).map_err(|error| Box::new(error.into())),
    })
}

/// Acceptable arguments.
struct Named {
    prepared: Option<Prepared>,
    /// The arguments under the names that the schema shows, if they were sent under others.
    renamed: Option<String>,
}

/// Arguments that are refused.
struct NotNamed<'a> {
    rejected: Box<Rejected<'a>>,
    /// No repair is tried: the tool itself would accept them.
    is_final: bool,
}

impl Judged<'_> {
    /// The arguments as they were read, where that is not how they were written.
    pub(super) fn read(&self) -> Option<Box<str>> {
        self.is_read.then(|| self.arguments.to_text().into())
    }

    /// The outcome of the call that they belong to.
    pub(super) fn answered(self, cx: CallContext, entry: &Entry, result: Result<Payload, Box<Failure>>) -> Outcome {
        let read = self.read();
        Outcome::new(cx.into_call_id(), &entry.name, result, self.repairs, read)
    }
}
