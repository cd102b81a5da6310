//! The check of the `Host` and `Origin` of a request, which protects a local server from web pages of others: [`Hosts`].

use hyper::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{StatusCode, Uri};

use super::{HttpAnswer, reject};

/// The hosts and origins that requests may name.
#[derive(Clone, Debug)]
pub struct Hosts {
    pub hosts: Vec<String>,
    pub origins: Vec<String>,
}

impl Hosts {
    /// Allows the loopback hosts.
    pub fn loopback() -> Self {
        Self { hosts: ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into(), origins: Vec::new() }
    }

    /// Returns the rejection of a request that names another host or origin. A host in the target of the request takes precedence over the
    /// header (RFC 9112, 3.2.2), so both are checked.
    pub fn rejection(&self, target: &Uri, headers: &HeaderMap) -> Option<HttpAnswer> {
        let Some(host) = headers.get(HOST).and_then(authority) else {
            return Some(reject(StatusCode::BAD_REQUEST, "The request needs a valid `Host` header."));
        };
        let is_allowed = |host: &Authority| self.hosts.iter().any(|allowed| names(allowed, host));
        let is_elsewhere = target.authority().is_some_and(|target| !is_allowed(target));
        if headers.get_all(HOST).iter().count() > 1 || is_elsewhere || !is_allowed(&host) {
            return Some(reject(StatusCode::FORBIDDEN, "The `Host` header is not allowed."));
        }
        let is_allowed = |origin: &HeaderValue| {
            let origin = origin.to_str().ok().and_then(parsed);
            origin.is_some() && self.origins.iter().any(|allowed| parsed(allowed) == origin)
        };
        let mut origins = headers.get_all(ORIGIN).iter();
        (!origins.all(is_allowed)).then(|| reject(StatusCode::FORBIDDEN, "The `Origin` header is not allowed."))
    }
}

/// Returns the scheme, the host and the port of an origin.
fn parsed(origin: &str) -> Option<(String, String, u16)> {
    let origin: Uri = origin.parse().ok()?;
    let scheme = origin.scheme_str()?.to_ascii_lowercase();
    let port = origin.port_u16().or(match &*scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    })?;
    Some((scheme, origin.host()?.to_ascii_lowercase(), port))
}

fn authority(host: &HeaderValue) -> Option<Authority> {
    // A user name has no meaning in this header.
    host.to_str().ok()?.parse().ok().filter(|host: &Authority| !host.as_str().contains('@'))
}

/// Returns `true` if a host is the allowed one, whose port counts if it has one.
fn names(allowed: &str, host: &Authority) -> bool {
    let is_same = |allowed: &str, host: &str| {
        allowed.trim_matches(['[', ']']).eq_ignore_ascii_case(host.trim_matches(['[', ']']))
    };
    let is_with_port = |allowed: Authority| {
        allowed.port().is_some() && is_same(allowed.host(), host.host()) && allowed.port_u16() == host.port_u16()
    };
    is_same(allowed, host.host()) || allowed.parse().is_ok_and(is_with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(host: &str, origin: Option<&str>) -> u16 {
        let hosts = Hosts { origins: vec!["http://localhost:80".to_owned()], ..Hosts::loopback() };
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        hosts.rejection(&Uri::from_static("/mcp"), &headers).map_or(200, |answer| answer.status().as_u16())
    }

    #[test]
    fn only_loopback_hosts_and_known_origins_are_allowed() {
        for (host, origin, expected) in [
            ("127.0.0.1:80", None, 200),
            ("LOCALHOST", None, 200),
            ("[::1]:80", None, 200),
            ("localhost:80", Some("http://localhost:80"), 200),
            ("localhost:80", Some("http://localhost"), 200),
            ("localhost:80", Some("http://localhost:81"), 403),
            ("localhost:80", Some("https://localhost:80"), 403),
            ("localhost:80", Some("http://localhost.evil.example.com:80"), 403),
            ("localhost:80", Some("null"), 403),
            ("evil.example.com:80", None, 403),
            ("localhost.evil.example.com", None, 403),
            ("localhost@evil.example.com", None, 400),
            ("a b", None, 400),
        ] {
            assert_eq!(status(host, origin), expected, "{host} {origin:?}");
        }
        let missing = Hosts::loopback().rejection(&Uri::from_static("/mcp"), &HeaderMap::new());
        assert_eq!(missing.map(|answer| answer.status()), Some(StatusCode::BAD_REQUEST));
    }

    #[test]
    fn a_host_in_the_target_is_checked_too() {
        let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static("localhost"))]);
        let status =
            |target| Hosts::loopback().rejection(&Uri::from_static(target), &headers).map(|answer| answer.status());
        for allowed in ["/mcp", "http://localhost/mcp", "http://127.0.0.1:80/mcp", "http://[::1]/mcp"] {
            assert_eq!(status(allowed), None, "{allowed}");
        }
        for rejected in
            ["http://evil.example.com/mcp", "http://localhost.evil.example.com/mcp", "http://a@evil.example.com/"]
        {
            assert_eq!(status(rejected), Some(StatusCode::FORBIDDEN), "{rejected}");
        }
    }

    #[test]
    fn a_host_with_a_port_allows_only_this_port() {
        let host = |text: &'static str| Authority::from_static(text);
        assert!(names("tools.example.com:443", &host("tools.example.com:443")));
        assert!(!names("tools.example.com:443", &host("tools.example.com:444")));
        assert!(names("tools.example.com", &host("Tools.example.com:444")));
    }
}
