//! Several calls that are expected together: [`Group`].
//!
//! In: calls, and what holds for all of them: any order, this order, nothing else. Out: an expectation. What always holds: without an
//! order, each of them has a call of its own in the best possible assignment; a count within a group says how many calls of their own.

use super::calls::{Calls, Count};
use super::made::{Made, Screen};
use super::{Finding, Misuse, ordered, unordered};

/// Several calls that are expected together.
///
/// ```
/// use tool_testkit::{Expectations, calls, exactly};
///
/// let expected = exactly([calls("get_weather").at("location", "Paris"), calls("get_weather").at("location", "London")]);
/// assert!(Expectations::new().expect(expected).build().is_ok());
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

/// All of these, in any order; others may be made.
///
/// ```
/// use tool_testkit::{Expectations, any_order};
///
/// assert!(Expectations::new().expect(any_order(["search", "read_file"])).build().is_ok());
/// ```
pub fn any_order<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::AnyOrder)
}

/// All of these, in any order, and nothing else.
///
/// ```
/// use tool_testkit::{Expectations, exactly};
///
/// assert!(Expectations::new().expect(exactly(["search", "read_file"])).build().is_ok());
/// ```
pub fn exactly<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::Exactly)
}

/// All of these, in the order in which they were written; others may be made before, between and after them.
///
/// ```
/// use tool_testkit::{Expectations, in_order};
///
/// assert!(Expectations::new().expect(in_order(["search", "read_file"])).build().is_ok());
/// assert!(Expectations::new().expect(in_order(["search", "read_file"]).from_the_start()).build().is_ok());
/// ```
pub fn in_order<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::InOrder)
}

/// No calls but such as these, each as often as the model likes, or not at all.
///
/// ```
/// use tool_testkit::{Expectations, subset};
///
/// assert!(Expectations::new().expect(subset(["search", "read_file"])).build().is_ok());
/// ```
pub fn subset<C: Into<Calls>>(members: impl IntoIterator<Item = C>) -> Group {
    group(members, Mode::Subset)
}

impl Group {
    /// The first calls of the conversation are these, with none before or between them.
    ///
    /// ```
    /// use tool_testkit::{Expectations, in_order};
    ///
    /// assert!(Expectations::new().expect(in_order(["search"]).from_the_start()).build().is_ok());
    /// ```
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

/// How many calls of its own a member wants.
const fn own(calls: &Calls) -> usize {
    match calls.count {
        Count::Times(times) => times,
        _ => 1,
    }
}

/// Whether a member's count says how many calls of its own it wants.
const fn has_own(calls: &Calls) -> bool {
    matches!(calls.count, Count::OfItsOwn | Count::Times(1..))
}
