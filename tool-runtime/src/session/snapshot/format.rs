//! The saved form of a session, version 1. A later version needs other types, because states of version 1 must always load.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::throttle::{Details, Digest, SavedThrottle, is_default};

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedSession {
    pub(super) id: String,
    /// The time of day at which the session was saved.
    pub(super) saved_at: Duration,
    /// The time from the beginning of the session until it was saved.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) elapsed: Duration,
    /// The tools and containers, including removed ones, in the order of their numbers in the throttle. Other parts refer to them by index.
    pub(super) names: Vec<SavedName>,
    pub(super) visible: SavedVisible,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) advertised: Option<SavedForms>,
    /// The tools that were advertised in further dialects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) also_advertised: Vec<SavedForms>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) reminders: SavedReminders,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) results: SavedResults,
    /// The number of calls that were deferred so far.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) deferrals: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) deferred: Vec<SavedDeferred>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "refused")]
    pub(super) rejected: Vec<SavedRejections>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) throttle: Option<SavedThrottle>,
    /// The [`Secrets`], encrypted by the cipher and encoded in base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sealed: Option<String>,
}

/// The parts that may contain or reveal sensitive values.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Secrets {
    /// The id of the session, so that the secrets of one session cannot be put into the state of another one.
    pub(super) id: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) throttle: Details,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) deferred: Vec<SavedDeferred>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "refused")]
    pub(super) rejected: Vec<SavedRejections>,
}

/// A tool or container that the session has or had.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedName {
    pub(in crate::session) name: String,
    /// `true` for `call_tool`, which does not belong to the catalog.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) is_call_tool: bool,
}

/// The visible items and the expanded containers.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedVisible {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) is_open: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) revision: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) uses: u64,
    /// The expanded containers, in order, each with the number of its last use.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) expanded: Vec<(String, u64)>,
    /// The containers in `expanded` of which only the tools that a search has found are visible.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) partly: Vec<String>,
    /// The tools that a search has found while their containers were collapsed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) found: Vec<String>,
    /// The descriptions of containers that were advertised before another toolbox was set, if the definitions are fixed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) described: BTreeMap<String, String>,
    /// The names in the order in which they became visible.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) listed: Vec<String>,
}

/// The tools that were advertised in a rewritten form, each with the fingerprint of the form.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedForms {
    pub(in crate::session) dialect: String,
    pub(in crate::session) tools: BTreeMap<String, Digest>,
}

#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedReminders {
    pub(in crate::session) has_begun: bool,
    pub(in crate::session) lines: Vec<String>,
}

/// The key under which long results were kept, and their number.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedResults {
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) session: Option<Digest>,
    pub(super) count: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) has_secrets: bool,
}

/// A call that waits for the host.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedDeferred {
    pub(super) number: u64,
    pub(super) call_id: String,
    pub(super) tool: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_external: bool,
    pub(super) arguments: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) is_repaired: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) repairs: Vec<SavedRepair>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) supplied: Map<String, Value>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) batch: Option<u64>,
    /// `true` if another call with this id waited at the same time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) shares_id: bool,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedRepair {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) path: Vec<SavedSegment>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) span: Option<(u32, u32)>,
    pub(super) rule: String,
    pub(super) before: String,
    pub(super) after: String,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum SavedSegment {
    Key(String),
    Index(usize),
}

/// The rejected paths of one tool.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedRejections {
    /// The rank by age; the oldest entry has the rank zero.
    pub(in crate::session) age: usize,
    pub(in crate::session) tool: String,
    pub(in crate::session) paths: Vec<SavedPath>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct SavedPath {
    pub(in crate::session) path: Digest,
    pub(in crate::session) wrong: SavedWrong,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::session) is_told: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::session) enum SavedWrong {
    Missing,
    Unknown,
    NotJson,
    Value(Option<Digest>),
}
