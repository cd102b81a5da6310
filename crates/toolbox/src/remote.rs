//! The servers behind a URL, with the secrets that their requests need: [`Remote`].
//!
//! Invariant: secrets come from the environment or from files, and are never shown.

use std::path::PathBuf;

use tool_proxy::Upstream;

/// A server behind a URL, as the settings describe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Remote {
    pub(super) url: String,
    /// The source of the bearer token.
    pub(super) token: Option<Secret>,
    /// Headers with public values.
    pub(super) headers: Vec<(String, String)>,
    /// Headers with the environment variables that contain their values.
    pub(super) header_env: Vec<(String, String)>,
    /// A file with root certificates.
    pub(super) ca_file: Option<PathBuf>,
}

/// The source of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Secret {
    /// The name of an environment variable.
    Environment(String),
    /// A file, which is read before each request, because it may be replaced.
    File(PathBuf),
}

impl Remote {
    pub(super) fn new(url: String) -> Self {
        Self { url, ..Self::default() }
    }

    /// Returns the arguments of `toolbox proxy` for this server. Fails if the URL is not valid.
    pub(super) fn arguments(&self, token_env: Option<&str>) -> Result<Vec<String>, String> {
        self.upstream().map_err(|error| error.to_string())?;
        let token = token_env.map(|name| ["--token-env", name]);
        Ok(["--url", &self.url].into_iter().chain(token.into_iter().flatten()).map(str::to_owned).collect())
    }

    /// Returns the server for the proxy. Fails if a setting is not valid, or if a secret is missing.
    #[cfg(feature = "remote")]
    pub(super) fn upstream(&self) -> std::io::Result<Upstream> {
        use std::io;

        use super::environment::variable;

        let unreadable =
            |path: &PathBuf, error| io::Error::other(format!("{} cannot be read: {error}", path.display()));
        let mut server = tool_proxy::HttpUpstream::new(&self.url)?;
        for (name, value) in &self.headers {
            server = server.header(name, value)?;
        }
        for (name, source) in &self.header_env {
            server = server.header(name, &variable(source)?)?;
        }
        match &self.token {
            // A token that `toolbox login` has obtained.
            None if !self.has_authorization() => {
                if let Some(token) = crate::oauth::saved(&self.url)? {
                    server = server.bearer_with(token);
                }
            }
            None => {}
            Some(Secret::Environment(name)) => server = server.bearer(&variable(name)?)?,
            Some(Secret::File(path)) => {
                let path = path.clone();
                let read = move || std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error));
                read()?;
                server = server.bearer_with(move |_| std::future::ready(read()));
            }
        }
        if let Some(path) = &self.ca_file {
            let pem = std::fs::read(path).map_err(|error| unreadable(path, error))?;
            server = server.root_certificates(&pem)?;
        }
        Ok(server.into())
    }

    #[cfg(feature = "remote")]
    fn has_authorization(&self) -> bool {
        let names = self.headers.iter().chain(&self.header_env).map(|(name, _)| name);
        names.into_iter().any(|name| name.eq_ignore_ascii_case("authorization"))
    }

    #[cfg(not(feature = "remote"))]
    pub(super) fn upstream(&self) -> std::io::Result<Upstream> {
        let Self { url, .. } = self;
        let text = format!("{url} cannot be reached, because this program was built without its feature `remote`");
        Err(std::io::Error::other(text))
    }
}
