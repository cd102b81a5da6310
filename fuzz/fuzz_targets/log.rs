//! Fuzz target: a log of the store in a folder, that was cut off or changed, or whose bytes were invented. There is no panic. Opening
//! the log does not change it, gives the first records that were written or an error, and records can be appended to them.
//!
//! The first byte of the input selects between a written log and any bytes. Set `TMPDIR` to a folder in memory.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use tool_durable::FileStore;
use tool_durable::store::{OpenedLog, Store, StoreError};

const HEADER: &[u8] = b"toollog\0\x01\0\0\0";

fn store() -> &'static (FileStore, PathBuf) {
    static STORE: OnceLock<(FileStore, PathBuf)> = OnceLock::new();
    STORE.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("tool-durable-fuzz-{}", std::process::id()));
        let store = FileStore::new(&folder).expect("the folder can be created");
        (store, folder.join("c-a.log"))
    })
}

fn open() -> Result<OpenedLog, StoreError> {
    pollster::block_on(store().0.open("a"))
}

fn append(opened: &mut OpenedLog, records: &[Vec<u8>]) {
    pollster::block_on(opened.log.append(records)).expect("the folder can be written");
}

/// Opens the log and appends to it. Returns the records that were found, or `None` if there was an error.
fn reopened() -> Option<Vec<Vec<u8>>> {
    let file = &store().1;
    let before = fs::read(file).expect("the log exists");
    let opened = open();
    assert!(fs::read(file).expect("the log exists") == before, "opening changes nothing");
    let mut opened = match opened {
        Ok(opened) => opened,
        Err(StoreError::Damaged { .. } | StoreError::NewerVersion { .. }) => return None,
        Err(error) => panic!("{error}"),
    };
    let (records, torn) = (std::mem::take(&mut opened.records), opened.torn_bytes);
    assert!(torn <= before.len() as u64);
    append(&mut opened, &[b"new".to_vec()]);
    drop(opened);
    let again = open().expect("a log to which a record was appended is valid");
    assert_eq!((again.records.len(), again.torn_bytes), (records.len() + 1, 0));
    assert!(again.records.starts_with(&records) && again.records.last().is_some_and(|last| last == b"new"));
    Some(records)
}

fuzz_target!(|data: &[u8]| {
    let Some((kind, mut data)) = data.split_first() else { return };
    let file = &store().1;
    if kind % 4 != 0 {
        let header = [HEADER, &crc32fast::hash(HEADER).to_le_bytes()].concat();
        fs::write(file, [if kind % 4 == 1 { &[][..] } else { &header }, data].concat()).expect("it can be written");
        reopened();
        return;
    }
    // A written log: for each frame, a length, and its bytes as two records. Then a cut, and changes of single bytes.
    let _ = fs::remove_file(file);
    let mut opened = open().expect("the log is new");
    let mut written = Vec::new();
    append(&mut opened, &[]);
    for _ in 0..kind / 4 % 8 {
        let Some((length, rest)) = data.split_first() else { break };
        let (frame, rest) = rest.split_at(rest.len().min((*length).into()));
        let records = [frame.to_vec(), frame[frame.len() / 2..].to_vec()];
        append(&mut opened, &records);
        written.extend(records);
        data = rest;
    }
    drop(opened);
    let mut bytes = fs::read(file).expect("the log exists");
    if let Some((cut, changes)) = data.split_first_chunk::<2>() {
        bytes.truncate(usize::from(u16::from_le_bytes(*cut)) % (bytes.len() * 2));
        for change in changes.chunks_exact(3) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = change[2];
            }
        }
    }
    fs::write(file, bytes).expect("it can be written");
    if let Some(records) = reopened() {
        assert!(written.starts_with(&records), "{written:?} was written, and {records:?} was read");
    }
});
