//! The state of the machine between two steps: its last event, its issues, and its path.
//!
//! The functions here do not change the state. Creating a path takes time linear in its length.

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

    /// Returns the key at a level: the current key, or the last key if its value is complete.
    pub(in crate::repair) fn key_at(&self, level: usize) -> Option<&str> {
        match self.frames.get(level)? {
            Frame::Object { key: Some((key, _)), .. } => Some(key),
            Frame::Object { members, .. } => members.last().map(|member| &*member.key),
            Frame::Array { .. } => None,
        }
    }

    /// Returns the index at a level: that of the current item, or that of the last item if `is_complete`.
    pub(in crate::repair) fn index_at(&self, level: usize, is_complete: bool) -> usize {
        let Some(Frame::Array { items, .. }) = self.frames.get(level) else { return 0 };
        items.len().saturating_sub(usize::from(is_complete))
    }

    /// Returns the path to the current value at this depth, or to the last value if `is_complete`.
    pub(in crate::repair) fn path(&self, depth: usize, is_complete: bool) -> Path {
        let levels = 0..depth.min(self.frames.len());
        levels.fold(Path::root(), |path, level| match self.key_at(level) {
            Some(key) => path.key(key),
            None => path.index(self.index_at(level, is_complete && level + 1 == depth)),
        })
    }
}
