//! Tokens that the user has obtained with `toolbox login`: [`saved`] returns them for the requests of the proxy.
//!
//! rmcp's client for OAuth 2.1 does the work. Invariant: tokens are only in a file that only its owner can read, and in requests.

mod login;
mod store;

use std::io;
use std::sync::Arc;

use rmcp::transport::auth::{AuthError, AuthorizationManager, OAuthClientConfig};
use tokio::sync::OnceCell;

pub(super) use self::login::{LoginOptions, LogoutOptions, login, logout};
use self::store::TokenFile;
use super::environment::variable;

/// Returns a function that returns the access token for a URL, and renews it if necessary; `None` without a login.
pub(super) fn saved(url: &str) -> io::Result<Option<impl Fn(Option<String>) -> Token + Send + Sync + 'static>> {
    let file = TokenFile::of(url)?;
    if !file.exists() {
        return Ok(None);
    }
    let (url, manager) = (Arc::<str>::from(url), Arc::new(OnceCell::new()));
    Ok(Some(move |rejected: Option<String>| {
        let (url, manager, file) = (Arc::clone(&url), Arc::clone(&manager), file.clone());
        Box::pin(async move { token(&url, &manager, file, rejected).await.map_err(|error| failed(&url, &error)) })
            as Token
    }))
}

type Token = std::pin::Pin<Box<dyn Future<Output = io::Result<String>> + Send>>;

async fn token(
    url: &str,
    manager: &OnceCell<Manager>,
    file: TokenFile,
    rejected: Option<String>,
) -> Result<String, AuthError> {
    let manager = manager.get_or_try_init(|| Manager::new(url, file)).await?;
    manager.token(rejected).await
}

/// The client of an authorization server.
struct Manager {
    manager: tokio::sync::Mutex<AuthorizationManager>,
    file: TokenFile,
}

impl Manager {
    async fn new(url: &str, file: TokenFile) -> Result<Self, AuthError> {
        let mut manager = AuthorizationManager::new(url).await?;
        manager.set_credential_store(file.clone());
        Ok(Self { manager: tokio::sync::Mutex::new(manager), file })
    }

    /// Returns the token in the file. The authorization server is only asked if the token has expired, or if the server has rejected it.
    async fn token(&self, rejected: Option<String>) -> Result<String, AuthError> {
        let mut manager = self.manager.lock().await;
        match manager.get_access_token().await {
            Ok(token) if Some(&token) == rejected.as_ref() => {
                self.prepare(&mut manager).await?;
                manager.refresh_token().await?;
                manager.get_access_token().await
            }
            Ok(token) => Ok(token),
            Err(AuthError::AuthorizationRequired) => Err(AuthError::AuthorizationRequired),
            Err(_) => {
                self.prepare(&mut manager).await?;
                manager.get_access_token().await
            }
        }
    }

    /// Finds the authorization server and the client that can renew the token.
    async fn prepare(&self, manager: &mut AuthorizationManager) -> Result<(), AuthError> {
        if !manager.initialize_from_store().await? {
            return Err(AuthError::AuthorizationRequired);
        }
        let stored = |error: io::Error| AuthError::CredentialStoreError(error.to_string());
        if let Some((id, name)) = self.file.client().map_err(stored)? {
            let secret = variable(&name).map_err(stored)?;
            // The address to which a browser is sent is not used to renew a token.
            manager.configure_client(OAuthClientConfig::new(id, "http://127.0.0.1").with_client_secret(secret))?;
        }
        Ok(())
    }
}

fn failed(url: &str, error: &AuthError) -> io::Error {
    io::Error::other(match error {
        AuthError::AuthorizationRequired => format!("the login has expired; run `toolbox login {url}`"),
        error => format!("the token cannot be renewed: {error}"),
    })
}
