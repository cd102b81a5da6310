//! Makes a note about a faulty union. With a tag, the note names the tag's variant and the missing fields; without a tag, it lists the
//! possible forms and names the nearest one.
//!
//! Invariant: the work is linear, because only a few small values are compared with every form.

use super::comment;
use super::issue_location::{IssueLocation, What};
use crate::bounded;
use crate::check::{check, nearest_form};
use crate::issue::{Constraint, Expected, to_escaped_text};
use crate::json::Json;
use crate::shape::{AcceptedTypes, Variant};

/// The maximum number of untagged unions with a note in one rejection.
pub(super) const NOTES: usize = 8;
/// The maximum number of forms with which a value is compared.
const FORMS: usize = 16;
/// The maximum size of a compared value, in bytes of JSON.
const LARGEST: usize = 2_000;
/// The maximum number of names listed.
const NAMES: usize = 5;

impl IssueLocation<'_, '_> {
    /// Adds the notes to all unions that contain issues.
    pub(super) fn note_unions(&mut self, left: &mut usize) {
        if self.hidden {
            return;
        }
        self.note = self.of_tag().or_else(|| self.of_forms(left));
        self.inside.iter_mut().for_each(|(_, inner)| inner.note_unions(left));
    }

    /// Returns, for example, `` `type`: "create" means CreateUser; it lacks `email` ``.
    fn of_tag(&self) -> Option<String> {
        if self.missing.is_empty() && self.inside.is_empty() {
            return None;
        }
        let (tag, variant) = self.view.tagged(self.json)?;
        let (mut lacking, mut unknown) = (Vec::new(), Vec::new());
        self.collect(&mut lacking, &mut unknown);
        if lacking.is_empty() && unknown.is_empty() {
            // With an adjacent tag, the fields are in the payload.
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
        says.then(|| format!("`{}`: {} {}", bounded::name(&tag), comment::quote_name(name), parts.join("; ")))
    }

    /// Collects the missing fields and the unknown fields of the object.
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

    /// Returns, for example, `one of: object with city; object with latitude, longitude (nearest: object with city)`.
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

/// Returns the description of a form, as the note lists it.
fn words(form: &Variant) -> String {
    form.payload
        .as_ref()
        .map_or_else(|| "null".to_owned(), |payload| to_escaped_text(&Expected::from_shape(payload.clone())))
}

/// Returns the nearest form according to the checker. If it cannot decide, returns the form with the fewest issues, provided that the value
/// is small enough to be compared with each form.
fn nearest(forms: &[Variant], json: &Json<'_>) -> Option<usize> {
    let json_type = json.json_type();
    let fits = |form: &Variant| form.payload.is_some() && AcceptedTypes::of_payload(form).contains(json_type);
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
