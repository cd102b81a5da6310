//! A server with one worker or several workers.

use serde_json::json;
use tool_chat::run::Run;

use super::boundaries::Proxy;
use super::server::{Server, free_port};
use super::worker::Worker;

pub(crate) struct Cluster {
    pub(crate) worker: Worker,
    others: Vec<Worker>,
    port: u16,
    pub(crate) server: Server,
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let (server, port) = (Server::start(), free_port());
        let worker = Worker::start(port, &server.folder.join("world"));
        server.register(port);
        Self { worker, others: Vec::new(), port, server }
    }

    /// Starts a server that reaches its worker through a proxy.
    pub(crate) fn start_behind_a_proxy() -> (Self, Proxy) {
        let (server, port) = (Server::start(), free_port());
        let (worker, proxy) = (Worker::start(port, &server.folder.join("world")), Proxy::start(port));
        server.register(proxy.port);
        (Self { worker, others: Vec::new(), port, server }, proxy)
    }

    /// Starts another worker on the same port. The system spreads the connections of the server over the workers.
    pub(crate) fn add_worker(&mut self) {
        self.others.push(Worker::start(self.port, &self.server.folder.join("world")));
    }

    /// Begins a turn and returns the id of its invocation.
    pub(crate) fn send(&self, id: &str, prompt: &str) -> String {
        let (status, sent) = self.server.call(id, "ask/send", Some(&json!(prompt)));
        assert!(status < 300, "{sent}");
        sent["invocationId"].as_str().expect("an invocation has an id").to_owned()
    }

    pub(crate) fn run(&self, id: &str) -> Run {
        let (status, history) = self.server.call(id, "history", None);
        assert_eq!(status, 200, "{history}");
        serde_json::from_value(history).expect("the run can be read")
    }
}
