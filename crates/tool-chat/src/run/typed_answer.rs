//! Typed answers in a run: [`AnswerType`] and [`AnswerRequest`].
//!
//! In: a type, and a request of the run. Out: the request for an answer of this type, and the record of the model's answer, which is rejected
//! if it has no value of the type. Invariant: the driver does this, so a stored run contains no type, and needs none to be read.

use std::fmt;

use serde::de::IgnoredAny;
use tool_runtime::tool_schema::dialect::{Definition, Definitions};
use tool_runtime::tool_schema::{AnswerForm, AnswerFormError, Dialect, ExtractError, ToolInput, UnreadAnswerReason};
use tool_runtime::{Issue, Session};

use super::{Ask, Record, RejectedAnswer, TurnEnd};
use crate::model::find_call_markup::call_markup;
use crate::model::{
    ChatModel, ModelError, ModelErrorKind, Options, Request, Response, StopReason, ToolCall, ToolChoice,
};
use crate::private::tool_names::is_spelling_of_tool;

/// The type of the answer that a driver asks for. Drivers use it; [`Conversation::answer`](crate::conversation::Conversation::answer) is
/// one.
///
/// ```
/// use tool_chat::model::{ChatModel, ScriptedModel};
/// use tool_chat::run::{AnswerType, Next, Record, Run};
/// use tool_runtime::Dialect;
///
/// # pollster::block_on(async {
/// let model = ScriptedModel::new().text("Six or seven.").text(r#"{"value": 7}"#);
/// let answer = AnswerType::new::<u8>();
/// let mut run = Run::new();
/// run.apply_record(Record::from_prompt("How many?"))?;
/// let end = loop {
///     let Next::Ask(ask) = run.next() else { break run.next() };
///     let request = answer.request(&ask, Dialect::OPENAI, &model, &Default::default())?;
///     let response = model.complete(request.request(ask.messages)).await?;
///     let record = request.response_to_record(response);
///     run.apply_record(record)?;
/// };
/// let Next::Done(end) = end else { unreachable!() };
/// let session = tool_runtime::Toolbox::builder().build()?.session();
/// assert_eq!(answer.value::<u8>(end.clone(), &session, &model)?, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnswerType(Make);

type Make = fn(Dialect, bool, &Definitions) -> Result<Box<dyn Form>, AnswerFormError>;

/// An [`AnswerForm`] without its type.
trait Form: Send + Sync {
    fn definition(&self) -> &Definition;
    fn tool_name(&self) -> Option<&str>;
    fn check(&self, text: &str) -> Option<ExtractError>;
    fn unread_error(&self, text: &str, why: UnreadAnswerReason) -> ExtractError;
}

impl<T: ToolInput> Form for AnswerForm<T> {
    fn definition(&self) -> &Definition {
        self.definition()
    }

    fn tool_name(&self) -> Option<&str> {
        self.tool_name()
    }

    fn check(&self, text: &str) -> Option<ExtractError> {
        self.read(text).err()
    }

    fn unread_error(&self, text: &str, why: UnreadAnswerReason) -> ExtractError {
        self.unread_error(text, why)
    }
}

fn form<T: ToolInput>(
    dialect: Dialect,
    is_native: bool,
    tools: &Definitions,
) -> Result<AnswerForm<T>, AnswerFormError> {
    if is_native { AnswerForm::new(dialect, tools) } else { AnswerForm::via_tool(dialect, tools) }
}

impl AnswerType {
    /// Creates the description of a type.
    pub fn new<T: ToolInput>() -> Self {
        Self(|dialect, is_native, tools| Ok(Box::new(form::<T>(dialect, is_native, tools)?)))
    }

    /// Creates the request for an answer of the type, with these tools.
    ///
    /// # Errors
    ///
    /// Fails if the provider would reject the schema of the type.
    pub fn request(
        self,
        ask: &Ask<'_>,
        dialect: Dialect,
        model: &dyn ChatModel,
        tools: &Definitions,
    ) -> Result<AnswerRequest, ModelError> {
        let form = (self.0)(dialect, model.has_answer_forms(), tools).map_err(|error| rejected(&error))?;
        let mut options = ask.options.clone();
        let tools = if form.tool_name().is_some() {
            let name = form.definition().name().to_owned();
            options.tool_choice = match options.tool_choice {
                ToolChoice::Tool(forced) => ToolChoice::Tool(forced),
                ToolChoice::Auto | ToolChoice::Required if !tools.is_empty() => ToolChoice::Required,
                _ => ToolChoice::Tool(name),
            };
            Definitions::new(tools.dialect(), tools.all().iter().chain([form.definition()]).cloned())
        } else {
            options.answer = Some(Box::new(form.definition().to_value()));
            tools.clone()
        };
        Ok(AnswerRequest { form, tools, options })
    }

    /// Returns the value at the end of a turn. The type must be the one that was asked for.
    ///
    /// # Errors
    ///
    /// Returns an [`AnswerError`] if the turn ended without a value of the type.
    pub fn value<T: ToolInput>(self, end: TurnEnd, session: &Session, model: &dyn ChatModel) -> Result<T, AnswerError> {
        let (text, why) = match &end {
            TurnEnd::Answered { text, stop } if *stop != StopReason::Filtered => (text, why_unread(text, *stop)),
            _ => return Err(AnswerError(Box::new(end))),
        };
        let dialect = session.dialect().unwrap_or_else(|| model.dialect());
        let tools = session.definitions_in(dialect);
        let form = form::<T>(dialect, model.has_answer_forms(), &tools);
        let form = form.map_err(|error| AnswerError(Box::new(TurnEnd::Failed { error: rejected(&error) })))?;
        // This fails only if the turn asked for a text, or if the session was given other tools meanwhile, so that the form is another one.
        let read = why.map_or_else(|| form.read(text), |why| Err(form.unread_error(text, why)));
        let rejected = |error: ExtractError| TurnEnd::Rejected { attempts: 1, issues: error.issues().to_vec() };
        read.map(|read| read.value).map_err(|error| AnswerError(Box::new(rejected(error))))
    }
}

impl fmt::Debug for AnswerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerType").finish_non_exhaustive()
    }
}

fn rejected(error: &AnswerFormError) -> ModelError {
    ModelError::new(ModelErrorKind::Rejected, error.to_string())
}

/// A request for a typed answer.
pub struct AnswerRequest {
    form: Box<dyn Form>,
    tools: Definitions,
    options: Options,
}

impl AnswerRequest {
    /// Returns the request to send to the model.
    pub const fn request<'a>(&'a self, messages: &'a [crate::model::Message]) -> Request<'a> {
        Request::new(messages, &self.tools, &self.options)
    }

    /// Returns the record of the model's answer. A call of the tool that stands for the answer becomes the text of the answer. Beside other
    /// calls it is left out, because the model has not read their results yet.
    ///
    /// An answer that its output limit cut off is rejected, whatever its text contains. An answer that the provider withheld is not: the model
    /// would reject again, so the turn ends.
    pub fn response_to_record(&self, mut response: Response) -> Record {
        if response.calls.iter().any(|call| self.is_answer(call)) {
            let calls = std::mem::take(&mut response.calls);
            let (answers, others): (Vec<_>, Vec<_>) = calls.into_iter().partition(|call| self.is_answer(call));
            response.calls = others;
            if response.calls.is_empty() {
                let texts: Vec<_> = answers.into_iter().map(|call| call.arguments).collect();
                response.text = texts.join("\n");
                if response.stop == StopReason::ToolCalls {
                    response.stop = StopReason::Finished;
                }
            }
        }
        let rejection = self.error(&response).map(|error| {
            let (issues, feedback) = (error.issues().to_vec(), error.feedback());
            RejectedAnswer { issues, feedback }
        });
        Record::from_model_answer(response).with_rejected_answer(rejection)
    }

    /// Returns the error of an answer without calls.
    fn error(&self, response: &Response) -> Option<ExtractError> {
        let text = &*response.text;
        if !response.calls.is_empty() || response.stop == StopReason::Filtered {
            return None;
        }
        match why_unread(text, response.stop) {
            Some(why) => Some(self.form.unread_error(text, why)),
            None => self.form.check(text),
        }
    }

    /// Returns `true` if a call is the answer.
    pub(crate) fn is_answer(&self, call: &ToolCall) -> bool {
        self.form.tool_name().is_some_and(|tool| {
            call.name == tool || (self.tools.get(&call.name).is_none() && is_spelling_of_tool(&call.name, tool))
        })
    }
}

/// Returns the reason not to read a text as a value, although a part of it may be one.
fn why_unread(text: &str, stop: StopReason) -> Option<UnreadAnswerReason> {
    if stop == StopReason::Length {
        return Some(UnreadAnswerReason::OutputLimit);
    }
    let mark = call_markup(text)?;
    // In a text that is valid JSON as a whole, markup is a part of the value. Otherwise, the call without its markup could be the value.
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    (!is_json).then(|| UnreadAnswerReason::CallInText { offset: text.find(mark).unwrap_or_default() })
}

impl fmt::Debug for AnswerRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerRequest").field("options", &self.options).finish_non_exhaustive()
    }
}

/// The error for a turn that ended without a value.
#[derive(Clone, Debug)]
pub struct AnswerError(Box<TurnEnd>);

impl AnswerError {
    /// Returns the end of the turn.
    pub fn end(&self) -> &TurnEnd {
        &self.0
    }

    /// Returns the issues of the last answer; empty if the turn ended for another reason.
    pub fn issues(&self) -> &[Issue] {
        if let TurnEnd::Rejected { issues, .. } = &*self.0 { issues } else { &[] }
    }
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            TurnEnd::Answered { .. } => {
                f.write_str("the provider withheld the answer, or the model refused to give it")
            }
            TurnEnd::Stopped => f.write_str("the turn was stopped before the model gave a value"),
            TurnEnd::Rejected { attempts, issues } => {
                let times = if *attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
                write!(f, "the answer of the model was rejected {times}")?;
                issues.iter().take(3).try_for_each(|issue| write!(f, "; {issue}"))
            }
            TurnEnd::Exhausted { tool, attempts, .. } => {
                write!(f, "calls of {tool} were rejected {attempts} times in a row")
            }
            TurnEnd::Limited { limit } => write!(f, "the turn reached a limit: {limit:?}"),
            TurnEnd::Deferred { call_ids } => write!(f, "{} calls wait for the host", call_ids.len()),
            TurnEnd::Failed { error } => write!(f, "the model did not answer: {error}"),
        }
    }
}

impl std::error::Error for AnswerError {}
