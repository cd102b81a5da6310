//! Paths, fields and questions as an answer shows them.
//!
//! In come paths and descriptions of any length; out go texts that are bounded and still tell which field is meant.

use crate::bounded;
use crate::issue::{Issue, Path, Segment, rendered};

/// The most that one path takes; what is cut is its beginning, for the end says more.
const PATH: usize = 200;
const DESCRIPTION: usize = 120;

/// A path as an answer shows it: long keys are cut, and so is the beginning of a long path.
pub(crate) fn path_text(path: &Path) -> String {
    let is_short = |segment: &Segment| {
        matches!(segment, Segment::Index(_)) || matches!(segment, Segment::Key(key) if bounded::is_name(key))
    };
    let shorten = |segment: &Segment| match segment {
        Segment::Key(key) => Segment::Key(bounded::name(key).into_owned().into()),
        Segment::Index(index) => Segment::Index(*index),
    };
    let whole = if path.segments().iter().all(is_short) {
        rendered(path)
    } else {
        path_of(path.segments().iter().map(shorten))
    };
    if bounded::is_text(&whole, PATH) {
        return whole;
    }
    let mut end = Vec::new();
    let mut text = String::from("…");
    for segment in path.segments().iter().rev().map(shorten) {
        end.insert(0, segment);
        let longer = format!("…{}", path_of(end.iter().cloned()));
        if !bounded::is_text(&longer, PATH) {
            break;
        }
        text = longer;
    }
    text
}

fn path_of(segments: impl Iterator<Item = Segment>) -> String {
    segments.collect::<Path>().to_string()
}

/// Asks for everything that is missing, in one sentence.
pub(super) fn question<'i>(tool: &str, missing: impl ExactSizeIterator<Item = (&'i Issue, &'i str)>) -> Option<String> {
    let all = missing.len();
    let mut question = String::with_capacity(DESCRIPTION);
    for (index, (issue, field)) in missing.enumerate() {
        question.push_str(match index {
            0 => "Which ",
            _ if index + 1 == all => " and ",
            _ => ", ",
        });
        push_described(&mut question, field, &issue.description);
    }
    question.extend([" should ", &bounded::name(tool), " use?"]);
    (all > 0).then_some(question)
}

/// Appends a field with its description: `location (City and country)`.
pub(crate) fn push_described(out: &mut String, field: &str, description: &str) {
    out.push_str(field);
    let description = bounded::description(description, DESCRIPTION);
    if !description.is_empty() {
        out.extend([" (", &description, ")"]);
    }
}
