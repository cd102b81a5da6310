//! Saves a session as data and restores it later, perhaps in another process: [`SessionState`].
//!
//! In: a session, or the data and a toolbox. Out: the data, or a session that gives the same answers. Invariants: data of version 1 always
//! loads. Damaged data causes an error, never a panic. Sensitive values are only in the part that the host's cipher encrypts. The code of
//! the host (tools, hooks, observers, state) is never part of the data.

mod cipher;
mod deferred;
mod envelope;
mod error;
pub(super) mod format;
mod load;
mod save;

use std::fmt;

pub use cipher::Cipher;
pub use error::{CipherError, RestoreError, SnapshotError};
pub(super) use save::save as saved;

/// The data of a saved session. [`Session::snapshot`](crate::Session::snapshot) returns it, and
/// [`Toolbox::restore`](crate::Toolbox::restore) restores the session from it.
///
/// It serializes as `{"format": "tool-runtime session", "version": 1, "session": {…}}`, in JSON or another self-describing format. A state
/// of an older version always loads. A state of a newer version is rejected with an error that names both versions.
///
/// ```
/// use tool_runtime::session::{SessionSetup, SessionState};
/// use tool_runtime::{Container, Toolbox};
///
/// # let build = || Toolbox::builder().container(Container::new("Files", "Reading of files.")).build();
/// let toolbox = build()?; // a toolbox with the container `Files`
/// let session = toolbox.session();
/// pollster::block_on(session.call("call_1", "Files", "{}"));
/// let saved = serde_json::to_string(&session.snapshot()?)?;
///
/// // In another process, with the same toolbox:
/// let state: SessionState = serde_json::from_str(&saved)?;
/// let session = toolbox.restore(state, SessionSetup::new())?;
/// assert!(session.is_expanded("Files"));
///
/// let newer = saved.replace(r#""version":1"#, r#""version":2"#);
/// let error = serde_json::from_str::<SessionState>(&newer).unwrap_err();
/// assert!(error.to_string().starts_with("the session was saved in version 2, but this program reads versions up to 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct SessionState(Box<format::SavedSession>);

impl SessionState {
    /// Returns the id of the session, as [`Session::id`](crate::Session::id) does.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Returns a copy of the state without the other deferred calls. Sealed calls are kept, because they cannot be read here.
    pub(crate) fn with_deferred(&self, call_id: &str) -> Self {
        let mut saved = self.0.clone();
        saved.deferred.retain(|waiting| waiting.call_id == call_id);
        Self(saved)
    }

    /// Returns `true` if the state has a sealed part, so that it can only be restored with its [`Cipher`].
    pub fn needs_cipher(&self) -> bool {
        self.0.sealed.is_some()
    }
}

impl fmt::Debug for SessionState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The rest is left out, because it contains the arguments of deferred calls.
        f.debug_struct("SessionState")
            .field("id", &self.0.id)
            .field("needs_cipher", &self.needs_cipher())
            .finish_non_exhaustive()
    }
}
