//! The translation between a client and a server of different revisions of the protocol: [`translated`].
//!
//! In: a line of the client or of the server. Out: the lines that follow from it. There is no I/O here, except in `stream.rs`, which puts a
//! translator between the proxy and one server. The first messages show which revisions both sides speak.
//!
//! Invariant: if both sides speak the same revision, every line is forwarded unchanged.

mod answering;
mod asking;
mod earlier;
mod flow;
mod held;
mod hello;
mod legacy;
mod listeners;
mod modern;
mod pieces;
mod questions;
mod stream;
mod subscribing;
#[cfg(test)]
mod tests;
mod translator;

use std::sync::Arc;

use self::flow::Remark;
use self::stream::{Input, Output};
use super::connection::{Shared, locked};
use super::fate::Side;
use super::process::Server;
use super::settings::Translation;

/// Puts a translator in front of the streams of a server that has just been started.
pub(super) fn translated<R, W>(guard: &Shared, streams: (R, W), setting: Translation) -> (Output<R, W>, Input<R, W>) {
    let limit = locked(guard).message_limit();
    let guard = Arc::clone(guard);
    stream::translated(streams, setting, limit, move |remark| match remark {
        Remark::Log(text) => locked(&guard).log(text),
        Remark::Stray => locked(&guard).count_stray(Side::Server),
    })
}

/// Puts a translator in front of a server, unless the settings of its guard forbid it.
pub(super) fn translated_server(guard: &Shared, server: Server) -> Server {
    let setting = locked(guard).translation();
    if setting == Translation::Never {
        return server;
    }
    let Server { output, input, process } = server;
    let (output, input) = translated(guard, (output, input), setting);
    Server { output: Box::new(output), input: Box::new(input), process }
}
