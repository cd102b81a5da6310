//! Typed answers of a conversation: [`Conversation::answer`].

use tool_runtime::tool_schema::{Dialect, ToolInput};

use super::{Conversation, ResumeError, TurnEnd};
use crate::run::{AnswerError, AnswerType};

/// Returns the dialect in which a conversation asks for typed answers, and whether it uses the form of the provider.
pub fn answer_dialect(conversation: &Conversation) -> (Dialect, bool) {
    let (session, model) = (&conversation.session, &conversation.model);
    (session.dialect().unwrap_or_else(|| model.dialect()), model.has_answer_forms())
}

impl Conversation {
    /// Sends a prompt, and returns the answer as a value. The model may call tools first.
    ///
    /// The provider is asked for an answer in the schema of the type; if it has no form for that, a tool stands for the answer. The text is
    /// repaired as by [`extract`](tool_runtime::tool_schema::extract()). If it still has no value of the type, or if the value breaks a rule,
    /// the model reads every issue and answers again, at most as often as
    /// [`TurnLimits::corrections`](crate::run::TurnLimits::corrections) says.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_chat::conversation::Conversation;
    /// use tool_chat::model::ScriptedModel;
    /// use tool_runtime::Toolbox;
    /// use tool_runtime::ToolInput;
    ///
    /// /// An invoice.
    /// #[derive(Debug, Deserialize, PartialEq, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Invoice {
    ///     /// The person or company that is billed.
    ///     customer: String,
    ///     /// Amount in cents.
    ///     #[tool(range(min = 1))]
    ///     cents: u32,
    /// }
    ///
    /// let model = ScriptedModel::new().text(r#"{"customer": "Ada", "cents": 0}"#).text(r#"{"customer": "Ada", "cents": "1250"}"#);
    /// let mut conversation = Conversation::new(Toolbox::builder().build()?.session(), model.clone());
    /// let invoice: Invoice = pollster::block_on(conversation.answer("What did Ada buy?"))?;
    /// assert_eq!(invoice, Invoice { customer: "Ada".to_owned(), cents: 1250 });
    /// assert!(model.requests()[1].messages[2].text().contains("cents must be at least 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an [`AnswerError`] with the [`TurnEnd`] of the turn if the turn ended without a value.
    pub async fn answer<T: ToolInput>(&mut self, prompt: impl Into<String>) -> Result<T, AnswerError> {
        self.answering = Some(AnswerType::new::<T>());
        let end = self.turn(prompt.into()).await;
        self.value(end)
    }

    /// Continues a turn that waited for the host, as [`resume`](Self::resume) does, and returns the answer as a value.
    ///
    /// # Errors
    ///
    /// Fails as [`resume`](Self::resume) does. Within, returns an [`AnswerError`] if the turn ended without a value.
    pub async fn resume_answer<T: ToolInput>(&mut self) -> Result<Result<T, AnswerError>, ResumeError> {
        self.answering = Some(AnswerType::new::<T>());
        let end = self.resume().await?;
        Ok(self.value(end))
    }

    fn value<T: ToolInput>(&self, end: TurnEnd) -> Result<T, AnswerError> {
        AnswerType::new::<T>().value(end, &self.session, &*self.model)
    }
}
