//! Changes of a run: [`apply`](Run::apply_record).
//!
//! Invariants: a record that does not fit changes nothing. A step is added to the history once all its calls are answered. If the turn is
//! stopped earlier, the missing answers are made up, and the step is added at that point.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tool_runtime::session::Outcome;

use super::corrections::Verdict;
use super::history::text_of;
use super::turn_state::{AnswerEntry, Markup, Open, Prose, Stage, Step, Turn, Wait};
use super::{CallAnswer, Record, RejectedAnswer, RejectedCall, Run, TurnEnd, TurnLimit, UnexpectedRecordError};
use crate::model::{ModelError, ModelErrorKind, Response, StopReason, ToolCall, ToolChoice, Usage};
use crate::private::internal;
use crate::transcript::{Call, Entry};

/// The driver's remarks about an answer of the model, as in [`Record::Answered`].
#[derive(Clone, Copy)]
struct Reading {
    is_cut: bool,
    is_offered: bool,
    has_tools: bool,
    replaces_repeated_ids: bool,
}

impl Run {
    /// Updates the run with one thing that happened.
    ///
    /// ```
    /// use tool_chat::model::{ModelError, ModelErrorKind};
    /// use tool_chat::run::{TurnEnd, Next, Record, Run};
    ///
    /// let mut run = Run::new();
    /// run.apply_record(Record::from_prompt("What time is it?"))?;
    /// run.apply_record(Record::from_model_error(ModelError::new(ModelErrorKind::Transport, "connection reset")))?;
    /// assert!(matches!(run.next(), Next::Done(TurnEnd::Failed { .. })));
    /// # Ok::<(), tool_chat::run::UnexpectedRecordError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the record does not fit, for example because no call is open. In that case, the run is not changed.
    pub fn apply_record(&mut self, record: Record) -> Result<(), UnexpectedRecordError> {
        match record {
            Record::Prompted { text } => self.prompt(text),
            Record::Answered { response, is_cut, is_offered, has_tools, replaces_repeated_ids, rejection, took } => {
                self.answer(
                    response,
                    Reading { is_cut, is_offered, has_tools, replaces_repeated_ids },
                    rejection,
                    took,
                )?;
            }
            Record::Failed { error, took } => self.fail(error, took)?,
            Record::TimedOut { took } => self.time_out(took)?,
            Record::Started { call } => return self.start(call),
            Record::Ended { call, outcome, took } => self.end(call, outcome, took)?,
            Record::Collapsed { containers } => {
                self.history.shorten(|_, container| containers.iter().any(|name| name == container));
            }
            Record::Stopped { answers } => self.stop(answers)?,
            Record::Abandoned => {
                let turn = self.turn.as_mut().filter(|turn| !turn.has_ended()).ok_or(UnexpectedRecordError::NoTurn)?;
                turn.stage = Stage::Ended(TurnEnd::Stopped);
                // The ids are not in the history, so later calls may use them.
                self.collect_ids();
                self.open = 0;
                self.rejected.clear();
            }
        }
        Ok(())
    }

    fn prompt(&mut self, text: String) {
        // This fails only if no turn runs, so there is nothing to stop.
        let _ = self.stop(Vec::new());
        self.rejected.clear();
        let number = self.turns;
        self.turns = self.turns.saturating_add(1);
        self.transcript.push(Entry::Prompt { turn: number, text });
        self.history.prompt(&self.transcript, self.transcript.entries().len() - 1);
        let turn = Turn::new(number);
        self.ask(turn);
    }

    /// Continues the turn with a request to the model, or ends the turn if a limit is reached.
    fn ask(&mut self, mut turn: Turn) {
        turn.stage = match self.settings.limits.reached(turn.step, &turn.spent) {
            Some(limit) => Stage::Ended(TurnEnd::Limited { limit }),
            None => Stage::Ask,
        };
        self.turn = Some(turn);
    }

    /// Removes and returns the turn if it waits for an answer of the model.
    fn asked(&mut self, usage: Usage, took: Duration) -> Result<Turn, UnexpectedRecordError> {
        let turn = self.turn.take_if(|turn| matches!(turn.stage, Stage::Ask)).ok_or(UnexpectedRecordError::NotAsked)?;
        self.rejected.clear();
        Ok(self.spend(turn, usage, took))
    }

    /// Adds a cost and a duration to the turn and to the transcript.
    fn spend(&mut self, mut turn: Turn, usage: Usage, took: Duration) -> Turn {
        turn.spent.usage += usage;
        turn.spent.elapsed = turn.spent.elapsed.saturating_add(took);
        self.transcript.add_to_turn_totals(usage, took);
        turn
    }

    fn answer(
        &mut self,
        response: Response,
        reading: Reading,
        rejection: Option<Box<RejectedAnswer>>,
        took: Duration,
    ) -> Result<(), UnexpectedRecordError> {
        let Reading { is_cut, is_offered, has_tools, replaces_repeated_ids } = reading;
        let mut turn = self.asked(response.usage, took)?;
        (turn.choice, turn.prose) = (None, None);
        if matches!(turn.markup, Some(Markup::Telling(_))) {
            turn.markup = Some(Markup::Told);
        }
        let markup = if has_tools && turn.markup.is_none() { response.call_markup() } else { None };
        let Response { text, calls, thoughts, stop, .. } = response;
        let asks_the_user = ends_with_a_question(&text);
        let said = AnswerEntry { entry: self.add_text(&turn, text), thoughts };
        if calls.is_empty() {
            if let Some(rejection) = rejection {
                self.reject(turn, said, *rejection);
                return Ok(());
            }
            let forced = if self.settings.forces && !asks_the_user { turn.corrections.force() } else { None };
            let forced = forced.filter(|_| is_offered);
            if forced.is_none() && markup.is_none() {
                self.finish(turn, said, stop);
                return Ok(());
            }
            if forced.is_none() {
                turn.markup = markup.map(|mark| Markup::Telling(mark.to_owned()));
            }
            // The prose is not sent back: a model continues its own text if a request ends with it.
            (turn.choice, turn.prose) = (forced.map(ToolChoice::Tool), Some(Prose { said, stop }));
            turn.step = turn.step.saturating_add(1);
            self.ask(turn);
            return Ok(());
        }
        if let Some(limit) = self.settings.limits.calls_reached(&turn.spent, calls.len()) {
            turn.stage = Stage::Ended(TurnEnd::Limited { limit });
            self.turn = Some(turn);
            return Ok(());
        }
        turn.spent.calls = turn.spent.calls.saturating_add(calls.len());
        let is_cut = is_cut || matches!(stop, StopReason::Length | StopReason::Filtered);
        self.open = calls.len();
        let calls = self.identified(calls, replaces_repeated_ids);
        turn.stage = Stage::Calls(Step { said, is_cut, is_limited: stop == StopReason::Length, calls });
        self.turn = Some(turn);
        Ok(())
    }

    /// Adds a text of the model to the transcript, and returns its index.
    fn add_text(&mut self, turn: &Turn, text: String) -> Option<usize> {
        if text.is_empty() {
            return None;
        }
        self.transcript.push(Entry::Answer { turn: turn.number, step: turn.step, text });
        Some(self.transcript.entries().len() - 1)
    }

    /// Gives a new id to each call whose id is missing, was already used, or occurs again in the same answer, if ids must be unique. An id
    /// that the model sent is never given to another call.
    fn identified(&mut self, calls: Vec<ToolCall>, replaces_repeated: bool) -> Vec<Open> {
        let open = |call, sent_id| Open { call, sent_id, is_started: false, outcome: None };
        if !self.settings.has_unique_ids {
            return calls.into_iter().map(|call| open(call, None)).collect();
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for call in &calls {
            *counts.entry(&call.id).or_default() += 1;
        }
        let is_kept = |call: &ToolCall| {
            !call.id.trim().is_empty() && counts.get(&*call.id) == Some(&1) && !self.ids.contains(&call.id)
        };
        let is_kept: Vec<bool> = calls.iter().map(is_kept).collect();
        if replaces_repeated {
            self.ids.extend(calls.iter().map(|call| call.id.clone()));
        }
        let identified = calls.into_iter().zip(is_kept).map(|(mut call, is_kept)| {
            let keeps_first = !replaces_repeated && !call.id.trim().is_empty();
            if replaces_repeated && is_kept || keeps_first && self.ids.insert(call.id.clone()) {
                return open(call, None);
            }
            let sent_id = Some(std::mem::take(&mut call.id));
            // The loop ends, because a run tries each number at most once.
            loop {
                self.made_ids = self.made_ids.saturating_add(1);
                call.id = format!("call_{}", self.made_ids);
                if self.ids.insert(call.id.clone()) {
                    break;
                }
            }
            open(call, sent_id)
        });
        identified.collect()
    }

    fn fail(&mut self, error: ModelError, took: Duration) -> Result<(), UnexpectedRecordError> {
        let mut turn = self.asked(Usage::default(), took)?;
        turn.choice = None;
        match turn.prose.take() {
            // Some models reject a forced tool choice, for example while thinking is on.
            Some(Prose { said, stop }) if error.kind == ModelErrorKind::Rejected => self.finish(turn, said, stop),
            _ => {
                turn.stage = Stage::Ended(TurnEnd::Failed { error });
                self.turn = Some(turn);
            }
        }
        Ok(())
    }

    /// Asks the model to answer again, or ends the turn if the corrections are used up.
    fn reject(&mut self, mut turn: Turn, said: AnswerEntry, rejection: RejectedAnswer) {
        let RejectedAnswer { issues, feedback } = rejection;
        self.history.step(&self.transcript, said, 0, 0);
        turn.rejected = turn.rejected.saturating_add(1);
        if turn.rejected > self.settings.limits.corrections {
            turn.stage = Stage::Ended(TurnEnd::Rejected { attempts: turn.rejected, issues });
            self.turn = Some(turn);
            return;
        }
        self.transcript.push(Entry::Rejected { turn: turn.number, step: turn.step, text: feedback });
        self.history.prompt(&self.transcript, self.transcript.entries().len() - 1);
        turn.step = turn.step.saturating_add(1);
        self.ask(turn);
    }

    /// Ends the turn with an answer.
    fn finish(&mut self, mut turn: Turn, said: AnswerEntry, stop: StopReason) {
        let text = text_of(&self.transcript, said.entry);
        self.history.step(&self.transcript, said, 0, 0);
        turn.stage = Stage::Ended(TurnEnd::Answered { text, stop });
        self.turn = Some(turn);
    }

    fn time_out(&mut self, took: Duration) -> Result<(), UnexpectedRecordError> {
        let mut turn = self.asked(Usage::default(), took)?;
        let limit = TurnLimit::Time(self.settings.limits.time.unwrap_or_default());
        turn.stage = Stage::Ended(TurnEnd::Limited { limit });
        self.turn = Some(turn);
        Ok(())
    }

    fn start(&mut self, call: usize) -> Result<(), UnexpectedRecordError> {
        let Some(Turn { stage: Stage::Calls(step), .. }) = &mut self.turn else {
            return Err(UnexpectedRecordError::NoOpenCalls);
        };
        let open = step.calls.get_mut(call).filter(|open| open.outcome.is_none());
        open.ok_or(UnexpectedRecordError::NotOpen { call })?.is_started = true;
        Ok(())
    }

    fn end(&mut self, call: usize, outcome: Arc<Outcome>, took: Duration) -> Result<(), UnexpectedRecordError> {
        self.fits(call, &outcome)?;
        let Some(mut turn) = self.turn.take() else { return Err(UnexpectedRecordError::NoOpenCalls) };
        self.rejected.clear();
        match &mut turn.stage {
            Stage::Calls(step) => {
                if let Some(open) = step.calls.get_mut(call) {
                    open.outcome = Some(outcome);
                }
                turn = self.spend(turn, Usage::default(), took);
            }
            Stage::Wait(wait) => self.transcript.resolve_deferred(wait.first + call, outcome),
            Stage::Ask | Stage::Ended(_) => {}
        }
        self.open = self.open.saturating_sub(1);
        if self.open > 0 {
            self.turn = Some(turn);
            return Ok(());
        }
        match std::mem::replace(&mut turn.stage, Stage::Ask) {
            Stage::Calls(step) => {
                let wait = self.make(&turn, step, |_, outcome| outcome);
                self.open = self.step_calls(&wait).filter(|(_, call)| call.outcome.is_deferred()).count();
                if self.open > 0 && self.settings.waits {
                    turn.stage = Stage::Wait(wait);
                    self.turn = Some(turn);
                } else {
                    self.settle(turn, wait);
                }
            }
            Stage::Wait(wait) => self.settle(turn, wait),
            stage => self.turn = Some(Turn { stage, ..turn }),
        }
        Ok(())
    }

    /// Checks that a call is open and that the outcome has the id of this call.
    fn fits(&self, call: usize, outcome: &Outcome) -> Result<(), UnexpectedRecordError> {
        let id = match self.turn.as_ref().map(|turn| &turn.stage) {
            Some(Stage::Calls(step)) => {
                let open = step.calls.get(call).filter(|open| open.outcome.is_none());
                &*open.ok_or(UnexpectedRecordError::NotOpen { call })?.call.id
            }
            Some(Stage::Wait(wait)) => {
                let entry = wait.first.checked_add(call).filter(|_| call < wait.count);
                let known = match entry.and_then(|entry| self.transcript.entries().get(entry)) {
                    Some(Entry::Called(call)) => Some(&call.outcome),
                    _ => None,
                };
                let id =
                    known.filter(|known| known.is_deferred()).ok_or(UnexpectedRecordError::NotOpen { call })?.call_id();
                if outcome.is_deferred() {
                    return Err(UnexpectedRecordError::NoAnswer { call_id: id.to_owned() });
                }
                id
            }
            _ => return Err(UnexpectedRecordError::NoOpenCalls),
        };
        if id == outcome.call_id() {
            return Ok(());
        }
        Err(UnexpectedRecordError::OtherCall { expected: id.to_owned(), found: outcome.call_id().to_owned() })
    }

    /// Adds the calls of a step to the transcript. `answer` returns the outcome of a call; if it returns `None`, the call counts as
    /// cancelled.
    fn make(
        &mut self,
        turn: &Turn,
        step: Step,
        answer: impl Fn(&ToolCall, Option<Arc<Outcome>>) -> Option<Arc<Outcome>>,
    ) -> Wait {
        let (first, count) = (self.transcript.entries().len(), step.calls.len());
        for Open { call, sent_id, outcome, .. } in step.calls {
            let outcome = answer(&call, outcome);
            let outcome = outcome.unwrap_or_else(|| Arc::new(internal::cancelled_call(&call.id, &call.name)));
            let ToolCall { name, arguments, .. } = call;
            let (turn, step) = (turn.number, turn.step);
            self.transcript.push(Entry::Called(Call { turn, step, sent_id, name, arguments, outcome }));
        }
        Wait { said: step.said, first, count }
    }

    /// Counts the rejected calls of a step, adds the step to the history, and decides how the turn continues.
    fn settle(&mut self, mut turn: Turn, wait: Wait) {
        let (number, step) = (turn.number, turn.step);
        let mut rejected = Vec::new();
        let outcomes = self.step_calls(&wait).map(|(_, call)| &*call.outcome).collect::<Vec<_>>();
        let most = self.settings.limits.corrections;
        let verdict = turn.corrections.count(outcomes.iter().copied(), most, |tool, attempts| {
            rejected.push(RejectedCall { turn: number, step, tool: tool.to_owned(), attempts });
        });
        self.rejected = rejected;
        self.open = 0;
        self.history.step(&self.transcript, wait.said, wait.first, wait.count);
        turn.step = turn.step.saturating_add(1);
        match verdict {
            Verdict::Go => self.ask(turn),
            Verdict::Finish => {
                turn.choice = Some(ToolChoice::None);
                self.ask(turn);
            }
            Verdict::Exhausted(end) => self.turn = Some(Turn { stage: Stage::Ended(end), ..turn }),
        }
    }

    fn stop(&mut self, answers: Vec<CallAnswer>) -> Result<(), UnexpectedRecordError> {
        self.running().ok_or(UnexpectedRecordError::NoTurn)?;
        for CallAnswer { call, outcome } in &answers {
            self.fits(*call, outcome)?;
        }
        let Some(mut turn) = self.turn.take() else { return Err(UnexpectedRecordError::NoTurn) };
        self.rejected.clear();
        self.open = 0;
        let final_of = |outcome: &Arc<Outcome>| {
            if outcome.is_deferred() { Arc::new(internal::cancelled(outcome)) } else { Arc::clone(outcome) }
        };
        let made = match std::mem::replace(&mut turn.stage, Stage::Ended(TurnEnd::Stopped)) {
            Stage::Calls(mut step) => {
                for CallAnswer { call, outcome } in answers {
                    if let Some(open) = step.calls.get_mut(call) {
                        open.outcome = Some(outcome);
                    }
                }
                Some(self.make(&turn, step, |_, outcome| outcome.as_ref().map(final_of)))
            }
            Stage::Wait(wait) => {
                for CallAnswer { call, outcome } in answers {
                    self.transcript.resolve_deferred(wait.first + call, outcome);
                }
                let deferred = self.step_calls(&wait).filter(|(_, call)| call.outcome.is_deferred());
                let deferred: Vec<_> = deferred.map(|(index, call)| (index, final_of(&call.outcome))).collect();
                for (index, outcome) in deferred {
                    self.transcript.resolve_deferred(wait.first + index, outcome);
                }
                Some(wait)
            }
            Stage::Ask | Stage::Ended(_) => None,
        };
        if let Some(Wait { said, first, count }) = made {
            self.history.step(&self.transcript, said, first, count);
        }
        self.turn = Some(turn);
        Ok(())
    }
}

/// Returns `true` if the text ends with a question mark. Quotes and other punctuation after the question mark are ignored.
fn ends_with_a_question(text: &str) -> bool {
    let is_mark = |last: char| matches!(last, '?' | '？' | '؟');
    text.trim_end_matches(|last: char| !is_mark(last) && !last.is_alphanumeric()).ends_with(is_mark)
}
