//! Tests of the log, on a simulated disk that fails, and that loses writes that were not synced, and in a folder whose operations fail.

mod damage;
mod flaky;
mod model;
mod simulated;

/// Reads a log from the bytes of a file.
fn read(bytes: &[u8]) -> Result<super::frame::Contents, super::frame::Unreadable> {
    super::frame::read(&mut std::io::Cursor::new(bytes), bytes.len() as u64)
}
