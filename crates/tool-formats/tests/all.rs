//! All integration tests of this package in one program.

mod certainty;
mod formats;
mod streaming;
mod tool_parser;

mod tools;
