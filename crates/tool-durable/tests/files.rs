//! Conversations in a folder of the operating system: one process at a time, read-only folders, a full disk, figures.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tool_durable::FileStore;
use tool_durable::store::{Opened, Store, StoreError};

/// A folder that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tool-durable-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(folder: &Path, id: &str) -> Result<Opened, StoreError> {
    let store = FileStore::new(folder)?;
    pollster::block_on(store.open(id))
}

fn append(opened: &mut Opened, records: &[&str]) -> Result<(), StoreError> {
    let records: Vec<Vec<u8>> = records.iter().map(|record| record.as_bytes().to_vec()).collect();
    pollster::block_on(opened.log.append(&records))
}

fn texts(opened: &Opened) -> Vec<&str> {
    opened.records.iter().map(|record| std::str::from_utf8(record).expect("the records are texts")).collect()
}

#[test]
fn records_are_found_again() {
    let folder = Folder::new("again");
    let ids = ["order 7", "ORDER 7", "../order 7", "", "con", "Füße/🦀"];
    for id in ids {
        let mut opened = open(&folder.0, id).expect("the conversation is new");
        assert!(opened.records.is_empty(), "{id}");
        append(&mut opened, &[id, "two"]).expect("the folder can be written");
        append(&mut opened, &[]).expect("nothing is appended");
        append(&mut opened, &["three"]).expect("the folder can be written");
    }
    for id in ids {
        let mut opened = open(&folder.0, id).expect("the conversation can be read");
        assert_eq!(texts(&opened), [id, "two", "three"]);
        pollster::block_on(opened.log.replace(&[b"all".to_vec()])).expect("the folder can be written");
        append(&mut opened, &["four"]).expect("the folder can be written");
        drop(opened);
        assert_eq!(texts(&open(&folder.0, id).expect("the conversation can be read")), ["all", "four"]);
    }
    assert_eq!(std::fs::read_dir(&folder.0).expect("the folder exists").count(), ids.len() * 2);
    assert!(matches!(open(&folder.0, &"É".repeat(100)), Err(StoreError::LongId { bytes: 602, most: 240 })));
}

#[test]
fn a_torn_end_is_reported_and_replaced() {
    let folder = Folder::new("torn");
    let mut opened = open(&folder.0, "a").expect("the conversation is new");
    append(&mut opened, &["one"]).expect("the folder can be written");
    append(&mut opened, &["two"]).expect("the folder can be written");
    drop(opened);
    let file = folder.0.join("c-a.log");
    let bytes = std::fs::read(&file).expect("the file exists");
    std::fs::write(&file, &bytes[..bytes.len() - 1]).expect("the file can be written");

    let mut opened = open(&folder.0, "a").expect("a torn end is not an error");
    assert_eq!((texts(&opened), opened.torn_bytes), (vec!["one"], 18));
    assert_eq!(std::fs::read(&file).expect("the file exists").len(), bytes.len() - 1, "opening changes nothing");
    append(&mut opened, &["2"]).expect("the folder can be written");
    drop(opened);
    let opened = open(&folder.0, "a").expect("the conversation can be read");
    assert_eq!((texts(&opened), opened.torn_bytes), (vec!["one", "2"], 0));
}

#[test]
fn a_damaged_file_is_not_changed() {
    let folder = Folder::new("damaged");
    let mut opened = open(&folder.0, "a").expect("the conversation is new");
    append(&mut opened, &["one"]).expect("the folder can be written");
    append(&mut opened, &["two"]).expect("the folder can be written");
    drop(opened);
    let file = folder.0.join("c-a.log");
    let mut bytes = std::fs::read(&file).expect("the file exists");
    bytes[33] ^= 1;
    std::fs::write(&file, &bytes).expect("the file can be written");
    let error = open(&folder.0, "a").expect_err("the first record is damaged");
    assert!(matches!(error, StoreError::Damaged { offset: 16, .. }), "{error}");
    assert!(error.to_string().ends_with(
        "c-a.log is damaged at byte 16, before other records, so it is not repaired; the file was not changed"
    ));
    assert_eq!(std::fs::read(&file).expect("the file exists"), bytes);
}

#[test]
fn a_conversation_is_open_once_in_a_process() {
    let folder = Folder::new("once");
    let opened = open(&folder.0, "a").expect("the conversation is new");
    let error = open(&folder.0, "a").expect_err("it is open");
    assert_eq!(error.to_string(), "the conversation `a` is already open, here or in another process");
    assert!(open(&folder.0, "b").is_ok());
    drop(opened);
    assert!(open(&folder.0, "a").is_ok());
}

/// The part of the next test that runs in another process. It opens a conversation, and waits until it is killed.
#[test]
#[ignore = "a child process of another test"]
fn child_that_holds_a_conversation() {
    let Ok(folder) = std::env::var("TOOL_DURABLE_FOLDER") else { return };
    let mut opened = open(Path::new(&folder), "a").expect("nobody has it open");
    append(&mut opened, &["of the child"]).expect("the folder can be written");
    println!("\nopen");
    let _ = std::io::stdout().flush();
    loop {
        std::thread::park();
    }
}

#[test]
fn the_lock_ends_with_its_process() {
    let folder = Folder::new("process");
    let mut child = Command::new(std::env::current_exe().expect("the test is a file"))
        .args(["child_that_holds_a_conversation", "--exact", "--ignored", "--nocapture"])
        .env("TOOL_DURABLE_FOLDER", &folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the test can start itself");
    let lines = BufReader::new(child.stdout.take().expect("the output is a pipe")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "open"), "the child has opened the conversation");
    assert!(matches!(open(&folder.0, "a"), Err(StoreError::Busy { .. })));
    child.kill().expect("the child runs");
    child.wait().expect("the child runs");
    let opened = open(&folder.0, "a").expect("the lock has ended");
    assert_eq!(texts(&opened), ["of the child"]);
}

/// On a device that is always full, nothing is lost, and the error says which file could not be written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("full");
    let mut opened = open(&folder.0, "a").expect("the conversation is new");
    std::os::unix::fs::symlink("/dev/full", folder.0.join("c-a.log.new")).expect("the folder can be written");
    let error = append(&mut opened, &["one"]).expect_err("the disk is full");
    assert!(error.to_string().contains("c-a.log: No space left on device"), "{error}");
    std::fs::remove_file(folder.0.join("c-a.log.new")).expect("the folder can be written");
    append(&mut opened, &["one"]).expect("there is space again");
    drop(opened);
    assert_eq!(texts(&open(&folder.0, "a").expect("the conversation can be read")), ["one"]);
}

/// The test does not rely on permissions, because the root user may write to any folder. It uses a file in place of a folder, a folder that
/// is gone, and a folder of the system.
#[test]
fn a_folder_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("readonly");
    std::fs::create_dir_all(&folder.0).expect("the folder can be created");
    let file = folder.0.join("file");
    std::fs::write(&file, "").expect("the file can be written");
    let error = FileStore::new(file.join("folder")).map(drop).expect_err("a file has no folders");
    assert!(error.to_string().starts_with(&file.join("folder").display().to_string()), "{error}");

    let store = FileStore::new(folder.0.join("gone")).expect("the folder can be created");
    std::fs::remove_dir(folder.0.join("gone")).expect("the folder is empty");
    let error = pollster::block_on(store.open("a")).expect_err("the folder is gone");
    assert!(matches!(error, StoreError::Io { .. }), "{error}");

    #[cfg(target_os = "linux")]
    {
        let store = FileStore::new("/proc/self").expect("the folder exists");
        let error = pollster::block_on(store.open("a")).expect_err("nothing can be created there");
        assert!(matches!(error, StoreError::Io { .. }), "{error}");
    }
}

/// Dropping a future of `append` leaves the whole record or nothing. Dropping the log unlocks the conversation.
#[test]
fn a_dropped_append_leaves_a_whole_record_or_none() {
    let folder = Folder::new("dropped");
    let mut longest = 0;
    for round in 0..50 {
        let mut opened = open(&folder.0, "a").expect("the log before was dropped");
        let found = texts(&opened).len();
        assert!(found >= longest && found <= round);
        longest = found;
        let record = [vec![b'x'; 10_000]];
        let mut append = opened.log.append(&record);
        let waker = std::task::Waker::noop();
        let _ = append.as_mut().poll(&mut std::task::Context::from_waker(waker));
    }
    assert!(open(&folder.0, "a").expect("the log can be read").records.iter().all(|record| record.len() == 10_000));
}

/// Prints how long it takes to append a record, and to open a conversation: `--ignored --nocapture`.
#[test]
#[ignore = "figures, not a check"]
fn figures() {
    use std::time::Instant;
    let folder =
        std::env::var("TOOL_DURABLE_FIGURES").map_or_else(|_| Folder::new("figures"), |folder| Folder(folder.into()));
    let store = FileStore::new(&folder.0).expect("the folder can be created");
    let record = vec![b'x'; 300];
    for conversations in [1_usize, 4, 64] {
        let begun = Instant::now();
        let each = 512 / conversations;
        std::thread::scope(|scope| {
            for number in 0..conversations {
                let (store, record) = (&store, &record);
                scope.spawn(move || {
                    let id = format!("{conversations} {number}");
                    let mut opened = pollster::block_on(store.open(&id)).expect("it is new");
                    for _ in 0..each {
                        pollster::block_on(opened.log.append(std::slice::from_ref(record))).expect("there is space");
                    }
                });
            }
        });
        let appends = u32::try_from(each * conversations).expect("a few hundred");
        println!("{conversations} conversations: {:?} for each append", begun.elapsed() / appends);
    }
    let mut opened = pollster::block_on(store.open("long")).expect("it is new");
    let records: Vec<Vec<u8>> = (0..1_000).map(|_| record.clone()).collect();
    pollster::block_on(opened.log.append(&records)).expect("there is space");
    drop(opened);
    let begun = Instant::now();
    for _ in 0..100 {
        assert_eq!(pollster::block_on(store.open("long")).expect("it is closed").records.len(), 1_000);
    }
    println!("opening 1,000 records of 300 bytes: {:?}", begun.elapsed() / 100);
}
