//! A list of names for an answer: the first names, each truncated, and the number of omitted names.

use serde::{Deserialize, Serialize};

use crate::bounded;

/// The first names of a list, and the number of omitted names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Names {
    pub(crate) shown: Vec<String>,
    pub(crate) omitted: usize,
}

/// The maximum number of bytes of all names as a JSON array.
const BUDGET: usize = 1_200;

impl Names {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, most: usize) -> Self {
        let mut found = Self::default();
        let mut spent = 0;
        for name in names {
            let shown = bounded::name(name).into_owned();
            spent += bounded::json_string_len(&shown) + 3;
            if found.omitted > 0 || found.shown.len() == most || spent > BUDGET {
                found.omitted += 1;
            } else {
                found.shown.push(shown);
            }
        }
        found
    }

    /// Returns the names separated by commas, followed by the text that `tail` makes from the number of omitted names:
    /// `add, abs, … and 2 more`.
    pub(crate) fn listed(&self, tail: impl FnOnce(usize) -> String) -> String {
        let listed = self.shown.join(", ");
        if self.omitted == 0 { listed } else { listed + ", " + &tail(self.omitted) }
    }
}
