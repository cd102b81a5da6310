//! A connected server, as the host sees it: [`RemoteServer`].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::ServerPeerInfo;
use tool_runtime::Container;
use tool_runtime::container::ContainerSource;
use tool_runtime::tool::{DisplayMetadata, Tool};

use super::connection::Connection;
use super::error::{ConnectError, SkippedTool};
use super::list::fetch;
use super::reconnecting_link::{Gone, Link};
use super::remote_tools::{RemoteTools, truncate, truncate_description};

/// The maximum number of characters of a server's instructions.
const INSTRUCTIONS: usize = 8_192;
/// The minimum time for which a list counts as valid, even if the server requests a shorter time.
const SHORTEST_TTL: Duration = Duration::from_secs(1);

/// A connected MCP server, with its tools as they were last listed. It is cheap to clone.
///
/// The server runs until this handle, its clones, and all tools made from it are dropped, or until [`close`](Self::close) is called. If the
/// server stops earlier, running calls are answered with `unavailable`. A later call starts it again, but not before a pause is over. The
/// pause is 0.5 s, and doubles with each failure in a row, up to 1 min. A call during the pause is answered with `unavailable` and the
/// remaining pause.
#[derive(Clone)]
pub struct RemoteServer(Arc<Inner>);

struct Inner {
    link: Arc<Link>,
    prefix: String,
    container: String,
    most_tools: usize,
    /// The description that the server gave of itself in the first handshake.
    info: Option<Arc<ServerPeerInfo>>,
    offer: Mutex<Arc<RemoteTools>>,
    /// The lock that is held while the tools are listed.
    refreshing: tokio::sync::Mutex<()>,
}

impl RemoteServer {
    pub(super) async fn new(
        link: Link,
        prefix: String,
        container: String,
        most_tools: usize,
    ) -> Result<Self, ConnectError> {
        let link = Arc::new(link);
        let connection = link.connect().await?;
        let info = connection.info();
        let server = Self(Arc::new(Inner {
            link,
            prefix,
            container,
            most_tools,
            info,
            offer: Mutex::default(),
            refreshing: tokio::sync::Mutex::default(),
        }));
        server.list(&connection).await?;
        Ok(server)
    }

    /// Returns a container with the tools of the server and its instructions. The name of the container is `MCP_` and the name of the
    /// server, unless [`container_name`](super::Connect::container_name) is set.
    pub fn container(&self) -> Container {
        let Inner { container, info, link, .. } = &*self.0;
        let implementation = info.as_ref().and_then(|info| info.server_info.as_ref());
        let description = implementation.and_then(|server| server.description.as_deref()).map(truncate_description);
        let description = description.unwrap_or_else(|| format!("The tools of the MCP server {}.", link.settings.name));
        let mut container = Container::new(container.clone(), description).source_label(ContainerSource::Mcp);
        if let Some(title) = implementation.and_then(|server| server.title.clone()) {
            container = container.display_metadata(DisplayMetadata::with_title(title));
        }
        if let Some(instructions) = self.instructions() {
            container = container.instructions(instructions);
        }
        self.offer().add_to(container)
    }

    /// Returns the tools of the server, in the server's order. Their names begin with the name of the server and `__`, unless
    /// [`prefix`](super::Connect::prefix) is set.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.offer().tools().cloned().collect()
    }

    /// Returns the tools that cannot be offered to the model, with the reasons.
    pub fn skipped_tools(&self) -> Vec<SkippedTool> {
        self.offer().left_out.clone()
    }

    /// Returns the instructions of the server, truncated to 8,192 characters.
    pub fn instructions(&self) -> Option<String> {
        let instructions = self.0.info.as_ref()?.instructions.as_deref()?;
        Some(truncate(instructions, INSTRUCTIONS))
    }

    /// Returns the protocol revision of the first connection, such as `2025-11-25`.
    pub fn protocol_version(&self) -> Option<String> {
        self.0.info.as_ref().map(|info| info.protocol_version.to_string())
    }

    /// Waits until the list of tools may have changed: the server has reported a change, the server was restarted, or the list has expired.
    /// Returns at once if one of these has already happened since the list was requested, but never earlier than 1 s after that request.
    pub async fn changed(&self) {
        let offer = self.offer();
        let clock = &self.0.link.settings.clock;
        let mut stale = self.0.link.stale.subscribe();
        let expired = async {
            match offer.expires_at {
                Some(at) => clock.sleep(at.saturating_sub(clock.now())).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            _ = stale.wait_for(|generation| *generation != offer.generation) => {}
            () = expired => {}
        }
        // Without this pause, a server that reports changes without end would be asked for its list without end.
        clock.sleep(offer.listed_at.saturating_add(SHORTEST_TTL).saturating_sub(clock.now())).await;
    }

    /// Lists the tools again, and returns `true` if they have changed. In that case, build a toolbox with the new
    /// [`container`](Self::container) or [`tools`](Self::tools), and give it to
    /// [`Session::replace_toolbox`](tool_runtime::Session::replace_toolbox).
    ///
    /// # Errors
    ///
    /// Returns an error if the server is not reachable or does not answer. In that case, the tools are not changed.
    pub async fn refresh(&self) -> Result<bool, ConnectError> {
        let connection = self.0.link.connection().await.map_err(|gone| match gone {
            Gone::Failed { reason, .. } => ConnectError::List(reason),
            Gone::Closed => ConnectError::Closed,
        })?;
        self.list(&connection).await
    }

    async fn list(&self, connection: &Connection) -> Result<bool, ConnectError> {
        let Inner { link, prefix, container, most_tools, offer, refreshing, .. } = &*self.0;
        let _refreshing = refreshing.lock().await;
        // Read before the request, so that a change that is reported during the request is not missed.
        let generation = *link.stale.borrow();
        let listed_at = link.settings.clock.now();
        let limit = link.settings.connect_timeout;
        let listed = tokio::select! {
            biased;
            listed = fetch(connection, *most_tools) => listed.map_err(ConnectError::at_list)?,
            () = link.settings.clock.sleep(limit) => return Err(ConnectError::TimedOut(limit)),
        };
        let ttl = listed.ttl.filter(|ttl| !ttl.is_zero());
        let expires_at = ttl.map(|ttl| link.settings.clock.now().saturating_add(ttl.max(SHORTEST_TTL)));
        let before = self.offer();
        let mut made = RemoteTools::new(listed, &before, prefix, container, link);
        (made.generation, made.listed_at, made.expires_at) = (generation, listed_at, expires_at);
        let has_changed = !made.has_tools_of(&before);
        *offer.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(made);
        Ok(has_changed)
    }

    /// Closes the connection for good, and waits until a child process has exited. Later calls are answered with `unavailable`.
    pub async fn close(&self) {
        self.0.link.close().await;
    }

    fn offer(&self) -> Arc<RemoteTools> {
        // No code under the lock can panic.
        Arc::clone(&self.0.offer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for RemoteServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteServer").field("name", &self.0.link.settings.name).finish_non_exhaustive()
    }
}
