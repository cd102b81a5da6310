//! Applies a [`Guard`] to a result: first a quick check for possible warnings, then the warnings.
//!
//! Invariant: if `may_doubt` returns `false`, there are no warnings; warnings have a fixed order.

use super::shorten::Beginning;
use super::spill_settings::{self, Spill};
use super::{Guard, Subject, repeated_path_parts, shorten, status_flags, warning_text};
use crate::input::Arguments;
use crate::shape::Text;
use crate::spill::ResultStore;
use crate::tool::Payload;

/// The outcome of checking a result.
#[derive(Default)]
pub(crate) struct CheckedResult {
    pub(crate) warnings: Vec<Text>,
    /// The changed result, if it was changed.
    pub(crate) payload: Option<Payload>,
}

impl Guard {
    /// Returns the warnings about a result alone, without those about the arguments.
    pub fn warnings(&self, payload: &Payload) -> Vec<Text> {
        let mut warnings = Vec::new();
        let bytes = payload.bytes();
        if self.warn_large.is_some_and(|limit| bytes > limit) {
            warnings.push(warning_text::large(bytes));
        }
        self.contents(None, payload, &mut warnings);
        warnings
    }

    fn contents(&self, subject: Option<&Subject<'_>>, payload: &Payload, warnings: &mut Vec<Text>) {
        let statement = match payload {
            Payload::Parts(parts) => parts.statement(),
            _ => payload.as_str(),
        };
        let flags = (self.reads_flags() && status_flags::may_have(statement))
            .then(|| status_flags::Flags::from_json_text(statement));
        if self.warn_empty && (is_empty(payload) || flags.as_ref().is_some_and(|flags| flags.is_empty)) {
            warnings.push(Text::from_static(warning_text::EMPTY));
        }
        if let Some(flags) = flags {
            if self.warn_reported_failures && flags.is_failure {
                warnings.push(warning_text::reported(flags.message.as_deref()));
            }
            if self.warn_incomplete && flags.is_incomplete && !flags.leads_on {
                let cursor = subject.and_then(|subject| Some((subject.tool, subject.cursor?)));
                warnings.push(match cursor {
                    Some((tool, cursor)) => warning_text::incomplete(tool, cursor),
                    None => Text::from_static(warning_text::INCOMPLETE),
                });
            }
        }
        if self.warn_control_characters
            && let Some(character) = status_flags::control_character(payload)
        {
            warnings.push(warning_text::control_character(character));
        }
    }

    /// Returns `true` if there may be warnings. The check is cheap, and `false` means that there are certainly none.
    #[inline]
    pub(crate) fn may_doubt(&self, payload: &Payload, arguments: &Arguments<'_>) -> bool {
        self.mark_as_data
            || self.may_doubt_result(payload)
            || (self.warn_duplicate_segments && repeated_path_parts::may_have(arguments))
    }

    #[inline]
    fn may_doubt_result(&self, payload: &Payload) -> bool {
        let flags = self.reads_flags();
        match payload {
            Payload::Done => payload.as_str().len() > self.smallest_limit,
            Payload::Text(text) => {
                let trimmed = text.trim_ascii_start();
                text.len() > self.smallest_limit
                    || self.warn_empty && trimmed.is_empty()
                    || flags && trimmed.starts_with('{') && status_flags::may_have(trimmed)
                    || self.warn_control_characters && status_flags::has_control_character(text)
            }
            // Usually, a single pass shows that there are neither flags nor control characters.
            Payload::Json(json) => {
                json.len() > self.smallest_limit
                    || self.warn_empty && is_empty_json(json)
                    || (flags || self.warn_control_characters)
                        && status_flags::is_striking(json)
                        && (flags && status_flags::may_have(json)
                            || self.warn_control_characters && status_flags::may_have_control_character(payload))
            }
            // Parts are rare.
            Payload::Parts(_) => true,
        }
    }

    /// Sets the size limit for the quick check.
    pub(super) const fn with_smallest_limit(mut self) -> Self {
        let large = match self.warn_large {
            Some(limit) => limit,
            None => usize::MAX,
        };
        self.smallest_limit = match self.longest() {
            Some(limit) if limit < large => limit,
            _ => large,
        };
        self
    }

    /// Returns the size above which a result is cut or kept, in bytes.
    const fn longest(&self) -> Option<usize> {
        match (self.cut_to, &self.spill) {
            (Some(limit), Some(_)) if limit < spill_settings::SMALLEST => Some(spill_settings::SMALLEST),
            (None, Some(_)) => Some(spill_settings::ABOVE),
            (limit, _) => limit,
        }
    }

    /// Returns `true` if any setting needs the flags of a result.
    #[inline]
    const fn reads_flags(&self) -> bool {
        self.warn_reported_failures || self.warn_incomplete || self.warn_empty
    }

    /// Returns the warnings about a result, and the result in the form that the host wants. `keep` stores the whole result and returns its
    /// handle, if the store accepts it.
    pub(crate) fn checked(
        &self,
        subject: &Subject<'_>,
        payload: &Payload,
        arguments: &Arguments<'_>,
        keep: impl FnOnce(&dyn ResultStore, &str) -> Option<String>,
    ) -> CheckedResult {
        let (mut warnings, mut changed) = (Vec::new(), None);
        // The notice is written after the marks, because it is not part of the data.
        let mut notice = None;
        if let Some(limit) = self.longest() {
            let kept = self.spill.as_ref().and_then(|Spill(store)| {
                let beginning = Beginning::from_long_payload(payload, limit)?;
                keep(&**store, &beginning.text).map(|handle| (beginning, handle))
            });
            if let Some((beginning, handle)) = kept {
                let (shown, how) = beginning.shown(subject, &handle);
                warnings.push(warning_text::kept(beginning.text.len(), &handle, shown.len()));
                changed = Some(shorten::with_words(payload, shown.to_owned()));
                notice = Some(how);
            } else if let Some(cut) = shorten::cut(payload, limit) {
                warnings.push(warning_text::cut(payload.bytes(), cut.bytes()));
                changed = Some(cut);
            }
        }
        let left = changed.as_ref().unwrap_or(payload).bytes();
        if self.warn_large.is_some_and(|limit| left > limit) {
            warnings.push(warning_text::large(left));
        }
        self.contents(Some(subject), payload, &mut warnings);
        warnings.extend(self.path_warning(arguments));
        if self.mark_as_data {
            changed = Some(shorten::marked(subject.tool, changed.as_ref().unwrap_or(payload)));
        }
        if let Some(notice) = notice {
            changed = changed.map(|shown| shorten::with_notice(shown, &notice));
        }
        CheckedResult { warnings, payload: changed }
    }
}

impl Guard {
    /// Returns the warning about the arguments. It does not depend on the result, so failed calls get it too.
    pub(crate) fn path_warning(&self, arguments: &Arguments<'_>) -> Option<Text> {
        if !self.warn_duplicate_segments || !repeated_path_parts::may_have(arguments) {
            return None;
        }
        let path = repeated_path_parts::doubtful(arguments)?;
        Some(warning_text::duplicate_segments(&path))
    }
}

/// Returns `true` if a result has no content. The result of a function that returns `()` is not counted as empty.
fn is_empty(payload: &Payload) -> bool {
    match payload {
        Payload::Done => false,
        Payload::Text(text) => is_empty_text(text),
        Payload::Parts(parts) => parts.is_empty(),
        Payload::Json(json) => is_empty_json(json),
    }
}

#[inline]
fn is_empty_text(text: &str) -> bool {
    text.trim_ascii_start().is_empty()
}

#[inline]
fn is_empty_json(json: &str) -> bool {
    json.len() <= 4 && matches!(json, "" | "\"\"" | "null" | "[]" | "{}")
}
