//! All integration tests of this package in one program, because each program is linked with every dependency.

mod endpoint;
mod ops;
mod reliability;
mod transcripts;
mod weather;
