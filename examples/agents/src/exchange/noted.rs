//! An observer that records further attempts of calls, which a transcript does not contain: [`Noted`].

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tool_runtime::event::EventKind;
use tool_runtime::event::{Observer, ToolEvent};

/// The pauses before further attempts of calls, keyed by call id.
#[derive(Debug, Default)]
pub struct Noted(Mutex<HashMap<String, Vec<Duration>>>);

impl Noted {
    /// Returns the pause before each further attempt of a call.
    pub fn waits(&self, call_id: &str) -> Vec<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(call_id).cloned().unwrap_or_default()
    }
}

impl Observer for Noted {
    fn event(&self, event: &ToolEvent<'_>) {
        if let EventKind::Retried { wait, .. } = event.kind {
            let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            noted.entry(event.call_id.to_owned()).or_default().push(wait);
        }
    }
}
