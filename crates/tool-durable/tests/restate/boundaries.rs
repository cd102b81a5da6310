//! Conversations of 40 steps whose worker is killed directly after one of its messages to the server. Each message contains records for the
//! journal, so these moments are the boundaries of the records.
//!
//! A proxy between server and worker counts the messages. It cuts the connections after every 50th message, and the worker is killed. With
//! `TOOL_DURABLE_CRASHES=all`, 50 conversations begin the count at different messages.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::cluster::Cluster;
use crate::script::compare::compare;

/// The number of messages between two kills.
const BETWEEN: usize = 50;

/// The connections through the proxy.
#[derive(Default)]
struct Connections {
    open: Vec<TcpStream>,
    /// The number of messages of the worker.
    messages: usize,
    /// The number of messages after which the connections are cut.
    cut_after: usize,
    is_cut: bool,
}

/// A proxy between the server and a worker. It stops when this value is dropped.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    connections: Arc<Mutex<Connections>>,
    is_over: Arc<AtomicBool>,
}

fn lock(connections: &Mutex<Connections>) -> MutexGuard<'_, Connections> {
    connections.lock().expect("no thread panics")
}

impl Connections {
    fn cut(&mut self) {
        self.is_cut = true;
        for stream in self.open.drain(..) {
            // The other side may have closed it already.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Proxy {
    pub(crate) fn start(worker: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("it is bound").port();
        let connections = Arc::new(Mutex::new(Connections { cut_after: usize::MAX, ..Connections::default() }));
        let (shared, is_over) = (Arc::clone(&connections), Arc::new(AtomicBool::new(false)));
        let over = Arc::clone(&is_over);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                // If there is no worker, the server tries again.
                let _ = stream.and_then(|server| connect(server, worker, &shared));
            }
        });
        Self { port, connections, is_over }
    }

    /// Cuts all connections after this number of further messages of the worker.
    fn cut_after(&self, messages: usize) {
        let mut connections = lock(&self.connections);
        connections.cut_after = connections.messages.saturating_add(messages);
        connections.is_cut = false;
    }

    fn is_cut(&self) -> bool {
        lock(&self.connections).is_cut
    }

    fn messages(&self) -> usize {
        lock(&self.connections).messages
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        lock(&self.connections).cut();
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

/// Passes bytes in both directions until a side closes the connection, or until it is cut.
fn connect(mut server: TcpStream, worker: u16, connections: &Arc<Mutex<Connections>>) -> io::Result<()> {
    let mut worker = TcpStream::connect(("127.0.0.1", worker))?;
    server.set_nodelay(true)?;
    worker.set_nodelay(true)?;
    let mut open = lock(connections);
    if open.is_cut {
        return Ok(());
    }
    open.open.extend([server.try_clone()?, worker.try_clone()?]);
    drop(open);
    let (mut from_server, mut to_worker) = (server.try_clone()?, worker.try_clone()?);
    std::thread::spawn(move || {
        let _ = io::copy(&mut from_server, &mut to_worker);
        let _ = to_worker.shutdown(Shutdown::Both);
    });
    let connections = Arc::clone(connections);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 64 << 10];
        while let Ok(count @ 1..) = worker.read(&mut bytes) {
            let mut connections = lock(&connections);
            if connections.is_cut || server.write_all(&bytes[..count]).is_err() {
                break;
            }
            connections.messages += 1;
            if connections.messages >= connections.cut_after {
                connections.cut();
            }
        }
        let _ = server.shutdown(Shutdown::Both);
    });
    Ok(())
}

/// Ends a thread when a test ends, also if it fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Cluster {
    /// Drives a conversation of the script to its end.
    fn finish(&self, id: &str) {
        self.send(id, "Do all of it.");
        while !self.advance(id) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn conversations_killed_after_a_message_end_like_an_undisturbed_one() {
    let (cluster, proxy) = Cluster::start_behind_a_proxy();
    let begun = proxy.messages();
    cluster.finish("script-0");
    let (undisturbed, messages) = (cluster.result("script-0"), proxy.messages() - begun);
    let is_all = std::env::var("TOOL_DURABLE_CRASHES").is_ok_and(|value| value == "all");
    let firsts = if is_all { (1..=BETWEEN).collect() } else { vec![7] };
    let (killed, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let unknown: usize = std::thread::scope(|scope| {
        let _over = Over(&is_over);
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                if proxy.is_cut() {
                    cluster.worker.restart();
                    killed.fetch_add(1, Ordering::Relaxed);
                    proxy.cut_after(BETWEEN);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let disturbed = |first: &usize| {
            let (id, before) = (format!("script-{first}"), killed.load(Ordering::Relaxed));
            proxy.cut_after(*first);
            cluster.finish(&id);
            let result = cluster.result(&id);
            compare(&undisturbed, &result, killed.load(Ordering::Relaxed) - before, &id)
        };
        firsts.iter().map(disturbed).sum()
    });
    let (killed, conversations) = (killed.into_inner(), firsts.len());
    println!(
        "{killed} crashes, {conversations} conversations of {messages} messages, {unknown} calls with an unknown effect"
    );
    assert!(killed > conversations, "the worker was hardly ever killed");
}
