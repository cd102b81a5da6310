//! What an entry can do without when there is little room: words that say again what another member says.
//!
//! In comes an entry with everything that is known; out goes the same entry, shorter by one member or by the tail of one. What always
//! holds: what a fixer acts on stays, of several values at least the first, and values that go are counted in `more`.

use super::{Entry, LISTED, Members};
use crate::json::{Json, Number, Writer};

/// Words that take more are given up where other members say the same.
const WORDS: usize = 80;
/// What a list may take, or a pattern.
const LONG: usize = 160;

impl Entry {
    /// Gives up one thing that is long and can be spared; `false` where there is none.
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

    /// How many values are left out says nothing once none is there.
    fn drop_more(&mut self) -> bool {
        if !self.has("required_fields") && !self.has("variants") {
            self.members.retain(|(key, _)| *key != "more");
        }
        true
    }

    /// Leaves of the allowed values those that take little room, the first in any case.
    fn shorten_values(&mut self) -> bool {
        let Some(place) = self.members.iter().position(|(key, _)| *key == "allowed_values") else { return false };
        let list = self.values[self.members[place].1.clone()].to_owned();
        let Ok(values) = Json::parse(&list) else { return false };
        let left_out = self.left_out();
        // With some left out, the last stands for them.
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
        Writer::new(&mut self.values).array(shown, |item, value| item.raw(value));
        if let Some((_, value)) = self.members.iter_mut().find(|(key, _)| *key == "allowed_values") {
            *value = start..self.values.len();
        }
        self.put("more", |value| value.number(Number::from(all - kept)));
        // Behind the list that it counts.
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
