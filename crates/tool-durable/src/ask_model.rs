//! Asks the model for the next answer of a run: [`ask_model`].

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tool_chat::model::{ChatModel, ModelError, ModelErrorKind, Request, Response};
use tool_chat::run::{AnswerRequest, AnswerType, Next, Record, Run};
use tool_runtime::Session;
use tool_runtime::clock::Clock;

use crate::listener_event::ListenerEvent;

/// A function that is called before a request is sent.
type OnRequest<'f> = &'f mut (dyn FnMut(&Request<'_>) + Send);

/// Asks the model, with the instructions and the reminder of the session. Returns a record of the model's answer, of its error, or of the
/// end of the remaining time.
pub(crate) async fn ask_model(
    session: &Session,
    model: &dyn ChatModel,
    clock: &dyn Clock,
    run: &mut Run,
    left: Option<Duration>,
    typed: Option<AnswerType>,
    on_request: OnRequest<'_>,
) -> Record {
    let (instructions, reminder) = (session.instructions(), session.reminders());
    run.set_session_texts(&instructions, reminder.as_deref());
    let answer = {
        let mut answer = pin!(answer(session, model, run, typed, on_request));
        let mut alarm = left.map(|left| clock.sleep(left));
        poll_fn(|cx| match answer.as_mut().poll(cx) {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending => match &mut alarm {
                Some(alarm) => alarm.as_mut().poll(cx).map(|()| None),
                None => Poll::Pending,
            },
        })
        .await
    };
    match answer {
        None => Record::new_timed_out(),
        Some(Err(error)) => Record::from_model_error(error),
        Some(Ok((response, Some(request)))) => request.response_to_record(response),
        Some(Ok((response, None))) => {
            let is_shown = |tool: &str| session.tools().iter().any(|shown| shown.name() == tool);
            let is_offered = response.calls.is_empty() && run.correction_tool().is_some_and(is_shown);
            Record::from_model_answer(response)
                .with_correction_tool(is_offered)
                .with_has_tools(!session.tools().is_empty())
        }
    }
}

/// Sends the next request of a run to the model.
async fn answer(
    session: &Session,
    model: &dyn ChatModel,
    run: &Run,
    typed: Option<AnswerType>,
    on_request: OnRequest<'_>,
) -> Result<(Response, Option<AnswerRequest>), ModelError> {
    let Next::Ask(ask) = run.next() else {
        return Err(ModelError::new(ModelErrorKind::Mismatch, "the run does not ask the model"));
    };
    let dialect = session.dialect().unwrap_or_else(|| model.dialect());
    let tools = session.definitions_in(dialect);
    let typed = typed.map(|answer| answer.request(&ask, dialect, model, &tools)).transpose()?;
    let request = typed.as_ref().map_or_else(|| ask.request(&tools), |typed| typed.request(ask.messages));
    on_request(&request);
    let response = model.complete(request).await?;
    Ok((response, typed))
}

/// Returns the event of an answer that contains a call as text.
pub(crate) fn call_as_text(record: &Record) -> Option<ListenerEvent<'static>> {
    match record {
        Record::Answered { response, .. } => response.call_markup().map(|mark| ListenerEvent::CallAsText { mark }),
        _ => None,
    }
}
