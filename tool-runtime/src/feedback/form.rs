//! The form of a rejection for the model: [`FeedbackForm`].
//!
//! Failures that are not about arguments are always JSON. Each text has at most 4,096 bytes.

use crate::private::feedback::parts::{BUDGET, corrected_call, fenced, markdown_of_invalid_json, markdown_within};

use super::message_and_guidance::MAY_BE_CUT_OFF;
use super::shown_issues::UnknownValues;
use crate::failure::{EscalatedMessage, Failure};
use crate::input::Arguments;
use crate::json::Json;
use crate::shape::Shape;

/// The format in which a model reads the issues of its arguments.
///
/// For other failures (an unknown tool, a throttled call, an error of the tool), the model always reads JSON.
///
/// ```
/// use tool_runtime::{Toolbox, toolbox::FeedbackForm, tool};
///
/// /// Dims the lights.
/// #[tool]
/// fn dim(
///     /// How bright they shall be, in percent.
///     #[tool(range(max = 100))]
///     level: u8,
/// ) -> String {
///     format!("{level} %")
/// }
///
/// let session = Toolbox::builder().tool(DimTool).feedback(FeedbackForm::Sentences).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "dim", r#"{"level": 140}"#));
/// assert_eq!(
///     outcome.to_text(),
///     r#"dim was not run: level must be at most 100.
/// Send this call, with a value in place of each <…>:
/// {"name": "dim", "arguments": {"level": <integer from 0 to 100>}}"#,
/// );
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeedbackForm {
    /// JSON with a member for every fact, and a retry hint.
    Json,
    /// Each issue with its expectation and correction, then the corrected arguments: [`markdown`](tool_schema::feedback::markdown()).
    Markdown,
    #[default]
    /// A sentence with the issues, and the corrected call on one line.
    Sentences,
}

impl Failure {
    /// Returns the text for the model. For a call of a session whose arguments were rejected, it has the [`FeedbackForm`] of the toolbox. For every
    /// other failure, it is [`to_json`](Failure::to_json).
    pub fn to_text(&self) -> String {
        self.text_in_form().map_or_else(|| self.to_json(), str::to_owned)
    }
}

/// Returns the text of a rejection in the given form, or `None` if the model reads JSON.
pub fn render_rejection(
    form: FeedbackForm,
    failure: &Failure,
    shape: &Shape,
    arguments: &Arguments<'_>,
    tree: Option<&Json<'_>>,
) -> Option<String> {
    if form == FeedbackForm::Json || !failure.is_about_arguments() {
        return None;
    }
    let (tool, issues) = (failure.tool_name(), failure.issues());
    let remark = failure.may_be_cut_off().then_some(MAY_BE_CUT_OFF);
    let added = || remark.into_iter().chain(failure.escalation().map(EscalatedMessage::as_text));
    let room = BUDGET.saturating_sub(added().map(|added| added.len() + 1).sum());
    let text = match (tree, form) {
        (None, _) if failure.is_cut_off() => {
            let (message, excerpt) = (failure.message(), fenced(shape, sent(arguments), issues));
            format!("{message} {}\n{excerpt}", failure.guidance())
        }
        (None, FeedbackForm::Markdown) => markdown_of_invalid_json(tool, shape, sent(arguments), issues),
        (None, _) => {
            let excerpt = fenced(shape, sent(arguments), issues);
            format!("{}.\n{}\n{excerpt}", failure.message(), failure.next_step())
        }
        (Some(json), FeedbackForm::Markdown) => markdown_within(tool, shape, json, issues, room),
        (Some(json), _) => {
            let message = failure.message_with(UnknownValues::InMessages) + ".\n";
            let again = corrected_call(tool, shape, json, issues, room.saturating_sub(message.len()));
            message + &again.unwrap_or_else(|| next_step(failure))
        }
    };
    Some(added().fold(text, |text, added| text + "\n" + added))
}

/// Returns the sentences about the next step, without the remark that follows every form.
fn next_step(failure: &Failure) -> String {
    let step = failure.next_step();
    step.strip_suffix(MAY_BE_CUT_OFF).map_or(step.as_str(), str::trim_end).to_owned()
}

/// Returns the arguments as text, up to the first byte that is not valid UTF-8.
fn sent<'a>(arguments: &'a Arguments<'_>) -> &'a str {
    match arguments {
        Arguments::Text(text) => text,
        Arguments::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        },
        _ => "",
    }
}
