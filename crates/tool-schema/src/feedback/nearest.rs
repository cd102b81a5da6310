//! What a reader should know of a union: which variant the tag means and what it lacks, or which forms there are and which is nearest.
//!
//! In comes a place with faults; out go a sentence for it, or the words of the nearest form. What always holds: only small values are
//! judged by every form, and only a few of them, so that the work stays linear.

use super::comment;
use super::spot::{Spot, What};
use crate::bounded;
use crate::check::{check, nearest_form};
use crate::issue::{Constraint, Expected, rendered};
use crate::json::Json;
use crate::shape::{Types, Variant};

/// How many unions without a tag are judged in one refusal.
pub(super) const NOTES: usize = 8;
/// How many forms are tried, and on how large a value.
const FORMS: usize = 16;
const LARGEST: usize = 2_000;
/// How many names are listed.
const NAMES: usize = 5;

impl Spot<'_, '_> {
    /// Writes the notes of all unions with faults in them.
    pub(super) fn note_unions(&mut self, left: &mut usize) {
        if self.hidden {
            return;
        }
        self.note = self.of_tag().or_else(|| self.of_forms(left));
        self.inside.iter_mut().for_each(|(_, inner)| inner.note_unions(left));
    }

    /// `` `type`: "create" means CreateUser; it lacks `email` ``
    fn of_tag(&self) -> Option<String> {
        if self.missing.is_empty() && self.inside.is_empty() {
            return None;
        }
        let (tag, variant) = self.view.tagged(self.json)?;
        let (mut lacking, mut unknown) = (Vec::new(), Vec::new());
        self.collect(&mut lacking, &mut unknown);
        if lacking.is_empty() && unknown.is_empty() {
            // The payload of a tag that stands beside it.
            for (_, inner) in &self.inside {
                inner.collect(&mut lacking, &mut unknown);
            }
        }
        let name = self.json.get(&tag).and_then(Json::as_str).unwrap_or(&variant.name);
        let meant = variant.payload.as_ref().map(|payload| payload.shape().name.to_string()).unwrap_or_default();
        let mut parts = Vec::new();
        if !meant.is_empty() && meant != *variant.name {
            parts.push(format!("means {}", bounded::name(&meant)));
        }
        let subject = if parts.is_empty() { "" } else { "it " };
        if !lacking.is_empty() {
            parts.push(format!("{subject}lacks {}", listed(&lacking)));
        }
        if !unknown.is_empty() {
            let subject = if parts.is_empty() { "" } else { "it " };
            parts.push(format!("{subject}does not know {}", listed(&unknown)));
        }
        let says = !lacking.is_empty() || !unknown.is_empty();
        says.then(|| format!("`{}`: {} {}", bounded::name(&tag), comment::quoted(name), parts.join("; ")))
    }

    /// What is missing from the object here, and what it does not know.
    fn collect(&self, lacking: &mut Vec<String>, unknown: &mut Vec<String>) {
        for missing in &self.missing {
            if let (What::Field(_), Some(key)) = (&missing.what, &missing.key) {
                lacking.push(key.clone());
            }
        }
        for (position, inner) in &self.inside {
            let is_unknown = inner
                .marks
                .first()
                .is_some_and(|mark| matches!(mark.issue.constraint, Constraint::UnknownField { .. }));
            if let (true, Some(member)) = (is_unknown, self.json.members().get(*position)) {
                unknown.push(self.view.key(self.json, &member.key).to_owned());
            }
        }
    }

    /// `one of: object with city; object with latitude, longitude (nearest: object with city)`
    fn of_forms(&self, left: &mut usize) -> Option<String> {
        let forms = self.view.forms(self.json)?;
        *left = left.checked_sub(1)?;
        let words: Vec<String> = forms.iter().map(words).collect();
        let nearest = nearest(&forms, self.json).and_then(|index| words.get(index));
        Some(comment::forms(words.iter().map(String::as_str), nearest.map(String::as_str)))
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<_> = names.iter().take(NAMES).map(|name| format!("`{}`", bounded::name(name))).collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A form in words.
fn words(form: &Variant) -> String {
    form.payload.as_ref().map_or_else(|| "null".to_owned(), |payload| rendered(&Expected::of(payload.clone())))
}

/// The form that the checker judges by; where it cannot tell, the one with the fewest faults, if the value is small enough to be judged by
/// each.
fn nearest(forms: &[Variant], json: &Json<'_>) -> Option<usize> {
    let json_type = json.json_type();
    let fits = |form: &Variant| form.payload.is_some() && Types::of_payload(form).contains(json_type);
    let fitting: Vec<_> = forms.iter().filter(|form| fits(form)).collect();
    if let Some(nearest) = nearest_form(&fitting, json) {
        return forms.iter().position(|form| std::ptr::eq(form, nearest));
    }
    if !json.preview(LARGEST).complete {
        return None;
    }
    let faults = |form: &Variant| Some(check(&form.payload.as_ref().filter(|_| fits(form))?.shape(), json).len());
    let judged = forms.iter().take(FORMS).enumerate().filter_map(|(index, form)| Some((faults(form)?, index)));
    judged.min_by_key(|&(faults, _)| faults).map(|(_, index)| index)
}
