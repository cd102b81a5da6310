//! Shortens an entry of a hint with little room, by removing text that repeats another member.
//!
//! Invariant: the correction stays, at least the first of several values stays, and removed values are counted in `more`.

use super::{Entry, HintMembers, LISTED};
use crate::json::{Json, Number, Writer};

/// The number of bytes beyond which an expectation is removed, if the other members contain the same information.
const WORDS: usize = 80;
/// The maximum length of a list or a pattern in bytes.
const LONG: usize = 160;

impl Entry {
    /// Removes one long and redundant part; returns `false` if there is none.
    pub(in crate::hint) fn shorten(&mut self) -> bool {
        self.drop_longer("pattern", LONG)
            || self.has("did_you_mean") && self.drop_longer("allowed_values", LONG) && self.drop_more()
            || self.shorten_values()
            || self.has("type") && self.drop_longer("expected", WORDS)
    }

    fn drop_longer(&mut self, name: &str, most: usize) -> bool {
        let before = self.members.len();
        self.members.retain(|(key, value)| *key != name || value.len() <= most);
        self.members.len() < before
    }

    /// Removes the count of omitted values, unless another list is left to which it may belong.
    fn drop_more(&mut self) -> bool {
        if !self.has("required_fields") && !self.has("variants") {
            self.members.retain(|(key, _)| *key != "more");
        }
        true
    }

    /// Keeps the allowed values that fit, and at least the first.
    fn shorten_values(&mut self) -> bool {
        let Some(place) = self.members.iter().position(|(key, _)| *key == "allowed_values") else { return false };
        let list = self.values[self.members[place].1.clone()].to_owned();
        let Ok(values) = Json::parse(&list) else { return false };
        let left_out = self.left_out();
        // If values were omitted, the last element is the `…`.
        let listed = values.items().len() - usize::from(left_out > 0);
        let values: Vec<String> = values.items().iter().take(listed.min(LISTED)).map(Json::to_text).collect();
        let mut room = LONG;
        let fits = |value: &&String| {
            room = room.saturating_sub(value.len());
            room > 0
        };
        let kept = values.iter().take_while(fits).count().max(1);
        if list.len() <= LONG || kept >= values.len() {
            return false;
        }
        let all = values.len() + left_out;
        self.members.retain(|(key, _)| *key != "more");
        let start = self.values.len();
        let ellipsis = "\"…\"".to_owned();
        let shown = values[..kept].iter().chain([&ellipsis]);
        Writer::new(&mut self.values).array(shown, |item, value| item.json_text(value));
        if let Some((_, value)) = self.members.iter_mut().find(|(key, _)| *key == "allowed_values") {
            *value = start..self.values.len();
        }
        self.put("more", |value| value.number(Number::from(all - kept)));
        // The count follows the list that it belongs to.
        if let Some(more) = self.members.pop() {
            let behind = self.members.iter().position(|(key, _)| *key == "allowed_values").map_or(0, |place| place + 1);
            self.members.insert(behind, more);
        }
        true
    }

    fn left_out(&self) -> usize {
        let more = self.members.iter().find(|(key, _)| *key == "more");
        more.and_then(|(_, value)| self.values[value.clone()].parse().ok()).unwrap_or(0)
    }
}
