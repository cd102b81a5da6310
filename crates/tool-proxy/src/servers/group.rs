//! Several running servers that are used as one: [`start`].
//!
//! A task reads and writes the lines of all servers, and lets the [`Router`] decide about them. It ends when all servers have ended.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncWrite, DuplexStream, ReadHalf};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::super::connection::{Shared, locked};
use super::super::fate::Broken;
use super::super::outbox::Outbox;
use super::super::process::{EXITING, Group, Process, Server, exit_code};
use super::super::report::Dropped;
use super::super::run::ANSWERING;
use super::super::serving::{Link, reason, serve};
use super::super::settings::Restart;
use super::super::timer::Timer;
use super::router::{Routed, Router};
use tool_mcp::__private_0_1_0::{Line, Lines};

/// The size of the buffers between the guard and the task.
const BUFFER: usize = 1 << 16;
/// The time after which a server that does not read its input gets no further requests.
const STUCK: Duration = Duration::from_secs(10);

/// A function that starts a server, again and again.
pub(super) type Start = Box<dyn FnMut() -> io::Result<Server> + Send>;

/// A server of a group.
pub(super) struct Starter {
    pub(super) name: String,
    pub(super) prefix: String,
    pub(super) start: Start,
}

/// The state that the futures of a group share.
struct State {
    guard: Shared,
    message_limit: usize,
    router: Mutex<Router>,
    to_client: Outbox,
    to_servers: Vec<Outbox>,
    processes: Vec<Mutex<Option<Process>>>,
    timer: Timer,
}

impl State {
    /// Lets the router decide, and queues the lines that follow. Both happen under one lock, so that no line follows the end of its server.
    fn route<T>(&self, decide: impl FnOnce(&mut Router) -> (T, Routed)) -> T {
        // A panic under the lock ends the proxy anyway.
        let mut router = self.router.lock().unwrap_or_else(PoisonError::into_inner);
        let (value, Routed { to_client, to_servers }) = decide(&mut router);
        self.timer.set(router.deadline());
        let dropped = std::mem::take(&mut router.dropped);
        if dropped != Dropped::default() {
            // The guard never waits for the router.
            locked(&self.guard).calls.report_mut().add_dropped(dropped);
        }
        self.to_client.push(to_client);
        for (server, line) in to_servers {
            self.to_servers[server].push(vec![line]);
        }
        value
    }

    fn send(&self, decide: impl FnOnce(&mut Router) -> Routed) {
        self.route(|router| ((), decide(router)));
    }

    fn has_requests(&self) -> bool {
        self.route(|router| (router.has_requests(), Routed::default()))
    }
}

/// The connection of one server with the router.
struct Member {
    state: Arc<State>,
    index: usize,
}

impl Link for Member {
    fn to_server(&self) -> &Outbox {
        &self.state.to_servers[self.index]
    }

    fn to_client(&self) -> &Outbox {
        &self.state.to_client
    }

    fn message_limit(&self) -> usize {
        self.state.message_limit
    }

    fn log(&self, remark: &str) {
        self.state.route(|router| (router.remark(self.index, remark), Routed::default()));
    }

    fn set_process(&self, process: Option<Process>) {
        *self.state.processes[self.index].lock().unwrap_or_else(PoisonError::into_inner) = process;
    }

    fn take_process(&self) -> Option<Process> {
        self.state.processes[self.index].lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn receive(&self, line: Line) {
        self.state.send(|router| match line {
            Line::Whole(line) => router.server_line(self.index, line),
            Line::TooLongRequest(id) => router.too_long(self.index, Broken::Request(id)),
            Line::TooLong(id) => router.too_long(self.index, Broken::Answer(id)),
            Line::TooLongOther => router.too_long(self.index, Broken::Other),
            Line::End => Routed::default(),
        });
    }

    fn lose(&self, _reason: &str) {
        self.state.send(|router| {
            self.to_server().clear();
            router.lose(self.index)
        });
    }

    fn handshake(&self) -> Option<String> {
        self.state.route(|router| (router.handshake(self.index), Routed::default()))
    }

    fn has_agreed(&self) -> Option<bool> {
        self.state.route(|router| (router.members[self.index].has_agreed, Routed::default()))
    }

    fn restarted(&self) -> Vec<String> {
        locked(&self.state.guard).count_restart();
        self.state.route(|router| router.restarted(self.index))
    }
}

/// Starts several servers as one. A server that cannot be started is left out; fails if no server can be started.
pub(super) fn start(guard: &Shared, starters: Vec<Starter>) -> io::Result<Server> {
    let (settings, restart) = {
        let mut guard = locked(guard);
        guard.calls.wait_for_group();
        (guard.settings(), guard.restart())
    };
    let names = starters.iter().map(|starter| (starter.name.clone(), starter.prefix.clone()));
    let mut router = Router::new(Arc::clone(&settings), names);
    let mut failure = io::Error::from(io::ErrorKind::InvalidInput);
    let mut started = Vec::new();
    for (index, mut starter) in starters.into_iter().enumerate() {
        let server = (starter.start)().map_err(|error| {
            router.remark(index, &format!("the server cannot be started: {error}"));
            router.lose(index);
            failure = error;
        });
        started.push((server.ok(), starter.start));
    }
    if started.iter().all(|(server, _)| server.is_none()) {
        return Err(failure);
    }
    let state = Arc::new(State {
        guard: Arc::clone(guard),
        message_limit: settings.message_limit,
        router: Mutex::new(router),
        to_client: Outbox::default(),
        to_servers: started.iter().map(|_| Outbox::default()).collect(),
        processes: started.iter().map(|_| Mutex::default()).collect(),
        timer: Timer::default(),
    });
    let (near, far) = tokio::io::duplex(BUFFER);
    let ((output, input), (from_client, to_client)) = (tokio::io::split(near), tokio::io::split(far));
    let task = tokio::spawn(run(state, started, restart, from_client, to_client));
    Ok(Server { output: Box::new(output), input: Box::new(input), process: Some(Process::Group(Group(task))) })
}

/// Connects the servers until all of them have ended. Returns the first exit code that is not 0.
async fn run(
    state: Arc<State>,
    started: Vec<(Option<Server>, Start)>,
    restart: Option<Restart>,
    from_client: ReadHalf<DuplexStream>,
    to_client: impl AsyncWrite + Send + Unpin + 'static,
) -> Option<i32> {
    let count = started.len();
    let mut servers = JoinSet::new();
    for (index, (first, start)) in started.into_iter().enumerate() {
        let link = Member { state: Arc::clone(&state), index };
        let was_started = first.is_some();
        servers.spawn(async move {
            let code = serve(&link, first, start, restart).await;
            if !was_started && code.is_none() {
                // The remark about its start says everything.
                return (index, Some(0));
            }
            link.lose(&reason(code));
            // The end is expected once the client has gone.
            if !link.to_server().is_closed() {
                link.log(&format!("the server has ended: {}", reason(code)));
            }
            (index, code)
        });
    }
    let mut codes = vec![Some(0); count];
    let ended = async {
        while let Some(ended) = servers.join_next().await {
            if let Ok((index, code)) = ended {
                codes[index] = code;
            }
        }
    };
    let writing = state.to_client.write(to_client);
    let client_side = async {
        read_client(&state, from_client).await;
        state.to_servers.iter().for_each(Outbox::close);
        let answered = async {
            while state.has_requests() {
                sleep(EXITING).await;
            }
        };
        let _ = timeout(ANSWERING, answered).await;
        sleep(EXITING).await;
    };
    let time = async {
        loop {
            let now = state.timer.wait().await;
            state.send(|router| router.expire(now));
        }
    };
    let mut writing = std::pin::pin!(writing);
    tokio::select! {
        () = ended => {}
        () = client_side => {}
        _ = &mut writing => {}
        () = time => {}
    }
    servers.abort_all();
    for process in &state.processes {
        let process = process.lock().unwrap_or_else(PoisonError::into_inner).take();
        exit_code(process, Duration::ZERO).await;
    }
    state.to_client.close();
    // The guard may have gone.
    let _ = timeout(EXITING, writing).await;
    codes.into_iter().find(|code| *code != Some(0)).unwrap_or(Some(0))
}

/// Reads the lines that the guard sends, until their end.
async fn read_client(state: &State, from_client: ReadHalf<DuplexStream>) {
    // The guard has checked the length.
    let mut lines = Lines::new(from_client, usize::MAX);
    loop {
        state.to_client.room().await;
        for (index, outbox) in state.to_servers.iter().enumerate() {
            let was_stuck = state.route(|router| (router.members[index].is_stuck, Routed::default()));
            let patience = if was_stuck { Duration::ZERO } else { STUCK };
            let is_stuck = timeout(patience, outbox.room()).await.is_err();
            if is_stuck != was_stuck {
                state.route(|router| (router.set_stuck(index, is_stuck), Routed::default()));
            }
        }
        match lines.next().await {
            Line::Whole(line) => state.send(|router| router.client_line(line)),
            Line::End => return,
            Line::TooLong(_) | Line::TooLongRequest(_) | Line::TooLongOther => {}
        }
    }
}
