//! Planned changes of a value: [`Mending`]. The search for them does not change the value, so that several interpretations can be compared.
//!
//! Applying a plan gives the repaired value, and one line in the ledger for each change. Invariant: each step is relative to the result of
//! the steps before it, so the lines can be replayed in order; no line contains a secret.

use std::rc::Rc;

use crate::issue::{Path, Segment};
use crate::json::{Json, Member, Node};
use crate::repair::{Repair, RepairRule};
use crate::shape::Text;

/// The planned changes of one value.
#[derive(Default)]
pub(super) struct Mending<'a> {
    /// The interpretations of the value itself, in order. Each interprets the result of the one before it.
    pub(super) readings: Vec<Reading<'a>>,
    /// The edits of the value's items or members, each with the position of the item or member.
    pub(super) inside: Vec<(usize, Edit<'a>)>,
    /// `true` if the value's keys are data that must not be shown.
    pub(super) hides_keys: bool,
    /// `true` if the value was parsed from a text and contains a number that decoding would round.
    pub(super) is_rounded: bool,
}

/// One interpretation of a value.
#[derive(Clone)]
pub(super) struct Reading<'a> {
    pub(super) rule: RepairRule,
    pub(super) json: Json<'a>,
    pub(super) is_secret: bool,
}

/// The change of an item or a member.
#[derive(Clone)]
pub(super) enum Edit<'a> {
    Value(Rc<Mending<'a>>),
    /// The member is removed.
    LeaveOut {
        is_secret: bool,
    },
    /// The member gets another key.
    Rename {
        to: Text,
        then: Option<Rc<Mending<'a>>>,
        is_secret: bool,
    },
}

impl<'a> Mending<'a> {
    /// Creates a plan with one interpretation of the value itself.
    pub(super) fn reading(rule: RepairRule, json: Json<'a>, is_secret: bool) -> Self {
        Self { readings: vec![Reading { rule, json, is_secret }], ..Self::default() }
    }

    /// Creates a plan with changes inside the value, or `None` if there are none.
    pub(super) fn inside(inside: Vec<(usize, Edit<'a>)>) -> Option<Self> {
        (!inside.is_empty()).then(|| Self { inside, ..Self::default() })
    }

    /// Creates a plan for a text with a number that decoding would round, so that neither the text nor the number is converted.
    pub(super) fn rounding() -> Self {
        Self { is_rounded: true, ..Self::default() }
    }

    /// Returns `true` if decoding would round a number in the value.
    pub(super) fn rounds(&self) -> bool {
        self.is_rounded
            || self.inside.iter().any(|(_, edit)| match edit {
                Edit::Value(inner) | Edit::Rename { then: Some(inner), .. } => inner.rounds(),
                Edit::LeaveOut { .. } | Edit::Rename { then: None, .. } => false,
            })
    }

    /// Returns the number of repairs, not counting those of inner values.
    pub(super) fn repairs(&self) -> usize {
        let own = |(_, edit): &&(usize, Edit<'a>)| !matches!(edit, Edit::Value(_));
        self.readings.len() + self.inside.iter().filter(own).count()
    }

    /// Returns the number of repairs, including those of inner values.
    pub(super) fn all_repairs(&self) -> usize {
        let inner = |(_, edit): &(usize, Edit<'a>)| match edit {
            Edit::Value(inner) | Edit::Rename { then: Some(inner), .. } => inner.all_repairs(),
            Edit::Rename { then: None, .. } | Edit::LeaveOut { .. } => 0,
        };
        self.repairs() + self.inside.iter().map(inner).sum::<usize>()
    }

    /// Returns `true` if the value becomes the only item of an array.
    pub(super) fn has_wrapped(&self) -> bool {
        self.readings.iter().any(|reading| reading.rule == RepairRule::SingleItem)
    }

    /// Adds the changes that were found for the value as it is interpreted so far.
    pub(super) fn take_over(&mut self, found: &Self) {
        self.readings.extend(found.readings.iter().cloned());
        self.inside.extend(found.inside.iter().cloned());
        self.hides_keys |= found.hides_keys;
    }

    /// Returns the changed value.
    pub(super) fn apply(&self, json: Json<'a>) -> Json<'a> {
        Ledger { lines: None, steps: Vec::new() }.settle(json, self)
    }

    /// Returns the changed value, and the lines of the ledger.
    pub(super) fn settle(&self, json: Json<'a>) -> (Json<'a>, Vec<Repair>) {
        let mut ledger = Ledger { lines: Some(Vec::new()), steps: Vec::new() };
        let json = ledger.settle(json, self);
        (json, ledger.lines.unwrap_or_default())
    }
}

/// A ledger under construction: its lines (`None` if only the value is wanted), and the path for the next line.
struct Ledger {
    lines: Option<Vec<Repair>>,
    steps: Vec<Segment>,
}

impl Ledger {
    fn settle<'a>(&mut self, mut json: Json<'a>, mending: &Mending<'a>) -> Json<'a> {
        for Reading { rule, json: next, is_secret } in &mending.readings {
            self.line(|path| match rule {
                _ if *is_secret => Repair::hidden(path, *rule),
                RepairRule::EnumSpelling => Repair::respelt(path, &json, next),
                _ => Repair::of_value(path, *rule, &json, next),
            });
            json = next.clone();
        }
        match &mut json.node {
            Node::Array(items) => {
                for (index, edit) in &mending.inside {
                    if let (Edit::Value(inner), Some(item)) = (edit, items.get_mut(*index)) {
                        self.steps.push(Segment::Index(*index));
                        *item = self.settle(take(item), inner);
                        self.steps.pop();
                    }
                }
            }
            Node::Object(members) => self.members(members, mending),
            _ => {}
        }
        json
    }

    fn members<'a>(&mut self, members: &mut Vec<Member<'a>>, mending: &Mending<'a>) {
        let mut left_out = Vec::new();
        for (index, edit) in &mending.inside {
            let Some(member) = members.get_mut(*index) else { continue };
            let is_hidden = mending.hides_keys || matches!(edit, Edit::Rename { is_secret: true, .. });
            self.enter(&member.key, is_hidden);
            let inner = match edit {
                Edit::Value(inner) => Some(inner),
                Edit::LeaveOut { is_secret } => {
                    self.line(|path| Repair::left_out(path, &member.value, *is_secret));
                    left_out.push(*index);
                    None
                }
                Edit::Rename { to, then, .. } => {
                    self.line(|path| Repair::renamed(path, &member.key, to, is_hidden));
                    member.key = to.to_string().into();
                    self.steps.pop();
                    self.enter(&member.key, mending.hides_keys);
                    then.as_ref()
                }
            };
            if let Some(inner) = inner {
                member.value = self.settle(take(&mut member.value), inner);
            }
            self.steps.pop();
        }
        left_out.sort_unstable();
        let mut index = 0;
        members.retain(|_| {
            index += 1;
            left_out.binary_search(&(index - 1)).is_err()
        });
    }

    fn enter(&mut self, key: &str, is_hidden: bool) {
        // Keys are only copied if a line needs the path.
        let key = if is_hidden { crate::issue::REDACTED } else { key };
        let key = if self.lines.is_some() { Text::from(key.to_owned()) } else { Text::EMPTY };
        self.steps.push(Segment::Key(key));
    }

    fn line(&mut self, line: impl FnOnce(Path) -> Repair) {
        if let Some(lines) = &mut self.lines {
            lines.push(line(self.steps.iter().cloned().collect()));
        }
    }
}

fn take<'a>(json: &mut Json<'a>) -> Json<'a> {
    std::mem::replace(json, Json::from_node(Node::Null))
}
