//! Decodes arguments before they run, and repairs them if they are rejected.
//!
//! In: arguments that a hook inspects, or that are compared with other calls. Out: the decoded value, or every issue. No tool runs here.
//! All other calls are decoded when their tool runs. Invariants: a hook only sees acceptable arguments, under the names in the schema, and
//! the tool runs with exactly these arguments or not at all.

use std::borrow::Cow;

use super::attempt::{Changed, NotDecoded};
use super::generation::Generation;
use super::invoke::{Interruption, guarded};
use super::repair::Repaired;
use super::restore::Restored;
use crate::context::Prepared;
use crate::decode::{self, Parsed, Rejected, canonical, misread, without_repetitions};
use crate::input::{Arguments, may_have_array};
use crate::issue::syntax_issue;
use crate::json::{Json, well_formed};
use crate::repair::Repair;
use crate::shape::Identity;
use crate::throttle::{Check, Told};
use crate::toolbox::Entry;

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
    text: Box<str>,
    /// `true` if the text was repaired, `false` if only its form or its names were changed.
    is_repaired: bool,
}

impl Rewritten {
    pub(super) fn arguments(&self) -> Arguments<'_> {
        Arguments::from(&*self.text)
    }

    /// Returns `arguments`, which must contain this text, marked as repaired or as renamed.
    pub(super) const fn changed<'a>(&self, arguments: &'a Arguments<'a>) -> Changed<'a> {
        if self.is_repaired { Changed::Repaired(arguments) } else { Changed::Renamed(arguments) }
    }
}

/// Acceptable arguments.
pub(super) struct Accepted<'a> {
    /// The decoded value, if the tool has a type for its arguments.
    pub(super) prepared: Option<Prepared>,
    /// The parsed tree; `None` if the text was not parsed.
    tree: Option<Json<'a>>,
    /// The text under the names in the schema, if the arguments were sent under aliases.
    renamed: Option<Box<str>>,
}

/// The tree of arguments that were already parsed.
struct Known<'k, 'a> {
    tree: &'k Json<'a>,
    /// `true` if the checker has accepted the tree.
    is_checked: bool,
}

/// Rejected arguments, which a repair may still make acceptable.
struct NotAccepted<'a> {
    rejected: Box<Rejected<'a>>,
    /// `true` if no repair is tried, because the tool itself would accept the arguments.
    is_final: bool,
}

impl<'a> NotAccepted<'a> {
    const fn new(rejected: Box<Rejected<'a>>) -> Self {
        Self { rejected, is_final: false }
    }

    fn last(rejected: Rejected<'a>) -> Self {
        Self { rejected: Box::new(rejected), is_final: true }
    }
}

impl<'a> Decoded<'a> {
    fn accepted(mut accepted: Accepted<'a>, repaired: Option<Box<str>>, repairs: Vec<Repair>) -> Self {
        let is_repaired = repaired.is_some();
        let rewritten = accepted.renamed.take().or(repaired).map(|text| Rewritten { text, is_repaired });
        Self { rewritten, is_restored: false, repairs, verdict: Ok(accepted) }
    }

    fn refused(verdict: NotDecoded<'a>) -> Self {
        Self { rewritten: None, is_restored: false, repairs: Vec::new(), verdict: Err(verdict) }
    }

    /// Returns the identity by which the throttle compares the call with others. It is computed from the arguments that would run, which
    /// may differ from the arguments that were sent. It contains the result of the check of these arguments.
    pub(super) fn told(&self, entry: &Entry, sent: &Arguments<'_>) -> Told {
        self.identity(entry, sent).checked(match &self.verdict {
            Err(_) => Check::Rejected,
            Ok(_) if self.is_final(entry) => Check::Passed,
            Ok(_) => Check::Open,
        })
    }

    fn identity(&self, entry: &Entry, sent: &Arguments<'_>) -> Told {
        let rewritten = self.rewritten.as_ref().map(Rewritten::arguments);
        let (arguments, input) = (rewritten.as_ref().unwrap_or(sent), &entry.tool.spec().input);
        match &self.verdict {
            Ok(Accepted { tree: Some(tree), .. }) => Told::of_tree(arguments, Some(tree), input),
            Err(NotDecoded::Rejected(rejected)) => match decode::parsed(rejected) {
                Parsed::Tree(tree) => Told::of_tree(arguments, Some(tree), input),
                Parsed::Invalid => Told::of_tree(arguments, None, input),
                Parsed::NotYet => Told::of(arguments, input),
            },
            Ok(_) | Err(NotDecoded::Panicked(_)) => Told::of(arguments, input),
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

impl Generation {
    /// Decodes arguments without running anything, and repairs them if they are rejected. Arguments in a provider's
    /// form are converted back first.
    pub(super) fn decode<'a>(&self, entry: &Entry, arguments: &'a Arguments<'a>) -> Decoded<'a> {
        match self.restore(entry, arguments) {
            None => self.decode_own(entry, arguments, None),
            Some(Err(not_decoded)) => Decoded { is_restored: true, ..Decoded::refused(not_decoded) },
            Some(Ok(restored)) => self.decode_restored(entry, restored),
        }
    }

    /// Decodes arguments that were converted back from a provider's form.
    fn decode_restored<'a>(&self, entry: &Entry, restored: Restored<'a>) -> Decoded<'a> {
        let Restored { text, tree, mut repairs } = restored;
        let mut decoded = self.decode_own(entry, &Arguments::from(&*text), Some(&tree)).into_owned();
        let is_repaired = !repairs.is_empty();
        repairs.append(&mut decoded.repairs);
        let verdict = match decoded.verdict {
            // Only the form was changed, so the tree is also the tree of the arguments that run.
            Ok(accepted) if decoded.rewritten.is_none() => Ok(Accepted { tree: Some(tree), ..accepted }),
            verdict => verdict,
        };
        let rewritten = match decoded.rewritten {
            Some(rewritten) => Rewritten { is_repaired: is_repaired || rewritten.is_repaired, ..rewritten },
            None => Rewritten { text, is_repaired },
        };
        Decoded { rewritten: Some(rewritten), is_restored: true, repairs, verdict }
    }

    /// Decodes the arguments of the tool; `parsed` is their tree, if it is known.
    fn decode_own<'a>(&self, entry: &Entry, arguments: &'a Arguments<'a>, parsed: Option<&Json<'_>>) -> Decoded<'a> {
        let parsed = parsed.map(|tree| Known { tree, is_checked: false });
        let NotAccepted { rejected, is_final } = match self.prepare(entry, arguments, parsed) {
            Ok(Ok(accepted)) => return Decoded::accepted(accepted, None, Vec::new()),
            Ok(Err(not_accepted)) => not_accepted,
            Err(panic) => return Decoded::refused(NotDecoded::Panicked(panic)),
        };
        if is_final {
            return Decoded::refused(NotDecoded::Rejected(*rejected));
        }
        let Repaired { text, repairs, tree, left } = match self.repair(entry, arguments, *rejected) {
            Ok(repaired) => repaired,
            Err(not_repaired) => return Decoded::refused(not_repaired),
        };
        let not_decoded = if let Some(error) = left {
            NotDecoded::Rejected(decode::refused(error, tree))
        } else {
            let known = Known { tree: &tree, is_checked: true };
            match self.prepare(entry, &Arguments::from(&*text), Some(known)) {
                Ok(Ok(Accepted { prepared, renamed, .. })) => {
                    return Decoded::accepted(Accepted { prepared, tree: Some(tree), renamed }, Some(text), repairs);
                }
                Ok(Err(NotAccepted { rejected, .. })) => NotDecoded::Rejected(decode::carried(*rejected).into()),
                Err(panic) => NotDecoded::Panicked(panic),
            }
        };
        let rewritten = Some(Rewritten { text, is_repaired: true });
        Decoded { rewritten, is_restored: false, repairs, verdict: Err(not_decoded) }
    }

    /// Decodes arguments without repairing them; `known` is their tree, if it was parsed before.
    fn prepare<'a>(
        &self,
        entry: &Entry,
        arguments: &'a Arguments<'_>,
        known: Option<Known<'_, '_>>,
    ) -> Result<Result<Accepted<'a>, NotAccepted<'a>>, Interruption> {
        if let Some(rejected) = self.refused_by_state(entry, arguments)? {
            return Ok(Err(NotAccepted::new(rejected)));
        }
        let prepared = match guarded(|| entry.tool.prepare(arguments))? {
            Ok(prepared) => prepared,
            Err(rejected) => return Ok(Err(NotAccepted::new(rejected))),
        };
        if !self.is_asked_about(entry) {
            return Ok(Ok(Accepted { prepared, tree: None, renamed: None }));
        }
        // The text is parsed although the tool has decoded it: serde skips values that it ignores, so it may accept a text that a hook
        // cannot parse.
        let mut parsed = None;
        let (tree, is_checked) = match known {
            Some(Known { tree, is_checked }) => (tree, is_checked),
            None => match arguments.to_json() {
                Ok(tree) => (&*parsed.insert(tree), false),
                Err(error) => match well_formed(&arguments.to_text()) {
                    // A tool without a type reads halves of surrogate pairs as U+FFFD, so the hook does, too.
                    Cow::Owned(text) if entry.tool.spec().decode.is_none() => {
                        let prepared = guarded(|| entry.tool.prepare(&Arguments::from(&*text)).ok())?.flatten();
                        return Ok(Ok(Accepted { prepared, tree: None, renamed: Some(text.into()) }));
                    }
                    _ => return Ok(Err(NotAccepted::last(Rejected::new(syntax_issue(&error).into())))),
                },
            },
        };
        let spec = entry.tool.spec();
        let input = &spec.input.shape();
        // Tools without a type may check more than the shape requires.
        let is_typed = spec.decode.is_some() || matches!(input.identity, Some(Identity::Type(_)));
        // An array is refused, because a hook needs names to inspect values, although serde also decodes a struct from an array.
        if is_typed
            && !is_checked
            && may_have_array(arguments)
            && let Ok(Some(refused)) = guarded(|| misread(input, tree))
        {
            return Ok(Err(NotAccepted::last(Rejected::new(refused))));
        }
        // Only a type has further names. To search for them in a recursive union may take quadratic time.
        let renamed = guarded(|| if is_typed { canonical(input, tree) } else { without_repetitions(tree) })?;
        let renamed: Option<Box<str>> = renamed.map(|renamed| renamed.to_text().into());
        let Some(renamed) = renamed else { return Ok(Ok(Accepted { prepared, tree: parsed, renamed: None })) };
        // Prepared again, so that the tool runs with exactly the arguments that the hook sees.
        let prepared = guarded(|| entry.tool.prepare(&Arguments::from(&*renamed)).ok())?.flatten();
        Ok(Ok(Accepted { prepared, tree: parsed, renamed: Some(renamed) }))
    }
}
