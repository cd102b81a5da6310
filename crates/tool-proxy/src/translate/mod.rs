//! The translation between a client and a server of different revisions of the protocol: [`Translator`].
//!
//! In: a frame of the client or of the server. Out: the frames that follow from it. There is no I/O here. The first messages show which revisions
//! both sides speak.
//!
//! Invariant: if both sides speak the same revision, every frame is forwarded unchanged.

mod answering;
mod asking;
mod earlier;
mod flow;
mod held;
mod hello;
mod legacy;
mod listeners;
mod modern;
mod questions;
mod subscribing;
#[cfg(test)]
mod tests;
mod translator;

pub(super) use self::flow::{Flow, Remark};
pub(super) use self::translator::Translator;
