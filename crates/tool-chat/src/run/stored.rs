//! The stored form of a [`Run`].
//!
//! It is an object with the name of the format, the version of the format, and the state. Messages are not stored, but rebuilt from
//! the transcript, so that no change of the saved text can leave a call without an answer.
//!
//! Invariants: a run of any earlier version can be read. A run of a later version, and a text that is not a run, are rejected with an error.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::Run;
use super::history::{History, Item};
use super::load::{State, StoredItem, loaded};
use super::settings::Settings;
use super::turn_state::Turn;
use crate::transcript::Transcript;

/// The name of the format.
const FORMAT: &str = "tool-chat run";

/// The version of the format. It is increased with every change that an earlier version of this crate would misread.
const VERSION: u64 = 1;

/// The keys. The state comes last, even in a file whose keys were sorted, so that the version is known before the state is parsed.
const KEYS: [&str; 3] = ["format", "format_version", "state"];

/// The state of a run as it is written.
#[derive(Serialize)]
struct Written<'r> {
    settings: &'r Settings,
    transcript: &'r Transcript,
    history: Items<'r>,
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    shortened: &'r [usize],
    made_ids: usize,
    turn: &'r Option<Turn>,
}

struct Items<'r>(&'r History);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = |(item, thoughts): (Item, &[Value])| match item {
            Item::Prompt(entry) => StoredItem::Prompt(entry),
            Item::Step { said, first, count } => StoredItem::Step { said, first, count, thoughts: thoughts.to_vec() },
        };
        serializer.collect_seq(self.0.items().map(stored))
    }
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = Written {
            settings: &self.settings,
            transcript: &self.transcript,
            history: Items(&self.history),
            shortened: self.history.shortened(),
            made_ids: self.made_ids,
            turn: &self.turn,
        };
        let mut envelope = serializer.serialize_struct("Run", KEYS.len())?;
        envelope.serialize_field(KEYS[0], FORMAT)?;
        envelope.serialize_field(KEYS[1], &VERSION)?;
        envelope.serialize_field(KEYS[2], &state)?;
        envelope.end()
    }
}

impl<'de> Deserialize<'de> for Run {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let state = deserializer.deserialize_struct("Run", &KEYS, Envelope)?;
        loaded(state).map_err(|error| D::Error::custom(format_args!("the stored run is damaged: {error}")))
    }
}

/// The visitor of the object. If the state comes before the version, it is kept as a tree until the version is known.
struct Envelope;

impl<'de> Visitor<'de> for Envelope {
    type Value = State;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a stored run")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State, A::Error> {
        let (mut is_run, mut is_known) = (false, false);
        let (mut state, mut early): (Option<State>, Option<Value>) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "format" => {
                    let format: String = map.next_value()?;
                    if format != FORMAT {
                        return Err(A::Error::custom(format_args!(
                            "this is not a stored run: its format is `{format}`"
                        )));
                    }
                    is_run = true;
                }
                "format_version" => {
                    let version: u64 = map.next_value()?;
                    if version == 0 || version > VERSION {
                        return Err(A::Error::custom(format_args!(
                            "the stored run has version {version} of its format, and this program reads versions up to \
                             {VERSION}: read it with a newer program"
                        )));
                    }
                    is_known = true;
                }
                "state" if is_run && is_known => state = Some(map.next_value()?),
                "state" => early = Some(map.next_value()?),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if !is_run || !is_known {
            return Err(A::Error::custom("this is not a stored run: it has no format, or no version"));
        }
        match (state, early) {
            (Some(state), _) => Ok(state),
            (None, Some(early)) => State::deserialize(early).map_err(A::Error::custom),
            (None, None) => Err(A::Error::missing_field("state")),
        }
    }
}
