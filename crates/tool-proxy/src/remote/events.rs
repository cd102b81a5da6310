//! A stream of server-sent events, as the [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html) defines them: [`Events`].
//!
//! Invariant: an event takes at most as much memory as a message may have.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use reqwest::Response;
use tokio::io::AsyncRead;
use tokio_util::io::StreamReader;
use tool_mcp::__private_0_1_0::{Line, Lines};

/// The events in the body of a response.
pub(super) struct Events {
    lines: Lines<Pin<Box<dyn AsyncRead + Send>>>,
    limit: usize,
}

/// An event. Its fields are empty if it has not set them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) id: Option<String>,
    /// The pause before the next attempt to read the stream.
    pub(super) retry: Option<Duration>,
    /// The message, as a line. `None` for an event without data.
    pub(super) data: Option<Line>,
}

impl Events {
    /// Reads the body of a response. Data of more than `limit` bytes are reported as too long.
    pub(super) fn of(response: Response, limit: usize) -> Self {
        Self::new(StreamReader::new(Box::pin(response.bytes_stream().map_err(io::Error::other))), limit)
    }

    fn new(body: impl AsyncRead + Send + 'static, limit: usize) -> Self {
        Self { lines: Lines::with_blank(Box::pin(body), limit.saturating_add(FIELD.len())), limit }
    }

    /// Receives the next event; `None` at the end. If the future is dropped, no event is lost that has not begun.
    pub(super) async fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let line = match self.lines.next().await {
                Line::Whole(line) => line,
                Line::End => return None,
                // The rest of the event is not waited for.
                too_long => {
                    event.data = Some(too_long);
                    return Some(event);
                }
            };
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            if line.is_empty() {
                if event == Event::default() {
                    continue;
                }
                return Some(event);
            }
            let (name, value) = match line.iter().position(|byte| *byte == b':') {
                Some(colon) => (&line[..colon], &line[colon + 1..]),
                None => (line, &b""[..]),
            };
            let value = value.strip_prefix(b" ").unwrap_or(value);
            let text = || String::from_utf8_lossy(value).into_owned();
            match name {
                b"event" => event.name = text(),
                b"id" if !value.contains(&0) => event.id = Some(text()),
                b"retry" => event.retry = text().parse().ok().map(Duration::from_millis),
                b"data" => self.add(&mut event.data, value),
                _ => {}
            }
        }
    }

    /// Adds a line of data. Between two tokens of JSON, a space is as good as the line feed that the standard puts there.
    fn add(&self, data: &mut Option<Line>, value: &[u8]) {
        match data {
            None => *data = Some(Line::Whole(value.to_vec())),
            Some(Line::Whole(line)) if line.len() + value.len() < self.limit => {
                line.push(b' ');
                line.extend_from_slice(value);
            }
            Some(Line::Whole(_)) => *data = Some(Line::TooLongOther),
            Some(_) => {}
        }
    }
}

/// The field in whose line the data follow.
const FIELD: &str = "data: ";

#[cfg(test)]
mod tests {
    use super::*;

    async fn events(text: &'static str, limit: usize) -> Vec<Event> {
        let (mut events, mut found) = (Events::new(text.as_bytes(), limit), Vec::new());
        while let Some(event) = events.next().await {
            found.push(event);
        }
        found
    }

    fn data(text: &str) -> Event {
        Event { data: Some(Line::Whole(text.into())), ..Event::default() }
    }

    #[tokio::test]
    async fn fields_are_read_as_the_standard_says() {
        let text = ":comment\n\nevent: message\nid: 7\nretry: 20\ndata: {\"a\":1}\n\ndata:x\r\n\r\nid\ndata\n\nretry: x\n\ndata: cut";
        let expected = [
            Event {
                name: "message".to_owned(),
                id: Some("7".to_owned()),
                retry: Some(Duration::from_millis(20)),
                ..data("{\"a\":1}")
            },
            data("x"),
            Event { id: Some(String::new()), ..data("") },
        ];
        assert_eq!(events(text, 100).await, expected);
    }

    #[tokio::test]
    async fn data_of_several_lines_are_one_message() {
        assert_eq!(events("data: {\ndata: \"a\": 1\ndata: }\n\n", 100).await, [data("{ \"a\": 1 }")]);
        let too_long = Event { data: Some(Line::TooLongOther), ..Event::default() };
        assert_eq!(events("data: 12345\ndata: 67890\ndata: 1\n\ndata: 1\n\n", 8).await, [too_long, data("1")]);
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_is_reported_with_its_id() {
        let text = "data: {\"id\":7,\"result\":\"0123456789\"}\n\ndata: {}\n\n";
        let too_long = Event { data: Some(Line::TooLong(rmcp::model::RequestId::Number(7))), ..Event::default() };
        assert_eq!(events(text, 20).await, [too_long, data("{}")]);
        assert_eq!(events("data: 12345678\n\n", 8).await, [data("12345678")]);
    }
}
