//! Restores a saved session.
//!
//! Invariant: the time between saving and restoring counts as passed, and is never negative. So a pause does not get longer, even if the
//! time of day was set back.

use std::sync::Arc;
use std::time::Duration;

use super::SessionState;
use super::cipher::open;
use super::deferred::loaded;
use super::error::RestoreError;
use super::format::{SavedDeferred, SavedResults, SavedSession, Secrets};
use crate::context::{Listeners, Scope, SessionId, States};
use crate::session::deferred_table;
use crate::session::events::listen;
use crate::session::host_reminders::Reminders;
use crate::session::rejected_before::Rejected;
use crate::session::session_age::SessionStart;
use crate::session::session_with_toolbox::{self, SessionView, Shared};
use crate::session::setup::SessionSetup;
use crate::session::stable_tool_numbers::ToolNumbers;
use crate::session::visible::Visible;
use crate::session::{Openness, Session};
use crate::spill::KeptResults;
use crate::throttle::{Damaged, count};
use crate::toolbox::{NeedsSessionState, Toolbox};

/// The maximum time that counts as passed between saving and restoring. Every pause and every window is shorter.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 60 * 60);

impl<S> Toolbox<S> {
    /// Restores a saved session, in the same process or in another one. From then on, the session answers as if it had never been saved.
    ///
    /// - The toolbox may have changed. A call of a tool that the toolbox no longer has is answered with `tool_removed`, as after
    ///   [`replace_toolbox`](Session::replace_toolbox). New tools are appended to the list. If the form in which a tool is advertised has
    ///   changed, calls in the earlier form are no longer converted back.
    /// - The host's state comes from the setup. Conditions and texts that depend on it are computed again.
    /// - Pauses and rates continue according to the [time of day](crate::clock::Clock::unix_time). If the time of day was set back, they
    ///   continue as if no time had passed.
    /// - A call that was running when the session was saved has no outcome. If it was the probe after a pause, another call becomes the
    ///   probe.
    /// - Hashes can differ between versions of this library and between kinds of processors. If they do, repetitions of earlier calls are
    ///   not recognized.
    ///
    /// Restore a state only once, because two sessions from the same state share their id and their long results. See [`SessionState`] for
    /// an example.
    ///
    /// # Errors
    ///
    /// Fails if a declared state is missing, if the setup names another session or lacks the right cipher, or if the state contradicts
    /// itself.
    pub fn restore(&self, state: SessionState, setup: SessionSetup<'_>) -> Result<Session, RestoreError> {
        let SessionSetup { id, states, cipher, health } = setup;
        let saved = *state.0;
        self.check_states(&states)?;
        if let Some(asked) = id.filter(|asked| *asked != saved.id) {
            return Err(RestoreError::OtherSession { saved: saved.id, expected: asked });
        }
        let secrets = match (&saved.sealed, cipher) {
            (None, _) => Secrets::default(),
            (Some(_), None) => return Err(RestoreError::NeedsCipher),
            (Some(sealed), Some(cipher)) => {
                let secrets = open(cipher, sealed)?;
                if secrets.id != saved.id {
                    return Err(RestoreError::OtherSession { saved: secrets.id, expected: saved.id });
                }
                secrets
            }
        };
        let session = Session::from_view(view_of(&self.erased(), states, saved, secrets)?);
        session.share_health(health);
        Ok(session)
    }
}

fn view_of(
    toolbox: &Toolbox<NeedsSessionState>,
    states: States,
    saved: SavedSession,
    secrets: Secrets,
) -> Result<SessionView, RestoreError> {
    let parts = toolbox.parts();
    let passed = parts.settings.clock.unix_time().saturating_sub(saved.saved_at).min(LONGEST);
    let beginning = SessionStart::start(parts, saved.elapsed.min(LONGEST).saturating_add(passed));
    let SavedResults { session, count: results, has_secrets } = saved.results;
    let results =
        KeptResults::resume(&parts.catalog.stores, session.map(|digest| digest.0), count(results), has_secrets);
    let scope = Arc::new(Scope {
        shared: Arc::clone(&parts.shared),
        session: states,
        results: Arc::new(results),
        listeners: Listeners::default(),
        id: Arc::new(SessionId::from(saved.id)),
    });
    listen(&scope, toolbox, beginning);
    let openness = if saved.visible.is_open { Openness::Open } else { Openness::Gated };
    let visible = Visible::new(parts, &scope, openness);
    visible.resume(&parts.catalog, &saved.visible);
    let forms = saved.advertised.iter().chain(&saved.also_advertised);
    forms.for_each(|forms| visible.resume_forms(parts, forms));
    let shared = Shared::resumed(
        deferred(saved.deferred.into_iter().chain(secrets.deferred), saved.deferrals, toolbox)?,
        Rejected::resumed(saved.rejected.into_iter().chain(secrets.rejected).collect())?,
        Reminders::resumed(saved.reminders)?,
    );
    let (numbers, fresh) = ToolNumbers::resumed(&saved.names, &parts.catalog)?;
    let throttle = match (session_with_toolbox::throttle_as(parts, &numbers), saved.throttle) {
        (Some(throttle), Some(state)) => {
            Some(throttle.load(state, secrets.throttle, passed, saved.names.len(), &fresh)?)
        }
        (throttle, _) => throttle,
    };
    Ok(SessionView { toolbox: toolbox.clone(), visible, scope, throttle, numbers, beginning, shared: Arc::new(shared) })
}

/// Returns a table of the deferred calls, in the order of deferral.
fn deferred(
    saved: impl Iterator<Item = SavedDeferred>,
    deferrals: u64,
    toolbox: &Toolbox<NeedsSessionState>,
) -> Result<deferred_table::Table, Damaged> {
    let load = |saved: SavedDeferred| {
        let shares_id = saved.shares_id;
        loaded(saved, toolbox).map(|waiting| (waiting, shares_id))
    };
    let mut all = saved.map(load).collect::<Result<Vec<_>, _>>()?;
    all.sort_by_key(|(waiting, _)| waiting.number);
    if all.windows(2).any(|pair| pair[0].0.number == pair[1].0.number) {
        return Err(Damaged("two deferred calls have one number"));
    }
    Ok(deferred_table::Table::resumed(all, count(deferrals)))
}
