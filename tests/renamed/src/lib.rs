//! A program whose dependencies have other names: `rt` is `tool-runtime`, and `reading` is `tool-schema`.
//!
//! Neither name of ours exists here, so generated code that names one does not compile. Every macro is used with `crate = …`, and each kind of
//! code that it can generate occurs: rules, patterns, defaults, state, output schemas, functions of the state, errors.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A place to sleep.
#[derive(Deserialize, Serialize, rt::ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(crate = ::rt, custom = affordable)]
pub struct Room {
    /// Number of beds.
    #[tool(range(min = 1, max = 4), example = 2)]
    pub beds: u8,
    /// Who sleeps there.
    #[serde(default)]
    #[tool(default = [], inner(length(min = 1), pattern = "^[A-Z]"))]
    pub guests: Vec<String>,
}

fn affordable(room: &Room) -> Result<(), rt::CustomRuleError> {
    if room.guests.len() < 9 { Ok(()) } else { Err("must have fewer than 9 guests".into()) }
}

/// How somebody travels.
#[derive(Deserialize, Serialize, rt::ToolInput)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[tool(ignore_unknown, crate = ::rt)]
pub enum Journey {
    /// On foot.
    Walk,
    /// By train.
    Train {
        /// The class.
        #[tool(range(min = 1, max = 2))]
        class: u8,
    },
}

/// An error of the booking office.
#[derive(Debug, thiserror::Error, rt::ToolFailure)]
#[tool(crate = ::rt)]
pub enum OfficeError {
    /// Nobody is there.
    #[error("the office is closed")]
    #[tool(unavailable, retry_after = pause)]
    Closed {
        /// Until then.
        pause: Duration,
    },
    /// There is no such room.
    #[error("no room has so many beds")]
    #[tool(retry, field = "room.beds")]
    TooManyBeds,
}

/// The rooms of a house, as a state.
pub struct House {
    /// The most beds of a room.
    pub most: u8,
}

/// Books a room.
///
/// # Errors
///
/// Fails for rooms that the house does not have.
#[rt::tool(crate = ::rt, output_schema, idempotent = false, available_if = House::is_open, description_from = House::summary, throttle(same_error(limit = 5)), volatile("at"))]
pub async fn book(
    /// Which room.
    room: Room,
    /// How the guests come.
    #[tool(default = {"kind": "walk"})]
    journey: Journey,
    /// Which meal.
    #[tool(enum_from = House::meals, available_if = House::is_open, description_from = House::summary)]
    meal: Option<String>,
    #[tool(host)] porter: Option<String>,
    #[tool(context)] cx: &rt::CallContext,
    #[tool(state)] house: &House,
) -> Result<String, OfficeError> {
    let _ = (cx, porter);
    match (house.most, journey) {
        (0, _) => Err(OfficeError::Closed { pause: Duration::from_secs(60) }),
        (most, _) if room.beds > most => Err(OfficeError::TooManyBeds),
        (_, Journey::Walk) => Ok(format!("{} on foot, {}", room.beds, meal.unwrap_or_default())),
        (_, Journey::Train { class }) => Ok(format!("{} in class {class}", room.beds)),
    }
}

impl House {
    fn is_open(&self) -> bool {
        self.most < 9
    }

    fn summary(&self) -> String {
        format!("Rooms have up to {} beds.", self.most)
    }

    fn meals(&self) -> Vec<String> {
        vec!["breakfast".to_owned()]
    }
}

/// A calculator with a memory.
pub struct Calculator {
    /// The number that is remembered.
    pub memory: f64,
}

/// Arithmetic on numbers.
#[rt::plugin_container(crate = ::rt, instructions = "Numbers are decimal.")]
impl Calculator {
    /// Adds a number to the memory.
    #[rt::tool(read_only)]
    pub fn add(
        &self,
        /// The number.
        #[tool(default_fn = one, range(exclusive_min = 0))]
        number: f64,
    ) -> f64 {
        self.memory + number
    }
}

fn one() -> f64 {
    1.0
}

/// An answer that a program reads without tools.
#[derive(Deserialize, reading::ToolInput)]
#[tool(ignore_unknown, crate = ::reading)]
pub struct Reply {
    /// The words.
    #[tool(length(min = 1))]
    pub words: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

    fn session(most: u8) -> Result<rt::Session> {
        let builder = rt::Toolbox::builder().tool(BookTool).state(House { most });
        Ok(builder.container(Calculator { memory: 40.0 }).build()?.session())
    }

    fn answer(session: &rt::Session, tool: &str, arguments: &str) -> String {
        pollster::block_on(session.call("call_1", tool, arguments)).to_text().into_owned()
    }

    #[test]
    fn a_tool_with_derived_inputs_is_called() -> Result {
        let session = session(2)?;
        let text = answer(&session, "book", r#"{"room": {"beds": 2}, "meal": "breakfast"}"#);
        assert_eq!(text, "2 on foot, breakfast");
        let text = answer(&session, "book", r#"{"room": {"beds": 1}, "journey": {"kind": "train", "class": 2}}"#);
        assert_eq!(text, "1 in class 2");
        Ok(())
    }

    #[test]
    fn every_fault_of_a_call_is_reported() -> Result {
        let session = session(2)?;
        let call =
            r#"{"room": {"beds": 9, "guests": ["ann"]}, "journey": {"kind": "train", "class": 3}, "meal": "tea"}"#;
        let outcome = pollster::block_on(session.call("call_1", "book", call));
        let failure = outcome.result().err().ok_or("the call is rejected")?;
        let mut paths: Vec<String> = failure.issues().iter().map(|issue| issue.path.to_string()).collect();
        paths.sort();
        assert_eq!(paths, ["journey.class", "meal", "room.beds", "room.guests[0]"]);
        Ok(())
    }

    #[test]
    fn an_error_says_what_it_means_for_the_call() -> Result {
        let text = answer(&session(0)?, "book", r#"{"room": {"beds": 1}}"#);
        assert!(text.contains(r#""retry_after_ms":60000"#), "{text}");
        let text = answer(&session(2)?, "book", r#"{"room": {"beds": 3}}"#);
        assert!(text.contains("room.beds"), "{text}");
        Ok(())
    }

    #[test]
    fn a_member_of_a_container_is_called() -> Result {
        let session = session(2)?;
        assert!(answer(&session, "Calculator", "").contains("Numbers are decimal."));
        assert_eq!(answer(&session, "add", r#"{"number": 2}"#), "42.0");
        assert_eq!(answer(&session, "add", "{}"), "41.0");
        Ok(())
    }

    #[test]
    fn a_schema_is_read_without_the_runtime() {
        let reply = reading::extract::<Reply>(r#"It is {"words": "hello"}."#);
        assert!(reply.is_ok_and(|reply| reply.value.words == "hello"));
        assert!(reading::extract::<Reply>(r#"{"words": ""}"#).is_err());
    }
}
