//! How much of a model's context the tools take, and how much the containers saved: [`Report`].
//!
//! In: what is visible and what there is. Out: an estimate, which says how it was made. What always holds: without containers nothing
//! is saved, and with every container expanded the containers themselves are the cost.

use std::fmt;

use super::definitions::define;
use super::{Advertised, Session};
use crate::schema::Format;
use crate::toolbox::Item;

/// How many bytes of JSON make a token, about: what `OpenAI` gives as a rule of thumb for English text.
const BYTES_PER_TOKEN: usize = 4;

/// An estimate of what the definitions cost.
///
/// ```
/// use tool_runtime::{Container, Toolbox, tool};
///
/// /// The hour of the day, from 0 to 23, in the time zone of the user.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
/// /// The minute of the hour, from 0 to 59, in the time zone of the user.
/// #[tool]
/// fn minute() -> u8 {
///     30
/// }
/// let clock = Container::new("Clock", "Tells the time.").tool(HourTool).tool(MinuteTool);
/// let report = Toolbox::builder().container(clock).build()?.session().report();
/// assert_eq!((report.visible_tools, report.hidden_tools), (1, 2));
/// assert!(report.saved_tokens > 0);
/// assert!(report.to_string().ends_with("Estimated as bytes of the OpenAI definitions, divided by 4."));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// How many tools and containers the model sees.
    pub visible_tools: usize,
    /// How many tools it does not see.
    pub hidden_tools: usize,
    /// What the definitions take that the model sees.
    pub visible_tokens: usize,
    /// What all tools would take without containers, less what is visible.
    pub saved_tokens: usize,
}

impl Report {
    /// How the tokens are estimated, in words.
    pub const METHOD: &'static str = "Estimated as bytes of the OpenAI definitions, divided by 4.";
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { visible_tools, hidden_tools, visible_tokens, saved_tokens } = self;
        write!(
            f,
            "{visible_tools} visible, about {visible_tokens} tokens; {hidden_tools} tools hidden, about {saved_tokens} \
             tokens saved. {}",
            Self::METHOD
        )
    }
}

impl Session {
    /// Estimates what the definitions that were shown last cost, and what the containers save. It renders every definition: not for every call.
    ///
    /// ```
    /// # use tool_runtime::Toolbox;
    /// assert_eq!(Toolbox::builder().build()?.session().report().saved_tokens, 0);
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn report(&self) -> Report {
        let catalog = self.catalog();
        let (items, seen) = (self.0.visible.items(catalog), self.0.visible.seen());
        let bytes = |item| define(&Advertised::of(catalog, item, &seen), Format::OpenAi).to_string().len();
        let visible_bytes: usize = items.iter().map(|&item| bytes(item)).sum();
        let all = (0..catalog.tools.len()).map(Item::Tool).filter(|&item| seen.is_available(catalog, item));
        let all: Vec<Item> = all.collect();
        let all_bytes: usize = all.iter().map(|&item| bytes(item)).sum();
        let tools = items.iter().filter(|item| matches!(item, Item::Tool(_))).count();
        Report {
            visible_tools: items.len(),
            hidden_tools: all.len() - tools,
            visible_tokens: visible_bytes.div_ceil(BYTES_PER_TOKEN),
            saved_tokens: all_bytes.saturating_sub(visible_bytes) / BYTES_PER_TOKEN,
        }
    }
}
