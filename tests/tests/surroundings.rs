//! Tools in less usual surroundings: written by macros that hand on types and texts, in private containers, with state that borrows, in a
//! crate that forbids undocumented items.

#![forbid(missing_docs)]
#![deny(warnings, unused_lifetimes, single_use_lifetimes, private_bounds, private_interfaces, clippy::pedantic)]
#![allow(unreachable_pub, reason = "a member may be more public than its container")]
#![allow(clippy::needless_pass_by_value, clippy::unused_self, reason = "a model dictates signatures")]
#![allow(clippy::doc_markdown, reason = "what is included is no Markdown")]

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::container::PluginContainer;
use tool_runtime::{CallContext, Rejection, ToolInput, Toolbox, TypedTool, plugin_container, tool};

/// A state that borrows.
struct Words<'w>(Vec<&'w str>);

macro_rules! reading {
    ($(#[$meta:meta])* $name:ident, $state:ty, $input:ty, $text:expr, $most:literal, $example:expr) => {
        $(#[$meta])*
        #[tool(description = $text)]
        fn $name(
            #[tool(state)] state: $state,
            #[doc = $text]
            #[tool(inner(length(max = $most)), example = $example)]
            input: $input,
        ) -> usize {
            state.0.len() + input.len()
        }
    };
}

reading!(
    #[inline]
    read,
    &Words<'static>,
    Vec<String>,
    "Reads.",
    3,
    ["abc"]
);

#[test]
fn fragments_of_macros_are_what_they_stand_for() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(ReadTool::SPEC.description, "Reads.");
    let toolbox = Toolbox::builder().tool(ReadTool).state(Words(vec!["one"])).build()?;
    let outcome = pollster::block_on(toolbox.session().call("1", "read", r#"{"input": ["two"]}"#));
    assert_eq!(outcome.to_text(), "2");
    assert!(ReadTool::decode(r#"{"input": ["four"]}"#).is_err());
    Ok(())
}

/// A named lifetime in what is borrowed and in what is returned.
#[tool(output_schema)]
fn first<'w>(#[tool(state)] words: &'w Words<'w>) -> Result<&'w str, String> {
    words.0.first().copied().ok_or_else(|| "no words".to_owned())
}

#[test]
fn lifetimes_of_a_function_stay_its_own() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(FirstTool).state(Words(vec!["one"])).build()?;
    let outcome = pollster::block_on(toolbox.session().call("1", "first", "{}"));
    assert_eq!(outcome.to_text(), "one");
    Ok(())
}

trait Stored: Send + Sync + 'static {}
impl Stored for u8 {}

struct Store<T>(T);

/// Less public than its members.
#[plugin_container(description = "Things.")]
impl<T: Stored> Store<T> {
    const MOST: u8 = 9;

    /// Puts.
    #[tool]
    pub fn put(
        &self,
        /// How many.
        #[tool(custom = Self::few)]
        count: u8,
    ) -> u8 {
        let _ = &self.0;
        count
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "a rule takes a reference")]
    fn few(count: &u8) -> Result<(), Rejection> {
        if *count < Self::MOST { Ok(()) } else { Err("must be few".into()) }
    }
}

macro_rules! container {
    ($ty:ty, $member:ident) => {
        /// A type that a macro hands on.
        #[plugin_container]
        impl $ty {
            /// Says so.
            #[tool]
            pub fn $member(&self) -> &'static str {
                stringify!($member)
            }
        }
    };
}

struct Plain;

container!(Plain, say);

#[test]
fn containers_may_be_less_public_than_their_members() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(Store::<u8>::SPEC.description, "Things.");
    assert_eq!(Plain::SPEC.name, "Plain");
    assert!(StorePutTool::<u8>::decode(r#"{"count": 9}"#).is_err());
    let arguments = StorePutTool::<u8>::decode(r#"{"count": 8}"#)?;
    let answer = StorePutTool::run(&Store(1_u8), arguments, &CallContext::test());
    assert!(answer.is_ok_and(|payload| payload.as_str() == "8"));
    let said = PlainSayTool::run(&Plain, PlainSayTool::decode("{}")?, &CallContext::test());
    assert!(said.is_ok_and(|payload| payload.as_str() == "say"));
    Ok(())
}

/// First line.
#[doc = include_str!("../../rustfmt.toml")]
/// Last line.
#[tool]
fn documented() {}

/** In a block,
 * on two lines. */
#[doc(hidden)]
#[tool]
fn blocked() {}

#[tool(description = include_str!("../../rustfmt.toml"))]
fn included() {}

#[test]
fn documentation_in_several_parts_is_one_text() {
    let included = include_str!("../../rustfmt.toml");
    assert_eq!(DocumentedTool::SPEC.description.as_str(), format!("First line.\n{included}\nLast line."));
    assert_eq!(BlockedTool::SPEC.description, "In a block,\non two lines.");
    assert_eq!(IncludedTool::SPEC.description.as_str(), included.trim());
}

/// A newtype that is the key of a map.
#[derive(Deserialize, ToolInput, PartialEq, Eq, PartialOrd, Ord)]
struct City(#[tool(length(min = 1))] String);

/// So is one that is converted.
#[derive(Deserialize, ToolInput, PartialEq, Eq, PartialOrd, Ord)]
#[serde(from = "u16")]
struct Year(u16);

impl From<u16> for Year {
    fn from(year: u16) -> Self {
        Self(year)
    }
}

#[test]
fn newtypes_of_keys_are_keys() -> Result<(), Box<dyn std::error::Error>> {
    type People = BTreeMap<City, BTreeMap<Year, u8>>;
    let people: People = tool_schema::decode::decode(&r#"{"Paris": {"1900": 3}}"#.into())?;
    assert_eq!(people[&City("Paris".to_owned())][&Year(1900)], 3);
    assert!(tool_schema::decode::decode::<People>(&r#"{"": {}}"#.into()).is_err());
    assert!(tool_schema::decode::decode::<People>(&r#"{"Paris": {"old": 3}}"#.into()).is_err());
    Ok(())
}
