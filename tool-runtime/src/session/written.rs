//! Calls that a model wrote into its text, and calls that are still being written.
//!
//! In: the text of a message, or the name of a call whose arguments come in pieces. Out: the calls in the text, or a [`Stream`] that is held
//! against the tool's shape. What always holds: only what the model can call now is found; nothing is run; no line of a ledger repeats what
//! is sensitive.

use std::collections::HashSet;

use super::Session;
use super::definitions::NOTHING;
use super::generation::Generation;
use super::names::Found;
use crate::failure::Failure;
use crate::repair::{Stream, TextCall, calls_in_text, redact_call};
use crate::shape::{Ref, has_secrets};
use crate::toolbox::{CALL_TOOL, Item};

impl Session {
    /// The calls that a model wrote into its text, of what it can call now only, in the order of the text.
    ///
    /// For models, or the servers before them, that leave a call in the text of a message instead of handing it over as one. Read are
    /// `<tool_call>…</tool_call>` and its kin, code fences, and a text that is nothing but calls; each call has its ledger. Nothing is run: the host
    /// decides, and calls [`call`](Self::call) with an id of its own.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    ///
    /// /// The weather.
    /// #[tool]
    /// fn get_weather(
    ///     /// Where.
    ///     city: String,
    /// ) -> String {
    ///     format!("{city}: 22 °C")
    /// }
    ///
    /// let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
    /// let text = "I will look.\n<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Paris'}}</tool_call>";
    /// let [call] = &session.calls_in(text)[..] else { return Err("there is one".into()) };
    /// assert_eq!(call.repairs[0].rule.name(), "call_as_text");
    /// let outcome = pollster::block_on(session.call("text_1", &call.name, call.arguments.to_text()));
    /// assert_eq!(outcome.to_text(), "Paris: 22 °C");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calls_in(&self, text: &str) -> Vec<TextCall> {
        let current = self.current();
        let catalog = current.catalog();
        let items: HashSet<Item> = current.visible.items(catalog).into_iter().collect();
        let mut calls = calls_in_text(text, |name| catalog.find(name).is_some_and(|item| items.contains(&item)));
        for call in &mut calls {
            let input = catalog.find(&call.name).map(|item| current.input_of(item));
            if input.is_some_and(|input| has_secrets(&input.shape())) {
                redact_call(call);
            }
        }
        calls
    }

    /// A stream for the arguments of a call that is still being written, held against the shape of the tool as the model has seen it: it
    /// is [refused](crate::repair::Progress::Refused) as soon as no continuation can be accepted as it is written.
    ///
    /// What a repair would make of a wrong type or of a wrapper is not tried here; a host that wants it waits for the whole text and lets
    /// [`call`](Self::call) decide. Nothing is expanded and no call is answered by asking for a stream.
    ///
    /// ```
    /// use tool_runtime::{Toolbox, tool};
    /// use tool_runtime::tool_schema::repair::Progress;
    ///
    /// /// Waits.
    /// #[tool]
    /// fn wait(
    ///     /// How long.
    ///     seconds: u8,
    /// ) {
    ///     let _ = seconds;
    /// }
    ///
    /// let session = Toolbox::builder().tool(WaitTool).build()?.session();
    /// let mut stream = session.stream("wait").map_err(|failure| failure.to_text())?;
    /// assert_eq!(stream.push("{\"sec"), Progress::Open);
    /// assert_eq!(stream.push("onds\": \""), Progress::Refused);
    /// assert_eq!(stream.issues()[0].message(), "seconds must be an integer");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The failure that a call of this name would be answered with, where it is nothing that the model can call now.
    pub fn stream(&self, name: &str) -> Result<Stream<'static>, Box<Failure>> {
        let current = self.current();
        let found = current.find(name).and_then(|Found { item, .. }| current.callable(item));
        found.map(|item| Stream::for_input(&current.input_of(item))).map_err(Box::new)
    }
}

impl Generation {
    /// The item, where the model can call it now.
    fn callable(&self, item: Item) -> Result<Item, Failure> {
        let (catalog, visible) = (self.catalog(), &self.visible);
        let name = catalog.name(item);
        if let Item::Tool(index) = item
            && !visible.is_available(&catalog.tools[index])
        {
            return Err(Failure::unavailable(name, None));
        }
        if visible.is_visible(catalog, item) {
            return Ok(item);
        }
        Err(match catalog.owners(item) {
            [owner, ..] => Failure::container_not_expanded(name, &catalog.containers[*owner].spec.name),
            [] => Failure::unknown_tool(name, [], self.available()),
        })
    }

    /// What an item is called with, as the model sends it.
    fn input_of(&self, item: Item) -> Ref {
        match item {
            Item::Tool(index) => {
                let entry = &self.catalog().tools[index];
                self.rewritten(entry).map_or_else(|| self.input(entry), |shown| shown.shown_input().clone())
            }
            Item::Container(_) => Ref::Static(&NOTHING),
            Item::CallTool => CALL_TOOL.input.clone(),
        }
    }
}
