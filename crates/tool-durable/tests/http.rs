//! A small HTTP client, in place of the one that a host already has.

use std::io::{self, ErrorKind};

use tokio::net::TcpStream;
use tool_durable::IngressPost;

/// Credentials that must not appear anywhere.
pub(crate) const SECRET: &str = "hunter2";

/// Sends a request to the ingress at a port of this machine. Every error contains the credentials, as the errors of some clients do.
pub(crate) async fn post(port: u16, request: IngressPost) -> io::Result<String> {
    let failed =
        |reason: String| io::Error::other(format!("http://user:{SECRET}@127.0.0.1:{port}{}: {reason}", request.path));
    match send(port, &request).await {
        Ok((200..=299, body)) => Ok(body),
        Ok((status, body)) => Err(failed(format!("{status} {body}"))),
        Err(error) => Err(failed(error.to_string())),
    }
}

async fn send(port: u16, request: &IngressPost) -> io::Result<(u16, String)> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let (path, body) = (&request.path, &request.body);
    let text = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {SECRET}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        stream.writable().await?;
        match stream.try_write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    let (mut answer, mut chunk) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        stream.readable().await?;
        match stream.try_read(&mut chunk) {
            Ok(0) => return parsed(&answer),
            Ok(count) => answer.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Parses an answer into its status and its body.
pub(crate) fn parsed(answer: &[u8]) -> io::Result<(u16, String)> {
    let damaged = || io::Error::other("not an HTTP answer");
    let answer = std::str::from_utf8(answer).map_err(|_| damaged())?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(damaged)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(damaged)?;
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    Ok((status, if is_chunked { joined(body) } else { body.to_owned() }))
}

/// Joins the chunks of a response body.
fn joined(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = chunks.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        let Some(chunk) = rest.get(..size).filter(|chunk| !chunk.is_empty()) else { break };
        body.push_str(chunk);
        chunks = rest[size..].trim_start_matches("\r\n");
    }
    body
}
