//! All issues of a call at their locations in the arguments: [`IssueLocations`].

use super::applicable_shapes::ApplicableShapes;
use super::issue_location::{IssueLocation, Mark, marks_by_rank, spot};
use super::variant_note;
use crate::issue::Issue;
use crate::json::Json;
use crate::shape::Shape;

/// The arguments with all their issues.
pub(super) struct IssueLocations<'r, 'j> {
    pub(super) root: IssueLocation<'r, 'j>,
    /// Issues that have no location in the arguments.
    pub(super) elsewhere: Vec<Mark<'r>>,
    /// The number of faulty fields.
    pub(super) faults: usize,
    pub(super) issues: &'r [Issue],
}

impl<'r, 'j> IssueLocations<'r, 'j> {
    pub(super) fn new(shape: &Shape, json: &'r Json<'j>, issues: &'r [Issue]) -> Self {
        let marks = marks_by_rank(issues);
        let faults = marks.iter().map(|mark| mark.rank + 1).max().unwrap_or(0);
        let mut elsewhere = Vec::new();
        let mut root = spot(json, ApplicableShapes::root(shape), marks, 0, &mut elsewhere);
        root.note_unions(&mut { variant_note::NOTES });
        Self { root, elsewhere, faults, issues }
    }
}
