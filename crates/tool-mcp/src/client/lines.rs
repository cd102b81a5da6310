//! The lines of a stream, each of bounded length: [`Lines`].
//!
//! Invariants: at most `limit` bytes of a line are kept. A line that is too long is reported, a response or request with its id. If the future of `next` is
//! dropped in the middle of a line, no bytes are lost.

use rmcp::model::RequestId;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use super::id_search::IdSearch;

/// The lines of a stream.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    limit: usize,
    keeps_blank: bool,
    /// The line whose rest is being skipped, because it is too long; `None` otherwise.
    skipped: Option<Skipped>,
}

/// A line that is too long, and whose end has not been received yet.
struct Skipped {
    search: IdSearch,
    is_reported: bool,
}

/// A line, or the reason why it is missing.
#[derive(Debug, PartialEq)]
pub enum Line {
    /// A complete line.
    Whole(Vec<u8>),
    /// A response to this request was too long.
    TooLong(RequestId),
    /// A request with this id was too long.
    TooLongRequest(RequestId),
    /// A line without a usable id was too long.
    TooLongOther,
    /// The stream has ended.
    End,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads lines of at most `limit` bytes, without blank lines.
    pub fn new(reader: R, limit: usize) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), limit, keeps_blank: false, skipped: None }
    }

    /// Reads lines of at most `limit` bytes.
    pub fn with_blank(reader: R, limit: usize) -> Self {
        Self { keeps_blank: true, ..Self::new(reader, limit) }
    }

    /// Returns the maximum number of bytes of a line.
    pub fn max_line_bytes(&self) -> usize {
        self.limit
    }

    /// Receives the next line. An error of the stream counts as its end.
    pub async fn next(&mut self) -> Line {
        loop {
            // Nothing is awaited between here and the end of the loop, so a dropped future loses no bytes.
            let available = match self.reader.fill_buf().await {
                Ok(available) if !available.is_empty() => available,
                _ => return Line::End,
            };
            let end = available.iter().position(|&byte| byte == b'\n');
            let (bytes, consumed) =
                (&available[..end.unwrap_or(available.len())], end.map_or(available.len(), |end| end + 1));
            if self.skipped.is_none() && self.line.len() + bytes.len() > self.limit {
                let mut search = IdSearch::default();
                search.feed(&self.line);
                self.line = Vec::new();
                self.skipped = Some(Skipped { search, is_reported: false });
            }
            let found = match &mut self.skipped {
                None => {
                    // With room for a line feed, a line that is forwarded is not copied again.
                    self.line.reserve(bytes.len() + 1);
                    self.line.extend_from_slice(bytes);
                    end.map(|_| Line::Whole(std::mem::take(&mut self.line)))
                }
                Some(skipped) if skipped.is_reported => None,
                Some(skipped) => {
                    skipped.search.feed(bytes);
                    let answered = skipped.search.response_id();
                    skipped.is_reported = answered.is_some();
                    let asked = || skipped.search.request_id().map_or(Line::TooLongOther, Line::TooLongRequest);
                    answered.map(Line::TooLong).or_else(|| end.map(|_| asked()))
                }
            };
            self.reader.consume(consumed);
            if end.is_some() {
                self.skipped = None;
            }
            match found {
                Some(Line::Whole(line)) if !self.keeps_blank && line.trim_ascii().is_empty() => {}
                Some(line) => return line,
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn lines(text: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(text, limit);
        let mut found = Vec::new();
        loop {
            match lines.next().await {
                Line::End => return found,
                line => found.push(line),
            }
        }
    }

    #[tokio::test]
    async fn a_long_response_is_reported_and_the_next_line_is_whole() {
        let long = "x".repeat(100_000);
        for end in [r#""}"#, ""] {
            let text = format!("{{}}\n\r\n{{\"id\":3,\"result\":\"{long}{end}\n{{\"a\":1}}\n");
            let expected =
                [Line::Whole(b"{}".into()), Line::TooLong(RequestId::Number(3)), Line::Whole(b"{\"a\":1}".into())];
            assert_eq!(lines(text.as_bytes(), 1_000).await, expected);
        }
        let text = format!("{{\"result\":\"{long}\",\"id\":3}}\n{long}\n");
        assert_eq!(lines(text.as_bytes(), 1_000).await, [Line::TooLong(RequestId::Number(3)), Line::TooLongOther]);
        let text = format!("{{\"id\":3,\"method\":\"{long}\"}}\n{{\"method\":\"{long}\"}}\n");
        let expected = [Line::TooLongRequest(RequestId::Number(3)), Line::TooLongOther];
        assert_eq!(lines(text.as_bytes(), 1_000).await, expected);
    }

    #[tokio::test]
    async fn a_line_that_never_ends_is_reported_before_its_end() {
        let (mut writer, reader) = tokio::io::duplex(64);
        let endless = tokio::spawn(async move {
            use tokio::io::AsyncWriteExt;
            let _ = writer.write_all(b"{\"id\":3,\"result\":[").await;
            while writer.write_all(b"1,").await.is_ok() {}
        });
        let mut lines = Lines::new(reader, 1_000);
        assert_eq!(lines.next().await, Line::TooLong(RequestId::Number(3)));
        drop(lines);
        assert!(endless.await.is_ok());
    }

    #[tokio::test]
    async fn a_dropped_future_loses_nothing() {
        use tokio::io::AsyncWriteExt;
        let (mut writer, reader) = tokio::io::duplex(64);
        let mut lines = Lines::new(reader, 1_000);
        for half in ["{\"a\"", ":1}"] {
            assert!(writer.write_all(half.as_bytes()).await.is_ok());
            tokio::select! {
                biased;
                line = lines.next() => assert_eq!(line, Line::End, "the line has not ended"),
                () = tokio::task::yield_now() => {}
            }
        }
        assert!(writer.write_all(b"\n").await.is_ok());
        assert_eq!(lines.next().await, Line::Whole(b"{\"a\":1}".into()));
    }
}
