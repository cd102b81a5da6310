//! What is to become of a value: [`Mending`], found without touching the value, so that several readings of it can be compared.
//!
//! In comes a value; out goes the value as it is read, and a line of the ledger for each change. What always holds: a step is relative
//! to what the steps before it made, so the lines can be replayed in their order; nothing that is secret is in a line.

use std::rc::Rc;

use crate::issue::{Path, Segment};
use crate::json::{Json, Member, Node};
use crate::repair::{Repair, RepairRule};
use crate::shape::Text;

/// What is to become of one value; where nothing is, there is none.
#[derive(Default)]
pub(super) struct Mending<'a> {
    /// What the value itself is read as, one after the other.
    pub(super) readings: Vec<Reading<'a>>,
    /// What then becomes of its items or members, by their position.
    pub(super) inside: Vec<(usize, Edit<'a>)>,
    /// Whether its keys are data that nobody may read.
    pub(super) hides_keys: bool,
    /// Whether it is a number that was read out of a text, and that decoding would round.
    pub(super) is_rounded: bool,
}

/// One reading of a value.
#[derive(Clone)]
pub(super) struct Reading<'a> {
    pub(super) rule: RepairRule,
    pub(super) json: Json<'a>,
    pub(super) is_secret: bool,
}

/// What becomes of an item or a member.
#[derive(Clone)]
pub(super) enum Edit<'a> {
    Value(Rc<Mending<'a>>),
    /// The member is left out.
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
    /// Another reading of the value itself.
    pub(super) fn reading(rule: RepairRule, json: Json<'a>, is_secret: bool) -> Self {
        Self { readings: vec![Reading { rule, json, is_secret }], ..Self::default() }
    }

    /// Changes inside the value; nothing where there are none.
    pub(super) fn inside(inside: Vec<(usize, Edit<'a>)>) -> Option<Self> {
        (!inside.is_empty()).then(|| Self { inside, ..Self::default() })
    }

    /// A number out of a text that decoding would round: no reading, and the text that holds it is none either.
    pub(super) fn rounding() -> Self {
        Self { is_rounded: true, ..Self::default() }
    }

    /// Whether a number of it would be rounded.
    pub(super) fn rounds(&self) -> bool {
        self.is_rounded
            || self.inside.iter().any(|(_, edit)| match edit {
                Edit::Value(inner) | Edit::Rename { then: Some(inner), .. } => inner.rounds(),
                Edit::LeaveOut { .. } | Edit::Rename { then: None, .. } => false,
            })
    }

    /// How many repairs it makes, without those of values inside.
    pub(super) fn repairs(&self) -> usize {
        let own = |(_, edit): &&(usize, Edit<'a>)| !matches!(edit, Edit::Value(_));
        self.readings.len() + self.inside.iter().filter(own).count()
    }

    /// How many repairs it makes, those of values inside included.
    pub(super) fn all_repairs(&self) -> usize {
        let inner = |(_, edit): &(usize, Edit<'a>)| match edit {
            Edit::Value(inner) | Edit::Rename { then: Some(inner), .. } => inner.all_repairs(),
            Edit::Rename { then: None, .. } | Edit::LeaveOut { .. } => 0,
        };
        self.repairs() + self.inside.iter().map(inner).sum::<usize>()
    }

    /// Whether the value is read as the one item of an array.
    pub(super) fn has_wrapped(&self) -> bool {
        self.readings.iter().any(|reading| reading.rule == RepairRule::SingleItem)
    }

    /// What was found for the value as it is read here.
    pub(super) fn take_over(&mut self, found: &Self) {
        self.readings.extend(found.readings.iter().cloned());
        self.inside.extend(found.inside.iter().cloned());
        self.hides_keys |= found.hides_keys;
    }

    /// The value as it is read.
    pub(super) fn apply(&self, json: Json<'a>) -> Json<'a> {
        Ledger { lines: None, steps: Vec::new() }.settle(json, self)
    }

    /// The value as it is read, and the lines of the ledger.
    pub(super) fn settle(&self, json: Json<'a>) -> (Json<'a>, Vec<Repair>) {
        let mut ledger = Ledger { lines: Some(Vec::new()), steps: Vec::new() };
        let json = ledger.settle(json, self);
        (json, ledger.lines.unwrap_or_default())
    }
}

/// The lines so far, if anybody wants them, and the way to where the next one is about.
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
        // Paths are made for lines only.
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
    std::mem::replace(json, Json::new(Node::Null))
}
