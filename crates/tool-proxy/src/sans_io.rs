//! The layers of a proxy without streams, for property tests and fuzz targets: [`SansIoProxy`].

use std::sync::Arc;

use tool_runtime::BuildError;

use crate::action::Received;
use crate::builder::ProxyBuilder;
use crate::checker::at_once;
use crate::frame::Frame;
use crate::guard::Guard;
use crate::layers::{Layers, Leaving};
use tool_mcp::__private_0_1_0::Lines;

/// The layers of a proxy. Lines go in and come out.
pub struct SansIoProxy {
    layers: Layers,
    limit: usize,
}

/// The lines that leave the layers, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OutgoingLines {
    /// The lines for the client.
    pub to_client: Vec<String>,
    /// The lines for servers, by their indices.
    pub to_servers: Vec<(usize, String)>,
}

impl SansIoProxy {
    /// Creates the layers of a proxy in front of servers with these names and prefixes. Without names, there is one.
    ///
    /// # Errors
    ///
    /// Fails if the settings contradict each other.
    pub fn new(proxy: ProxyBuilder, servers: Option<Vec<(String, String)>>) -> Result<Self, BuildError> {
        let mut layers = Layers::new(Guard::new(Arc::new(proxy.0))?);
        layers.add_servers(servers);
        let limit = layers.guard.settings.message_limit;
        Ok(Self { layers, limit })
    }

    /// Sends a line of the client, without its line break.
    pub fn receive_from_client(&mut self, line: &[u8]) -> OutgoingLines {
        if let Some(received) = self.received(line) {
            self.layers.client(received);
        }
        self.left()
    }

    /// Sends a line of a server, without its line break.
    pub fn receive_from_server(&mut self, server: usize, line: &[u8]) -> OutgoingLines {
        if let Some(received) = self.received(line) {
            self.layers.server(server, received);
        }
        self.left()
    }

    fn received(&self, line: &[u8]) -> Option<Received> {
        let line = [line, b"\n"].concat();
        let mut lines = Lines::new(&*line, self.limit);
        // Bytes in memory are always ready.
        Received::of(at_once(lines.next())?, self.limit)
    }

    fn left(&mut self) -> OutgoingLines {
        let Leaving { to_client, to_servers, .. } = std::mem::take(&mut self.layers.leaving);
        OutgoingLines {
            to_client: to_client.into_iter().map(Frame::into_line).collect(),
            to_servers: to_servers.into_iter().map(|(server, frame)| (server, frame.into_line())).collect(),
        }
    }
}
