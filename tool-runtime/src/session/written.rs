//! Extracts calls that a model wrote into its text, and checks the arguments of calls that are still being written.
//!
//! In: the text of a message, or the name in a call whose arguments arrive in pieces. Out: the calls in the text, or a [`Stream`] that
//! checks the pieces against the tool's shape. Invariants: only tools that the model can currently call are found. No tool runs. No repair
//! quotes a sensitive value.

use std::collections::HashSet;

use super::Session;
use super::definitions::NOTHING;
use super::names::Found;
use super::view::SessionView;
use crate::failure::Failure;
use crate::repair::{Stream, TextCall, calls_in_text, redact_call};
use crate::shape::{Ref, has_secrets};
use crate::toolbox::{CALL_TOOL, Item};

impl Session {
    /// Finds calls that a model wrote into its text, and returns them in the order of the text. Only calls of available tools are returned.
    ///
    /// Use this for models and inference servers that leave a call in the text of a message, instead of returning it as a tool call. Calls
    /// are recognized in `<tool_call>…</tool_call>` and similar tags, in code fences, and in a text that consists only of calls. Each call
    /// has its own list of repairs. This method does not run the calls. To run one, use [`call`](Self::call) with an id that you choose.
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

    /// Returns a stream for the arguments of a call that is still being written. The arguments are checked against the schema that the
    /// model saw last for this tool. They are [refused](crate::repair::Progress::Refused) as soon as no continuation can make them
    /// acceptable without repairs.
    ///
    /// Wrong types and wrappers are not repaired here. If you want repairs, wait for the whole text and use [`call`](Self::call).
    /// Requesting a stream neither expands a container nor answers a call.
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
    /// Fails if the model cannot currently call a tool with this name. The error is the failure with which such a call would be answered.
    pub fn stream(&self, name: &str) -> Result<Stream<'static>, Box<Failure>> {
        let current = self.current();
        let found = current.find(name).and_then(|Found { item, .. }| current.callable(item));
        found.map(|item| Stream::for_input(&current.input_of(item))).map_err(Box::new)
    }
}

impl SessionView {
    /// Returns the item if the model can call it now, and otherwise the failure with which a call of the item would be answered.
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

    /// Returns the shape of the arguments of an item, as the model sends them.
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
