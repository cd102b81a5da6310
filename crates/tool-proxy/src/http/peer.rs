//! The connection of a client over HTTP with its servers: [`Peer`].

use std::io;
use std::sync::Arc;

use super::super::connection::{Connection, ToClient};
use super::super::fate::Received;
use super::super::frame::Frame;
use super::super::layers::{Layers, locked};
use super::super::process::Started;
use super::super::run::{ProxyEnd, run, serve_all};
use super::streams::Streams;
use super::usage::Usage;

/// The servers of each connection: their names and prefixes if there are several, and the function that starts them.
pub(super) struct Start {
    pub(super) names: Option<Vec<(String, String)>>,
    pub(super) start: Box<StartAll>,
}

type StartAll = dyn Fn(&mut Layers) -> io::Result<Vec<Started>> + Send + Sync;

/// A client over HTTP.
pub(crate) trait Peer: ToClient + 'static {
    /// The streams to which the messages for the client go.
    fn streams(&self) -> &Arc<Streams>;

    fn usage(&self) -> &Usage;

    /// Waits until the connection is not used any more.
    fn over(&self) -> impl Future<Output = ()> + Send;
}

/// The servers have ended.
pub(super) struct Gone;

impl<C: Peer> Connection<C> {
    /// Waits until a message of the client can be sent. Fails if the servers have ended.
    pub(super) async fn ready(&self) -> Result<(), Gone> {
        self.client.usage().touch();
        self.room().await;
        if self.client.usage().has_ended() { Err(Gone) } else { Ok(()) }
    }

    /// Sends a message of the client without waiting.
    pub(super) fn send_now(&self, frame: Frame) {
        self.act(|layers| layers.client(Received::Frame(frame)));
    }

    /// Sends a message of the client. Fails if the servers have ended.
    pub(super) async fn send(&self, frame: Frame) -> Result<(), Gone> {
        self.ready().await?;
        self.send_now(frame);
        Ok(())
    }

    /// Starts the servers, and runs until they end or the connection is not used any more. All streams have ended then.
    pub(super) async fn serve(self: Arc<Self>, start: &Start) {
        let started = (start.start)(&mut locked(&self.layers));
        let log = |remark: &str| locked(&self.layers).guard.log(remark);
        match started {
            Ok(started) => {
                let serving = serve_all(Arc::clone(&self), started);
                let end = run(&*self, std::future::pending(), serving, self.client.over()).await;
                if let ProxyEnd::Server { code, .. } = end {
                    let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
                    log(&format!("a server has ended{code}"));
                }
            }
            Err(error) => log(&format!("the server cannot be started: {error}")),
        }
        self.client.usage().end();
        self.servers.iter().for_each(|server| server.outbox.clear());
        self.client.streams().end_all();
    }
}
