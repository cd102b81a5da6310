//! A list of names as an answer shows it: the first few, each cut, and how many there are besides.

use crate::bounded;

/// The first names of a list, and how many follow them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    pub(crate) shown: Vec<String>,
    pub(crate) omitted: usize,
}

/// The most that the names take together, as a JSON array.
const BUDGET: usize = 1_200;

impl Names {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, most: usize) -> Self {
        let mut found = Self::default();
        let mut spent = 0;
        for name in names {
            let shown = bounded::name(name).into_owned();
            spent += bounded::size(&shown) + 3;
            if found.omitted > 0 || found.shown.len() == most || spent > BUDGET {
                found.omitted += 1;
            } else {
                found.shown.push(shown);
            }
        }
        found
    }

    /// The names with commas between them, `tail` behind them where some are left out: `add, abs, … and 2 more`.
    pub(crate) fn listed(&self, tail: impl FnOnce(usize) -> String) -> String {
        let listed = self.shown.join(", ");
        if self.omitted == 0 { listed } else { listed + ", " + &tail(self.omitted) }
    }
}
