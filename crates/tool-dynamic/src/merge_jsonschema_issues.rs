//! Combination of the issues of the checker with the findings of `jsonschema`.
//!
//! Invariants: an issue of the checker is kept if `jsonschema` confirms it, by a finding at the same location or by a broad finding about a
//! value that contains this location. A finding is added if the checker reported no issue of the same kind at the same location. So nothing
//! is reported twice, and no real issue is missing.

use std::collections::HashSet;

use tool_runtime::Issue;
use tool_runtime::tool_schema::issue::{Constraint, Issues, MAX_ISSUES, Segment};
use tool_runtime::tool_schema::json::Json;

use super::compiled::Inner;
use super::jsonschema_error::{Finding, Words};

/// Combines the issues of the checker (`ignore_echoes_of`) with the findings.
pub(super) fn combine(
    schema: &Inner,
    json: &Json<'_>,
    seen: Issues,
    findings: Vec<Finding>,
    words: &mut Words<'_>,
) -> Issues {
    let exact: HashSet<&[Segment]> = findings.iter().map(|finding| finding.path.segments()).collect();
    let broad: HashSet<&[Segment]> =
        findings.iter().filter(|finding| finding.is_broad).map(|finding| finding.path.segments()).collect();
    let is_confirmed = |issue: &Issue| {
        let path = issue.path.segments();
        exact.contains(path) || !broad.is_empty() && (0..=path.len()).any(|length| broad.contains(&path[..length]))
    };
    let mut issues: Issues = seen.into_iter().filter(is_confirmed).collect();
    let kept = issues.len();
    let added = {
        let mut around = HashSet::new();
        for issue in &issues {
            let path = issue.path.segments();
            around.extend((0..=path.len()).map(|length| &path[..length]));
        }
        let said: HashSet<(&[Segment], &str)> =
            issues.iter().map(|issue| (issue.path.segments(), issue.constraint.code())).collect();
        // If a value has the wrong type, only that is reported: it violates other keywords because of its type.
        let types = findings.iter().filter(|finding| matches!(finding.constraint, Constraint::Type(_)));
        let wrong: HashSet<&[Segment]> = types.map(|finding| finding.path.segments()).collect();
        let is_new = |finding: &Finding| {
            let path = finding.path.segments();
            let is_said = said.contains(&(path, finding.constraint.code())) || said.contains(&(path, "INVALID_TYPE"));
            let is_type = matches!(finding.constraint, Constraint::Type(_));
            let follows = wrong.contains(path) && !is_type;
            let is_detailed =
                finding.is_broad && around.contains(path) && schema.read.expressed.contains(&finding.keyword);
            !is_said && !follows && !is_detailed
        };
        findings.iter().map(is_new).collect::<Vec<_>>()
    };
    let new = findings.into_iter().zip(added).filter_map(|(finding, is_new)| is_new.then_some(finding));
    let mut unique = HashSet::new();
    for finding in new {
        if issues.len() > MAX_ISSUES {
            break;
        }
        if unique.insert((finding.path.clone(), finding.constraint.keyword(), finding.constraint.to_string())) {
            issues.push(words.issue(finding, json));
        }
    }
    debug_assert!(kept <= issues.len());
    issues
}
