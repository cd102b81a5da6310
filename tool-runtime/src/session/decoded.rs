//! Arguments that were decoded before they run: [`Decoded`].

use super::run_interruptible::Interruption;
use crate::context::DecodedArguments;
use crate::decode::{self, ParsedTree, Rejected};
use crate::input::Arguments;
use crate::json::Json;
use crate::repair::Repair;
use crate::throttle::{CallIdentity, Check};
use crate::toolbox::Entry;

/// The arguments of a call, if they were decoded to compare the call with others of its batch or with paused calls.
pub(super) type DecodedFirst = Option<Box<Decoded<'static>>>;

/// Arguments that were decoded before they run, or rejected.
pub(super) struct Decoded<'a> {
    pub(super) rewritten: Option<Rewritten>,
    /// `true` if the arguments were sent in the form of a provider.
    pub(super) is_restored: bool,
    /// The repairs of the arguments.
    pub(super) repairs: Vec<Repair>,
    pub(super) verdict: Result<Accepted<'a>, NotDecoded<'a>>,
}

/// The text that runs instead of the arguments that were sent.
pub(super) struct Rewritten {
    pub(super) text: Box<str>,
    /// `true` if the text was repaired, `false` if only its form or its names were changed.
    pub(super) is_repaired: bool,
}

impl Rewritten {
    fn arguments(&self) -> Arguments<'_> {
        Arguments::from(&*self.text)
    }
}

/// Acceptable arguments.
pub(super) struct Accepted<'a> {
    /// The decoded value, if the tool has a type for its arguments.
    pub(super) prepared: Option<DecodedArguments>,
    /// The parsed tree; `None` if the text was not parsed.
    pub(super) tree: Option<Json<'a>>,
    /// The text under the names in the schema, if the arguments were sent under aliases.
    pub(super) renamed: Option<Box<str>>,
}

impl<'a> Decoded<'a> {
    pub(super) fn accepted(mut accepted: Accepted<'a>, repaired: Option<Box<str>>, repairs: Vec<Repair>) -> Self {
        let is_repaired = repaired.is_some();
        let rewritten = accepted.renamed.take().or(repaired).map(|text| Rewritten { text, is_repaired });
        Self { rewritten, is_restored: false, repairs, verdict: Ok(accepted) }
    }

    pub(super) fn rejected(verdict: NotDecoded<'a>) -> Self {
        Self { rewritten: None, is_restored: false, repairs: Vec::new(), verdict: Err(verdict) }
    }

    /// Returns the identity by which the throttle compares the call with others. It is computed from the arguments that would run, which
    /// may differ from the arguments that were sent. It contains the result of the check of these arguments.
    pub(super) fn checked_identity(&self, entry: &Entry, sent: &Arguments<'_>) -> CallIdentity {
        self.identity(entry, sent).checked(match &self.verdict {
            Err(_) => Check::Rejected,
            Ok(_) if self.is_final(entry) => Check::Passed,
            Ok(_) => Check::Open,
        })
    }

    fn identity(&self, entry: &Entry, sent: &Arguments<'_>) -> CallIdentity {
        let rewritten = self.rewritten.as_ref().map(Rewritten::arguments);
        let (arguments, input) = (rewritten.as_ref().unwrap_or(sent), &entry.tool.spec().input);
        match &self.verdict {
            Ok(Accepted { tree: Some(tree), .. }) => CallIdentity::from_tree(arguments, Some(tree), input),
            Err(NotDecoded::Rejected(rejected)) => match decode::parsed(rejected) {
                ParsedTree::Tree(tree) => CallIdentity::from_tree(arguments, Some(tree), input),
                ParsedTree::Invalid => CallIdentity::from_tree(arguments, None, input),
                ParsedTree::NotYet => CallIdentity::from_arguments(arguments, input),
            },
            Ok(_) | Err(NotDecoded::Panicked(_)) => CallIdentity::from_arguments(arguments, input),
        }
    }

    /// Returns `true` if this result of decoding is final, so that the tool would not decide differently when it runs. This is the case if
    /// the tool has a type for its arguments, if it has decoded them, or if they were sent in a provider's form, which the tool never sees.
    pub(super) fn is_final(&self, entry: &Entry) -> bool {
        self.is_restored
            || entry.tool.spec().decode.is_some()
            || matches!(self.verdict, Ok(Accepted { prepared: Some(_), .. }))
    }

    /// Drops everything that borrows from the arguments.
    pub(super) fn into_owned(self) -> Decoded<'static> {
        let Self { rewritten, is_restored, repairs, verdict } = self;
        let verdict = match verdict {
            Ok(Accepted { prepared, renamed, .. }) => Ok(Accepted { prepared, tree: None, renamed }),
            Err(NotDecoded::Rejected(rejected)) => Err(NotDecoded::Rejected(decode::carried(rejected).into())),
            Err(NotDecoded::Panicked(panic)) => Err(NotDecoded::Panicked(panic)),
        };
        Decoded { rewritten, is_restored, repairs, verdict }
    }
}

/// The reason why arguments were not decoded.
pub(super) enum NotDecoded<'a> {
    Rejected(Rejected<'a>),
    Panicked(Interruption),
}
