//! The errors of saving and restoring a session.

use crate::throttle::Damaged;
use crate::toolbox::MissingSessionState;

/// The error of a [`Cipher`](super::Cipher).
pub type CipherError = Box<dyn std::error::Error + Send + Sync>;

/// The reason why a session cannot be saved.
///
/// See [`Cipher`](super::Cipher) for an example.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A deferred call of a tool with sensitive parameters can only be saved with a [`Cipher`](super::Cipher).
    #[error(
        "the deferred call `{call_id}` of `{tool}` may contain sensitive values: save the session with a cipher, or answer the call first"
    )]
    NeedsCipher {
        /// The id of the call.
        call_id: String,
        /// The tool.
        tool: String,
    },
    /// The cipher failed.
    #[error("the cipher cannot seal the sensitive part of the session: {0}")]
    Cipher(#[source] CipherError),
}

/// The reason why a session cannot be restored.
///
/// ```
/// use tool_runtime::Toolbox;
/// use tool_runtime::session::{RestoreError, SessionSetup};
///
/// let toolbox = Toolbox::builder().build()?;
/// let state = toolbox.begin_session(SessionSetup::new().id("conversation-7"))?.snapshot()?;
/// let error = toolbox.restore(state, SessionSetup::new().id("conversation-8")).err();
/// assert!(matches!(error, Some(RestoreError::OtherSession { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The toolbox declares a state that the setup does not provide.
    #[error(transparent)]
    MissingState(#[from] MissingSessionState),
    /// The state belongs to a session with another id.
    #[error("the state belongs to the session `{saved}`, not to `{expected}`")]
    OtherSession {
        /// The id in the state.
        saved: String,
        /// The id in the setup.
        expected: String,
    },
    /// The state has a sealed part, but the setup has no [`Cipher`](super::Cipher).
    #[error("the session was saved with a cipher: restore it with the same one")]
    NeedsCipher,
    /// The cipher failed.
    #[error("the cipher cannot open the sealed part of the session: {0}")]
    Cipher(#[source] CipherError),
    /// The state contradicts itself: it was not written by this library, or it was changed.
    #[error("the saved session is damaged: {part}")]
    Damaged {
        /// The contradiction.
        part: &'static str,
    },
}

impl From<Damaged> for RestoreError {
    fn from(Damaged(part): Damaged) -> Self {
        Self::Damaged { part }
    }
}
