//! The check of a request before a server answers it: [`Gate`].

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use hyper::StatusCode;
use hyper::http::request::Parts;

use super::hosts::Hosts;
use super::user_and_body::{Identify, user_of};
use super::{HttpAnswer, SESSION, reject};

/// The requests that a server answers: the hosts and origins that they may name, and the check of their users.
pub struct Gate<P> {
    /// The hosts and origins that requests may name.
    pub hosts: Hosts,
    /// The check of bearer tokens; `None` if there is none.
    pub identify: Option<Arc<Identify<P>>>,
    /// `true` if requests need no user although other machines can reach the server.
    pub is_open: bool,
}

impl<P> Clone for Gate<P> {
    fn clone(&self) -> Self {
        Self { hosts: self.hosts.clone(), identify: self.identify.clone(), is_open: self.is_open }
    }
}

impl<P> Gate<P> {
    /// Allows requests to the loopback hosts, without a check of their users.
    pub fn loopback() -> Self {
        Self { hosts: Hosts::loopback(), identify: None, is_open: false }
    }

    /// Prepares for requests to an address: without other origins, the server's own ones are allowed. Fails if other machines can reach the address, and
    /// users are not checked.
    pub fn at(mut self, address: SocketAddr) -> io::Result<Self> {
        if !(address.ip().is_loopback() || self.identify.is_some() || self.is_open) {
            let text = format!(
                "{address} can be reached from other machines: set a `verify_bearer` check or `without_authentication`"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        if self.hosts.origins.is_empty() {
            let origin = |host| format!("http://{host}:{}", address.port());
            self.hosts.origins = ["localhost", "127.0.0.1", "[::1]"].map(origin).into();
        }
        Ok(self)
    }

    /// Returns the user of a request, or the rejection of a request that is not answered. The bearer token is removed.
    pub fn user_of(&self, head: &mut Parts) -> Result<Option<P>, Box<HttpAnswer>> {
        if let Some(rejection) = self.hosts.rejection(&head.uri, &head.headers) {
            return Err(Box::new(rejection));
        }
        if head.headers.get_all(&SESSION).iter().nth(1).is_some() {
            return Err(Box::new(reject(StatusCode::BAD_REQUEST, "The header Mcp-Session-Id is repeated.")));
        }
        user_of(&mut head.headers, self.identify.as_deref())
    }
}
