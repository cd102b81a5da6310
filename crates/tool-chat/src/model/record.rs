//! A model that records another model: [`RecordingModel`].
//!
//! Invariants: no line contains the value of a sensitive field, or the value under a key that looks secret. A line is written before its
//! answer is returned, or, for a streamed answer, before the end of the stream is reported. A failure to write a line is reported as an
//! error.

use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tool_runtime::Dialect;

use super::recorded_exchange::RecordedExchange;
use super::{
    ChatModel, Delta, DeltaAssembler, DeltaStream, Deltas, ModelError, ModelErrorKind, Redaction, Request, Response,
    ResponseFuture,
};

/// A recorder of a model's requests and answers, as JSON Lines for a [`ReplayModel`](super::ReplayModel).
///
/// A streamed answer is passed on piece by piece and written as a whole at its end. If it is not read to the end, the part that was read is
/// written.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::{RecordingModel, Redaction, ReplayModel, ScriptedModel};
///
/// let session = || tool_runtime::Toolbox::builder().build().map(|toolbox| toolbox.session());
/// let file = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
/// let recorder = RecordingModel::new(ScriptedModel::new().text("Noon."), Shared(file.clone()), Redaction::new());
/// pollster::block_on(Conversation::new(session()?, recorder).ask("What time is it?"));
///
/// let recording = String::from_utf8(file.lock().map_err(|_| "poisoned")?.clone())?;
/// let replay = ReplayModel::from_text(&recording, Redaction::new())?;
/// let end = pollster::block_on(Conversation::new(session()?, replay).ask("What time is it?"));
/// assert_eq!(end.text(), Some("Noon."));
/// # struct Shared(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);
/// # impl std::io::Write for Shared {
/// #     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
/// #         self.0.lock().map_err(|_| std::io::ErrorKind::Other)?.write(bytes)
/// #     }
/// #     fn flush(&mut self) -> std::io::Result<()> { Ok(()) }
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordingModel<M, W> {
    model: M,
    file: Mutex<File<W>>,
    redaction: Redaction,
}

#[derive(Debug)]
struct File<W> {
    lines: W,
    /// The error for a missing line; `None` once it has been reported.
    lost: Option<ModelError>,
}

impl<M: ChatModel, W: Write + Send> RecordingModel<M, W> {
    /// Creates a recorder of this model that writes to `file`.
    pub fn new(model: M, file: W, redaction: Redaction) -> Self {
        Self { model, file: Mutex::new(File { lines: file, lost: None }), redaction }
    }
}

impl<M, W: Write> RecordingModel<M, W> {
    fn write(&self, request: Request<'_>, answer: &Result<Response, ModelError>) -> Result<(), ModelError> {
        let line = RecordedExchange::redacted(request, answer, &self.redaction);
        let written = serde_json::to_string(&line).map_err(io::Error::from).and_then(|text| {
            let mut file = self.file();
            writeln!(file.lines, "{text}")?;
            file.lines.flush()
        });
        // Without an error, a gap in the recording would only be noticed much later.
        written.map_err(|error| {
            ModelError::new(ModelErrorKind::Mismatch, format!("the recording cannot be written: {error}"))
        })
    }

    /// Fails if an earlier line could not be written and this has not been reported yet.
    fn is_whole(&self) -> Result<(), ModelError> {
        self.file().lost.take().map_or(Ok(()), Err)
    }

    fn file(&self) -> MutexGuard<'_, File<W>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: ChatModel, W: Write + Send> ChatModel for RecordingModel<M, W> {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            self.is_whole()?;
            let answer = self.model.complete(request).await;
            self.write(request, &answer)?;
            answer
        })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        Box::pin(Listening {
            recorder: self,
            request,
            stream: self.model.stream(request),
            received: None,
            is_over: false,
        })
    }

    fn dialect(&self) -> Dialect {
        self.model.dialect()
    }

    fn has_answer_forms(&self) -> bool {
        self.model.has_answer_forms()
    }
}

/// A streamed answer, which is written once it has ended or the reader drops the stream.
struct Listening<'a, M, W: Write> {
    recorder: &'a RecordingModel<M, W>,
    request: Request<'a>,
    stream: DeltaStream<'a>,
    received: Option<DeltaAssembler>,
    is_over: bool,
}

impl<M, W: Write> Listening<'_, M, W> {
    fn end(&mut self, answer: &Result<Response, ModelError>) -> Result<(), ModelError> {
        self.is_over = true;
        self.recorder.write(self.request, answer)
    }
}

impl<M: Sync, W: Write + Send> Deltas for Listening<'_, M, W> {
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Delta, ModelError>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        if let Err(error) = self.recorder.is_whole() {
            self.is_over = true;
            return Poll::Ready(Some(Err(error)));
        }
        let Poll::Ready(piece) = self.stream.as_mut().poll_next(cx) else { return Poll::Pending };
        Poll::Ready(match piece {
            Some(Ok(delta)) => {
                self.received.get_or_insert_default().push(delta.clone());
                Some(Ok(delta))
            }
            Some(Err(error)) => Some(Err(self.end(&Err(error.clone())).err().unwrap_or(error))),
            None => {
                let response = self.received.take().unwrap_or_default().finish();
                self.end(&Ok(response)).err().map(Err)
            }
        })
    }
}

impl<M, W: Write> Drop for Listening<'_, M, W> {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let Some(received) = self.received.take() else { return };
        if let Err(error) = self.end(&Ok(received.finish())) {
            self.recorder.file().lost = Some(error);
        }
    }
}
