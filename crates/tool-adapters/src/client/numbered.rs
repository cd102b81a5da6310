//! Unique ids for calls without one: [`Numbered`].
//!
//! Invariant: the form of genai's own ids is kept. By this form, genai knows that the provider did not send the id, and does not send it
//! back.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of ids so far.
#[derive(Default)]
pub(super) struct Numbered(AtomicU64);

impl Numbered {
    /// Replaces the ids that genai creates when Gemini omits them: genai counts from zero in each answer, and in a stream in each piece.
    pub(super) fn id(&self, id: String, name: &str) -> String {
        if id.starts_with("call#") { format!("call#{name}#{}", self.0.fetch_add(1, Ordering::Relaxed)) } else { id }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;

    #[test]
    fn only_ids_made_by_genai_are_replaced() {
        let numbered = Numbered::default();
        let ids = ["call#now#0", "call#now#0", "fc_1"].map(|id| numbered.id(id.to_owned(), "now"));
        assert_eq!(ids, ["call#now#0", "call#now#1", "fc_1"]);
    }
}
