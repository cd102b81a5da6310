//! Renders a rejection as prose: each issue with its correction, and the corrected arguments ([`markdown`], see `docs/wire.md`).
//!
//! Invariant: the text has at most 4,096 bytes. Issues are ordered by importance, those that are not shown are counted, and values that
//! only the model can know are `<placeholders>`.

use std::fmt::Write;

use super::annotated_arguments::BUDGET;
use super::issue_location::{IssueLocation, Mark, Mend, What, marks_by_rank};
use super::issue_locations::IssueLocations;
use super::write_arguments::{Hand, written};
use super::{comment, syntax_error_excerpt};
use crate::bounded;
use crate::hint::path_text;
use crate::issue::{Constraint, Issue, REDACTED, counted, to_escaped_text};
use crate::json::{Json, Node};
use crate::shape::{Shape, Text};

/// The maximum number of issues shown one by one.
const FAULTS: usize = 5;
/// The maximum number of bytes for each part of an issue.
const PART: usize = 240;
/// The maximum number of bytes of a shown value, and of a field's description.
const RECEIVED: usize = 120;
/// The number of bytes reserved for the line that counts the other issues.
const REST: usize = 40;
/// The texts around the corrected arguments.
const HEADING: &str = "\n**Corrected parameters**:\n```json\n";
const CALL: &str = "Call";
const FILL_IN: &str = "Replace each `<…>` with a value. Then call";
const SEND_AGAIN: &str = "Replace each `<…>` with a value, `<redacted>` with the value that you sent. Then call";

/// Renders a rejected call as markdown: each issue in turn, then the corrected arguments.
///
/// `tool` is the name of the tool, and `issues` are the findings of [`check`](crate::check::check). The result has at most 4,096 bytes. The
/// corrected arguments contain every certain correction (a rename, the nearest value of an enum, a repaired value) and a `<placeholder>`
/// for each value that only the model can know. They are valid JSON, unless parts had to be omitted.
///
/// ```
/// use tool_schema::{ToolInput, check::check, feedback::markdown, json::Json};
///
/// let sent = Json::parse("300")?;
/// let text = markdown("dim", u8::SHAPE, &sent, &check(u8::SHAPE, &sent));
/// assert!(text.starts_with("**dim was not run.** 1 issue in its arguments:\n"));
/// assert!(text.contains("- **Expected**: integer from 0 to 255\n"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
pub fn markdown(tool: &str, shape: &Shape, json: &Json<'_>, issues: &[Issue]) -> String {
    markdown_within(tool, shape, json, issues, BUDGET)
}

/// Renders [`markdown`] in at most `most` bytes.
pub fn markdown_within(tool: &str, shape: &Shape, json: &Json<'_>, issues: &[Issue], most: usize) -> String {
    let spots = IssueLocations::new(shape, json, issues);
    let tool = bounded::name(tool);
    let problems = match counted(issues, spots.faults) {
        (_, 1) => "1 issue".to_owned(),
        ("", number) => format!("{number} issues"),
        (_, number) => format!("More than {number} issues"),
    };
    let mut text = format!("**{tool} was not run.** {problems} in its arguments:\n");
    // A share of the space is reserved for the corrected arguments, which also get the space that the issues do not use.
    let reserved = most * 2 / 5;
    let marks = marks_by_rank(issues);
    let mut told = 0;
    for rank in 0..spots.faults.min(FAULTS) {
        let of_fault: Vec<_> = marks.iter().filter(|mark| mark.rank == rank).collect();
        let Some(first) = of_fault.first() else { break };
        let one = fault(rank + 1, first, &of_fault, &spots);
        if rank > 0 && text.len() + one.len() + REST > most - reserved {
            break;
        }
        text += &one;
        told = rank + 1;
    }
    // Writing to a `String` cannot fail.
    let _ = match spots.faults - told {
        0 => Ok(()),
        1 => writeln!(text, "\n… and 1 more issue."),
        more => {
            let (more_than, more) = counted(issues, more);
            writeln!(text, "\n… and {more_than}{more} more issues.")
        }
    };
    // The sent arguments without the issues would be wrong: they contain the wrapper, or the markup of a parameter.
    if issues.iter().any(|issue| matches!(issue.constraint, Constraint::Wrapper { .. }) || issue.inside.is_some()) {
        return text + "\nCorrect this, then call " + &tool + " again.";
    }
    let corrected = corrected(&spots, &tool, most.saturating_sub(text.len()));
    text + &corrected
}

/// Renders a call whose arguments are not valid JSON as markdown, without corrected arguments.
pub fn markdown_of_invalid_json(tool: &str, shape: &Shape, text: &str, issues: &[Issue]) -> String {
    let Some(issue) = issues.first() else { return String::new() };
    let problem = to_escaped_text(issue);
    let expected = comment::expectation(issue);
    format!(
        "**{tool} was not run.** Its arguments are not valid JSON:\n\n- **Issue**: {}\n- **Expected**: {expected}\n\
         - **Received**:\n{}\n- **Fix**: call {tool} again with one complete JSON object as its arguments",
        bounded::sentence(&problem, PART),
        syntax_error_excerpt::fenced(shape, text, issues),
    )
}

fn corrected(spots: &IssueLocations<'_, '_>, tool: &str, most: usize) -> String {
    let around = |block: &str, call: &str| format!("{HEADING}{block}\n```\n{call} {tool} again.");
    let block = written(spots, Hand::Corrected, most.saturating_sub(around("", SEND_AGAIN).len()));
    let call = match (block.contains("\"<"), block.contains(REDACTED)) {
        (_, true) => SEND_AGAIN,
        (true, false) => FILL_IN,
        (false, false) => CALL,
    };
    around(&block, call)
}

/// Renders one issue with all facts about its field.
fn fault(number: usize, first: &Mark<'_>, of_fault: &[&Mark<'_>], spots: &IssueLocations<'_, '_>) -> String {
    let issue = first.issue;
    let found = find(&spots.root, issue);
    let mut text = format!("\n{number}. {}\n", code(&path_text(issue)));
    let mut part = |name: &str, words: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "   - **{name}**: {words}");
    };
    let own: Vec<_> = of_fault.iter().filter(|mark| mark.issue.path == issue.path).collect();
    let mut problem = own.iter().take(3).map(|mark| to_escaped_text(mark.issue)).collect::<Vec<_>>().join("; ");
    if let Some(note) = found.as_ref().and_then(|found| found.note) {
        problem = if note.starts_with('`') { note.to_owned() } else { format!("{} must be {note}", path_text(issue)) };
    }
    part("Issue", &bounded::sentence(&problem, PART));
    part("Expected", &expected(issue));
    part("Received", &received(issue));
    part("Fix", &bounded::sentence(&fix(first, found.as_ref()), PART));
    text
}

fn expected(issue: &Issue) -> String {
    let words = match &issue.constraint {
        Constraint::UnknownField { allowed } if !allowed.is_empty() => known(allowed),
        Constraint::UnknownField { .. } => "no such field".to_owned(),
        Constraint::AnyOf { variants } => comment::forms(variants.iter().map(|variant| &**variant), None),
        _ => comment::expectation(issue),
    };
    let description = bounded::description(&issue.description, RECEIVED);
    let words = bounded::sentence(&words, PART);
    if description.is_empty() { words.into_owned() } else { format!("{words} — {description}") }
}

fn known(allowed: &[Text]) -> String {
    let shown: Vec<_> = allowed.iter().take(10).map(|name| code(&bounded::name(name))).collect();
    let more = if allowed.len() > 10 { format!(" … and {} more", allowed.len() - 10) } else { String::new() };
    format!("one of the fields {}{more}", shown.join(", "))
}

fn received(issue: &Issue) -> String {
    let got = &issue.got;
    match got.json_type {
        None => "nothing".to_owned(),
        Some(_) => code(&bounded::text(got.json.as_deref().unwrap_or(&got.preview), RECEIVED)),
    }
}

/// Returns the instruction that corrects an issue, such as `add "city"`.
fn fix(mark: &Mark<'_>, found: Option<&IssueNote<'_>>) -> String {
    let issue = mark.issue;
    let key = code(&issue.path.last_key().map_or_else(|| path_text(issue), |key| bounded::name(key).into_owned()));
    let example =
        issue.expected.example.as_ref().map(|example| format!(", for example {}", code(&bounded::text(example, 80))));
    let example = example.unwrap_or_default();
    match (&issue.constraint, found.map(|found| found.mend)) {
        (Constraint::Wrapper { contains_all_fields: true, .. }, _) => {
            format!("send only the content of {key}, at the top level")
        }
        (Constraint::Wrapper { contains_all_fields: false, .. }, _) => {
            format!("move the content of {key} to the top level")
        }
        (_, Some(Some(Mend::Rename(name, _)))) => format!("rename {key} to {}", code(&bounded::name(name))),
        (Constraint::RepeatedField { other_name: None }, _) => format!("send {key} only once"),
        (Constraint::UnknownField { .. }, Some(Some(Mend::Remove))) if issue.suggestion.is_some() => {
            let name = bounded::name(issue.suggestion.as_deref().unwrap_or_default());
            format!("leave {key} out, or rename it to {} if you mean it", code(&name))
        }
        (_, Some(Some(Mend::Remove))) => format!("leave {key} out"),
        (Constraint::Required, _) => format!("add {key}{example}"),
        (Constraint::MinItems(_) | Constraint::MinProperties(_), _) => {
            to_escaped_text(&issue.constraint).replacen("must have", "send", 1)
        }
        (Constraint::UniqueItems { second, .. }, _) => {
            format!("send another item in place of [{second}], or leave it out")
        }
        (_, Some(Some(Mend::Put(value)))) if !is_placeholder(value) => {
            let condition =
                if issue.suggestion.is_some() && !issue.suggestion_is_certain() { " if you mean it" } else { "" };
            format!("send {}{condition}", code(&bounded::json(value, RECEIVED)))
        }
        (Constraint::Custom(_), _) => {
            let finding = to_escaped_text(&issue.constraint);
            let it = if finding.starts_with("must") { " it" } else { "" };
            format!("change {key}:{it} {finding}{example}")
        }
        _ => format!("send {}{example}", with_article(&comment::expectation(issue))),
    }
}

fn is_placeholder(value: &Json<'_>) -> bool {
    match &value.node {
        Node::String(text) => text.starts_with('<') && text.ends_with('>'),
        _ => value.parts().any(is_placeholder),
    }
}

fn with_article(words: &str) -> String {
    let is_list =
        ["one of", "any ", "null", "another", "nothing", "named", "must "].iter().any(|start| words.starts_with(start));
    match words.as_bytes() {
        _ if is_list || words.starts_with('"') => words.to_owned(),
        [b'a' | b'e' | b'i' | b'o' | b'I' | b'A' | b'E' | b'O', ..] => format!("an {words}"),
        _ => format!("a {words}"),
    }
}

/// The information about an issue in the tree of [`IssueLocation`]s.
struct IssueNote<'s> {
    mend: Option<&'s Mend>,
    note: Option<&'s str>,
}

/// Finds the correction of an issue in the tree of [`IssueLocation`]s, and the note about the union in which the issue occurred.
fn find<'s>(root: &'s IssueLocation<'_, '_>, issue: &Issue) -> Option<IssueNote<'s>> {
    let (mut spot, mut note) = (root, None);
    loop {
        let is_it = |other: &Issue| std::ptr::eq(other, issue);
        if spot.marks.iter().any(|mark| is_it(mark.issue)) {
            // A note on the forms of a union is about the value itself; a note on a tag is about the fields of the variant.
            let is_union = matches!(issue.constraint, Constraint::AnyOf { .. });
            let is_unknown = matches!(issue.constraint, Constraint::UnknownField { .. });
            let own = spot.note.as_deref().filter(|_| is_union);
            return Some(IssueNote { mend: Some(&spot.mend), note: own.or(note.filter(|_| is_unknown)) });
        }
        let of_tag = spot.note.as_deref().filter(|note| note.starts_with('`'));
        if spot.missing.iter().any(|missing| matches!(missing.what, What::Field(other) if is_it(other))) {
            return Some(IssueNote { mend: None, note: of_tag.or(note) });
        }
        note = of_tag;
        let depth_of = |inner: &IssueLocation<'_, '_>| contains(inner, issue);
        spot = &spot.inside.iter().find(|(_, inner)| depth_of(inner))?.1;
    }
}

/// Returns `true` if an issue is listed at a spot or inside it. The search visits every inner spot, but only a few issues need it.
fn contains(spot: &IssueLocation<'_, '_>, issue: &Issue) -> bool {
    let is_it = |other: &Issue| std::ptr::eq(other, issue);
    spot.marks.iter().any(|mark| is_it(mark.issue))
        || spot.missing.iter().any(|missing| matches!(missing.what, What::Field(other) if is_it(other)))
        || spot.inside.iter().any(|(_, inner)| contains(inner, issue))
}

/// Returns a text as a Markdown code span. The text may contain backticks.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::decode;
    use crate::input::ToolInput;
    use crate::issue::ValidationError;

    /// A shorter fence would be closed by the first fence inside the text.
    #[test]
    fn a_text_with_fences_gets_a_longer_fence() {
        for (inside, fence) in [("`", "```"), ("```", "````"), ("`````", "``````")] {
            let text = format!("{{\"a\": {inside}}}");
            let rejected = decode::<std::collections::BTreeMap<String, u8>>(&text.as_str().into());
            let issues = rejected.map_or_else(ValidationError::into_issues, |_| Vec::new());
            let told = markdown_of_invalid_json("dim", u8::SHAPE, &text, &issues);
            let fences: Vec<_> = told.lines().filter(|line| line.starts_with("```")).collect();
            assert_eq!(fences, [format!("{fence}text"), fence.to_owned()], "{told}");
            assert!(told.contains(&format!("\n{{\"a\": ❌{inside}}}\n")), "{told}");
        }
    }
}
