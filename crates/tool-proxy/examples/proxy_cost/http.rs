//! A client over one HTTP connection, with a server that answers directly or stands behind the proxy.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use tool_proxy::{Proxy, Servers};

#[cfg(feature = "remote")]
use super::Connection;
use super::{Side, answer_to, serve};

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    side: Side,
    session: Option<String>,
    /// The request, a line of the answer, and the body of the answer.
    request: String,
    header: String,
    body: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(side: Side) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        start(side, listener)?;
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        let mut client =
            Self { stream, side, session: None, request: String::new(), header: String::new(), body: Vec::new() };
        if matches!(side, Side::Session | Side::One | Side::Several) {
            let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
            client.exchange("initialize", hello, &mut String::new()).await?;
            let done = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
            client.exchange("notifications/initialized", done, &mut String::new()).await?;
        }
        Ok(client)
    }

    /// Sends a message, and receives the answer.
    pub(crate) async fn exchange(&mut self, method: &str, message: &str, answer: &mut String) -> io::Result<()> {
        use std::fmt::Write as _;
        self.request.clear();
        self.request.push_str("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
        self.request.push_str("Accept: application/json, text/event-stream\r\n");
        if self.side == Side::Stateless {
            self.request.push_str("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ");
            self.request.push_str(method);
            self.request.push_str(if method == "tools/call" { "\r\nMcp-Name: forecast\r\n" } else { "\r\n" });
        }
        if let Some(session) = &self.session {
            self.request.push_str("MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: ");
            self.request.push_str(session);
            self.request.push_str("\r\n");
        }
        write!(self.request, "Content-Length: {}\r\n\r\n{message}", message.len()).map_err(io::Error::other)?;
        self.stream.write_all(self.request.as_bytes()).await?;
        self.receive().await?;
        answer.push_str(std::str::from_utf8(&self.body).map_err(io::Error::other)?);
        Ok(())
    }

    async fn receive(&mut self) -> io::Result<()> {
        let (mut length, mut is_chunked) = (0, false);
        loop {
            if self.line().await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let Some((name, value)) = self.header.split_once(':') else {
                if self.header.trim().is_empty() {
                    break;
                }
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.trim().parse().map_err(io::Error::other)?,
                "transfer-encoding" => is_chunked = value.trim() == "chunked",
                "mcp-session-id" => self.session = Some(value.trim().to_owned()),
                _ => {}
            }
        }
        self.body.clear();
        if !is_chunked {
            return self.take(length).await;
        }
        loop {
            self.line().await?;
            let length = usize::from_str_radix(self.header.trim(), 16).map_err(io::Error::other)?;
            self.take(length).await?;
            self.line().await?;
            if length == 0 {
                return Ok(());
            }
        }
    }

    async fn line(&mut self) -> io::Result<usize> {
        self.header.clear();
        self.stream.read_line(&mut self.header).await
    }

    async fn take(&mut self, length: usize) -> io::Result<()> {
        let before = self.body.len();
        self.body.resize(before + length, 0);
        self.stream.read_exact(&mut self.body[before..]).await.map(drop)
    }
}

/// Connects a client in memory with a remote server.
#[cfg(feature = "remote")]
pub(crate) async fn remote() -> io::Result<Connection> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/mcp", listener.local_addr()?);
    tokio::spawn(answer(listener));
    let proxy = Proxy::builder().build().map_err(io::Error::other)?;
    let (near, client) = tokio::io::duplex(1 << 16);
    let server = tool_proxy::HttpUpstream::new(&url)?;
    tokio::spawn(async move { proxy.serve(tokio::io::split(client), server, std::future::pending()).await });
    let (read, write) = tokio::io::split(near);
    Ok(Connection::Streams(write, BufReader::new(read)))
}

fn start(side: Side, listener: TcpListener) -> io::Result<()> {
    if side == Side::Direct {
        tokio::spawn(answer(listener));
        return Ok(());
    }
    let proxy = Proxy::builder().build_http().map_err(io::Error::other)?;
    let never = std::future::pending::<()>();
    match side {
        Side::One => {
            let server = server()?;
            tokio::spawn(async move { proxy.serve(listener, server, never).await });
        }
        Side::Several => {
            let servers = Servers::new().add("a", server()?).add("b", server()?).add("c", server()?);
            tokio::spawn(async move { proxy.serve(listener, servers, never).await });
        }
        _ => {
            tokio::spawn(async move { proxy.serve_streams(listener, || Ok(in_process()), never).await });
        }
    }
    Ok(())
}

/// Starts a server in this process, and returns its streams.
fn in_process() -> (tokio::io::ReadHalf<tokio::io::DuplexStream>, tokio::io::WriteHalf<tokio::io::DuplexStream>) {
    let (near, far) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(far);
    tokio::spawn(serve(read, write));
    tokio::io::split(near)
}

/// Returns the command of a server that is a process of its own.
fn server() -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve");
    Ok(command)
}

/// Answers the requests of one connection, as the smallest possible server.
async fn answer(listener: TcpListener) -> io::Result<()> {
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    let (mut header, mut body, mut message, mut response) = (String::new(), Vec::new(), String::new(), String::new());
    loop {
        let mut length = 0;
        loop {
            header.clear();
            if stream.read_line(&mut header).await? == 0 {
                return Ok(());
            }
            if header.trim().is_empty() {
                break;
            }
            if let Some((_, value)) =
                header.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        body.resize(length, 0);
        stream.read_exact(&mut body).await?;
        answer_to(std::str::from_utf8(&body).map_err(io::Error::other)?, &mut message);
        response.clear();
        response.push_str("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ");
        response.push_str(&message.len().to_string());
        response.push_str("\r\n\r\n");
        response.push_str(&message);
        stream.write_all(response.as_bytes()).await?;
    }
}
