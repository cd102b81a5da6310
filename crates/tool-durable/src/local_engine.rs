//! The engine for one process: [`LocalEngine`] records everything in a log before the run continues.
//!
//! Invariants: everything that the run contains is already in the log. A call starts when its start has been recorded, and counts as
//! answered when its end has been recorded. While records are written, running calls continue.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tool_chat::model::{ChatModel, PromptPrefix, Request};
use tool_chat::run::{AnswerType, Next, Record, Run};
use tool_report::CallRecorder;
use tool_runtime::Session;
use tool_runtime::clock::Clock;
use tool_runtime::session::{CallRequest, Cipher, SessionState};

use crate::ask_model::{ask_model, call_as_text};
use crate::call_record_queue::{CallRecordQueue, Moment, RecordedMoment, copied};
use crate::engine_trait::Engine;
use crate::entry::{Entry, Started, StartedCall};
use crate::error::DurableError;
use crate::listener_event::{Listener, ListenerEvent};
use crate::private::internal;
use crate::store::{Log, StoreError};

/// The minimum length of a log that is compacted, in bytes.
const COMPACTED_FROM: usize = 128 << 10;
/// The factor of compaction: a log is compacted once it is this many times as long as its first record, the whole conversation at the last
/// compaction.
const GROWTH: usize = 4;

pub(crate) struct LocalEngine {
    pub(crate) session: Session,
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) cipher: Option<Arc<dyn Cipher>>,
    pub(crate) listener: Option<Arc<Listener>>,
    pub(crate) recorder: Option<CallRecorder>,
    pub(crate) queue: CallRecordQueue,
    pub(crate) log: Box<dyn Log>,
    /// The calls that have started but not ended.
    pub(crate) started: Started,
    /// The time of the last record, on `clock`.
    pub(crate) recorded: Duration,
    /// The number of bytes in the log.
    pub(crate) bytes: usize,
    /// The number of bytes of the first record of the log, which is the conversation at the last compaction. If the conversation was too large
    /// to be compacted, the length of the log at that time.
    pub(crate) compact_bytes: usize,
    /// The last request of this process, if there is a listener.
    pub(crate) prefix: PromptPrefix,
    /// The type of the answer that the turn asks for, if it asks for one.
    pub(crate) answering: Option<AnswerType>,
}

impl LocalEngine {
    fn saved(&self) -> Result<Entry, DurableError> {
        Ok(Entry::Session(Box::new(self.snapshot()?)))
    }

    fn snapshot(&self) -> Result<SessionState, DurableError> {
        Ok(match &self.cipher {
            Some(cipher) => self.session.snapshot_with(&**cipher)?,
            None => self.session.snapshot()?,
        })
    }

    /// Appends these records and the state of the session to the log. Then applies the records.
    pub(crate) async fn record(&mut self, run: &mut Run, records: Vec<Record>) -> Result<(), DurableError> {
        let entries: Vec<Entry> = records.into_iter().map(|record| self.timed(record)).collect();
        let mut bytes = entries.iter().map(Entry::to_bytes).collect::<Result<Vec<_>, _>>()?;
        bytes.push(self.saved()?.to_bytes()?);
        self.log.append(&bytes).await?;
        self.bytes += lengths(&bytes);
        self.apply(run, entries)
    }

    /// Sets the duration of a record to the time since the last record.
    fn timed(&mut self, record: Record) -> Entry {
        let now = self.clock.now();
        let took = now.saturating_sub(self.recorded);
        self.recorded = now;
        Entry::Run(Box::new(record.with_time_since_previous(took)))
    }

    fn apply(&mut self, run: &mut Run, entries: Vec<Entry>) -> Result<(), DurableError> {
        for entry in entries {
            match entry {
                Entry::Run(record) => {
                    if let Record::Ended { call, .. } = &*record {
                        self.started.remove(call);
                    }
                    if let Some(recorder) = &self.recorder {
                        record.write_to_recorder(recorder, self.session.id());
                    }
                    run.apply_record(*record)?;
                }
                Entry::Started { call, tool, is_repeatable } => {
                    self.started.insert(call, StartedCall { tool, is_repeatable });
                    // The run rejects a record of the start of a deferred call, which is not an error.
                    let _ = run.apply_record(Record::from_call_start(call));
                }
                Entry::Conversation { .. } | Entry::Session(_) => {}
            }
        }
        Ok(())
    }

    /// Replaces the contents of the log by one record: the conversation in its current state.
    pub(crate) async fn compact(&mut self, run: &Run) -> Result<(), DurableError> {
        let entry = Entry::Conversation { run: Box::new(run.clone()), session: Box::new(self.snapshot()?) };
        let bytes = [entry.to_bytes()?];
        self.log.replace(&bytes).await?;
        (self.bytes, self.compact_bytes) = (lengths(&bytes), lengths(&bytes));
        Ok(())
    }

    /// Returns the remaining time of the turn if it is limited.
    fn time_left(&self, run: &Run) -> Option<Duration> {
        Some(run.time_left()?.saturating_sub(self.clock.now().saturating_sub(self.recorded)))
    }

    fn report_event(&self, event: &ListenerEvent<'_>) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Awaits the future of calls, and meanwhile records the starts and ends of the calls. `calls` contains the index in the step and the
    /// id of each call.
    pub(crate) async fn attend<F: Future>(
        &mut self,
        run: &mut Run,
        calls: &[(usize, String)],
        mut future: Pin<&mut F>,
    ) -> Result<F::Output, DurableError> {
        let _attended = self.queue.attend();
        let mut done = None;
        let mut open: BTreeMap<usize, &str> = calls.iter().map(|(index, id)| (*index, id.as_str())).collect();
        let mut alarm = self.time_left(run).map(|left| self.clock.sleep(left));
        loop {
            let (session, queue) = (&self.session, &self.queue);
            let noted = poll_fn(|cx| {
                poll_once(&mut done, &mut future, cx);
                if alarm.as_mut().is_some_and(|alarm| alarm.as_mut().poll(cx).is_ready()) {
                    alarm = None;
                    // At the next poll, all calls that run or wait are answered as cancelled.
                    for id in open.values() {
                        session.cancel(id);
                    }
                    cx.waker().wake_by_ref();
                }
                match queue.poll_take(cx) {
                    Poll::Pending if done.is_some() => Poll::Ready(Vec::new()),
                    noted => noted,
                }
            })
            .await;
            if noted.is_empty() {
                let Some(output) = done else { continue };
                return Ok(output);
            }
            let (mut entries, mut permits, mut has_ended) = (Vec::new(), Vec::new(), false);
            for RecordedMoment { moment, go_on } in noted {
                permits.push(go_on);
                match moment {
                    Moment::Started { call_id, tool, is_repeatable } => {
                        let known = calls.iter().find(|(_, id)| *id == call_id).map(|(index, _)| *index);
                        // Calls of the session that are not in `calls` are not part of the conversation.
                        let Some(call) = known else { continue };
                        entries.push(Entry::Started { call, tool, is_repeatable });
                    }
                    Moment::Ended { index, outcome } => {
                        let (Some((call, _)), Some(outcome)) = (calls.get(index), outcome) else { continue };
                        if open.remove(call).is_some() {
                            entries.push(self.timed(Record::from_call_end(*call, *outcome)));
                            has_ended = true;
                        }
                    }
                }
            }
            if !entries.is_empty() {
                let mut bytes = entries.iter().map(Entry::to_bytes).collect::<Result<Vec<_>, _>>()?;
                if has_ended {
                    bytes.push(self.saved()?.to_bytes()?);
                }
                let mut append = self.log.append(&bytes);
                poll_fn(|cx| {
                    poll_once(&mut done, &mut future, cx);
                    append.as_mut().poll(cx)
                })
                .await?;
                drop(append);
                self.bytes += lengths(&bytes);
                self.apply(run, entries)?;
            }
            for permit in permits {
                // This fails if the call was cancelled meanwhile, which is not an error.
                let _ = permit.send(true);
            }
        }
    }

    /// Answers each call that started in an earlier process and has not ended, with `effect_unknown`. If `repeats` is `true`, repeatable
    /// calls are left open, so that they run again.
    pub(crate) async fn answer_orphans(&mut self, run: &mut Run, repeats: bool) -> Result<bool, DurableError> {
        let open: Vec<(usize, String, String)> = match run.next() {
            Next::Call(calls) => {
                calls.iter().map(|open| (open.index, open.call.id.clone(), open.arguments().to_owned())).collect()
            }
            Next::Wait(calls) => calls
                .iter()
                .map(|waits| (waits.index, waits.call.outcome.call_id().to_owned(), waits.call.arguments.clone()))
                .collect(),
            _ => return Ok(false),
        };
        let mut records = Vec::new();
        for (index, call_id, arguments) in &open {
            match self.started.get(index) {
                Some(StartedCall { tool, is_repeatable }) if !(repeats && *is_repeatable) => {
                    // If it is a deferred call that the host has approved, it still waits in the session.
                    self.session.cancel(call_id);
                    self.report_event(&ListenerEvent::EffectUnknown { call_id, tool });
                    let outcome = internal::effect_unknown(&self.session, call_id, tool, arguments);
                    records.push(Record::from_call_end(*index, copied(&outcome).unwrap_or(outcome)));
                }
                Some(StartedCall { tool, .. }) => self.report_event(&ListenerEvent::CallRepeated { call_id, tool }),
                None => {}
            }
        }
        let has_orphans = !records.is_empty();
        if has_orphans {
            self.record(run, records).await?;
        }
        self.started.clear();
        Ok(has_orphans)
    }
}

/// Polls a future unless it has already returned its output.
fn poll_once<F: Future>(done: &mut Option<F::Output>, future: &mut Pin<&mut F>, cx: &mut std::task::Context<'_>) {
    if done.is_none()
        && let Poll::Ready(output) = future.as_mut().poll(cx)
    {
        *done = Some(output);
    }
}

fn lengths(records: &[Vec<u8>]) -> usize {
    records.iter().map(Vec::len).sum()
}

impl Engine for LocalEngine {
    type Error = DurableError;

    async fn ask(&mut self, run: &mut Run) -> Result<(), DurableError> {
        if self.bytes > COMPACTED_FROM.max(self.compact_bytes.saturating_mul(GROWTH)) {
            match self.compact(run).await {
                // The conversation is too large for one record, so the log stays as it is. It can still be appended to.
                Err(DurableError::Store(StoreError::TooLarge { .. })) => self.compact_bytes = self.bytes,
                compacted => compacted?,
            }
        }
        let left = self.time_left(run);
        let (prefix, listener) = (&mut self.prefix, &self.listener);
        let mut compare = |request: &Request<'_>| {
            if let Some(listener) = listener
                && let Some(loss) = prefix.compare(request)
            {
                listener(&ListenerEvent::PrefixLost { loss });
            }
        };
        let record =
            ask_model(&self.session, &*self.model, &*self.clock, run, left, self.answering, &mut compare).await;
        if let Some(event) = call_as_text(&record) {
            self.report_event(&event);
        }
        self.record(run, vec![record]).await
    }

    async fn call(&mut self, run: &mut Run) -> Result<(), DurableError> {
        if self.answer_orphans(run, true).await? {
            return Ok(());
        }
        let Next::Call(open) = run.next() else { return Ok(()) };
        let requests: Vec<CallRequest<'static>> = open
            .iter()
            .map(|open| {
                let arguments = open.arguments().to_owned();
                CallRequest::new(open.call.id.clone(), open.call.name.clone(), arguments).cut_off(open.is_cut_off)
            })
            .collect();
        let calls: Vec<(usize, String)> = open.iter().map(|open| (open.index, open.call.id.clone())).collect();
        let session = self.session.clone();
        let batch = pin!(session.call_batch(requests));
        let outcomes = self.attend(run, &calls, batch).await?.into_outcomes();
        // The ends of calls that were cancelled before they started are not recorded yet.
        let Next::Call(open) = run.next() else { return Ok(()) };
        let open: Vec<usize> = open.iter().map(|open| open.index).collect();
        let left = calls.iter().zip(outcomes).filter(|((index, _), _)| open.contains(index));
        let records: Vec<Record> = left.map(|((index, _), outcome)| Record::from_call_end(*index, outcome)).collect();
        if records.is_empty() { Ok(()) } else { self.record(run, records).await }
    }

    async fn wait(&mut self, run: &mut Run) -> Result<bool, DurableError> {
        self.answer_orphans(run, true).await
    }
}
