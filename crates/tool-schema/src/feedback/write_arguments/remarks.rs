//! Writes the text beside and after the arguments: remarks, issues without a location, and the number of issues that are not shown.
//!
//! Invariant: a line describes at most a few issues and counts the others.

use super::super::comment;
use super::super::issue_location::IssueLocation;
use super::super::issue_locations::IssueLocations;
use super::{Hand, REMARKS, Sheet};
use crate::hint::path_text;
use crate::issue::{Constraint, counted};

impl Sheet {
    /// Writes the remarks about the value on the line.
    pub(super) fn remark(&mut self, spot: &IssueLocation<'_, '_>) {
        if self.hand != Hand::Marked {
            return;
        }
        let shown: Vec<_> = spot.marks.iter().filter(|mark| mark.rank < self.detail.faults).collect();
        let (mut remarks, mut is_told): (Vec<String>, bool) = (Vec::new(), false);
        for mark in shown.iter().take(REMARKS) {
            let is_form = matches!(mark.issue.constraint, Constraint::AnyOf { .. });
            let remark = match &spot.note {
                Some(note) if is_form => note.clone(),
                _ => comment::issue_text(mark.issue, mark.renamed, None),
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

    /// Writes the issues without a location in the arguments, and the number of issues that are not shown.
    pub(super) fn closing(&mut self, spots: &IssueLocations<'_, '_>) {
        if self.hand != Hand::Marked {
            return;
        }
        let elsewhere = || spots.elsewhere.iter().filter(|mark| mark.rank < self.detail.faults);
        let lines: Vec<String> = elsewhere()
            .take(self.most)
            .map(|mark| {
                format!("\n- {}: {}", path_text(mark.issue), comment::issue_text(mark.issue, mark.renamed, None))
            })
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
            1 => self.push("\n// … and 1 more issue"),
            more => {
                let (more_than, more) = counted(spots.issues, more);
                self.push(&format!("\n// … and {more_than}{more} more issues"));
            }
        }
    }
}
