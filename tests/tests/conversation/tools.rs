//! The tools of these tests, and a runner that advances the clock.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub(crate) use tests::fixtures::{GetWeatherTool, Math};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Container, Session, ToolError, Toolbox, plugin_container, tool};

/// Books a table.
#[tool]
pub(crate) fn book_table(
    /// Number of guests.
    #[tool(range(min = 1, max = 50))]
    guests: u8,
) -> Result<String, ToolError> {
    if guests > 8 {
        return Err(ToolError::retry("only tables for up to 8 are left").field("guests"));
    }
    Ok(format!("a table for {guests}"))
}

pub(crate) struct Notes;

/// Notes of the user.
#[plugin_container]
impl Notes {
    /// Writes a note.
    #[tool]
    fn write(
        &self,
        /// What it says.
        text: String,
    ) -> String {
        format!("noted: {text}")
    }
}

pub(crate) struct Files;

/// Files of the user.
#[plugin_container]
impl Files {
    /// Writes a file.
    #[tool]
    fn write(
        &self,
        /// What it says.
        text: String,
    ) -> String {
        format!("written: {text}")
    }
}

pub(crate) fn builder() -> ToolboxBuilder {
    let builder = Toolbox::builder().feedback(FeedbackForm::Json).tool(GetWeatherTool).tool(BookTableTool);
    let rules = Container::new("Rules", "Rules of the house.").system_prompt("Be kind.");
    builder.container(Math).container(Notes).container(Files).container(rules)
}

/// Returns a session without throttle, because a script calls faster than any model.
pub(crate) fn session() -> Session {
    builder().no_throttle().build().expect("all names differ").session()
}

/// Returns a session with the default throttle.
pub(crate) fn throttled() -> Session {
    builder().build().expect("all names differ").session()
}

/// Polls a future, and advances the clock whenever it is pending.
pub(crate) fn run<F: Future>(clock: &SimulatedClock, future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
        assert!(clock.advance_to_next().is_some(), "the future waits for something other than the clock");
    }
}
