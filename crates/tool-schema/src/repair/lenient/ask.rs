//! What others may ask the machine between two steps: how far it is, and at which place.
//!
//! In: a machine that is stopped somewhere. Out: its last event, its faults, and the keys and positions that lead to where it is. What always
//! holds: asking changes nothing and costs what the way down is long.

use super::{Event, Fault, Frame, Machine};
use crate::issue::Path;

impl Machine<'_> {
    pub(in crate::repair) const fn event(&self) -> Event {
        self.event
    }

    pub(in crate::repair) fn is_complete(&self) -> bool {
        self.root.is_some() && self.faults.is_empty() && self.open.is_none()
    }

    pub(in crate::repair) fn faults(&self) -> &[Fault] {
        &self.faults
    }

    pub(in crate::repair) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The key that is being read in the object at a level; the last one where its value is complete.
    pub(in crate::repair) fn key_at(&self, level: usize) -> Option<&str> {
        match self.frames.get(level)? {
            Frame::Object { key: Some((key, _)), .. } => Some(key),
            Frame::Object { members, .. } => members.last().map(|member| &*member.key),
            Frame::Array { .. } => None,
        }
    }

    /// Which item is being read in the array at a level; the last one where it is complete.
    pub(in crate::repair) fn index_at(&self, level: usize, is_complete: bool) -> usize {
        let Some(Frame::Array { items, .. }) = self.frames.get(level) else { return 0 };
        items.len().saturating_sub(usize::from(is_complete))
    }

    /// The path to the value that is being read inside so many open arrays and objects; to the last one where it is complete.
    pub(in crate::repair) fn path(&self, depth: usize, is_complete: bool) -> Path {
        let levels = 0..depth.min(self.frames.len());
        levels.fold(Path::root(), |path, level| match self.key_at(level) {
            Some(key) => path.key(key),
            None => path.index(self.index_at(level, is_complete && level + 1 == depth)),
        })
    }
}
