//! A model that is written down: [`Recorder`].
//!
//! In: another model, and where to write. Out: the answers of that model, each with its request as one line of JSON. What always holds: no
//! line holds what was sent in a sensitive field or under a key that looks like a secret's; a line is written before the answer is given.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::recording::Line;
use super::{ChatModel, Completion, ModelError, ModelErrorKind, Redaction, Request};
use crate::schema::Format;

/// Writes down what a model is asked and what it answers, as JSON Lines, for a [`Replay`](super::Replay).
///
/// ```
/// use tool_runtime::conversation::Conversation;
/// use tool_runtime::model::{Recorder, Redaction, Replay, ScriptedModel};
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
    file: Mutex<W>,
    redaction: Redaction,
}

impl<M: ChatModel, W: Write + Send> Recorder<M, W> {
    /// Writes down what this model does.
    ///
    /// ```
    /// use tool_runtime::model::{Recorder, Redaction, ScriptedModel};
    ///
    /// let recorder = Recorder::new(ScriptedModel::new().text("Noon."), Vec::new(), Redaction::new());
    /// # let _ = recorder;
    /// ```
    pub fn new(model: M, file: W, redaction: Redaction) -> Self {
        Self { model, file: Mutex::new(file), redaction }
    }
}

impl<M: ChatModel, W: Write + Send> ChatModel for Recorder<M, W> {
    fn complete<'a>(&'a self, request: Request<'a>) -> Completion<'a> {
        Box::pin(async move {
            let answer = self.model.complete(request).await;
            let line = Line::of(request, &answer, &self.redaction);
            let written = serde_json::to_string(&line).map_err(std::io::Error::from).and_then(|text| {
                let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
                writeln!(file, "{text}")?;
                file.flush()
            });
            match written {
                Ok(()) => answer,
                // A recording with a gap would be found out much later.
                Err(error) => {
                    Err(ModelError::new(ModelErrorKind::Mismatch, format!("the recording cannot be written: {error}")))
                }
            }
        })
    }

    fn format(&self) -> Format {
        self.model.format()
    }
}
