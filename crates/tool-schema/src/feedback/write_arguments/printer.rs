//! Writes lines with their indentation, commas and remarks, until the sheet is full.
//!
//! Invariant: a comma precedes the remark, nothing is written beyond the limit, and every hidden value is written as `"<redacted>"`.

use super::super::applicable_shapes::ApplicableShapes;
use super::super::comment;
use super::super::issue_location::{IssueLocation, Mend, Missing, What};
use super::{Hand, KEY, Sheet};
use crate::bounded;
use crate::issue::bounded_text_list::beginning;
use crate::issue::{REDACTED, to_escaped_text};
use crate::json::{Json, Node, write_visible};
use crate::visible;

/// A line inside an object or array.
enum SheetEntry<'s, 'r, 'j> {
    IssueLocation(usize, &'s IssueLocation<'r, 'j>),
    Plain(usize),
    Gap,
    Missing(&'s Missing<'r>),
}

impl Sheet {
    pub(super) fn push(&mut self, text: &str) {
        if self.out.len() + text.len() > self.most {
            self.full = true;
        } else {
            self.out.push_str(text);
        }
    }

    fn line(&mut self, indent: usize) {
        if self.hand == Hand::Line {
            return self.push(if self.out.ends_with(',') { " " } else { "" });
        }
        self.push("\n");
        (0..indent).for_each(|_| self.push("  "));
    }

    /// Writes a spot: its value, the comma, the remark.
    pub(super) fn spot(&mut self, spot: &IssueLocation<'_, '_>, indent: usize, comma: &str) {
        match (&spot.mend, self.hand) {
            (Mend::Put(Json { node: Node::String(text), .. }), Hand::Line) if spot.is_question() => {
                self.push(&format!("<{}, if you mean it>", bounded::truncated_name(text)));
                return self.push(comma);
            }
            (Mend::Put(value) | Mend::Rename(_, Some(value)), Hand::Corrected | Hand::Line) => {
                self.own(value, indent);
                return self.push(comma);
            }
            _ if spot.hidden => {
                self.redacted();
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

    /// Returns the lines of an object or array in order: all issues that are shown, and as many of the other parts as the detail allows.
    fn entries<'s, 'r, 'j>(&mut self, spot: &'s IssueLocation<'r, 'j>) -> Vec<SheetEntry<'s, 'r, 'j>> {
        let length = spot.json.items().len().max(spot.json.members().len());
        let mut entries = Vec::new();
        let mut from = 0;
        let most = self.detail.faults;
        let shown = spot.inside.iter().filter(|(_, inner)| inner.rank < most);
        for (position, inner) in shown {
            self.beside(&mut entries, from, *position);
            from = position + 1;
            if self.hand == Hand::Marked || !matches!(inner.mend, Mend::Remove) {
                entries.push(SheetEntry::IssueLocation(*position, inner));
            }
        }
        self.beside(&mut entries, from, length);
        let missing = spot.missing.iter().filter(|missing| missing.rank < most);
        let is_marked = self.hand == Hand::Marked;
        let wanted = missing.filter(|missing| match missing.what {
            What::Consequence => !is_marked,
            _ => is_marked || !missing.is_renamed,
        });
        entries.extend(wanted.map(SheetEntry::Missing));
        entries
    }

    fn beside(&mut self, entries: &mut Vec<SheetEntry<'_, '_, '_>>, from: usize, to: usize) {
        let length = to - from;
        if self.detail.beside == usize::MAX && length > self.most {
            // One line for each part would already be too long.
            self.full = true;
            return;
        }
        let shown = length.min(self.detail.beside);
        entries.extend((from..from + shown).map(SheetEntry::Plain));
        if shown < length {
            entries.push(SheetEntry::Gap);
        }
    }

    fn entry(&mut self, parent: &IssueLocation<'_, '_>, entry: &SheetEntry<'_, '_, '_>, indent: usize, comma: &str) {
        match entry {
            SheetEntry::Gap => self.push("…"),
            SheetEntry::IssueLocation(position, inner) => {
                match (&inner.mend, self.hand) {
                    (Mend::Rename(name, _), Hand::Corrected | Hand::Line) => self.key(name),
                    _ => self.key_at(parent, *position),
                }
                self.spot(inner, indent, comma);
            }
            SheetEntry::Plain(position) => {
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
            SheetEntry::Missing(missing) => {
                if let Some(key) = &missing.key {
                    self.key(key);
                }
                if self.hand != Hand::Marked {
                    self.own(&missing.placeholder, indent);
                    return self.push(comma);
                }
                let remark = match &missing.what {
                    What::Field(issue) => comment::issue_text(issue, None, None),
                    What::Item(expected) => format!("required: {}", bounded::sentence(&to_escaped_text(expected), 200)),
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

    fn key_at(&mut self, parent: &IssueLocation<'_, '_>, position: usize) {
        if let Some(member) = parent.json.members().get(position) {
            self.key(parent.view.key(parent.json, &member.key));
        }
    }

    fn key(&mut self, key: &str) {
        if self.detail.leaf == usize::MAX || key.len() <= KEY {
            self.string(key);
        } else {
            self.string(&bounded::truncated_name(key));
        }
        self.push(": ");
    }

    /// Writes a value without issues, or a value whose remark follows.
    fn plain(&mut self, json: &Json<'_>, view: Option<&ApplicableShapes>, indent: usize, is_deep: bool) {
        if self.full {
            return;
        }
        if view.is_some_and(|view| view.hides(json)) {
            return self.redacted();
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
                self.key(view.map_or(&*member.key, |view| view.key(json, &member.key)));
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

    /// Writes a value of ours: a correction or a placeholder.
    fn own(&mut self, json: &Json<'_>, indent: usize) {
        self.is_own = true;
        self.plain(json, None, indent, true);
        self.is_own = false;
    }

    fn redacted(&mut self) {
        if self.hand == Hand::Line { self.push(REDACTED) } else { self.string(REDACTED) }
    }

    fn text(&mut self, text: &str) {
        if self.is_own && self.hand == Hand::Line && text.starts_with('<') && text.ends_with('>') {
            return self.push(&visible::escaped(text));
        }
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
        write_visible(&mut quoted, text);
        self.push(&quoted);
    }
}
