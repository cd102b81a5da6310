//! Decodes arguments before they run, and repairs them if they are rejected.
//!
//! In: arguments that a hook inspects, or that are compared with other calls. Out: the decoded value, or every issue. No tool runs here.
//! All other calls are decoded when their tool runs. Invariants: a hook only sees acceptable arguments, under the names in the schema, and
//! the tool runs with exactly these arguments or not at all.

use std::borrow::Cow;

use super::attempt::{Attempt, Change, End};
use super::decoded::{Accepted, Decoded, DecodedFirst, NotDecoded, Rewritten};
use super::repair_rejected::Repaired;
use super::run_interruptible::{Interruption, guarded};
use super::session_with_toolbox::SessionView;
use super::undo_dialect::{Restored, undo_dialect};
use crate::decode::{self, Rejected, misread, with_canonical_names, without_repetitions};
use crate::input::{Arguments, may_have_array};
use crate::issue::syntax_issue;
use crate::json::{Json, well_formed};
use crate::shape::Identity;
use crate::toolbox::Entry;

/// The tree of arguments that were already parsed.
struct ParsedTree<'k, 'a> {
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

impl SessionView {
    /// Decodes the arguments of a call before it runs, if a hook has to decide about the call, or if the throttle has compared it with other
    /// calls. Otherwise, the arguments are only converted back from a provider's form. This is a stage.
    pub(super) fn decode<'a>(
        &'a self,
        entry: &'a Entry,
        call: &mut Attempt<'a>,
        decoded_first: DecodedFirst,
    ) -> Result<(), End<'a>> {
        let is_asked_about = self.is_asked_about(entry);
        let decoded = match decoded_first {
            Some(decoded) => *decoded,
            None if is_asked_about => self.decode_and_repair(entry, call.sent),
            None => return self.restore_form(entry, call),
        };
        if !is_asked_about && !decoded.is_final(entry) {
            // The tool decides itself: a tool without a type for its arguments checks them when it runs, and may accept more than its shape
            // does.
            return Ok(());
        }
        let Decoded { rewritten, repairs, verdict, .. } = decoded;
        self.note(call.call_id, &mut call.ledger, repairs);
        if let Some(Rewritten { text, is_repaired }) = rewritten {
            call.change(if is_repaired { Change::Repaired } else { Change::Renamed }, text);
        }
        match verdict {
            Ok(accepted) => {
                call.prepared = accepted.prepared;
                Ok(())
            }
            Err(not_decoded) => {
                self.start(entry, call);
                Err(not_decoded.into())
            }
        }
    }

    /// Converts the arguments of a call back from a provider's form.
    fn restore_form<'a>(&'a self, entry: &'a Entry, call: &mut Attempt<'a>) -> Result<(), End<'a>> {
        let Some(restored) = undo_dialect(self, entry, call.sent) else { return Ok(()) };
        let Restored { text, repairs, .. } = restored?;
        let is_repaired = !repairs.is_empty();
        self.note(call.call_id, &mut call.ledger, repairs);
        call.change(Change::Restored { is_repaired }, text);
        Ok(())
    }

    /// Decodes arguments without running anything, and repairs them if they are rejected. Arguments in a provider's
    /// form are converted back first.
    pub(super) fn decode_and_repair<'a>(&self, entry: &Entry, arguments: &'a Arguments<'a>) -> Decoded<'a> {
        match undo_dialect(self, entry, arguments) {
            None => self.decode_own(entry, arguments, None),
            Some(Err(not_decoded)) => Decoded { is_restored: true, ..Decoded::rejected(not_decoded) },
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
        let parsed = parsed.map(|tree| ParsedTree { tree, is_checked: false });
        let NotAccepted { rejected, is_final } = match self.prepare(entry, arguments, parsed) {
            Ok(Ok(accepted)) => return Decoded::accepted(accepted, None, Vec::new()),
            Ok(Err(not_accepted)) => not_accepted,
            Err(panic) => return Decoded::rejected(NotDecoded::Panicked(panic)),
        };
        if is_final {
            return Decoded::rejected(NotDecoded::Rejected(*rejected));
        }
        let Repaired { text, repairs, tree, left } = match self.repair_arguments(entry, arguments, *rejected) {
            Ok(repaired) => repaired,
            Err(not_repaired) => return Decoded::rejected(not_repaired),
        };
        let not_decoded = if let Some(error) = left {
            NotDecoded::Rejected(decode::rejected(error, tree))
        } else {
            let known = ParsedTree { tree: &tree, is_checked: true };
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
        known: Option<ParsedTree<'_, '_>>,
    ) -> Result<Result<Accepted<'a>, NotAccepted<'a>>, Interruption> {
        if let Some(rejected) = self.rejected_by_state(entry, arguments)? {
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
            Some(ParsedTree { tree, is_checked }) => (tree, is_checked),
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
        // An array is rejected, because a hook needs names to inspect values, although serde also decodes a struct from an array.
        if is_typed
            && !is_checked
            && may_have_array(arguments)
            && let Ok(Some(rejected)) = guarded(|| misread(input, tree))
        {
            return Ok(Err(NotAccepted::last(Rejected::new(rejected))));
        }
        // Only a type has further names. To search for them in a recursive union may take quadratic time.
        let renamed = guarded(|| if is_typed { with_canonical_names(input, tree) } else { without_repetitions(tree) })?;
        let renamed: Option<Box<str>> = renamed.map(|renamed| renamed.to_text().into());
        let Some(renamed) = renamed else { return Ok(Ok(Accepted { prepared, tree: parsed, renamed: None })) };
        // DecodedArguments again, so that the tool runs with exactly the arguments that the hook sees.
        let prepared = guarded(|| entry.tool.prepare(&Arguments::from(&*renamed)).ok())?.flatten();
        Ok(Ok(Accepted { prepared, tree: parsed, renamed: Some(renamed) }))
    }
}
