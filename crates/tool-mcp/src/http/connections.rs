//! The connections of a server over HTTP: accepting them, limiting their number, and closing them.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use super::HttpAnswer;
use super::write_timeout::WriteTimeout;

/// The maximum time in which the head of a request has to arrive.
const HEAD: Duration = Duration::from_secs(30);

/// The maximum time that a client may take to accept the next part of an answer.
const UNREAD: Duration = Duration::from_secs(30);

/// The maximum time that running requests have to end after the server was stopped.
const GRACE: Duration = Duration::from_secs(5);

/// The maximum number of connections at the same time. Further connections wait to be accepted.
const MOST: usize = 1_024;

/// The pause after an error of the listener, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// Answers the requests of all connections with a function until `stop` is ready. Running requests then have five seconds to end. The function
/// also gets a value that becomes `true` at that time.
pub async fn serve<A: Future<Output = HttpAnswer> + Send + 'static>(
    listener: TcpListener,
    answer: impl Fn(Request<Incoming>, watch::Receiver<bool>) -> A + Clone + Send + 'static,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(MOST));
    let mut stop = pin!(stop);
    loop {
        let accepted = async {
            // The semaphore is never closed.
            let permit = Arc::clone(&room).acquire_owned().await.ok();
            (permit, listener.accept().await)
        };
        let (permit, stream) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = stream else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // An answer is sent in several parts. Otherwise, the second part would wait until the client has acknowledged the first, which it may
        // delay by 40 ms.
        let _ = stream.set_nodelay(true);
        let (answer, stopped) = (answer.clone(), stopped.clone());
        let service = service_fn(move |request| {
            let answer = answer(request, stopped.clone());
            async { Ok::<_, Infallible>(answer.await) }
        });
        let mut connections = http1::Builder::new();
        let connections = connections.timer(TokioTimer::new()).header_read_timeout(HEAD);
        let connection =
            graceful.watch(connections.serve_connection(TokioIo::new(WriteTimeout::new(stream, UNREAD)), service));
        tokio::spawn(async move {
            // An error means that the client has disconnected or does not speak HTTP.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = stopping.send(true);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
}
