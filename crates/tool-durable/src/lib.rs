//! Stores for conversations that survive a restart.
//!
//! A conversation is a log of records. Once a record is appended, it survives a crash of the process and of the machine. [`FileStore`] keeps
//! conversations in a folder, [`InMemoryStore`] in memory for tests. The traits [`Store`](store::Store) and [`Log`](store::Log) are for stores of
//! your own.
//!
//! ```
//! use tool_durable::InMemoryStore;
//! use tool_durable::store::Store;
//!
//! # pollster::block_on(async {
//! let store = InMemoryStore::new();
//! let mut opened = store.open("order 7").await?;
//! opened.log.append(&[b"one".to_vec()]).await?;
//! drop(opened);
//!
//! assert_eq!(store.open("order 7").await?.records, [b"one".to_vec()]);
//! # Ok::<(), tool_durable::store::StoreError>(())
//! # })?;
//! # Ok::<(), tool_durable::store::StoreError>(())
//! ```

mod file;
mod memory;
pub mod store;

pub use file::FileStore;
pub use memory::InMemoryStore;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
