//! The log on a simulated disk that fails, and forgets what was not synced.

mod damage;
mod model;
mod simulated;

/// Reads a log from the bytes of a file.
fn read(bytes: &[u8]) -> Result<super::frame::Contents, super::frame::Unreadable> {
    super::frame::read(&mut std::io::Cursor::new(bytes), bytes.len() as u64)
}
