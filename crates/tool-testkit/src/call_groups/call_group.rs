//! Calls that are expected together, and groups of such groups: [`CallGroup`].
//!
//! Invariants: no call belongs to two members. If a member has a count, it needs this number of calls. No group is nested more deeply than
//! [`MOST_DEPTH`], so recursion over a group is bounded.

use crate::SetupError;
use crate::calls::{CallExpectation, Count};
use crate::private::bounded;
use crate::sentence_parts::times;

/// The maximum depth of nested groups.
const MOST_DEPTH: usize = 32;

/// The maximum number of bytes of the description of a group in a sentence.
const SHOWN: usize = 200;

/// Calls that are expected together.
///
/// The members are calls, names of functions, or other groups. Convert members of different kinds with `into()`:
///
/// ```
/// use tool_chat::transcript::Transcript;
/// use tool_runtime::Toolbox;
/// use tool_testkit::{Expectations, any_of, calls_in_any_order, calls, calls_in_order};
///
/// let read = any_of(["read_file".into(), calls_in_order(["open_file", "read_lines"])]);
/// let expected = Expectations::new()
///     .expect(calls_in_order([calls("search").at("query", "rain").into(), calls_in_any_order([read, "get_time".into()]), "answer".into()]))
///     .build()?;
/// let report = expected.check(&Transcript::new(), &Toolbox::builder().build()?.session());
/// assert!(report.to_string().contains("Expected function 'search' to be called, but no function calls were made."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CallGroup {
    pub(super) kind: Kind,
    pub(super) others: Others,
    depth: usize,
    errors: Vec<SetupError>,
}

/// The contents of a group.
#[derive(Clone)]
pub(super) enum Kind {
    Calls(CallExpectation),
    Members(Mode, Vec<CallGroup>),
}

/// The relation of the members to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    AnyOrder,
    InOrder,
    AnyOf,
    /// Every call must match a member, but a member need not match any call.
    OnlyThese,
}

/// The treatment of calls that no member claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Others {
    Allowed,
    /// Allowed only after the last call that a member claims.
    After,
    Never,
}

impl From<CallExpectation> for CallGroup {
    fn from(calls: CallExpectation) -> Self {
        Self { kind: Kind::Calls(calls), others: Others::Allowed, depth: 0, errors: Vec::new() }
    }
}

impl From<&str> for CallGroup {
    fn from(name: &str) -> Self {
        CallExpectation::from(name).into()
    }
}

fn group<G: Into<CallGroup>>(members: impl IntoIterator<Item = G>, mode: Mode) -> CallGroup {
    let members: Vec<CallGroup> = members.into_iter().map(Into::into).collect();
    let depth = 1 + members.iter().map(|member| member.depth).max().unwrap_or(0);
    let (kind, others) = (|members| Kind::Members(mode, members), Others::Allowed);
    if depth > MOST_DEPTH {
        // The members are dropped here, so that no deeper group can exist, and even dropping a group needs a bounded stack.
        return CallGroup {
            kind: kind(Vec::new()),
            others,
            depth: 1,
            errors: vec![SetupError::GroupDepth(MOST_DEPTH)],
        };
    }
    let errors = if members.is_empty() { vec![SetupError::Empty("a group of calls")] } else { Vec::new() };
    CallGroup { kind: kind(members), others, depth, errors }
}

/// Expects all of these calls and groups, in any order. Other calls are allowed.
pub fn calls_in_any_order<G: Into<CallGroup>>(members: impl IntoIterator<Item = G>) -> CallGroup {
    group(members, Mode::AnyOrder)
}

/// Expects all of these calls and groups, in any order, and no other calls.
pub fn exactly<G: Into<CallGroup>>(members: impl IntoIterator<Item = G>) -> CallGroup {
    CallGroup { others: Others::Never, ..group(members, Mode::AnyOrder) }
}

/// Expects all of these calls and groups, in this order. Other calls may come before, between and after them.
///
/// All calls of a member come before all calls of the next one.
pub fn calls_in_order<G: Into<CallGroup>>(members: impl IntoIterator<Item = G>) -> CallGroup {
    group(members, Mode::InOrder)
}

/// Expects at least one of these alternatives.
///
/// If no alternative is met, the report shows the nearest one, and the difference:
///
/// ```
/// # use tool_chat::{conversation::Conversation, model::ScriptedModel};
/// # use tool_runtime::Toolbox;
/// use tool_testkit::{Scenario, any_of, calls_in_order};
///
/// # let toolbox = Toolbox::builder().build()?;
/// # let begin = move || Conversation::new(toolbox.session(), ScriptedModel::new().call("list_dir", "{}").text("Done."));
/// let scenario = Scenario::new(begin).prompt("Where is it?").expect(any_of(["search".into(), calls_in_order(["list_dir", "read_file"])]));
/// let error = pollster::block_on(scenario.run()).err().ok_or("the file was not read")?;
/// assert!(error.to_string().contains(
///     "None of 2 alternatives was met. The nearest is number 2 ('list_dir', then 'read_file'): \
///      Expected function 'read_file' to be called, but only these functions were called: 'list_dir'.",
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn any_of<G: Into<CallGroup>>(alternatives: impl IntoIterator<Item = G>) -> CallGroup {
    group(alternatives, Mode::AnyOf)
}

/// Expects that every call matches one of these members. Each of them may be called any number of times, or never.
pub fn only_calls<C: Into<CallExpectation>>(members: impl IntoIterator<Item = C>) -> CallGroup {
    group(members.into_iter().map(Into::into), Mode::OnlyThese)
}

impl CallGroup {
    /// Requires that these calls are the first calls of the conversation, with no other calls before or between them.
    #[must_use]
    pub fn from_the_start(mut self) -> Self {
        if matches!(self.kind, Kind::Members(Mode::OnlyThese, _)) {
            self.errors.push(SetupError::OnlyCallsFromTheStart);
        }
        self.others = self.others.max(Others::After);
        self
    }

    pub(crate) fn errors(&self) -> Vec<SetupError> {
        let mut found = Vec::new();
        self.collect(true, &mut found);
        found
    }

    /// Collects the mistakes in the group. `is_whole` is `true` if the group is at a position where it may apply to all calls of the
    /// conversation.
    fn collect(&self, is_whole: bool, found: &mut Vec<SetupError>) {
        found.extend(self.errors.iter().cloned());
        match &self.kind {
            Kind::Calls(calls) => {
                found.extend(calls.errors());
                if calls.is_related() || !matches!(calls.count, Count::OfItsOwn | Count::Times(1..)) {
                    found.push(SetupError::InGroup(calls.name().to_owned()));
                }
            }
            Kind::Members(mode, members) => {
                let name = match (mode, self.others) {
                    (Mode::OnlyThese, _) => Some("only_calls"),
                    (_, Others::Never) => Some("exactly"),
                    (_, Others::After) => Some("from_the_start"),
                    (_, Others::Allowed) => None,
                };
                found.extend(name.filter(|_| !is_whole).map(SetupError::AllCalls));
                for member in members {
                    member.collect(is_whole && *mode == Mode::AnyOf, found);
                }
                let counted = members.iter().filter(|_| *mode == Mode::OnlyThese).filter_map(Self::counted);
                found.extend(counted.map(|calls| SetupError::CountInOnlyCalls(calls.name().to_owned())));
            }
        }
    }

    /// Returns the calls of this member if they have a count.
    fn counted(&self) -> Option<&CallExpectation> {
        self.as_calls().filter(|calls| matches!(calls.count, Count::Times(1..)))
    }

    /// Returns the member as calls of one function, or `None` for a group of members.
    pub(super) const fn as_calls(&self) -> Option<&CallExpectation> {
        if let Kind::Calls(calls) = &self.kind { Some(calls) } else { None }
    }

    /// Returns the group in words: `'search', then ('read_file' or 'list_dir')`.
    pub(super) fn words(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        bounded::text(&text, SHOWN).into_owned()
    }

    fn write(&self, text: &mut String) {
        match &self.kind {
            Kind::Calls(calls) => {
                text.extend(["'", calls.name(), "'"]);
                if own(calls) > 1 {
                    text.extend([" ", &times(own(calls))]);
                }
            }
            Kind::Members(mode, members) => write_members(*mode, members, text),
        }
    }
}

fn write_members(mode: Mode, members: &[CallGroup], text: &mut String) {
    let between = match mode {
        Mode::AnyOrder => " and ",
        Mode::InOrder => ", then ",
        Mode::AnyOf | Mode::OnlyThese => " or ",
    };
    for (index, member) in members.iter().enumerate() {
        // The text is long enough, because the rest would not be shown.
        if text.len() > SHOWN {
            return;
        }
        let is_nested = members.len() > 1 && matches!(&member.kind, Kind::Members(_, inner) if inner.len() > 1);
        *text += if index > 0 { between } else { "" };
        *text += if is_nested { "(" } else { "" };
        member.write(text);
        *text += if is_nested { ")" } else { "" };
    }
}

/// Returns the description of several members in words, like [`CallGroup::words`].
pub(super) fn words_of(mode: Mode, members: &[CallGroup]) -> String {
    let mut text = String::new();
    write_members(mode, members, &mut text);
    bounded::text(&text, SHOWN).into_owned()
}

/// Returns the number of calls that a member needs.
pub(super) const fn own(calls: &CallExpectation) -> usize {
    match calls.count {
        Count::Times(times) => times,
        _ => 1,
    }
}
