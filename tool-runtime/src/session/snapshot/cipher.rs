//! The host's cipher for the sensitive part of a saved session: [`Cipher`].

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::error::{CipherError, RestoreError, SnapshotError};
use super::format::Secrets;

/// Encrypts the sensitive part of a saved session.
///
/// Use authenticated encryption with a key that is not stored with the sessions, and a fresh nonce for each call of [`seal`](Self::seal).
/// `open` must reject data that `seal` did not produce.
///
/// ```
/// use tool_runtime::session::{Cipher, CipherError, SessionSetup};
/// use tool_runtime::tool::ExternalTool;
/// use tool_runtime::{ToolInput, Toolbox};
///
/// /// For this example only: it encrypts nothing.
/// struct Reversed;
///
/// impl Cipher for Reversed {
///     fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, CipherError> {
///         Ok(plain.iter().rev().copied().collect())
///     }
///     fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, CipherError> {
///         self.seal(sealed)
///     }
/// }
///
/// #[derive(serde::Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Login {
///     /// The PIN.
///     #[tool(sensitive)]
///     pin: String,
/// }
///
/// let toolbox = Toolbox::builder().tool(ExternalTool::typed::<Login>("login", "Opens the door.")).build()?;
/// let session = toolbox.session();
/// assert!(pollster::block_on(session.call("call_1", "login", r#"{"pin": "4711"}"#)).is_deferred());
/// assert!(session.snapshot().is_err()); // the deferred call needs its PIN
///
/// let state = session.snapshot_with(&Reversed)?;
/// assert!(!serde_json::to_string(&state)?.contains("4711"));
/// let session = toolbox.restore(state, SessionSetup::new().restore_cipher(&Reversed))?;
/// assert_eq!(session.deferred_calls()[0].arguments_text(), r#"{"pin": "4711"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Cipher: Send + Sync {
    /// Encrypts data.
    ///
    /// # Errors
    ///
    /// Fails if the data cannot be encrypted. In this case, nothing is saved.
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, CipherError>;

    /// Decrypts data that [`seal`](Self::seal) has encrypted.
    ///
    /// # Errors
    ///
    /// Fails if the data is not authentic. In this case, the session is not restored.
    fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, CipherError>;
}

pub(super) fn seal(cipher: &dyn Cipher, secrets: &Secrets) -> Result<String, SnapshotError> {
    let plain = serde_json::to_vec(secrets).map_err(|error| SnapshotError::Cipher(error.into()))?;
    Ok(STANDARD.encode(cipher.seal(&plain).map_err(SnapshotError::Cipher)?))
}

pub(super) fn open(cipher: &dyn Cipher, sealed: &str) -> Result<Secrets, RestoreError> {
    let sealed =
        STANDARD.decode(sealed).map_err(|_| RestoreError::Damaged { part: "the sealed part is not base64" })?;
    let plain = cipher.open(&sealed).map_err(RestoreError::Cipher)?;
    // The error of serde is not passed on, because it would quote the secrets.
    serde_json::from_slice(&plain).map_err(|_| RestoreError::Damaged { part: "the sealed part has an unknown form" })
}
