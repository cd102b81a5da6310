//! A call that was refused is read again, and run once more where it can only have been meant one way.
//!
//! In: what the tool refused. Out: what the second call came to, or the refusal, with the ledger. What always holds: a tool that refused
//! has run nothing, so the call runs at most once; incomplete text is never run; a good call never comes here.

use super::invoke::{Interruption, Invoked, guarded};
use super::{Outcome, Session};
use crate::context::CallContext;
use crate::event::Decision;
use crate::input::Arguments;
use crate::issue::ValidationError;
use crate::repair::{Mended, Policy, Repair, mend};
use crate::shape::Ref;
use crate::tool::{Answer, CallError};
use crate::toolbox::Entry;

/// What a refused call came to.
struct Second {
    answer: Result<Answer, Interruption>,
    /// What was read otherwise than it was written.
    repairs: Vec<Repair>,
    /// The arguments as they were read, where that is not how they were written.
    arguments: Option<Box<str>>,
}

impl Session {
    /// Answers a call that the tool has refused.
    pub(super) async fn run_again(
        &self,
        cx: CallContext,
        entry: &Entry,
        arguments: &Arguments<'_>,
        mut ledger: Vec<Repair>,
        refused: ValidationError,
    ) -> Outcome {
        let Second { answer, repairs, arguments: read } = self.mend(entry, &cx, arguments, refused).await;
        let last = read.as_deref().map_or_else(|| arguments.lent(), Arguments::from);
        let result = self.settle(cx.call_id(), entry, answer, &last);
        ledger.extend(repairs);
        Outcome::new(cx.into_call_id(), &entry.name, result, ledger, read)
    }

    async fn mend(
        &self,
        entry: &Entry,
        cx: &CallContext,
        arguments: &Arguments<'_>,
        refused: ValidationError,
    ) -> Second {
        let policy = entry.tool.spec().repair.unwrap_or(self.0.toolbox.parts().settings.policy);
        let refuse = |error| Ok(Err(CallError::Invalid(error)));
        // A rule of the user's own may panic.
        let (text, repairs, left) = match guarded(|| read_again(entry, &self.input(entry), arguments, policy)) {
            Ok(Some(read)) => read,
            Ok(None) => return Second { answer: refuse(refused), repairs: Vec::new(), arguments: None },
            Err(panic) => return Second { answer: Err(panic), repairs: Vec::new(), arguments: None },
        };
        for repair in &repairs {
            self.observe(cx.call_id(), || Decision::Repaired { repair });
        }
        let answer = match left {
            Some(left) => refuse(left),
            None => match self.invoke(entry, cx, &Arguments::from(text.as_str())) {
                Invoked::Answered(answer) => answer,
                Invoked::Waiting(waiting) => waiting.await,
            },
        };
        Second { answer, repairs, arguments: Some(text.into()) }
    }
}

/// The arguments as they can be read, the ledger, and what is still wrong; nothing where nothing can be read otherwise.
pub(super) fn read_again(
    entry: &Entry,
    input: &Ref,
    arguments: &Arguments<'_>,
    policy: Policy,
) -> Option<(String, Vec<Repair>, Option<ValidationError>)> {
    match mend(input, arguments, policy) {
        Mended::Repaired { arguments, repairs, .. } => Some((arguments.to_text(), repairs, None)),
        Mended::Refused { arguments, repairs, issues, .. } if !repairs.is_empty() => {
            let text = arguments.to_text();
            // The tool may know more than its shape says.
            let left = entry.tool.check(&text.as_str().into()).err();
            Some((text, repairs, left.or_else(|| ValidationError::about(&arguments, issues))))
        }
        Mended::Clean(_) | Mended::Refused { .. } | Mended::Incomplete { .. } | Mended::Unreadable { .. } => None,
    }
}
