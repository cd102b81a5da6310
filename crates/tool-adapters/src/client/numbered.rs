//! Ids for calls that came without one: [`Numbered`].
//!
//! In: an id as genai gives it. Out: one that no other call of the model has. What always holds: the form stays the one by which genai
//! knows that the provider has never seen the id, and does not send it.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many calls were given an id.
#[derive(Default)]
pub(super) struct Numbered(AtomicU64);

impl Numbered {
    /// Gemini need not give ids. genai then counts from zero in each answer, and in a stream in each piece.
    pub(super) fn id(&self, id: String, name: &str) -> String {
        if id.starts_with("call#") { format!("call#{name}#{}", self.0.fetch_add(1, Ordering::Relaxed)) } else { id }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;

    #[test]
    fn only_ids_of_genai_are_replaced() {
        let numbered = Numbered::default();
        let ids = ["call#now#0", "call#now#0", "fc_1"].map(|id| numbered.id(id.to_owned(), "now"));
        assert_eq!(ids, ["call#now#0", "call#now#1", "fc_1"]);
    }
}
