//! `toolbox proxy`: guards an MCP server that another program starts through it.
//!
//! The exit code is 0 after the client or a signal has ended the connection. If the server ends by itself, it is the exit code of the server, or
//! 1 if the server left requests without an answer.
//!
//! Invariant: standard output contains only messages of the protocol.

use std::io;
use std::process::ExitCode;

use tokio::process::Command;
use tokio::runtime;
use tool_mcp::proxy::{Proxy, ProxyEnd};

use super::complaint::complain;
use super::options::ProxyOptions;
use crate::private::visible;

pub(super) fn proxy(options: &ProxyOptions) -> ExitCode {
    match run(options) {
        Ok(end) => exit_code(end),
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

fn run(options: &ProxyOptions) -> io::Result<ProxyEnd> {
    let builder = Proxy::builder()
        .repair(options.policy.policy())
        .max_message_bytes(options.max_message_bytes)
        .log(|remark| anstream::eprintln!("toolbox proxy: {}", visible::one_line(remark)));
    let builder = if options.no_throttle { builder.no_throttle() } else { builder };
    let proxy = builder.build().map_err(io::Error::other)?;
    let [program, arguments @ ..] = &*options.command else { return Err(io::ErrorKind::InvalidInput.into()) };
    let mut server = Command::new(program);
    server.args(arguments);
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        tokio::select! {
            end = proxy.stdio(server, stop()) => end.map_err(|error| {
                let program = program.to_string_lossy();
                io::Error::other(format!("the server {program} cannot be started: {error}"))
            }),
            error = reports(options.report, &proxy) => Err(error),
        }
    });
    // A thread may still wait for standard input.
    runtime.shutdown_background();
    let end = end?;
    if options.report {
        anstream::eprint!("{}", proxy.report());
    }
    Ok(end)
}

fn exit_code(end: ProxyEnd) -> ExitCode {
    match end {
        ProxyEnd::Server { code, had_requests } => match code.map(u8::try_from) {
            Some(Ok(0)) => ExitCode::from(u8::from(had_requests)),
            Some(Ok(code)) => ExitCode::from(code),
            _ => ExitCode::from(1),
        },
        _ => ExitCode::SUCCESS,
    }
}

/// Waits for a signal that ends the process.
#[cfg(unix)]
async fn stop() {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

/// Waits for the key combination that ends the process.
#[cfg(not(unix))]
async fn stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// Prints the report whenever a signal asks for it. Only an error ends the waiting.
#[cfg(unix)]
async fn reports(is_wanted: bool, proxy: &Proxy) -> io::Error {
    use tokio::signal::unix::{SignalKind, signal};

    if !is_wanted {
        return std::future::pending().await;
    }
    let mut asked = match signal(SignalKind::user_defined1()) {
        Ok(asked) => asked,
        Err(error) => return error,
    };
    while asked.recv().await.is_some() {
        anstream::eprint!("{}", proxy.report());
    }
    std::future::pending().await
}

#[cfg(not(unix))]
async fn reports(_: bool, _: &Proxy) -> io::Error {
    std::future::pending().await
}
