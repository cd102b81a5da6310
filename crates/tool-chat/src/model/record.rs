//! A model that is written down: [`Recorder`].
//!
//! In: another model, and where to write. Out: the answers of that model, each with its request as one line of JSON. What always holds: no
//! line holds what was sent in a sensitive field or under a key that looks like a secret's; a line is written before the answer is given, and
//! where an answer is streamed, before its end is. A line that cannot be written is an error.

use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tool_runtime::Format;

use super::recording::Line;
use super::{
    Assembler, ChatModel, Delta, DeltaStream, Deltas, ModelError, ModelErrorKind, Redaction, Request, Response,
    ResponseFuture,
};

/// Writes down what a model is asked and what it answers, as JSON Lines, for a [`Replay`](super::Replay).
///
/// A streamed answer goes through piece by piece and is written whole, once it is over; where it is not read to its end, as far as it was.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::{Recorder, Redaction, Replay, ScriptedModel};
///
/// let session = || tool_runtime::Toolbox::builder().build().map(|toolbox| toolbox.session());
/// let file = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
/// let recorder = Recorder::new(ScriptedModel::new().text("Noon."), Shared(file.clone()), Redaction::new());
/// pollster::block_on(Conversation::new(session()?, recorder).ask("What time is it?"));
///
/// let recording = String::from_utf8(file.lock().map_err(|_| "poisoned")?.clone())?;
/// let replay = Replay::from_text(&recording, Redaction::new())?;
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
pub struct Recorder<M, W> {
    model: M,
    file: Mutex<File<W>>,
    redaction: Redaction,
}

#[derive(Debug)]
struct File<W> {
    lines: W,
    /// Why a line is missing, where nobody was told yet.
    lost: Option<ModelError>,
}

impl<M: ChatModel, W: Write + Send> Recorder<M, W> {
    /// Writes down what this model does.
    ///
    /// ```
    /// use tool_chat::model::{Recorder, Redaction, ScriptedModel};
    ///
    /// let recorder = Recorder::new(ScriptedModel::new().text("Noon."), Vec::new(), Redaction::new());
    /// # let _ = recorder;
    /// ```
    pub fn new(model: M, file: W, redaction: Redaction) -> Self {
        Self { model, file: Mutex::new(File { lines: file, lost: None }), redaction }
    }
}

impl<M, W: Write> Recorder<M, W> {
    fn write(&self, request: Request<'_>, answer: &Result<Response, ModelError>) -> Result<(), ModelError> {
        let line = Line::of(request, answer, &self.redaction);
        let written = serde_json::to_string(&line).map_err(io::Error::from).and_then(|text| {
            let mut file = self.file();
            writeln!(file.lines, "{text}")?;
            file.lines.flush()
        });
        // A recording with a gap would be found out much later.
        written.map_err(|error| {
            ModelError::new(ModelErrorKind::Mismatch, format!("the recording cannot be written: {error}"))
        })
    }

    /// Tells of a line that is missing.
    fn is_whole(&self) -> Result<(), ModelError> {
        self.file().lost.take().map_or(Ok(()), Err)
    }

    fn file(&self) -> MutexGuard<'_, File<W>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M: ChatModel, W: Write + Send> ChatModel for Recorder<M, W> {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        Box::pin(async move {
            self.is_whole()?;
            let answer = self.model.complete(request).await;
            self.write(request, &answer)?;
            answer
        })
    }

    fn stream<'a>(&'a self, request: Request<'a>) -> DeltaStream<'a> {
        Box::pin(Listening { recorder: self, request, stream: self.model.stream(request), heard: None, is_over: false })
    }

    fn format(&self) -> Format {
        self.model.format()
    }
}

/// The pieces of an answer, which are written down together once it is over, or read no further.
struct Listening<'a, M, W: Write> {
    recorder: &'a Recorder<M, W>,
    request: Request<'a>,
    stream: DeltaStream<'a>,
    heard: Option<Assembler>,
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
                self.heard.get_or_insert_default().push(delta.clone());
                Some(Ok(delta))
            }
            Some(Err(error)) => Some(Err(self.end(&Err(error.clone())).err().unwrap_or(error))),
            None => {
                let response = self.heard.take().unwrap_or_default().finish();
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
        let Some(heard) = self.heard.take() else { return };
        if let Err(error) = self.end(&Ok(heard.finish())) {
            self.recorder.file().lost = Some(error);
        }
    }
}
