//! How a refusal is told: stronger where it is a repetition, and in the form that the host chose.
//!
//! In comes a failure with the arguments of its call; out goes the same failure with what is added to its text. What always holds: only
//! refusals of arguments are touched, and for wire JSON the arguments are not read again.

use super::generation::Generation;
use super::invoke::guarded;
use super::sent::Sent;
use crate::failure::{Escalation, Failure};
use crate::feedback::{Form, told};
use crate::toolbox::Entry;

impl Generation {
    pub(super) fn render(&self, entry: &Entry, failure: Failure, sent: &Sent<'_>) -> Failure {
        if !failure.is_about_arguments() {
            return failure;
        }
        let input = &self.input(entry);
        let escalation = self.shared.refused.again(&entry.name, failure.issues());
        // Rules of the user's own are run again; one that panics must not cost the model its answer.
        let escalation =
            escalation.and_then(|(issue, before)| guarded(|| Escalation::of(issue, before, input, sent.tree())).ok());
        let failure = match escalation {
            Some(escalation) => failure.escalated(escalation),
            None => failure,
        };
        let form = self.toolbox.parts().settings.feedback;
        if form == Form::Json {
            return failure;
        }
        match guarded(|| told(form, &failure, &input.shape(), sent.arguments(), sent.tree())) {
            Ok(Some(text)) => failure.told(text),
            _ => failure,
        }
    }
}
