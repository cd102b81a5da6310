//! A transcript as a recording, and as a page.
//!
//! Invariant: everything has passed through the [`Redaction`], which has to know the tools of the conversation.

use tool_report::{RecordedLine, Redaction};

use crate::transcript::{Entry, Transcript};

/// The maximum number of bytes that are kept of the answer to a call.
const LONGEST: usize = 16 * 1_024;

impl Transcript {
    /// Returns the lines of a recording, in order: prompts, texts of the model, and calls with the beginning of each answer. A transcript has no times.
    ///
    /// ```
    /// use tool_chat::transcript::{Entry, Transcript};
    /// use tool_report::Redaction;
    ///
    /// let mut transcript = Transcript::new();
    /// transcript.push(Entry::from_prompt(0, "What time is it?"));
    /// let lines: Vec<String> = transcript.to_lines(&Redaction::new()).map(|line| line.to_json()).collect();
    /// assert_eq!(lines, [r#"{"prompt":"What time is it?"}"#]);
    /// ```
    pub fn to_lines<'t>(&'t self, redaction: &'t Redaction) -> impl Iterator<Item = RecordedLine> + 't {
        // The calls of a later step belong to a text of their own, even if the model wrote none.
        let mut step = None;
        self.entries().iter().flat_map(move |entry| {
            let line = match entry {
                Entry::Prompt { text, .. } => RecordedLine::from_prompt(text, redaction),
                Entry::Answer { text, .. } => RecordedLine::from_model_text(text, redaction),
                Entry::Rejected { text, .. } => RecordedLine::from_rejected_answer(text, redaction),
                Entry::Called(call) => {
                    RecordedLine::from_call(&call.name, &call.arguments, &call.outcome, LONGEST, redaction)
                }
            };
            let place = match entry {
                Entry::Called(call) => Some((call.turn, call.step)),
                Entry::Answer { turn, step, .. } => Some((*turn, *step)),
                Entry::Prompt { .. } | Entry::Rejected { .. } => None,
            };
            let is_new = std::mem::replace(&mut step, place) != place && matches!(entry, Entry::Called(_));
            is_new.then(|| RecordedLine::from_model_text("", redaction)).into_iter().chain([line])
        })
    }

    /// Returns the conversation as a page: prompts, texts, batches of calls, expansions, and each call with its repairs, issues and answer. It is
    /// one HTML file that loads nothing.
    ///
    /// A transcript contains the arguments and results of all calls, and does not know the tools. So pass a redaction that does
    /// ([`Redaction::add_toolbox`]): values of sensitive fields, values under keys that look secret, and the answers of calls that sent such values
    /// are left out.
    ///
    /// ```
    /// use tool_chat::conversation::Conversation;
    /// use tool_chat::model::ScriptedModel;
    /// use tool_report::Redaction;
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// Logs the user in.
    /// #[tool]
    /// fn log_in(
    ///     /// The PIN.
    ///     #[tool(sensitive)]
    ///     pin: String,
    /// ) -> String {
    ///     format!("welcome, {pin}")
    /// }
    ///
    /// let toolbox = Toolbox::builder().tool(LogInTool).build()?;
    /// let model = ScriptedModel::new().call("log_in", r#"{"pin": "8315"}"#).text("You are logged in.");
    /// let mut conversation = Conversation::new(toolbox.session(), model);
    /// pollster::block_on(conversation.ask("Log me in."));
    /// let page = conversation.transcript().to_html("Log in", &Redaction::new().add_toolbox(&toolbox));
    /// assert!(page.contains("Log me in.") && page.contains("You are logged in.") && !page.contains("8315"));
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    #[cfg(feature = "html")]
    pub fn to_html(&self, title: &str, redaction: &Redaction) -> String {
        let mut report = tool_report::CallReport::new();
        for line in self.to_lines(redaction) {
            report.add_line(line);
        }
        report.to_html(title)
    }

    /// Writes [the page of the conversation](Self::to_html) to a file. The name of the file is the title.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    #[cfg(feature = "html")]
    pub fn write_html(&self, path: impl AsRef<std::path::Path>, redaction: &Redaction) -> std::io::Result<()> {
        let path = path.as_ref();
        let title = path.file_stem().unwrap_or_default().to_string_lossy();
        std::fs::write(path, self.to_html(&title, redaction))
    }
}
