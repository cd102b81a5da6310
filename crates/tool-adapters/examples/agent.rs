//! An agent in the terminal. It asks a server that is compatible with `OpenAI`'s chat completions, and the user before it deletes anything:
//!
//! ```text
//! TOOL_ENDPOINT=http://127.0.0.1:11434/v1 TOOL_MODEL=qwen3 cargo run -p tool-adapters --features genai --example agent
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, Write};
use std::sync::Mutex;

use tool_adapters::GenAi;
use tool_chat::conversation::{Conversation, TurnEnd};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Completion;
use tool_runtime::{ToolError, Toolbox, tool};

/// The notes by title.
#[derive(Default)]
struct Notes(Mutex<BTreeMap<String, String>>);

/// Saves a note, or replaces it.
#[tool(idempotent)]
fn save_note(
    /// Title of the note.
    #[tool(length(min = 1, max = 80))]
    title: String,
    /// Text of the note.
    text: String,
    #[tool(state)] notes: &Notes,
) -> &'static str {
    notes.0.lock().unwrap().insert(title, text);
    "saved"
}

/// Returns all notes by title.
#[tool(read_only)]
fn list_notes(#[tool(state)] notes: &Notes) -> BTreeMap<String, String> {
    notes.0.lock().unwrap().clone()
}

/// Deletes a note.
#[tool(destructive)]
fn delete_note(
    /// Title of the note.
    title: String,
    #[tool(state)] notes: &Notes,
) -> Result<&'static str, ToolError> {
    match notes.0.lock().unwrap().remove(&title) {
        Some(_) => Ok("deleted"),
        None => Err(ToolError::new(format!("there is no note {title}"))),
    }
}

/// Calls of destructive tools wait for the user.
fn ask_first(call: &ProposedCall<'_>) -> Verdict {
    if call.spec().settings.annotations.destructive == Some(true) { Verdict::Defer } else { Verdict::Run }
}

/// Talks with the user until the input ends.
pub(crate) async fn talk(model: GenAi, mut input: impl BufRead, mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let builder = Toolbox::builder().tool(SaveNoteTool).tool(ListNotesTool).tool(DeleteNoteTool);
    let toolbox = builder.state(Notes::default()).before_call(ask_first).build()?;
    let mut conversation = Conversation::new(toolbox.session(), model).instructions("You keep the notes of the user.");
    let mut line = String::new();
    loop {
        write!(output, "> ")?;
        output.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut end = conversation.ask(line.trim()).await;
        while let TurnEnd::Deferred { .. } = end {
            for call in conversation.session().deferred_calls() {
                write!(output, "May {} run? [y/n] ", call.arguments_text())?;
                output.flush()?;
                line.clear();
                input.read_line(&mut line)?;
                let outcome = if line.trim() == "y" {
                    conversation.session().resume(call.call_id()).await?
                } else {
                    conversation.session().complete(call.call_id(), Completion::denied("The user said no."))?
                };
                conversation.answer_deferred(outcome)?;
            }
            end = conversation.resume().await?;
        }
        match end {
            TurnEnd::Answered { text, .. } => writeln!(output, "{text}")?,
            // The conversation continues after every end.
            other => writeln!(output, "No answer: {other:?}")?,
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (endpoint, model) = (std::env::var("TOOL_ENDPOINT")?, std::env::var("TOOL_MODEL")?);
    let key = std::env::var("TOOL_KEY").ok();
    talk(GenAi::openai_compatible(&endpoint, &model, key.as_deref()), io::stdin().lock(), io::stdout()).await
}
