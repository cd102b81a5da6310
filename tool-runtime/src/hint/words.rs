//! Paths, fields and questions as an answer shows them.
//!
//! In come paths and descriptions of any length; out go texts that are bounded and still tell which field is meant.

use super::fault::Fault;
use crate::bounded;
use crate::issue::{Path, Segment, rendered};

/// The most that one path takes; what is cut is its beginning, for the end says more.
const PATH: usize = 200;
const DESCRIPTION: usize = 120;

/// A path as an answer shows it: long keys are cut, and so is the beginning of a long path.
pub(crate) fn path_text(path: &Path) -> String {
    let is_short = |segment: &Segment| {
        matches!(segment, Segment::Index(_)) || matches!(segment, Segment::Key(key) if bounded::is_name(key))
    };
    let shorten = |segment: &Segment| match segment {
        Segment::Key(key) => Segment::Key(bounded::name(key).into()),
        Segment::Index(index) => Segment::Index(*index),
    };
    let whole = if path.segments().iter().all(is_short) {
        rendered(path)
    } else {
        path_of(path.segments().iter().map(shorten))
    };
    if bounded::text(&whole, PATH) == whole {
        return whole;
    }
    let mut end = Vec::new();
    let mut text = String::from("…");
    for segment in path.segments().iter().rev().map(shorten) {
        end.insert(0, segment);
        let longer = format!("…{}", path_of(end.iter().cloned()));
        if bounded::text(&longer, PATH) != longer {
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
pub(super) fn question(tool: &str, missing: &[&Fault<'_>]) -> Option<String> {
    let asked: Vec<_> =
        missing.iter().map(|fault| described(&path_text(&fault.issue().path), &fault.issue().description)).collect();
    let (last, others) = asked.split_last()?;
    let asked = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    Some(format!("Which {asked} should {} use?", bounded::name(tool)))
}

/// A field with its description: `location (City and country)`.
pub(crate) fn described(field: &str, description: &str) -> String {
    let description = bounded::description(description, DESCRIPTION);
    if description.is_empty() { field.to_owned() } else { format!("{field} ({description})") }
}
