//! The streams of a client and of a server, for the targets that put a proxy between them.

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

/// A line that is always forwarded. It is sent to find the end of the lines that follow from another one.
pub const MARK: &str = r#"{"jsonrpc":"2.0","method":"notifications/mark"}"#;

/// One side of a proxy.
pub type Stream = (WriteHalf<DuplexStream>, BufReader<ReadHalf<DuplexStream>>);

/// Returns one side of a proxy, and the streams that the proxy gets.
pub fn side() -> (Stream, (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>)) {
    let (near, far) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(near);
    ((write, BufReader::new(read)), tokio::io::split(far))
}

pub async fn write(stream: &mut Stream, line: &[u8]) {
    stream.0.write_all(line).await.expect("the proxy runs");
    stream.0.write_all(b"\n").await.expect("the proxy runs");
}

/// Returns the next line.
pub async fn line(stream: &mut Stream) -> Vec<u8> {
    let mut line = Vec::new();
    assert!(stream.1.read_until(b'\n', &mut line).await.expect("the proxy runs") > 0, "the proxy has ended");
    line.pop();
    line
}

/// Returns the lines until the mark.
pub async fn read(stream: &mut Stream) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    loop {
        let line = line(stream).await;
        if line == MARK.as_bytes() {
            return lines;
        }
        lines.push(line);
    }
}

/// Runs a case until it ends. The first byte of the input selects its settings, and the rest its steps. An empty input does nothing.
pub fn drive<'d, Run: Future<Output = ()>>(input: &'d [u8], case: impl FnOnce(u8, &'d [u8]) -> Run) {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    }
    if let Some((&settings, steps)) = input.split_first() {
        RUNTIME.with(|runtime| runtime.block_on(case(settings, steps)));
    }
}
