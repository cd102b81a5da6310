//! Unique ids for calls whose provider sent no id: [`UniqueCallIds`].
//!
//! Invariant: the ids have the same form as the ids that genai makes. From this form, genai knows that the id is not the provider's, and
//! does not send it back.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter for the ids that were made so far.
#[derive(Default)]
pub(super) struct UniqueCallIds(AtomicU64);

impl UniqueCallIds {
    /// Replaces an id that genai made because Gemini omitted it. Such ids are not unique, because genai counts from zero in each answer,
    /// and even in each piece of a stream.
    pub(super) fn id(&self, id: String, name: &str) -> String {
        if id.starts_with("call#") { format!("call#{name}#{}", self.0.fetch_add(1, Ordering::Relaxed)) } else { id }
    }
}

#[cfg(test)]
mod tests {
    use super::UniqueCallIds;

    #[test]
    fn only_ids_made_by_genai_are_replaced() {
        let numbered = UniqueCallIds::default();
        let ids = ["call#now#0", "call#now#0", "fc_1"].map(|id| numbered.id(id.to_owned(), "now"));
        assert_eq!(ids, ["call#now#0", "call#now#1", "fc_1"]);
    }
}
