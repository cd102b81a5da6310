//! A translator between the proxy and the streams of one server: [`translated`].
//!
//! Both halves share the streams of the server. As long as lines may have to be translated, each half cuts its bytes into lines; afterwards, the
//! bytes pass unchanged and are not copied.
//!
//! Invariant: the input of the server is closed when the proxy has closed its side, although both halves share it.

use std::io;
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::super::asked::{INTERNAL, INVALID_REQUEST};
use super::super::call::error;
use super::super::lines::id_text;
use super::super::settings::Translation;
use super::flow::{Flow, Remark};
use super::pieces::{Piece, Queue, Splitter};
use super::translator::Translator;
use tool_mcp::__private_0_1_0::Envelope;

/// The number of bytes that are read at a time.
const CHUNK: usize = 8 * 1_024;
/// The number of bytes for one side from which on the other side waits.
const FULL: usize = 1 << 20;

/// The output of a server, translated.
pub(crate) struct Output<R, W>(Arc<Mutex<Streams<R, W>>>);
/// The input of a server, translated.
pub(crate) struct Input<R, W>(Arc<Mutex<Streams<R, W>>>);

/// Puts a translator in front of a server.
pub(crate) fn translated<R, W>(
    (output, input): (R, W),
    setting: Translation,
    limit: usize,
    tell: impl Fn(&Remark) + Send + 'static,
) -> (Output<R, W>, Input<R, W>) {
    let streams = Arc::new(Mutex::new(Streams {
        output,
        input: Some(input),
        translator: Translator::new(setting),
        tell: Box::new(tell),
        client: Splitter::new(limit),
        server: Splitter::new(limit),
        to_client: Queue::default(),
        to_server: Queue::default(),
        reader: None,
        writer: None,
    }));
    (Output(Arc::clone(&streams)), Input(streams))
}

struct Streams<R, W> {
    output: R,
    /// `None` once it is closed: some streams are only closed when they are dropped.
    input: Option<W>,
    translator: Translator,
    tell: Box<dyn Fn(&Remark) + Send>,
    client: Splitter,
    server: Splitter,
    to_client: Queue,
    to_server: Queue,
    /// Woken when there is something to read.
    reader: Option<Waker>,
    /// Woken when there is room for the client, or no line waits.
    writer: Option<Waker>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Streams<R, W> {
    fn use_flow(&mut self, Flow { to_client, to_server, remarks }: Flow) {
        for line in &to_client {
            self.to_client.push(line.as_bytes());
        }
        for line in &to_server {
            self.to_server.push(line.as_bytes());
        }
        for remark in &remarks {
            (self.tell)(remark);
        }
    }

    fn read_client(&mut self, bytes: &[u8]) {
        for piece in self.client.feed(bytes) {
            let mut flow = Flow::default();
            match piece {
                Piece::Line(line) => match std::str::from_utf8(&line) {
                    Ok(line) => self.translator.client_line(line, &mut flow),
                    Err(_) => self.to_server.push(&line),
                },
                // The proxy has checked the length of the line.
                Piece::TooLong(_) => {}
            }
            self.use_flow(flow);
        }
    }

    fn read_server(&mut self, bytes: &[u8]) {
        for piece in self.server.feed(bytes) {
            let mut flow = Flow::default();
            match piece {
                Piece::Line(line) => match std::str::from_utf8(&line) {
                    Ok(line) => self.translator.server_line(line, &mut flow),
                    Err(_) => self.to_client.push(&line),
                },
                Piece::TooLong(envelope) => self.too_long(&envelope, &mut flow),
            }
            self.use_flow(flow);
        }
    }

    /// Ends a line of the server that was too long. The guard gets a short line that is broken in the same way.
    fn too_long(&mut self, envelope: &Envelope, flow: &mut Flow) {
        if let Some(id) = envelope.answered() {
            if !self.translator.too_long(&id, flow) {
                flow.to_client.push(error(&id, INTERNAL, "The answer of the server is too long."));
            }
        } else if let Some(id) = envelope.asked() {
            let reason = "The request is too long.";
            flow.to_server.push(error(&id, INVALID_REQUEST, reason));
            flow.remark(format!("a request of the server with the id {} was dropped. {reason}", id_text(&id)));
        }
    }

    /// Returns `true` if bytes can pass without being cut into lines.
    fn is_direct(&self) -> bool {
        self.translator.is_same()
    }

    /// Writes the lines that wait for the server.
    fn drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Some(input) = &mut self.input else { return Poll::Ready(Ok(())) };
        while !self.to_server.rest().is_empty() {
            let written = ready!(Pin::new(&mut *input).poll_write(context, self.to_server.rest()))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.to_server.take(written);
            if self.to_server.rest().is_empty() {
                return Pin::new(input).poll_flush(context);
            }
        }
        Poll::Ready(Ok(()))
    }

    fn open_input(&mut self) -> io::Result<&mut W> {
        self.input.as_mut().ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }
}

fn locked<T>(streams: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic under the lock ends the proxy anyway.
    streams.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> AsyncRead for Output<R, W> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let streams = &mut *locked(&self.0);
        loop {
            let waiting = streams.to_client.rest();
            if !waiting.is_empty() {
                let count = waiting.len().min(buffer.remaining());
                buffer.put_slice(&waiting[..count]);
                streams.to_client.take(count);
                return Poll::Ready(Ok(()));
            }
            if streams.is_direct() && streams.server.is_empty() {
                return Pin::new(&mut streams.output).poll_read(context, buffer);
            }
            streams.reader = Some(context.waker().clone());
            // The server may not read; its output is read nevertheless.
            let _ = streams.drain(context);
            let mut chunk = [MaybeUninit::uninit(); CHUNK];
            let mut read = ReadBuf::uninit(&mut chunk);
            ready!(Pin::new(&mut streams.output).poll_read(context, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            streams.read_server(read.filled());
            let _ = streams.drain(context);
            if let Some(writer) = streams.writer.take() {
                writer.wake();
            }
        }
    }
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> AsyncWrite for Input<R, W> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let streams = &mut *locked(&self.0);
        ready!(streams.drain(context))?;
        if streams.is_direct() && streams.client.is_empty() {
            return Pin::new(streams.open_input()?).poll_write(context, bytes);
        }
        if streams.to_client.rest().len() >= FULL {
            streams.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        streams.read_client(bytes);
        if !streams.to_client.rest().is_empty()
            && let Some(reader) = streams.reader.take()
        {
            reader.wake();
        }
        // The bytes are accepted; the next call waits if the server does not read.
        let _ = streams.drain(context)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let streams = &mut *locked(&self.0);
        ready!(streams.drain(context))?;
        Pin::new(streams.open_input()?).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let streams = &mut *locked(&self.0);
        if streams.translator.is_waiting() {
            // Lines of the client wait for an answer of the server.
            streams.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        ready!(streams.drain(context))?;
        if let Some(input) = &mut streams.input {
            ready!(Pin::new(input).poll_shutdown(context))?;
        }
        streams.input = None;
        Poll::Ready(Ok(()))
    }
}

impl<R, W> Drop for Input<R, W> {
    fn drop(&mut self) {
        locked(&self.0).input = None;
    }
}
