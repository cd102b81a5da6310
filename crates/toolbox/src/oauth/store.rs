//! The file with the tokens for one URL: [`TokenFile`].
//!
//! Invariants: only its owner can read the file; a reader sees it before or after a change, never a part of it.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use rmcp::transport::auth::{AuthError, CredentialRefreshGuard, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use tool_proxy::__private_0_1_0::{Lock, replace};

use crate::environment::state_folder;

/// The number of attempts to lock the file, and the pause between them. The lock is held while a token is renewed.
const ATTEMPTS: usize = 300;
const PAUSE: Duration = Duration::from_millis(100);
/// The largest number of bytes of the name of a file.
const LONGEST_NAME: usize = 200;

#[derive(Clone)]
pub(super) struct TokenFile {
    path: PathBuf,
    /// The name of the environment variable with the secret of the client.
    secret: Option<String>,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_secret_env: Option<String>,
    credentials: StoredCredentials,
}

impl TokenFile {
    /// Returns the file for a URL. Two URLs have two files.
    pub(super) fn of(url: &str) -> io::Result<Self> {
        let mut name = String::new();
        for byte in url.bytes() {
            if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-' {
                name.push(char::from(byte));
            } else {
                let _ = write!(name, "_{byte:02x}");
            }
        }
        if name.len() > LONGEST_NAME {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the URL is too long for a login"));
        }
        Ok(Self { path: state_folder()?.join("tokens").join(name + ".json"), secret: None })
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Removes the file. Returns `false` if there is none.
    pub(super) fn remove(&self) -> io::Result<bool> {
        match fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Sets the name of the environment variable with the secret of the client.
    pub(super) fn with_secret(self, secret: Option<String>) -> Self {
        Self { secret, ..self }
    }

    /// Returns the id of the client, and the name of the environment variable with its secret if it has one.
    pub(super) fn client(&self) -> io::Result<Option<(String, String)>> {
        let stored = self.read()?;
        Ok(stored.and_then(|stored| Some((stored.credentials.client_id, stored.client_secret_env?))))
    }

    fn read(&self) -> io::Result<Option<Stored>> {
        match fs::read(&self.path) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, credentials: &StoredCredentials) -> io::Result<()> {
        let client_secret_env = match &self.secret {
            Some(secret) => Some(secret.clone()),
            None => self.client()?.map(|(_, secret)| secret),
        };
        let stored = Stored { client_secret_env, credentials: credentials.clone() };
        replace(&self.path, &serde_json::to_vec(&stored)?)
    }

    fn failed(&self, error: &io::Error) -> AuthError {
        AuthError::CredentialStoreError(format!("{}: {error}", self.path.display()))
    }
}

#[async_trait]
impl CredentialStore for TokenFile {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let stored = self.read().map_err(|error| self.failed(&error))?;
        Ok(stored.map(|stored| stored.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.write(&credentials).map_err(|error| self.failed(&error))
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.remove().map(drop).map_err(|error| self.failed(&error))
    }

    /// Several proxies can use the same login. If two renewed the token at the same time, one of them would use a refresh token that is not valid any more.
    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(|error| self.failed(&error))?;
        }
        let mut attempt = 0;
        loop {
            match Lock::try_of(&self.path).map_err(|error| self.failed(&error))? {
                Some(lock) => return Ok(Some(CredentialRefreshGuard::new(lock))),
                None if attempt < ATTEMPTS => attempt += 1,
                None => return Err(self.failed(&io::ErrorKind::WouldBlock.into())),
            }
            sleep(PAUSE).await;
        }
    }
}
