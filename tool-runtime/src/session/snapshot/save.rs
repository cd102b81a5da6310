//! Writes a session as data.

use std::collections::HashSet;

use super::SessionState;
use super::cipher::{Cipher, seal};
use super::deferred::saved;
use super::error::SnapshotError;
use super::format::{SavedName, SavedRejections, SavedResults, SavedSession, Secrets};
use crate::session::deferred_table::Waiting;
use crate::session::session_with_toolbox::SessionView;
use crate::spill::READ_RESULT;
use crate::throttle::{Details, Digest};
use crate::toolbox::{CALL_TOOL, Entry, Item};

/// Returns a session as data.
pub(in crate::session) fn save(view: &SessionView, cipher: Option<&dyn Cipher>) -> Result<SessionState, SnapshotError> {
    let catalog = view.catalog();
    let id = view.scope.id.get().to_owned();
    let sensitive = Sensitive::new(view);
    let mut secrets = Secrets { id: id.clone(), ..Secrets::default() };
    let (deferrals, waiting) = view.shared.deferred.saved();
    let (secret_calls, deferred): (Vec<_>, Vec<_>) = waiting.iter().partition(|(waiting, _)| sensitive.waits(waiting));
    match (secret_calls.first(), cipher) {
        (Some((first, _)), None) => {
            let (call_id, tool) = (first.call_id.clone(), first.name.to_string());
            return Err(SnapshotError::NeedsCipher { call_id, tool });
        }
        _ => secrets.deferred = secret_calls.into_iter().map(saved).collect(),
    }
    let all = view.shared.rejected.saved().into_iter();
    let rejected;
    (secrets.rejected, rejected) = all.partition(|rejections: &SavedRejections| sensitive.names(&rejections.tool));
    let numbers = view.numbers.in_order(catalog);
    let names = numbers.iter().map(|(_, name)| SavedName {
        name: name.map_or_else(|| CALL_TOOL.name.to_string(), ToString::to_string),
        is_call_tool: name.is_none(),
    });
    let names: Vec<_> = names.collect();
    let throttle = view.throttle.as_ref().map(|throttle| {
        let index = |number| numbers.binary_search_by_key(&number, |(number, _)| *number).ok();
        let secret = numbers.iter().zip(&names).filter(|(_, saved)| sensitive.names(&saved.name));
        let secret: HashSet<usize> = secret.map(|((number, _), _)| *number).collect();
        let (throttle, details) = throttle.save(&index, &|number| secret.contains(&number));
        secrets.throttle = details;
        throttle
    });
    let Secrets { throttle: details, deferred: secret_calls, rejected: secret_paths, .. } = &secrets;
    let has_secrets = *details != Details::default() || !secret_calls.is_empty() || !secret_paths.is_empty();
    let sealed = cipher.filter(|_| has_secrets).map(|cipher| seal(cipher, &secrets)).transpose()?;
    let (session, count, has_secrets) = view.scope.results.saved();
    let mut forms = view.visible.saved_forms(catalog);
    Ok(SessionState(Box::new(SavedSession {
        id,
        saved_at: view.toolbox.parts().settings.clock.unix_time(),
        elapsed: view.observed_time(),
        names,
        visible: view.visible.saved(catalog),
        advertised: forms.pop(),
        also_advertised: forms,
        reminders: view.shared.reminders.saved(),
        results: SavedResults { session: session.map(Digest), count, has_secrets },
        deferrals,
        deferred: deferred.into_iter().map(saved).collect(),
        rejected,
        throttle,
        sealed,
    })))
}

/// A test for calls that may contain sensitive values.
struct Sensitive<'g> {
    view: &'g SessionView,
    /// `true` if any tool has a sensitive parameter.
    any: bool,
}

impl<'g> Sensitive<'g> {
    fn new(view: &'g SessionView) -> Self {
        Self { view, any: view.catalog().tools.iter().any(takes_secrets) }
    }

    /// Returns `true` if the arguments of a deferred call may contain sensitive values.
    fn waits(&self, waiting: &Waiting) -> bool {
        // The tool may have become sensitive since the call was deferred.
        waiting.entry().is_none_or(takes_secrets) || self.names(&waiting.name)
    }

    /// Returns `true` if calls with this name may contain sensitive values. Besides tools with sensitive parameters, these are removed
    /// tools, because their parameters may have been sensitive; containers and `call_tool`, because their arguments may contain the
    /// arguments of a tool; and the search in kept results, because a model may send a sensitive value to it.
    fn names(&self, name: &str) -> bool {
        let catalog = self.view.catalog();
        match catalog.find(name) {
            Some(Item::Tool(tool)) => takes_secrets(&catalog.tools[tool]) || self.any && name == READ_RESULT,
            Some(Item::Container(_) | Item::CallTool) => self.any,
            None => self.any || CALL_TOOL.name != *name,
        }
    }
}

fn takes_secrets(entry: &Entry) -> bool {
    entry.takes_secrets || entry.host_has_secrets
}
