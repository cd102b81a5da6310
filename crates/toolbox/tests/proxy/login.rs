//! `toolbox login`, and the tokens that it has obtained, with an authorization server that the test plays.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use super::Checked;

/// A remote server and its authorization server. Only the last token that was issued is valid.
#[derive(Clone)]
struct Web {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    issued: u64,
    /// The seconds after which a token expires.
    lifetime: u64,
    /// The bodies of the requests for tokens.
    requests: Vec<String>,
}

impl Web {
    fn new(lifetime: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let web = Self { address, state: Arc::new(Mutex::new(State { lifetime, ..State::default() })) };
        let serving = web.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let web = serving.clone();
                thread::spawn(move || drop(web.answer(stream)));
            }
        });
        Ok(web)
    }

    fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut first = String::new();
        reader.read_line(&mut first)?;
        let mut headers = HashMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim().split_once(": ") else { break };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or_default();
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let target: Vec<&str> = first.split(' ').collect();
        let text = String::from_utf8_lossy(&body).into_owned();
        let (status, extra, answer) = self.respond(target[0], target[1], &headers, &text);
        let answer = if answer.is_null() { String::new() } else { answer.to_string() };
        write!(
            stream,
            "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{extra}\r\n{answer}",
            answer.len()
        )
    }

    fn respond(
        &self,
        method: &str,
        path: &str,
        headers: &HashMap<String, String>,
        body: &str,
    ) -> (&'static str, String, Value) {
        let base = format!("http://{}", self.address);
        let mut state = self.state.lock().expect("no panic");
        let ok = |answer| ("200 OK", String::new(), answer);
        match (method, path) {
            ("GET", "/.well-known/oauth-protected-resource/mcp") => {
                ok(json!({"resource": format!("{base}/mcp"), "authorization_servers": [base]}))
            }
            ("GET", "/.well-known/oauth-authorization-server") => ok(json!({
                "issuer": base,
                "authorization_endpoint": format!("{base}/authorize"),
                "token_endpoint": format!("{base}/token"),
                "registration_endpoint": format!("{base}/register"),
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
            })),
            ("POST", "/register") => {
                let mut client: Value = serde_json::from_str(body).unwrap_or_default();
                client["client_id"] = "registered".into();
                ("201 Created", String::new(), client)
            }
            ("POST", "/token") => {
                state.requests.push(body.to_owned());
                // Each refresh token is valid once.
                let is_refresh = body.contains("grant_type=refresh_token");
                if is_refresh && !body.contains(&format!("refresh_token=r3fresh-{}", state.issued)) {
                    return ("400 Bad Request", String::new(), json!({"error": "invalid_grant"}));
                }
                state.issued += 1;
                // Time in which other processes find the old token.
                thread::sleep(std::time::Duration::from_millis(if is_refresh { 500 } else { 0 }));
                let (number, lifetime) = (state.issued, state.lifetime);
                ok(json!({
                    "access_token": format!("s3cret-{number}"),
                    "refresh_token": format!("r3fresh-{number}"),
                    "token_type": "Bearer",
                    "expires_in": lifetime,
                }))
            }
            ("POST", "/mcp") => {
                let token = format!("Bearer s3cret-{}", state.issued);
                if headers.get("authorization") != Some(&token) {
                    let metadata = format!("{base}/.well-known/oauth-protected-resource/mcp");
                    let challenge = format!("WWW-Authenticate: Bearer resource_metadata=\"{metadata}\"\r\n");
                    return ("401 Unauthorized", challenge, Value::Null);
                }
                let request: Value = serde_json::from_str(body).unwrap_or_default();
                let result = match request["method"].as_str() {
                    Some("initialize") => {
                        json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}})
                    }
                    Some("tools/list") => json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}),
                    _ => return ("202 Accepted", String::new(), Value::Null),
                };
                ok(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
            }
            _ => ("404 Not Found", String::new(), Value::Null),
        }
    }
}

/// Returns an empty folder for the state of the command.
fn folder(name: &str) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Returns the only file with tokens. Its lock is beside it.
fn token_file(state: &Path) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let files = fs::read_dir(state.join("toolbox/tokens"))?.map(|file| file.map(|file| file.path()));
    let mut files = files.collect::<Result<Vec<_>, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    assert_eq!(files.len(), 1, "{files:?}");
    Ok(files.remove(0))
}

fn toolbox(state: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
    command.env("XDG_STATE_HOME", state).env("TOOLBOX_TEST_SECRET", "h1dden").args(arguments);
    command
}

/// Logs in. `allow` gets the page, and returns the line to paste, if any.
fn login(
    state: &Path,
    arguments: &[&str],
    allow: impl FnOnce(&str) -> Option<String>,
) -> Result<Output, Box<dyn std::error::Error>> {
    let mut command = toolbox(state, &[&["login"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut errors = BufReader::new(child.stderr.take().ok_or("no standard error")?);
    let mut shown = String::new();
    let page = loop {
        let mut line = String::new();
        if errors.read_line(&mut line)? == 0 {
            break String::new();
        }
        shown += &line;
        if let Some(page) = line.trim().strip_prefix("http") {
            break format!("http{page}");
        }
    };
    if !page.is_empty()
        && let Some(line) = allow(&page)
    {
        writeln!(child.stdin.as_mut().ok_or("no input")?, "{line}")?;
    }
    errors.read_to_string(&mut shown)?;
    let mut output = child.wait_with_output()?;
    output.stderr = shown.into_bytes();
    Ok(output)
}

/// Returns a parameter of the page, decoded as far as the test needs it.
fn parameter(page: &str, name: &str) -> String {
    let (_, query) = page.split_once('?').unwrap_or_default();
    let value = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
    value.unwrap_or_default().replace("%3A", ":").replace("%2F", "/")
}

/// Returns the address to which the browser is sent.
fn callback(page: &str) -> String {
    format!("{}?code=c0de&state={}", parameter(page, "redirect_uri"), parameter(page, "state"))
}

/// Plays the browser that is sent to an address. Returns what it shows.
fn browse(address: &str) -> std::io::Result<String> {
    let (host, path) = address.trim_start_matches("http://").split_once('/').unwrap_or_default();
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

#[test]
fn a_token_is_obtained_in_a_browser_and_renewed() -> Checked {
    let (web, state) = (Web::new(1)?, folder("login")?);
    let url = web.url();
    let output = login(&state, &[&url], |page| {
        assert!(browse(&callback(page).replace("/callback", "/favicon.ico")).ok()?.starts_with("HTTP/1.1 404"));
        let shown = browse(&callback(page)).ok()?;
        assert!(shown.ends_with("The login is complete. You can close this page."), "{shown}");
        None
    })?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = token_file(&state)?;
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&file.metadata()?.permissions()) & 0o777, 0o600);
    // The token has a lifetime of one second, so each command renews it.
    for number in 2..=3 {
        thread::sleep(std::time::Duration::from_millis(1_100));
        let listed = toolbox(&state, &["tools", &url]).output()?;
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
        let requests = web.state.lock().expect("no panic").requests.clone();
        let last = requests.last().ok_or("no request")?;
        let before = format!("refresh_token=r3fresh-{}", requests.len() - 1);
        assert!(
            requests.len() >= number && last.contains("grant_type=refresh_token") && last.contains(&before),
            "{last}"
        );
    }
    // Several processes find an expired token.
    web.state.lock().expect("no panic").lifetime = 1_000;
    thread::sleep(std::time::Duration::from_millis(1_100));
    let list = || toolbox(&state, &["tools", &url]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let processes = (0..4).map(|_| list()).collect::<Result<Vec<_>, _>>()?;
    for process in processes {
        let listed = process.wait_with_output()?;
        assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    }
    // The server rejects a token before its time: it is renewed too.
    let token = fs::read_to_string(&file)?;
    let before = web.state.lock().expect("no panic").issued;
    fs::write(&file, token.replace(&format!("s3cret-{before}"), "s3cret-0"))?;
    let listed = list()?.wait_with_output()?;
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    assert_eq!(web.state.lock().expect("no panic").issued, before + 1);
    let rejected = toolbox(&state, &["logout", &url]).output()?;
    assert!(rejected.status.success());
    let again = toolbox(&state, &["logout", &url]).output()?;
    assert_eq!(again.status.code(), Some(2));
    let listed = toolbox(&state, &["tools", &url]).output()?;
    let errors = String::from_utf8(listed.stderr)?;
    assert!(errors.contains("does not accept the request without a valid token (status 401)"), "{errors}");
    Ok(())
}

#[test]
fn the_address_can_be_pasted_and_has_to_belong_to_the_login() -> Checked {
    let (web, state) = (Web::new(1_000)?, folder("login-pasted")?);
    let url = web.url();
    let client = ["--client-id", "own", "--client-secret-env", "TOOLBOX_TEST_SECRET"];
    let arguments = [&[&*url], &client[..]].concat();
    for wrong in ["?code=c0de&state=other", "?error=access_denied&state=", "?code=c0de"] {
        let output = login(&state, &arguments, |page| Some(format!("{}{wrong}", parameter(page, "redirect_uri"))))?;
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(String::from_utf8(output.stderr)?.contains("the login has failed"));
    }
    assert_eq!(web.state.lock().expect("no panic").issued, 0);
    let output = login(&state, &arguments, |page| {
        assert_eq!(parameter(page, "client_id"), "own");
        Some(callback(page))
    })?;
    let shown = String::from_utf8(output.stderr)?;
    assert!(output.status.success(), "{shown}");
    let file = fs::read_to_string(token_file(&state)?)?;
    assert!(file.contains("s3cret-1") && file.contains("TOOLBOX_TEST_SECRET") && !file.contains("h1dden"), "{file}");
    let listed = toolbox(&state, &["tools", &url]).output()?;
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    for text in [shown, String::from_utf8(listed.stderr)?] {
        assert!(!text.contains("s3cret") && !text.contains("r3fresh") && !text.contains("h1dden"), "{text}");
    }
    Ok(())
}

#[test]
fn a_server_without_a_login_is_named() -> Checked {
    let state = folder("login-none")?;
    for (arguments, expected) in [
        (vec!["login", "http://127.0.0.1:1/mcp"], "Connection refused"),
        (vec!["login", "x"], "the URL is not valid"),
        (vec!["logout", "http://127.0.0.1:1/mcp"], "there is no login for http://127.0.0.1:1/mcp"),
    ] {
        let output = toolbox(&state, &arguments).output()?;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let errors = String::from_utf8(output.stderr)?;
        assert!(errors.contains(expected), "{errors}");
    }
    Ok(())
}
