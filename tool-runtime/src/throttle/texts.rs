//! The entries of each tool whose arguments are kept as text: [`Texts`].
//!
//! Invariant: an entry is listed if and only if it has a text, under the tool of the entry. A tool has at most [`TEXTS`] such entries.

/// The maximum number of argument texts that are kept per tool.
pub(super) const TEXTS: usize = 3;

/// The entries with a text, by the number of their tool.
#[derive(Debug, Default)]
pub(super) struct Texts(Vec<OfTool>);

/// The entries of one tool, least recent first.
#[derive(Clone, Copy, Debug, Default)]
struct OfTool {
    entries: [u8; TEXTS],
    count: u8,
}

impl Texts {
    /// Adds an entry as the most recent one of a tool. If the tool already has the maximum number of entries, removes and returns the least
    /// recent one.
    #[expect(clippy::inline_always, reason = "few instructions, for every call")]
    #[inline(always)]
    pub(super) fn push(&mut self, tool: u32, entry: u8) -> Option<u8> {
        let tool = tool as usize;
        if self.0.len() <= tool {
            self.make_room(tool);
        }
        let OfTool { entries, count } = &mut self.0[tool];
        if let Some(free) = entries.get_mut(usize::from(*count)) {
            (*free, *count) = (entry, *count + 1);
            return None;
        }
        let oldest = entries[0];
        entries.copy_within(1.., 0);
        entries[TEXTS - 1] = entry;
        Some(oldest)
    }

    /// Removes an entry of a tool.
    pub(super) fn remove(&mut self, tool: u32, entry: u8) {
        if let Some(of) = self.0.get_mut(tool as usize)
            && let Some(at) = of.entries[..usize::from(of.count)].iter().position(|&other| other == entry)
        {
            of.entries.copy_within(at + 1.., at);
            of.count -= 1;
        }
    }

    #[cold]
    fn make_room(&mut self, tool: usize) {
        self.0.resize(tool + 1, OfTool::default());
    }
}
