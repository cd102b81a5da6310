//! `toolbox login` and `toolbox logout`: a token for a remote server, which the user allows in a browser.
//!
//! The browser may run on another machine: the user can open the page there, and paste the address to which the browser was sent.

use std::io::{self, Write};
use std::net::Ipv4Addr;

use clap::Args;
use rmcp::transport::auth::{AuthorizationManager, AuthorizationRequest, CredentialStore, OAuthState};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tool_proxy::HttpUpstream;

use super::store::TokenFile;
use crate::ending::{CheckError, Ending};
use crate::environment::variable;
use crate::input::InputError;

#[derive(Debug, Args)]
pub(crate) struct LoginOptions {
    /// The URL of the server, as for `toolbox proxy --url`.
    #[arg(value_name = "URL")]
    url: String,
    /// The id of this client, if the authorization server does not register clients by itself.
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// The environment variable that contains the secret of this client. It is read again when the token is renewed.
    #[arg(long, value_name = "NAME", requires = "client_id")]
    client_secret_env: Option<String>,
    /// A scope to ask for, instead of those that the server names. Can be repeated.
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<String>,
    /// The port of this machine to which the browser is sent; by default, a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

#[derive(Debug, Args)]
pub(crate) struct LogoutOptions {
    /// The URL of the server.
    #[arg(value_name = "URL")]
    url: String,
}

/// The path to which the browser is sent.
const CALLBACK: &str = "/callback";
/// The largest number of bytes of a request of the browser.
const LARGEST: u64 = 64 * 1_024;

const DONE: &str = "The login is complete. You can close this page.";

pub(crate) fn login(options: &LoginOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(obtain(options));
    // A thread may still wait for standard input.
    runtime.shutdown_background();
    done.map_err(InputError::Other)?;
    writeln!(out, "Logged in to {}. `toolbox proxy --url` uses the token from now on.", options.url)?;
    Ok(Ending::Done)
}

pub(crate) fn logout(options: &LogoutOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    if !TokenFile::of(&options.url)?.remove()? {
        return Err(InputError::Other(format!("there is no login for {}", options.url)).into());
    }
    writeln!(out, "The tokens for {} are deleted. They may stay valid until they expire.", options.url)?;
    Ok(Ending::Done)
}

async fn obtain(options: &LoginOptions) -> Result<(), String> {
    let text = |error: &dyn std::fmt::Display| format!("the login has failed: {error}");
    let challenge = HttpUpstream::new(&options.url).map_err(|error| error.to_string())?.challenge().await;
    let challenge = challenge.map_err(|error| error.to_string())?;
    let file = TokenFile::of(&options.url).map_err(|error| text(&error))?;
    let file = file.with_secret(options.client_secret_env.clone());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await;
    let listener = listener.map_err(|error| format!("port {} cannot be used: {error}", options.port))?;
    let address = listener.local_addr().map_err(|error| text(&error))?;
    let redirect = format!("http://{address}{CALLBACK}");

    let mut request = AuthorizationRequest::new(redirect).with_client_name("toolbox").with_initial_scope_selection();
    if !options.scope.is_empty() {
        request = request.with_scopes(options.scope.iter().cloned());
    }
    if let Some(id) = &options.client_id {
        request = request.with_preregistered_client(id);
    }
    if let Some(name) = &options.client_secret_env {
        request = request.with_client_secret(variable(name).map_err(|error| error.to_string())?);
    }
    if let Some(challenge) = challenge {
        request = request.with_challenge(challenge);
    }
    let mut manager = AuthorizationManager::new(&*options.url).await.map_err(|error| text(&error))?;
    manager.set_credential_store(file.clone());
    let mut state = OAuthState::Unauthorized(manager);
    state.start_authorization(request).await.map_err(|error| text(&error))?;
    let page = state.get_authorization_url().await.map_err(|error| text(&error))?;
    anstream::eprintln!("Open this page in a browser, and allow the access:\n\n  {page}\n");
    anstream::eprintln!(
        "If the browser runs on another machine, paste the address to which it is sent, and press Enter."
    );
    let lines = BufReader::new(tokio::io::stdin());
    let mut callback = tokio::select! {
        callback = received(&listener) => callback.map_err(|error| text(&error))?,
        Some(pasted) = pasted(lines) => Callback { url: pasted, browser: None },
    };
    // The address has to belong to this login, which rmcp checks by its `state`.
    let _lock = file.acquire_refresh_guard().await.map_err(|error| text(&error))?;
    let done = state.handle_callback_url(&callback.url).await.map_err(|error| text(&error));
    callback.show(done.as_ref().map_or_else(String::as_str, |()| DONE)).await;
    done
}

/// The address to which the browser was sent, and the browser if it has reached this program.
struct Callback {
    url: String,
    browser: Option<TcpStream>,
}

impl Callback {
    /// Shows a text in the browser.
    async fn show(&mut self, text: &str) {
        if let Some(browser) = &mut self.browser {
            let _ = respond(browser, "200 OK", text).await;
        }
    }
}

/// Waits until the browser is sent to this program. Other requests are answered with an error.
async fn received(listener: &TcpListener) -> io::Result<Callback> {
    loop {
        let (mut browser, _) = listener.accept().await?;
        let mut line = String::new();
        if BufReader::new((&mut browser).take(LARGEST)).read_line(&mut line).await.is_err() {
            continue;
        }
        let target = line.strip_prefix("GET ").and_then(|rest| rest.split(' ').next());
        match target.filter(|target| target.split('?').next() == Some(CALLBACK) && target.contains('?')) {
            Some(target) => {
                let url = format!("http://{}{target}", listener.local_addr()?);
                return Ok(Callback { url, browser: Some(browser) });
            }
            None => drop(respond(&mut browser, "404 Not Found", "This is not the page of a login.").await),
        }
    }
}

async fn respond(browser: &mut TcpStream, status: &str, text: &str) -> io::Result<()> {
    let length = text.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    browser.write_all((head + text).as_bytes()).await?;
    browser.shutdown().await
}

/// Waits for an address that the user pastes. Does not end if standard input ends without one.
async fn pasted(mut input: impl tokio::io::AsyncBufRead + Unpin) -> Option<String> {
    let mut line = String::new();
    loop {
        line.clear();
        match (&mut input).take(LARGEST).read_line(&mut line).await {
            Ok(1..) if line.trim().starts_with("http") => return Some(line.trim().to_owned()),
            Ok(1..) => {}
            _ => return std::future::pending().await,
        }
    }
}
