//! The saved form of the shared health of a tool. The throttle limits the times when it uses the loaded value.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::format::{SavedError, SavedPause, SavedWindow, is_default};
use super::load::{Damaged, Loading, at_most, count};
use super::save::{saved_error, saved_pause, saved_window};
use crate::throttle::failures::{ERRORS, Failures};
use crate::throttle::health::{TOOL, ToolHealth};
use crate::throttle::limits::LONGEST;
use crate::throttle::pause_and_probe::Probe;
use crate::throttle::rates::nanoseconds;
use crate::throttle::state::{State, ToolState};

#[derive(Default, Serialize, Deserialize)]
struct SavedHealth {
    #[serde(default, skip_serializing_if = "is_default")]
    pause: Option<SavedPause>,
    /// The number of the running probe, and the time at which it expires.
    #[serde(default, skip_serializing_if = "is_default")]
    probe: Option<(u64, u64)>,
    #[serde(default, skip_serializing_if = "is_default")]
    left: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    in_a_row: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    errors: Vec<SavedError>,
    #[serde(default, skip_serializing_if = "is_default")]
    until: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    window: SavedWindow,
    #[serde(default, skip_serializing_if = "is_default")]
    probes: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    pauses: u64,
}

impl SavedHealth {
    fn from_health(health: &ToolHealth) -> Self {
        let saved = Self {
            left: nanoseconds(health.left),
            probes: health.state.probes,
            pauses: health.pauses,
            ..Self::default()
        };
        let Some(Some(tool)) = health.state.tools.get(TOOL) else { return saved };
        let Failures { in_a_row, ref errors, until, .. } = tool.failures;
        let probe = tool.pause.as_ref().and_then(|pause| pause.probe);
        Self {
            pause: tool.pause.as_ref().map(|pause| saved_pause(pause, &|_| None)),
            probe: probe.map(|Probe { number, expires, .. }| (number, nanoseconds(expires))),
            in_a_row,
            errors: errors.iter().map(saved_error).collect(),
            until: nanoseconds(until),
            window: saved_window(&tool.window),
            ..saved
        }
    }

    fn load(self) -> Result<ToolHealth, Damaged> {
        at_most(&self.errors, ERRORS, "a tool has too many errors")?;
        let loading = Loading::of_one_tool();
        let failures = Failures {
            in_a_row: self.in_a_row,
            errors: self.errors.iter().map(|error| loading.error(error)).collect(),
            until: Duration::from_nanos(self.until),
            ..Failures::default()
        };
        let mut pause = self.pause.map(|pause| loading.pause(&pause)).transpose()?;
        if let Some(pause) = &mut pause {
            pause.probe = self.probe.map(|(number, expires)| Probe {
                number,
                expires: Duration::from_nanos(expires),
                is_early: false,
            });
        }
        let tool = ToolState { failures, pause, window: loading.window(self.window)?, ..ToolState::default() };
        let state = State { tools: vec![Some(Box::new(tool))], probes: count(self.probes), ..State::default() };
        Ok(ToolHealth { state, pauses: count(self.pauses), left: Duration::from_nanos(self.left).min(LONGEST) })
    }
}

impl Serialize for ToolHealth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedHealth::from_health(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ToolHealth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        SavedHealth::deserialize(deserializer)?.load().map_err(|Damaged(what)| de::Error::custom(what))
    }
}
