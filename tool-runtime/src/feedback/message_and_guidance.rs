//! The two texts of a failure: the issue (`error_message`) and the next step (`retry_guidance`).
//!
//! The text of a single issue comes from its [`Constraint`]. The guidance turns a finding ("days must be at most 14") into an instruction
//! ("with days at most 14"). Invariants: the texts are bounded; issues that are not named are counted; the model is only asked to keep
//! other arguments if it sent any.

use super::shown_issues::{ISSUE_BYTES, ShownIssue};
use crate::bounded;
use crate::failure::{Failure, Names, Row, ThrottleRule};
use crate::hint::{RetryHint, push_described};
use crate::issue::{Constraint, Issue, WriteText, counted, inside};
use crate::suggest::is_same_field;
use crate::tool_names::is_spelling_of_tool;

/// The maximum number of bytes of `error_message`.
const MESSAGE: usize = 560;
/// The maximum number of bytes of the corrections in `retry_guidance`.
const GUIDANCE: usize = 480;
const STEPS: usize = 700;
/// The maximum number of functions in the guidance for a container.
const FUNCTIONS: usize = 5;

/// Returns the message. If there are several issues, it names the first ones that fit.
pub(super) fn message(failure: &Failure, first: &[ShownIssue<'_>]) -> String {
    let tool = failure.tool_name();
    match failure.row() {
        Row::InvalidJson(_) if failure.is_cut_off() => {
            format!(
                "{tool} was not run: your answer reached its output limit, which cut off the arguments of this call."
            )
        }
        Row::ValidationError(issues) | Row::InvalidJson(issues) => {
            let mut text = String::with_capacity(MESSAGE);
            text += tool;
            text += " was not run: ";
            let mut named = 0;
            for shown in first {
                let sentence = shown.message(ISSUE_BYTES);
                // The first issue is always in the message. Another issue is added only if there is room for the count of omitted issues
                // after it.
                if named > 0 && text.len() + sentence.len() > MESSAGE - 2 * ISSUE_BYTES / 3 {
                    break;
                }
                text += if named > 0 { "; " } else { "" };
                text += &sentence;
                named += 1;
            }
            if issues.len() > named {
                let (more_than, more) = counted(issues, issues.len() - named);
                text.extend(["; and ", more_than, &more.to_string(), " more"]);
            }
            bounded::cut_joined_sentences(text, MESSAGE)
        }
        Row::ContainerInvocation { .. } => format!(
            "'{tool}' is a container function that groups related functions. It cannot be called with parameters."
        ),
        Row::ContainerNotExpanded { container } => {
            format!("'{tool}' belongs to the container '{container}', which is not expanded yet.")
        }
        Row::AmbiguousTool { candidates } => {
            let several = candidates.shown.len() + candidates.omitted;
            format!("'{tool}' fits {several} tools.")
        }
        Row::UnknownTool { .. } => format!("There is no tool '{tool}'."),
        Row::ToolRemoved { .. } => format!("{tool} is no longer available."),
        Row::ToolRejected { message, .. }
        | Row::ToolAsksForCorrection { message, .. }
        | Row::Outage { message, .. }
        | Row::Throttled { message, .. } => message.clone(),
        Row::Denied { message } => format!("{tool} was not run: {message}"),
        Row::HostInput => format!("{tool} was not run: the application did not supply what it needs."),
        Row::Deferred => format!("{tool} has not been run yet: its result is not there."),
        Row::MalformedResponse { .. } => format!("{tool} ran, but its result could not be encoded."),
        Row::EffectUnknown { .. } => {
            format!("The application stopped while {tool} was running. The call may or may not have taken effect.")
        }
        Row::Internal => format!("{tool} failed with an internal error. It may or may not have taken effect."),
        Row::InternalBefore => format!("{tool} was not run, because of an internal error."),
        Row::Cancelled => format!("{tool} was cancelled before it finished."),
    }
}

/// Returns the text about the next step.
pub(super) fn guidance(failure: &Failure, first: &[ShownIssue<'_>], hint: Option<&RetryHint>) -> String {
    let tool = failure.tool_name();
    match (failure.row(), hint) {
        (Row::ValidationError(_) | Row::ToolAsksForCorrection { .. }, Some(hint)) if !first.is_empty() => {
            let mut text = bounded::cut_joined_sentences(corrections(failure, first, hint), GUIDANCE);
            if failure.may_be_cut_off() {
                text.extend([" ", MAY_BE_CUT_OFF]);
            }
            text
        }
        (Row::ValidationError(_) | Row::ToolAsksForCorrection { .. }, _) => {
            format!("Correct the arguments and call {tool} again.")
        }
        (Row::InvalidJson(issues), _)
            if issues.iter().any(|issue| matches!(issue.constraint, Constraint::MultipleDocuments { .. })) =>
        {
            format!("{} If you mean several calls, make one call for each object.", one_object(tool))
        }
        (Row::InvalidJson(_), _) if failure.is_cut_off() => format!(
            "Call {tool} again with less text in its arguments, or send the text in parts, with several calls. The same call would be cut off \
             again."
        ),
        (Row::InvalidJson(_), _) => one_object(tool),
        (Row::ContainerInvocation { functions, .. }, _) => {
            let steps = two_calls(tool, "call the individual function you need.");
            bounded::owned_sentence(steps + &available(functions), STEPS)
        }
        (Row::ContainerNotExpanded { container }, _) => two_calls(container, &format!("call '{tool}'.")),
        (Row::AmbiguousTool { .. }, _) => "Call again under one of the names in candidates.".to_owned(),
        (Row::UnknownTool { did_you_mean, available } | Row::ToolRemoved { did_you_mean, available }, _) => {
            match (did_you_mean.shown.first(), available.shown.is_empty()) {
                (Some(name), _) if matches!(failure.row(), Row::ToolRemoved { .. }) => {
                    format!("If {name} does what you need, call it instead. Otherwise {INSTEAD}")
                }
                (Some(name), _) => format!("If you mean {name}, call it under that name. Otherwise {INSTEAD}"),
                (None, false) => format!("Call one of available_tools, or {ANSWER}"),
                (None, true) => "There are no tools; answer with what you have.".to_owned(),
            }
        }
        (Row::ToolRejected { .. } | Row::Outage { .. }, _) => {
            format!("Do not repeat this call as it is. Use other arguments, another tool, or {ANSWER}")
        }
        (Row::EffectUnknown { readers }, _) => {
            let way =
                if readers.shown.is_empty() { "Ask the user" } else { "Use one of read_only_tools, or ask the user," };
            format!("Do not repeat this call before you know whether it took effect. {way} to find out.")
        }
        (Row::Deferred, _) => "Do not repeat this call; its result comes later. Go on with what you have.".to_owned(),
        (Row::Throttled { guidance: Some(guidance), .. }, _) => guidance.to_string(),
        (Row::Throttled { rule: ThrottleRule::RunBudget, .. }, _) => {
            "Do not call any more tools. Answer with what you have.".to_owned()
        }
        (Row::Throttled { admits_others: true, .. }, _) => {
            format!("Do not repeat this call. Use another tool, other arguments, or {ANSWER}")
        }
        (Row::Denied { .. } | Row::HostInput | Row::Internal | Row::InternalBefore | Row::Throttled { .. }, _) => {
            format!("Do not repeat this call. Use another tool, or {ANSWER}")
        }
        (Row::MalformedResponse { .. }, _) => {
            "Do not repeat this call; it has run. Go on with what payload shows.".to_owned()
        }
        (Row::Cancelled, _) => "Do not call it again. Answer with what you have.".to_owned(),
    }
}

/// The advice if required arguments are missing from an answer that reached the output limit.
pub(super) const MAY_BE_CUT_OFF: &str = "Your answer reached its output limit, which may have cut off these arguments. If so, send less text, or \
                                         send it in parts, with several calls.";
const ANSWER: &str = "answer with what you have.";
const INSTEAD: &str = "use another tool or answer with what you have.";

fn one_object(tool: &str) -> String {
    format!("Call {tool} again with one complete JSON object as its arguments.")
}

fn two_calls(container: &str, second: &str) -> String {
    format!(
        "This requires TWO separate tool calls: (1) First call '{container}' with NO arguments to expand it. \
         (2) After expansion succeeds, {second}"
    )
}

/// Returns a sentence with the first functions of a container, or an empty text if no function is known.
fn available(functions: &Names) -> String {
    let all = functions.shown.len() + functions.omitted;
    let shown: Vec<_> = functions.shown.iter().take(FUNCTIONS).map(String::as_str).collect();
    match all - shown.len() {
        _ if all == 0 => String::new(),
        0 => format!(" Available functions: {}.", shown.join(", ")),
        _ => format!(" Available functions: {}, ...", shown.join(", ")),
    }
}

/// Returns, for example, `Call get_weather again with unit "celsius" and without colour. Keep the other arguments as they were.`
fn corrections(failure: &Failure, first: &[ShownIssue<'_>], hint: &RetryHint) -> String {
    let tool = failure.tool_name();
    if first
        .iter()
        .any(|ShownIssue { issue, .. }| issue.path.is_root() && matches!(issue.constraint, Constraint::Type(_)))
    {
        return one_object(tool);
    }
    for ShownIssue { issue, path, .. } in first {
        let Constraint::Wrapper { contains_all_fields: true, tool: inner, .. } = &issue.constraint else { continue };
        let call = format!("all {tool} again with only the content of {path}, at the top level.");
        return match inner.as_deref().filter(|inner| !is_spelling_of_tool(inner, tool)) {
            Some(inner) => format!("If you mean {}, call it under that name. Otherwise c{call}", bounded::name(inner)),
            None => format!("C{call}"),
        };
    }
    let mut text = String::with_capacity(GUIDANCE);
    text.extend(["Call ", tool, " again "]);
    let mut without = Vec::new();
    let mut conjunction = "with ";
    let issues = failure.issues();
    let is_shown =
        |shown: &&ShownIssue<'_>| shown.field.is_some_and(|field| !field.is_rename_of(issues, &shown.issue.path));
    for shown in first.iter().filter(is_shown) {
        let end = text.len();
        text.push_str(conjunction);
        let start = text.len();
        if push_correction(&mut text, shown, issues) {
            bounded::cut_sentence_in_place(&mut text, start, ISSUE_BYTES);
            conjunction = ", ";
            if let Constraint::Wrapper { parameter: Some(parameter), .. } = &shown.issue.constraint {
                without.push(parameter.as_str());
            }
        } else {
            text.truncate(end);
            without.push(shown.path);
        }
    }
    for (index, path) in without.into_iter().enumerate() {
        text.push_str(match (index, conjunction) {
            (0, "with ") => "without ",
            (0, _) => " and without ",
            _ => ", ",
        });
        text.push_str(path);
    }
    let is_markup = first.iter().any(|shown| inside(shown.issue).is_some());
    match (hint.omitted(), failure.has_sent() && !is_markup) {
        (0, true) => text.push_str(". Keep the other arguments as they were"),
        (0, false) => {}
        (omitted, has_sent) => {
            let (more_than, omitted) = counted(issues, omitted);
            let fields = if omitted == 1 { "field" } else { "fields" };
            let keep = if has_sent { ", and keep the other arguments as they were" } else { "" };
            text.extend([". Correct ", more_than, &omitted.to_string(), " more ", fields, " too", keep]);
        }
    }
    text.push('.');
    text
}

/// Appends the correction of an issue, worded so that it can follow "with". Appends nothing and returns `false` for a field that must be
/// removed.
fn push_correction(out: &mut String, shown: &ShownIssue<'_>, issues: &[Issue]) -> bool {
    let ShownIssue { issue, field, path, expected, .. } = shown;
    let place = if issue.path.is_root() { "arguments" } else { path };
    match (&issue.constraint, issue.suggestion.as_deref()) {
        (Constraint::Required, _) if inside(issue).is_some() => {
            let field = bounded::name(inside(issue).unwrap_or_default());
            out.extend([place, " as an argument of its own, and ", &field, " without its markup"]);
        }
        (Constraint::Required, _) if issue.description.is_empty() => push_described(out, place, expected),
        (Constraint::Required, _) => push_described(out, place, &issue.description),
        (Constraint::UnknownField { .. }, suggestion) => {
            let renamed = field.and_then(|field| field.correct_key(issues));
            let is_same = |name: &&str| issue.path.last_key().is_some_and(|key| is_same_field(key, name));
            match (renamed.or(suggestion.filter(is_same)), suggestion) {
                (Some(key), _) => out.extend([key, " in place of ", place]),
                (None, Some(key)) => out.extend([key, " in place of ", place, " if you mean it"]),
                (None, None) => return false,
            }
        }
        (Constraint::Wrapper { .. }, _) => out.extend(["the content of ", place, " at the top level"]),
        (Constraint::RepeatedField { other_name: Some(_) }, _) => return false,
        (Constraint::Discriminator { is_key: true, .. }, Some(name)) => out.extend([place, " named \"", name, "\""]),
        (Constraint::Enum(_) | Constraint::Discriminator { .. }, Some(value)) => {
            out.extend([place, " \"", value, "\""]);
            if !issue.suggestion_is_certain() {
                out.push_str(" if you mean it");
            }
        }
        (Constraint::UniqueItems { .. }, _) => out.extend([place, " having unique items"]),
        (constraint, _) => {
            out.extend([place, " "]);
            let start = out.len();
            constraint.write(out);
            if matches!(constraint, Constraint::Enum(_) | Constraint::Values(_)) && issue.expected.facts().nullable {
                out.push_str(" or null");
            }
            let participles = [("must be ", ""), ("must have ", "having "), ("must match ", "matching ")];
            match participles.into_iter().find(|(finding, _)| out[start..].starts_with(finding)) {
                Some((finding, participle)) => out.replace_range(start..start + finding.len(), participle),
                None => out.replace_range(start.., "corrected"),
            }
        }
    }
    true
}
