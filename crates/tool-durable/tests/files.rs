//! Conversations in a folder of the operating system: one process at a time, read-only folders, a full disk, figures.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tool_durable::store::{OpenedLog, Store, StoreError};
use tool_durable::{FileStore, InMemoryStore};

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

fn open(folder: &Path, id: &str) -> Result<OpenedLog, StoreError> {
    let store = FileStore::new(folder)?;
    pollster::block_on(store.open(id))
}

fn append(opened: &mut OpenedLog, records: &[&str]) -> Result<(), StoreError> {
    let records: Vec<Vec<u8>> = records.iter().map(|record| record.as_bytes().to_vec()).collect();
    pollster::block_on(opened.log.append(&records))
}

fn texts(opened: &OpenedLog) -> Vec<&str> {
    opened.records.iter().map(|record| std::str::from_utf8(record).expect("the records are texts")).collect()
}

#[test]
fn appended_records_are_read_when_a_conversation_is_opened_again() {
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
    assert!(matches!(open(&folder.0, &"É".repeat(100)), Err(StoreError::IdTooLong { bytes: 602, max: 240 })));
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
    assert!(
        error.to_string().ends_with(
            "c-a.log is damaged at byte 16; only a damaged end can be left out, so the file was not changed"
        )
    );
    assert_eq!(std::fs::read(&file).expect("the file exists"), bytes);
}

#[test]
fn a_conversation_can_be_opened_only_once_at_a_time() {
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
        .args(["files::child_that_holds_a_conversation", "--exact", "--ignored", "--nocapture"])
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

fn ids(store: &dyn Store, after: Option<&str>, most: usize) -> Vec<String> {
    let listed = pollster::block_on(store.list(after, most)).expect("the store can be read");
    listed.into_iter().map(|listed| listed.id).collect()
}

#[test]
fn conversations_are_listed_and_removed() {
    let folder = Folder::new("list");
    let files = FileStore::new(&folder.0).expect("the folder can be created");
    for store in [&files as &dyn Store, &InMemoryStore::new()] {
        assert!(ids(store, None, 10).is_empty());
        let begun = std::time::SystemTime::now() - Duration::from_secs(10);
        let all = ["", "../b", "B", "a", "a b", "b", "con", "Ü"];
        for id in ["b", "a b", "con", "Ü", "a", "", "B", "../b"] {
            let mut opened = pollster::block_on(store.open(id)).expect("it is new");
            append(&mut opened, &["one"]).expect("there is space");
        }
        // A conversation without records is not listed.
        drop(pollster::block_on(store.open("empty")).expect("it is new"));
        assert_eq!(ids(store, None, 100), all);
        for most in 1..5 {
            let (mut found, mut last) = (Vec::new(), None);
            loop {
                let page = ids(store, last.as_deref(), most);
                assert!(page.len() <= most);
                let Some(id) = page.last() else { break };
                last = Some(id.clone());
                found.extend(page);
            }
            assert_eq!(found, all);
        }
        let listed = pollster::block_on(store.list(Some("con"), 9)).expect("the store can be read");
        assert!(listed.len() == 1 && listed[0].changed_at > begun, "{listed:?}");

        let opened = pollster::block_on(store.open("b")).expect("nobody has it open");
        let error = pollster::block_on(store.remove("b")).expect_err("it is open");
        assert!(matches!(error, StoreError::Busy { .. }), "{error}");
        drop(opened);
        for (id, existed) in [("b", true), ("b", false), ("never", false), ("empty", false), ("../b", true)] {
            assert_eq!(pollster::block_on(store.remove(id)).expect("it is not open"), existed, "{id}");
        }
        assert_eq!(ids(store, None, 100), ["", "B", "a", "a b", "con", "Ü"]);
        let opened = pollster::block_on(store.open("b")).expect("it was removed");
        assert!(opened.records.is_empty());
    }
    // Files of others are not conversations.
    for name in ["c-a.log.new", "notes.log", "c-A.log", "c-%zz.log"] {
        std::fs::write(folder.0.join(name), "").expect("the folder can be written");
    }
    assert_eq!(ids(&files, None, 100).len(), 6);
    assert!(pollster::block_on(files.remove("a")).expect("it is not open"));
    let left = std::fs::read_dir(&folder.0).expect("the folder exists");
    let left: Vec<String> =
        left.map(|file| file.expect("it exists").file_name().to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|file| file.starts_with("c-a.log")), "{left:?}");
    assert_eq!(left.contains(&"c-a.lock".to_owned()), !cfg!(unix), "{left:?}");
}

/// While some threads remove a conversation, others open it: never two at a time.
#[test]
fn a_conversation_that_others_remove_is_never_open_twice() {
    let folder = Folder::new("race");
    let (held, opened, removed) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (folder, held, opened, removed) = (&folder.0, &held, &opened, &removed);
            scope.spawn(move || {
                let store = FileStore::new(folder).expect("the folder can be created");
                while opened.load(Ordering::SeqCst).min(removed.load(Ordering::SeqCst)) < 30 {
                    std::thread::sleep(Duration::from_micros(100));
                    if thread % 2 == 0 {
                        match pollster::block_on(store.remove("a")) {
                            Ok(existed) => removed.fetch_add(existed.into(), Ordering::SeqCst),
                            Err(StoreError::Busy { .. }) => continue,
                            Err(error) => panic!("{error}"),
                        };
                    } else {
                        let mut log = match pollster::block_on(store.open("a")) {
                            Ok(log) => log,
                            Err(StoreError::Busy { .. }) => continue,
                            Err(error) => panic!("{error}"),
                        };
                        assert!(!held.swap(true, Ordering::SeqCst), "two have it open");
                        opened.fetch_add(1, Ordering::SeqCst);
                        append(&mut log, &["one"]).expect("there is space");
                        held.store(false, Ordering::SeqCst);
                    }
                }
            });
        }
    });
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
