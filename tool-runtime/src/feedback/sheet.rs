//! The arguments on paper: marked where they are faulty, or as they should be ([`Hand`]), within a number of bytes.
//!
//! In come [`Spots`]; out goes indented JSON. What does not fit gives way step by step ([`Detail`]): long texts and parts without a fault
//! first, then everything beside the faults, then the least important faults. What always holds: an attempt ends as soon as it is too
//! large, so the work does not grow with the arguments; the most important fault is never given up; cuts fall between characters.

use super::comment;
use super::spot::{Mark, Mend, Missing, Spot, Spots, What};
use super::view::View;
use crate::bounded;
use crate::hint::path_text;
use crate::issue::{REDACTED, rendered};
use crate::json::{Json, Node, write_string};

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    /// What was sent, with remarks.
    Marked,
    /// What should have been sent.
    Corrected,
}

/// How much is shown.
#[derive(Clone, Copy)]
struct Detail {
    /// The bytes of one text or number.
    leaf: usize,
    /// How many parts without a fault in a row, and whether they are shown to the bottom.
    beside: usize,
    is_deep: bool,
    /// How many faults.
    faults: usize,
}

const EVERYTHING: Detail = Detail { leaf: usize::MAX, beside: usize::MAX, is_deep: true, faults: usize::MAX };
const STEPS: [Detail; 4] = [
    EVERYTHING,
    Detail { leaf: 200, beside: 12, is_deep: false, ..EVERYTHING },
    Detail { leaf: 80, beside: 3, is_deep: false, ..EVERYTHING },
    Detail { leaf: 80, beside: 0, is_deep: false, ..EVERYTHING },
];
/// How many faults of one line are told.
const REMARKS: usize = 3;
/// The longest key that stands as it is where something had to give way.
const KEY: usize = 64;

/// Writes as much as fits.
pub(super) fn written(spots: &Spots<'_, '_>, hand: Hand, most: usize) -> String {
    for detail in STEPS {
        if let Some(text) = attempt(spots, hand, detail, most) {
            return text;
        }
    }
    // As many faults as possible: the more, the longer.
    let with = |faults| attempt(spots, hand, Detail { leaf: 60, faults, ..STEPS[3] }, most);
    let (mut fits, mut too_many, mut best) = (0, spots.faults + 1, None);
    while too_many - fits > 1 {
        let faults = usize::midpoint(fits, too_many);
        match with(faults) {
            Some(text) => (fits, best) = (faults, Some(text)),
            None => too_many = faults,
        }
    }
    best.unwrap_or_else(|| only_first(spots, hand, most))
}

fn attempt(spots: &Spots<'_, '_>, hand: Hand, detail: Detail, most: usize) -> Option<String> {
    let mut sheet = Sheet { out: String::new(), most, full: false, hand, detail };
    sheet.spot(&spots.root, 0, "");
    sheet.closing(spots);
    (!sheet.full).then_some(sheet.out)
}

/// The most important fault without what is around it: it lies so deep that the brackets alone would not fit.
fn only_first(spots: &Spots<'_, '_>, hand: Hand, most: usize) -> String {
    let mut spot = &spots.root;
    let mut found: Option<(&Mark<'_>, bool)> = None;
    loop {
        let own = spot.marks.iter().find(|mark| mark.rank == spot.rank);
        found = own.map(|mark| (mark, spot.hidden)).or(found);
        match spot.inside.iter().find(|(_, inner)| inner.rank == spot.rank) {
            Some((_, inner)) if own.is_none() => spot = inner,
            _ => break,
        }
    }
    let missing = spot.missing.iter().find(|missing| missing.rank == spot.rank);
    let text = match (found, missing) {
        _ if hand == Hand::Corrected => "…".to_owned(),
        (Some((mark, hidden)), _) => {
            let sent = if hidden { REDACTED } else { &*mark.issue.got.preview };
            let remark = comment::of(mark.issue, mark.renamed, None);
            format!("… {}: {} // ❌ {remark}", path_text(&mark.issue.path), bounded::text(sent, 60))
        }
        (None, Some(Missing { what: What::Field(issue), .. })) => {
            format!("… {}: undefined // ❌ {}", path_text(&issue.path), comment::of(issue, None, None))
        }
        _ => "…".to_owned(),
    };
    bounded::text(&text, most).into_owned()
}

struct Sheet {
    out: String,
    most: usize,
    full: bool,
    hand: Hand,
    detail: Detail,
}

/// A line inside a container.
enum Entry<'s, 'r, 'j> {
    Spot(usize, &'s Spot<'r, 'j>),
    Plain(usize),
    Gap,
    Missing(&'s Missing<'r>),
}

impl Sheet {
    fn push(&mut self, text: &str) {
        if self.out.len() + text.len() > self.most {
            self.full = true;
        } else {
            self.out.push_str(text);
        }
    }

    fn line(&mut self, indent: usize) {
        self.push("\n");
        (0..indent).for_each(|_| self.push("  "));
    }

    /// A place with faults: its value, the comma, the remark.
    fn spot(&mut self, spot: &Spot<'_, '_>, indent: usize, comma: &str) {
        match (&spot.mend, self.hand) {
            (Mend::Put(value) | Mend::Rename(_, Some(value)), Hand::Corrected) => {
                self.plain(value, None, indent, true);
                return self.push(comma);
            }
            _ if spot.hidden => {
                self.string(REDACTED);
                self.push(comma);
                return self.remark(spot);
            }
            _ => {}
        }
        let (open, close) = match &spot.json.node {
            Node::Object(_) => ("{", "}"),
            Node::Array(_) => ("[", "]"),
            _ => {
                self.plain(spot.json, Some(&spot.view), indent, false);
                self.push(comma);
                return self.remark(spot);
            }
        };
        self.push(open);
        let entries = self.entries(spot);
        if entries.is_empty() {
            self.push(close);
            self.push(comma);
            return self.remark(spot);
        }
        self.remark(spot);
        for (index, entry) in entries.iter().enumerate() {
            if self.full {
                return;
            }
            self.line(indent + 1);
            self.entry(spot, entry, indent + 1, if index + 1 < entries.len() { "," } else { "" });
        }
        self.line(indent);
        self.push(close);
        self.push(comma);
    }

    /// What stands in a container, in order: what is beside the faults as far as there is room for it.
    fn entries<'s, 'r, 'j>(&mut self, spot: &'s Spot<'r, 'j>) -> Vec<Entry<'s, 'r, 'j>> {
        let length = spot.json.items().len().max(spot.json.members().len());
        let mut entries = Vec::new();
        let mut from = 0;
        let most = self.detail.faults;
        let shown = spot.inside.iter().filter(|(_, inner)| inner.rank < most);
        for (position, inner) in shown {
            self.beside(&mut entries, from, *position);
            from = position + 1;
            if self.hand == Hand::Marked || !matches!(inner.mend, Mend::Remove) {
                entries.push(Entry::Spot(*position, inner));
            }
        }
        self.beside(&mut entries, from, length);
        let missing = spot.missing.iter().filter(|missing| missing.rank < most);
        let is_marked = self.hand == Hand::Marked;
        let wanted = missing.filter(|missing| match missing.what {
            What::Consequence => !is_marked,
            _ => is_marked || !missing.is_renamed,
        });
        entries.extend(wanted.map(Entry::Missing));
        entries
    }

    fn beside(&mut self, entries: &mut Vec<Entry<'_, '_, '_>>, from: usize, to: usize) {
        let length = to - from;
        if self.detail.beside == usize::MAX && length > self.most {
            // A line each is too much already.
            self.full = true;
            return;
        }
        let shown = length.min(self.detail.beside);
        entries.extend((from..from + shown).map(Entry::Plain));
        if shown < length {
            entries.push(Entry::Gap);
        }
    }

    fn entry(&mut self, parent: &Spot<'_, '_>, entry: &Entry<'_, '_, '_>, indent: usize, comma: &str) {
        match entry {
            Entry::Gap => self.push("…"),
            Entry::Spot(position, inner) => {
                match (&inner.mend, self.hand) {
                    (Mend::Rename(name, _), Hand::Corrected) => self.key(name),
                    _ => self.key_at(parent, *position),
                }
                self.spot(inner, indent, comma);
            }
            Entry::Plain(position) => {
                self.key_at(parent, *position);
                let (json, view) = (parent.json, &parent.view);
                match (json.members().get(*position), json.items().get(*position)) {
                    (Some(member), _) => {
                        let view = view.is_guarded().then(|| view.member(json, &member.key));
                        self.plain(&member.value, view.as_ref(), indent, self.detail.is_deep);
                    }
                    (None, Some(item)) => {
                        let view = view.is_guarded().then(|| view.item(json, *position));
                        self.plain(item, view.as_ref(), indent, self.detail.is_deep);
                    }
                    _ => {}
                }
                self.push(comma);
            }
            Entry::Missing(missing) => {
                if let Some(key) = &missing.key {
                    self.key(key);
                }
                if self.hand == Hand::Corrected {
                    self.plain(&missing.placeholder, None, indent, true);
                    return self.push(comma);
                }
                let remark = match &missing.what {
                    What::Field(issue) => comment::of(issue, None, None),
                    What::Item(expected) => format!("required: {}", bounded::sentence(&rendered(expected), 200)),
                    What::More(more) => format!("required: {more} more"),
                    What::Consequence => return,
                };
                self.push("undefined");
                self.push(comma);
                self.push(" // ❌ ");
                self.push(&remark);
            }
        }
    }

    fn key_at(&mut self, parent: &Spot<'_, '_>, position: usize) {
        if let Some(member) = parent.json.members().get(position) {
            self.key(&member.key);
        }
    }

    fn key(&mut self, key: &str) {
        if self.detail.leaf == usize::MAX || key.len() <= KEY {
            self.string(key);
        } else {
            self.string(&bounded::name(key));
        }
        self.push(": ");
    }

    /// A value without faults, or one whose remark stands behind it.
    fn plain(&mut self, json: &Json<'_>, view: Option<&View>, indent: usize, is_deep: bool) {
        if self.full {
            return;
        }
        if view.is_some_and(|view| view.hides(json)) {
            return self.string(REDACTED);
        }
        let (open, close, length) = match &json.node {
            Node::Array(items) => ("[", "]", items.len()),
            Node::Object(members) => ("{", "}", members.len()),
            Node::String(text) => return self.text(text),
            Node::Number(text) => {
                let shown = beginning(text, self.detail.leaf.min(self.most + 1));
                self.push(shown);
                return self.push(if shown.len() < text.len() { "…" } else { "" });
            }
            Node::Null => return self.push("null"),
            Node::Bool(value) => return self.push(if *value { "true" } else { "false" }),
        };
        self.push(open);
        if length > 0 && !is_deep {
            self.push("…");
        }
        for position in 0..if is_deep { length } else { 0 } {
            if self.full {
                return;
            }
            self.line(indent + 1);
            if let Some(member) = json.members().get(position) {
                self.key(&member.key);
                let view = view.filter(|view| view.is_guarded()).map(|view| view.member(json, &member.key));
                self.plain(&member.value, view.as_ref(), indent + 1, true);
            } else if let Some(item) = json.items().get(position) {
                let view = view.filter(|view| view.is_guarded()).map(|view| view.item(json, position));
                self.plain(item, view.as_ref(), indent + 1, true);
            }
            self.push(if position + 1 < length { "," } else { "" });
        }
        if length > 0 && is_deep {
            self.line(indent);
        }
        self.push(close);
    }

    fn text(&mut self, text: &str) {
        let shown = beginning(text, self.detail.leaf);
        if shown.len() == text.len() {
            return self.string(text);
        }
        self.string(&format!("{shown}…"));
    }

    fn string(&mut self, text: &str) {
        if self.out.len() + text.len() > self.most {
            self.full = true;
            return;
        }
        let mut quoted = String::with_capacity(text.len() + 2);
        write_string(&mut quoted, text);
        self.push(&quoted);
    }

    /// What is wrong with the value on the line, and what there is to know of it.
    fn remark(&mut self, spot: &Spot<'_, '_>) {
        if self.hand == Hand::Corrected {
            return;
        }
        let shown: Vec<_> = spot.marks.iter().filter(|mark| mark.rank < self.detail.faults).collect();
        let (mut remarks, mut is_told): (Vec<String>, bool) = (Vec::new(), false);
        for mark in shown.iter().take(REMARKS) {
            let is_form = matches!(mark.issue.constraint, crate::issue::Constraint::AnyOf { .. });
            let remark = match &spot.note {
                Some(note) if is_form => note.clone(),
                _ => comment::of(mark.issue, mark.renamed, None),
            };
            is_told |= is_form;
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        if shown.len() > REMARKS {
            remarks.push(format!("and {} more", shown.len() - REMARKS));
        }
        if !remarks.is_empty() {
            self.push(" // ❌ ");
            self.push(&remarks.join("; "));
        }
        if let Some(note) = spot.note.as_ref().filter(|_| !is_told) {
            self.push(if remarks.is_empty() { " // " } else { "; " });
            self.push(note);
        }
    }

    /// What has no place in the arguments, and how many faults are not shown.
    fn closing(&mut self, spots: &Spots<'_, '_>) {
        if self.hand == Hand::Corrected {
            return;
        }
        let elsewhere = || spots.elsewhere.iter().filter(|mark| mark.rank < self.detail.faults);
        let lines: Vec<String> = elsewhere()
            .take(self.most)
            .map(|mark| format!("\n- {}: {}", path_text(&mark.issue.path), comment::of(mark.issue, mark.renamed, None)))
            .collect();
        if !lines.is_empty() {
            self.push("\nElsewhere:");
        }
        for line in lines {
            if self.full {
                return;
            }
            self.push(&line);
        }
        match spots.faults.saturating_sub(self.detail.faults) {
            0 => {}
            1 => self.push("\n// … and 1 more fault"),
            more => self.push(&format!("\n// … and {more} more faults")),
        }
    }
}

/// At most so many bytes from the beginning, cut between two characters.
fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
