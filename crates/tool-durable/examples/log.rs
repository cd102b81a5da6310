//! Counts how often it was started, in a log that survives its end: `cargo run -p tool-durable --example log`.

use tool_durable::FileStore;
use tool_durable::store::{Store, StoreError};

fn main() -> Result<(), StoreError> {
    let store = FileStore::new(std::env::temp_dir().join("tool-durable-example"))?;
    let mut opened = pollster::block_on(store.open("starts"))?;
    let process = format!("process {}", std::process::id());
    pollster::block_on(opened.log.append(&[process.into_bytes()]))?;
    println!("start number {}, in {}", opened.records.len() + 1, store.folder().display());
    Ok(())
}
