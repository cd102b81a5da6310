//! Waits until the host has recorded that a tool starts.
//!
//! In: a call whose tool is about to run. Out: permission to run it. Invariants: in a session without a recorder, this costs one atomic
//! load per call. While the start is being recorded, the call can be cancelled. If the start could not be recorded, the tool does not run.
//! The start is recorded before each attempt to decode the arguments, so a call that is repaired may be recorded twice.

use super::Outcome;
use super::attempt::{Attempt, CallStorage, End};
use super::call_durability::RecordedMoment;
use super::run_interruptible::{Interruption, Race};
use super::session_with_toolbox::SessionView;
use crate::event::EventKind;
use crate::failure::Failure;
use crate::input::Arguments;
use crate::shape::Text;
use crate::spill::READ_RESULT;
use crate::tool::Annotations;
use crate::toolbox::{Entry, Item};

impl SessionView {
    /// Records that a tool starts. This is a stage.
    pub(super) async fn record_start<'a>(&'a self, entry: &'a Entry, call: &mut Attempt<'a>) -> Result<(), End<'a>> {
        let Some(recorder) = self.shared.durability.recorder() else { return Ok(()) };
        if call.invocation.is_some() {
            return Ok(());
        }
        call.count();
        let cx = self.context(entry, call);
        let is_repeatable = is_repeatable(entry.tool.spec().settings.annotations);
        let recording = recorder(RecordedMoment::Starts { call_id: call.call_id, tool: &entry.name, is_repeatable });
        // Boxed, to keep the future of the other calls small.
        match Box::pin(Race::new(self.shared.running.register(cx), cx, recording)).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(End::Interrupted(Interruption::Lost("the start of the call could not be recorded"))),
            Err(interruption) => Err(End::Interrupted(interruption)),
        }
    }

    /// Answers a call that was interrupted after its start was recorded, without running it.
    pub(super) fn answer_unknown(&self, call_id: &str, tool: &Text, arguments: &Arguments<'_>) -> Outcome {
        self.observe(call_id, || EventKind::Received { name: tool, arguments });
        let storage = CallStorage::default();
        let mut call = Attempt::named(call_id, tool, arguments, &storage);
        self.settle(&mut call, Err(End::Denied(Failure::effect_unknown(tool, self.reading_tools()))))
    }

    /// Returns the visible tools that change nothing.
    fn reading_tools(&self) -> Vec<&str> {
        let catalog = self.catalog();
        let tools = self.visible.items(catalog).into_iter().filter_map(|item| match item {
            Item::Tool(tool) => Some(&catalog.tools[tool]),
            Item::Container(_) | Item::CallTool => None,
        });
        let reads = |entry: &&Entry| entry.tool.spec().settings.annotations.read_only == Some(true);
        // `read_result` and searches are left out, because they say nothing about later effects.
        tools
            .filter(|entry| reads(entry) && !entry.is_search)
            .map(|entry| entry.name.as_str())
            .filter(|name| *name != READ_RESULT)
            .collect()
    }
}

pub(super) fn is_repeatable(annotations: Annotations) -> bool {
    annotations.idempotent == Some(true) || annotations.read_only == Some(true)
}
