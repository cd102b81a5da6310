//! The versioned form in which a session is written: the name of the format, its version, and the session itself.
//!
//! Invariant: the version is checked before the session is parsed, whatever the order of the members is.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::SessionState;
use super::format::SavedSession;

const FORMAT: &str = "tool-runtime session";
/// The newest version. New data is always written in this version.
const VERSION: u64 = 1;

#[derive(Serialize)]
struct Written<'s> {
    format: &'static str,
    version: u64,
    session: &'s SavedSession,
}

#[derive(Deserialize)]
struct Read {
    format: String,
    version: u64,
    session: Value,
}

impl Serialize for SessionState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written { format: FORMAT, version: VERSION, session: &self.0 }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SessionState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Read { format, version, session } = Read::deserialize(deserializer)?;
        if format != FORMAT {
            let format = crate::bounded::name(&format);
            return Err(D::Error::custom(format_args!("expected the format `{FORMAT}`, found `{format}`")));
        }
        match version {
            0 => Err(D::Error::custom("there is no version 0 of a saved session")),
            VERSION => {
                let session = serde_json::from_value(session);
                let damaged = |error| D::Error::custom(format_args!("the saved session is damaged: {error}"));
                session.map(|session| Self(Box::new(session))).map_err(damaged)
            }
            newer => Err(D::Error::custom(format_args!(
                "the session was saved in version {newer}, but this program reads versions up to {VERSION}: update tool-runtime"
            ))),
        }
    }
}
