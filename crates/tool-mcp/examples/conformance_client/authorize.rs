//! OAuth with the client of rmcp, for the scenarios about authorization: [`client`] and [`client_without_user`].
//!
//! In [`client`], an HTTP client plays the user: it opens the page of the authorization server. The suite's server agrees at once, so this
//! client reads the redirect instead of following it.

use std::error::Error;

use reqwest::Client;
use reqwest::header::{LOCATION, WWW_AUTHENTICATE};
use reqwest::redirect::Policy;
use rmcp::transport::auth::{
    AuthClient, AuthorizationRequest, ClientCredentialsConfig, JwtSigningAlgorithm, OAuthState,
};
use serde_json::Value;

const REDIRECT: &str = "http://localhost:3000/callback";
/// The URL of the document by which the suite's authorization server identifies clients that are not registered.
const METADATA: &str = "https://conformance-test.local/client-metadata.json";

/// Obtains a token, and returns an HTTP client that sends and renews it. `data` is the data of a registered client, which comes from the
/// suite.
pub(crate) async fn client(url: &str, data: &Value, scopes: &[&str]) -> Result<AuthClient<Client>, Box<dyn Error>> {
    let request =
        AuthorizationRequest::new(REDIRECT).with_client_name("conformance").with_scopes(scopes.iter().copied());
    let request = match (data["client_id"].as_str(), data["client_secret"].as_str()) {
        (Some(id), Some(secret)) => request.with_preregistered_client(id).with_client_secret(secret),
        _ => request.with_client_metadata_url(METADATA),
    };
    // The response to a request without a token says where to authorize, and for which scopes.
    let rejection = Client::new().post(url).header("Accept", "application/json, text/event-stream").send().await?;
    let request = match rejection.headers().get(WWW_AUTHENTICATE) {
        Some(challenge) => request.with_challenge(challenge.to_str()?),
        None => request,
    };
    let mut state = OAuthState::new(url, None).await?;
    state.start_authorization(request).await?;
    let page = state.get_authorization_url().await?;
    let answer = Client::builder().redirect(Policy::none()).build()?.get(page).send().await?;
    let callback = answer.headers().get(LOCATION).ok_or("the authorization server did not redirect")?;
    state.handle_callback_url(callback.to_str()?).await?;
    authorized(state)
}

/// Obtains a token for the program itself, which has a secret or a key for signatures.
pub(crate) async fn client_without_user(url: &str, data: &Value) -> Result<AuthClient<Client>, Box<dyn Error>> {
    let text = |name: &str| data[name].as_str().map(str::to_owned).ok_or_else(|| format!("`{name}` is missing"));
    let (client_id, scopes, resource) = (text("client_id")?, Vec::new(), Some(url.to_owned()));
    let config = match text("private_key_pem") {
        Ok(key) => ClientCredentialsConfig::PrivateKeyJwt {
            client_id,
            signing_key: key.into_bytes(),
            signing_algorithm: match &*text("signing_algorithm")? {
                "ES256" => JwtSigningAlgorithm::ES256,
                other => return Err(format!("the signature {other} is not supported").into()),
            },
            token_endpoint_audience: None,
            scopes,
            resource,
        },
        Err(_) => {
            ClientCredentialsConfig::ClientSecret { client_id, client_secret: text("client_secret")?, scopes, resource }
        }
    };
    let mut state = OAuthState::new(url, None).await?;
    state.authenticate_client_credentials(config).await?;
    authorized(state)
}

fn authorized(state: OAuthState) -> Result<AuthClient<Client>, Box<dyn Error>> {
    let manager = state.into_authorization_manager().ok_or("the authorization is not complete")?;
    Ok(AuthClient::new(Client::new(), manager))
}
