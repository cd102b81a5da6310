//! `toolbox proxy`: guards an MCP server that another program starts through it.
//!
//! With `--http`, the clients connect over HTTP. The exit code is 0 after the client or a signal has ended the connection. If the server ends by itself, it is the exit code of the server, or
//! 1 if the server left requests without an answer.
//!
//! Invariant: standard output contains only messages of the protocol.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use tokio::runtime;
use tool_proxy::{PinMode, Proxy, ProxyBuilder, ProxyEnd, ProxyReport, Servers};

use super::complaint::complain;
use super::config::{Config, Grouped, Preset, Reached, Server};
use super::listen::Listen;
use super::options::{PinName, PolicyName, ProxyOptions};
use super::pins;
use super::remote::{Remote, Secret};
use super::search_path;
use crate::private::visible;

pub(super) fn proxy(options: &ProxyOptions) -> ExitCode {
    let config = match options.config.as_deref().map(Config::load).transpose() {
        Ok(config) => config.unwrap_or_default(),
        Err(mistakes) => {
            for mistake in &mistakes {
                complain(mistake);
            }
            return ExitCode::from(2);
        }
    };
    match run(options, config) {
        Ok(end) => exit_code(end),
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// Returns the settings of the file and of the command line.
fn settings(options: &ProxyOptions, config: Config) -> io::Result<ProxyBuilder> {
    let Config {
        command: _,
        remote: _,
        servers: _,
        repair,
        throttle,
        max_message_bytes,
        result_bytes,
        keep_results,
        list_time_limit,
        time_limit,
        containers,
        access,
        approval,
        pin,
        pins,
        strict_names,
        redact,
        restart,
        translation,
        record,
        record_results,
        log,
        tools,
        listen: _,
    } = config;
    let mut builder = Proxy::builder()
        .access(access)
        .require_approval(approval)
        .require_known_names(strict_names)
        .redact(redact)
        .dry_run(options.dry_run);
    if let Some(policy) = options.policy.map(PolicyName::policy).or(repair) {
        builder = builder.repair(policy);
    }
    let mode = match options.pin.or(pin) {
        None | Some(PinName::Off) => None,
        Some(PinName::Warn) => Some(PinMode::Warn),
        Some(PinName::Hold) => Some(PinMode::Hold),
    };
    if let Some(mode) = mode {
        builder = builder.pins(pins::open(&pins.map_or_else(pins::default_file, Ok)?)?, mode);
    }
    let throttle = if options.no_throttle { Some(Preset::Off) } else { throttle };
    builder = match throttle.map(Preset::limits) {
        None => builder,
        Some(Some(limits)) => builder.throttle(limits),
        Some(None) => builder.no_throttle(),
    };
    if let Some(bytes) = options.max_message_bytes.or(max_message_bytes) {
        builder = builder.max_message_bytes(bytes);
    }
    if let Some(bytes) = result_bytes {
        builder = builder.result_bytes(bytes);
    }
    if let Some(bytes) = keep_results {
        builder = builder.keep_results(bytes);
    }
    if let Some(limit) = list_time_limit {
        builder = builder.list_time_limit(limit);
    }
    if let Some(limit) = time_limit {
        builder = builder.time_limit(limit);
    }
    if let Some(restart) = restart {
        builder = builder.restart(restart);
    }
    for (name, Grouped { description, tools }) in containers {
        builder = builder.container(name, description, tools);
    }
    if let Some(translation) = translation {
        builder = builder.translate_versions(translation);
    }
    for (name, options) in tools {
        builder = builder.tool(name, options);
    }
    if let Some(path) = record {
        let mut file = appended(&path)?;
        let mut has_failed = false;
        builder = builder.record_with(move |line| {
            if let Err(error) = writeln!(file, "{line}")
                && !std::mem::replace(&mut has_failed, true)
            {
                complain(&format!("calls are not recorded any more: {error}"));
            }
        });
    }
    if let Some(bytes) = record_results {
        builder = builder.record_results(bytes);
    }
    let log = log.map(|path| appended(&path)).transpose()?.map(Mutex::new);
    Ok(builder.log_with(move |remark| {
        let remark = visible::one_line(remark);
        match &log {
            // A remark that cannot be written is no reason to end.
            Some(file) => drop(writeln!(file.lock().unwrap_or_else(PoisonError::into_inner), "{remark}")),
            None => anstream::eprintln!("toolbox proxy: {remark}"),
        }
    }))
}

/// Opens a file for further lines. On systems with file permissions, only its owner can read a new file. An existing file keeps its
/// permissions, which somebody may have set on purpose, but a remark says that others can read it.
fn appended(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let opened = options.open(path);
    let file = opened.map_err(|error| io::Error::other(format!("{} cannot be written: {error}", path.display())))?;
    #[cfg(unix)]
    if let Ok(metadata) = file.metadata()
        && metadata.is_file()
        && std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o044 != 0
    {
        anstream::eprintln!("toolbox proxy: other users can read {}", visible::one_line(&path.display().to_string()));
    }
    Ok(file)
}

/// Returns the servers of the file or of the command line, and the programs that start them or their URLs. Programs do not get the token of the
/// clients, which is in this environment variable.
fn servers(options: &ProxyOptions, config: &mut Config, token: Option<&str>) -> io::Result<(Servers, String)> {
    let invalid = |text| io::Error::new(io::ErrorKind::InvalidInput, text);
    if !config.servers.is_empty() {
        if !options.command.is_empty() || options.url.is_some() {
            return Err(invalid(
                "the configuration has `servers`, so neither `--url` nor a command after `--` is possible",
            ));
        }
        let mut servers = Servers::new();
        let mut programs = Vec::new();
        for (name, Server { prefix, reached }) in std::mem::take(&mut config.servers) {
            let upstream = match reached {
                Reached::Remote(remote) => {
                    let upstream = remote.upstream();
                    upstream.map_err(|error| io::Error::new(error.kind(), format!("servers.{name}: {error}")))?
                }
                Reached::Command { command, environment, folder } => {
                    let [program, arguments @ ..] = &*command else { continue };
                    let mut command = started(program, arguments, token);
                    command.envs(environment);
                    if let Some(folder) = folder {
                        command.current_dir(folder);
                    }
                    programs.push(program.clone());
                    command.into()
                }
            };
            servers = match prefix {
                Some(prefix) => servers.add_with_prefix(name, prefix, upstream),
                None => servers.add(name, upstream),
            };
        }
        return Ok((servers, programs.join(", ")));
    }
    if let Some(url) = &options.url {
        let token = options.token_env.clone().map(Secret::Environment);
        config.remote = Some(Remote { token, ..Remote::new(url.clone()) });
    }
    if let Some(remote) = config.remote.as_ref().filter(|_| options.command.is_empty()) {
        return Ok((remote.upstream()?.into(), String::new()));
    }
    let command: Vec<OsString> = if options.command.is_empty() {
        std::mem::take(&mut config.command).into_iter().map(OsString::from).collect()
    } else {
        options.command.clone()
    };
    let [program, arguments @ ..] = &*command else {
        return Err(invalid(match options.config {
            Some(_) => "the configuration has neither `command` nor `url` nor `servers`, and no command follows `--`",
            None => {
                "give the command that starts the server after `--`, its URL with `--url`, or a file of settings with `--config`"
            }
        }));
    };
    let program = program.to_string_lossy();
    Ok((started(&program, arguments, token).into(), program.into_owned()))
}

/// Returns the command of a server, without an environment variable that it must not get.
fn started(
    program: &str,
    arguments: &[impl AsRef<std::ffi::OsStr>],
    withheld: Option<&str>,
) -> tokio::process::Command {
    let mut command = search_path::command(program);
    command.args(arguments);
    if let Some(withheld) = withheld {
        command.env_remove(withheld);
    }
    command
}

fn run(options: &ProxyOptions, mut config: Config) -> io::Result<ProxyEnd> {
    let listen = std::mem::take(&mut config.listen);
    let (servers, programs) = servers(options, &mut config, listen.token.as_deref())?;
    let builder = settings(options, config)?;
    if let Some(address) = options.http.or(listen.address) {
        return serve(options, &listen, address, builder, servers);
    }
    let proxy = builder.build().map_err(io::Error::other)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let end = runtime.block_on(async {
        tokio::select! {
            end = proxy.serve_stdio(servers, stop()) => end.map_err(|error| {
                // The error of a remote server says everything.
                let is_started = !programs.is_empty();
                if is_started { io::Error::other(format!("the server {programs} cannot be started: {error}")) } else { error }
            }),
            error = reports(options.report, || proxy.report()) => Err(error),
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

/// Serves clients over HTTP until a signal.
fn serve(
    options: &ProxyOptions,
    listen: &Listen,
    address: SocketAddr,
    builder: ProxyBuilder,
    servers: Servers,
) -> io::Result<ProxyEnd> {
    let proxy = listen.proxy(address, builder)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        tokio::select! {
            end = listen.serve(address, &proxy, servers, stop()) => end,
            error = reports(options.report, || proxy.report()) => Err(error),
        }
    })?;
    if options.report {
        anstream::eprint!("{}", proxy.report());
    }
    Ok(ProxyEnd::Stopped)
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
async fn reports(is_wanted: bool, report: impl Fn() -> ProxyReport) -> io::Error {
    use tokio::signal::unix::{SignalKind, signal};

    if !is_wanted {
        return std::future::pending().await;
    }
    let mut asked = match signal(SignalKind::user_defined1()) {
        Ok(asked) => asked,
        Err(error) => return error,
    };
    while asked.recv().await.is_some() {
        anstream::eprint!("{}", report());
    }
    std::future::pending().await
}

#[cfg(not(unix))]
async fn reports(_: bool, _: impl Fn() -> ProxyReport) -> io::Error {
    std::future::pending().await
}
