//! Compares a conversation whose process was killed with an undisturbed one.

use std::collections::{BTreeMap, BTreeSet};

use crate::script::tools::Ran;

/// The course of a conversation.
pub(crate) struct Result {
    /// The texts of the answers by the ids of their calls, and the last text.
    pub(crate) answers: Vec<(String, String)>,
    /// The runs of tools, as the world outside of the log knows them.
    pub(crate) ran: Vec<Ran>,
}

/// Checks that the answers are equal except for unknown effects, and that nothing ran twice. Also checks that the calls with an unknown effect
/// belong to at most as many steps as there were interruptions. Returns the number of these calls.
pub(crate) fn compare(undisturbed: &Result, found: &Result, interruptions: usize, name: &str) -> usize {
    assert_eq!(found.answers.len(), undisturbed.answers.len(), "{name}");
    let mut unknown = Vec::new();
    for ((id, text), (other, expected)) in found.answers.iter().zip(&undisturbed.answers) {
        assert_eq!(id, other, "{name}");
        if text != expected {
            assert!(text.starts_with(r#"{"error_type":"effect_unknown""#), "{name}: {id} has {text} for {expected}");
            unknown.push(id.as_str());
        }
    }
    let mut runs: BTreeMap<&str, Vec<&Ran>> = BTreeMap::new();
    found.ran.iter().for_each(|ran| runs.entry(&ran.call_id).or_default().push(ran));
    for ran in runs.values() {
        assert!(ran.iter().all(|one| one.key == ran[0].key), "{name}: the key of a call has changed");
        assert!(ran[0].is_repeatable || ran.len() == 1, "{name}: {} ran {} times", ran[0].call_id, ran.len());
    }
    for once in &undisturbed.ran {
        let has_run = runs.contains_key(&*once.call_id);
        let is_unknown = unknown.contains(&&*once.call_id);
        assert!(has_run || is_unknown, "{name}: {} has not run", once.call_id);
        assert!(!(is_unknown && once.is_repeatable), "{name}: {} is repeatable", once.call_id);
    }
    let steps: BTreeSet<_> = unknown.iter().filter_map(|id| id.rsplit_once('_')).map(|(step, _)| step).collect();
    assert!(steps.len() <= interruptions, "{name}: {unknown:?} after {interruptions} interruptions");
    unknown.len()
}

/// Removes the remaining time of a pause, which depends on the speed of the machine.
pub(crate) fn without_pause(text: &str) -> String {
    let Some((before, after)) = text.split_once(r#""retry_after_ms":"#) else { return text.to_owned() };
    let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
    format!("{before}{after}")
}
