//! Calls that are expected together: [`Group`].
//!
//! Invariants: without an order, each member claims a call of its own, in the best possible assignment. A count of a member is the number
//! of calls that it claims.

use super::calls::{Calls, Count};
use super::made::{Made, Screen};
use super::{Finding, Misuse, ordered, unordered};

/// Calls that are expected together.
///
/// ```
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, calls, exactly, in_order};
///
/// let expected = Expectations::new()
///     .expect(in_order(["search", "read_file"]))
///     .expect(exactly([calls("search").times(2), calls("read_file").at("path", "a.txt")]))
///     .build()?;
/// let report = expected.judge(&Transcript::new(), &Toolbox::builder().build()?.session());
/// assert!(report.to_string().contains("Expected function 'search' to be called, but no function calls were made."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Group {
    members: Vec<Calls>,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    AnyOrder,
    Exactly,
    InOrder,
    FromTheStart,
    Subset,
}

fn group<C: Into<Calls>>(members: impl IntoIterator<Item = C>, mode: Mode) -> Group {
    Group { members: members.into_iter().map(Into::into).collect(), mode }
}

/// Expects all of these calls, in any order. Other calls are allowed.
pub fn any_order<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::AnyOrder)
}

/// Expects all of these calls, in any order, and no others.
pub fn exactly<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::Exactly)
}

/// Expects all of these calls, in this order. Other calls are allowed before, between and after them.
pub fn in_order<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::InOrder)
}

/// Expects that every call matches one of these. Each may be called any number of times, or never.
pub fn subset<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::Subset)
}

impl Group {
    /// Requires that these are the first calls of the conversation, with no other calls before or between them.
    #[must_use]
    pub fn from_the_start(self) -> Self {
        Self { mode: Mode::FromTheStart, ..self }
    }

    pub(super) fn misuses(&self) -> Vec<Misuse> {
        let mut found: Vec<Misuse> = self.members.iter().flat_map(Calls::misuses).collect();
        if self.members.is_empty() {
            found.push(Misuse::Empty("a group of calls"));
        }
        let cannot = |calls: &&Calls| calls.is_related() || !has_own(calls);
        found.extend(self.members.iter().filter(cannot).map(|calls| Misuse::InGroup(calls.name().to_owned())));
        let is_counted = |calls: &&Calls| self.mode == Mode::Subset && matches!(calls.count, Count::Times(1..));
        found
            .extend(self.members.iter().filter(is_counted).map(|calls| Misuse::CountInSubset(calls.name().to_owned())));
        found
    }

    pub(super) fn judge(&self, made: &[Made], screen: &Screen) -> Vec<Finding> {
        let slots: Vec<&Calls> = self.members.iter().flat_map(|calls| std::iter::repeat_n(calls, own(calls))).collect();
        match self.mode {
            Mode::AnyOrder => unordered::judge(&slots, made, screen),
            Mode::Exactly => unordered::judge_all(&slots, made, screen),
            Mode::InOrder => ordered::judge(&slots, made, screen).into_iter().collect(),
            Mode::FromTheStart => ordered::judge_from_the_start(&slots, made, screen).into_iter().collect(),
            Mode::Subset => unordered::judge_subset(&slots, made, screen),
        }
    }
}

/// Returns the number of calls that a member claims.
const fn own(calls: &Calls) -> usize {
    match calls.count {
        Count::Times(times) => times,
        _ => 1,
    }
}

/// Returns `true` if the count of a member is a number of calls that it can claim.
const fn has_own(calls: &Calls) -> bool {
    matches!(calls.count, Count::OfItsOwn | Count::Times(1..))
}
