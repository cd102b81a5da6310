//! Stores that fail, and records that cannot be read: a clear error, no record is lost, and no call runs twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tool_chat::conversation::TurnEnd;
use tool_chat::model::ScriptedModel;
use tool_durable::store::{Log, OpenedLog, Store, StoreError, StoreFuture};
use tool_durable::{ConversationSetup, DurableConversations, DurableError, FileStore, InMemoryStore};
use tool_runtime::hook::HostArguments;

use super::{PAID, Steps, World, answers, open, runs, toolbox};

/// A store whose every nth write fails, before or after it has written.
struct Failing {
    inner: Arc<dyn Store>,
    nth: usize,
    keeps: bool,
    writes: Arc<AtomicUsize>,
}

impl Store for Failing {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let mut opened = self.inner.open(conversation).await?;
            let (nth, keeps, writes) = (self.nth, self.keeps, Arc::clone(&self.writes));
            opened.log = Box::new(FailingLog { inner: opened.log, nth, keeps, writes });
            Ok(opened)
        })
    }
}

struct FailingLog {
    inner: Box<dyn Log>,
    nth: usize,
    keeps: bool,
    writes: Arc<AtomicUsize>,
}

impl FailingLog {
    async fn write(&mut self, records: &[Vec<u8>], is_append: bool) -> Result<(), StoreError> {
        let fails = (self.writes.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(self.nth);
        if !fails || self.keeps {
            if is_append {
                self.inner.append(records).await?;
            } else {
                self.inner.replace(records).await?;
            }
        }
        if fails { Err(StoreError::other("the disk is full")) } else { Ok(()) }
    }
}

impl Log for FailingLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(self.write(records, true))
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        Box::pin(self.write(records, false))
    }
}

const LONG: Steps = Steps(&[
    &[("1", "pay"), ("2", "look"), ("later", "pay")],
    &[("3", "pay")],
    &[("4", "pay"), ("5", "pay")],
    &[("6", "look")],
    &[("7", "pay")],
]);

/// Opens a conversation again and again until its turn has ended, and checks that nothing was lost or ran twice.
fn drive(store: Failing, name: &str) {
    let (durable, world) = (DurableConversations::new(store), World::default());
    let mut errors = 0;
    let conversation = loop {
        assert!(errors < 50, "{name}: the conversation does not end");
        let setup = ConversationSetup::new(&toolbox(&world), LONG);
        let went_on = pollster::block_on(async {
            let mut conversation = durable.open("c", setup).await?;
            let is_new = conversation.run_state().turn_count() == 0;
            let mut end = if is_new { conversation.ask("Go.").await? } else { conversation.resume().await? };
            while let TurnEnd::Deferred { call_ids } = &end {
                for call_id in call_ids {
                    conversation.approve(call_id, HostArguments::new()).await?;
                }
                end = conversation.resume().await?;
            }
            assert_eq!(end.text(), Some("Done."));
            Ok::<_, DurableError>(conversation)
        });
        match went_on {
            Ok(conversation) => break conversation,
            Err(error) => assert_eq!(error.to_string(), "the disk is full"),
        }
        errors += 1;
    };
    let ran = runs(&world);
    for (call, text) in conversation.transcript().calls().zip(answers(&conversation)) {
        let id = call.outcome.call_id();
        let count = ran.iter().filter(|ran| *ran == id).count();
        match text.as_str() {
            "paid" => assert_eq!(count, 1, "{name}: {id}"),
            "seen" => assert!(count >= 1, "{name}: {id}"),
            text => {
                assert!(count <= 1 && text.contains("effect_unknown") && call.name == "pay", "{name}: {text}");
            }
        }
    }
    assert_eq!(answers(&conversation).len(), 8);
}

#[test]
fn a_store_that_fails_again_and_again_loses_nothing_and_repeats_nothing() {
    // Each call makes two writes, for its start and its end, so a conversation could never end if every second write failed.
    for nth in 3..25 {
        for keeps in [false, true] {
            let inner: Arc<dyn Store> = Arc::new(InMemoryStore::new());
            drive(Failing { inner, nth, keeps, writes: Arc::default() }, &format!("write {nth}, {keeps}"));
            if !nth.is_multiple_of(4) {
                continue;
            }
            let folder = std::env::temp_dir().join(format!("tool-durable-nth-{}", std::process::id()));
            let inner: Arc<dyn Store> = Arc::new(FileStore::new(&folder).expect("the folder can be created"));
            drive(Failing { inner, nth, keeps, writes: Arc::default() }, &format!("write {nth} of a folder, {keeps}"));
            std::fs::remove_dir_all(&folder).expect("the folder exists");
        }
    }
}

#[test]
fn records_that_cannot_be_read_are_an_error() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let durable = DurableConversations::new(store.clone());
    for (record, reason) in [
        (&b"{\"later\":1}"[..], "unknown variant `later`"),
        (b"\xff", "expected value"),
        (br#"{"run":"abandoned"}"#, "the conversation before it is missing"),
    ] {
        let mut opened = pollster::block_on(store.open("c")).expect("nobody has it open");
        pollster::block_on(opened.log.replace(&[record.to_vec()])).expect("nothing fails");
        drop(opened);
        let setup = ConversationSetup::new(&toolbox(&world), ScriptedModel::new());
        let error = pollster::block_on(durable.open("c", setup)).expect_err("the record is damaged").to_string();
        assert!(
            error.starts_with("record 0 of the conversation cannot be read: ") && error.contains(reason),
            "{error}"
        );
    }
}

/// Returns the records of a conversation with a finished turn.
fn finished() -> Vec<Vec<u8>> {
    let (store, world) = (InMemoryStore::new(), World::default());
    let mut conversation = open(&DurableConversations::new(store.clone()), &world, PAID);
    pollster::block_on(conversation.ask("Pay.")).expect("nothing fails");
    drop(conversation);
    pollster::block_on(store.open("c")).expect("nobody has it open").records
}

/// A run or a session of a newer version is rejected wherever it is in the log. The conversation is not locked afterwards, and its records
/// stay as they were, so the newer program can continue.
#[test]
fn records_of_a_newer_version_are_rejected_and_kept() {
    let records = finished();
    let mut rejected = 0;
    for (number, record) in records.iter().enumerate() {
        let text = std::str::from_utf8(record).expect("records are JSON");
        for (version, message) in [
            (
                r#""format_version":"#,
                "the stored run has version 2 of its format, and this program reads versions up to 1",
            ),
            (r#""tool-runtime session","version":"#, "the session was saved in version 2"),
        ] {
            let newer = text.replacen(&format!("{version}1"), &format!("{version}2"), 1);
            if newer == text {
                continue;
            }
            rejected += 1;
            let mut changed = records.clone();
            changed[number] = newer.into_bytes();
            let (store, world) = (InMemoryStore::new(), World::default());
            let mut opened = pollster::block_on(store.open("c")).expect("it is new");
            pollster::block_on(opened.log.append(&changed)).expect("nothing fails");
            drop(opened);
            let setup = ConversationSetup::new(&toolbox(&world), PAID);
            let opened = pollster::block_on(DurableConversations::new(store.clone()).open("c", setup));
            let error = opened.expect_err("a record is newer").to_string();
            let begin = format!("record {number} of the conversation cannot be read: {message}");
            assert!(error.starts_with(&begin), "{error}");
            assert_eq!(pollster::block_on(store.open("c")).expect("nobody has it open").records, changed);
        }
    }
    assert!(rejected > records.len() / 3, "only {rejected} of {} records have a version", records.len());
}

/// Every beginning of a log is a conversation, which can be continued and ends in the same way.
#[test]
fn every_beginning_of_a_log_can_be_continued() {
    let records = finished();
    let mut unknown = 0;
    for length in 1..=records.len() {
        let (store, world) = (InMemoryStore::new(), World::default());
        let mut opened = pollster::block_on(store.open("c")).expect("it is new");
        pollster::block_on(opened.log.append(&records[..length])).expect("nothing fails");
        drop(opened);
        let mut conversation = open(&DurableConversations::new(store), &world, PAID);
        let is_new = conversation.run_state().turn_count() == 0;
        let end = pollster::block_on(async {
            if is_new { conversation.ask("Pay.").await } else { conversation.resume().await }
        });
        assert_eq!(end.expect("nothing fails").text(), Some("Done."), "{length}");
        let expected = ["paid", "seen", "paid"];
        for (text, expected) in answers(&conversation).iter().zip(expected) {
            assert!(text == expected || text.contains("effect_unknown"), "{length}: {text}");
            unknown += usize::from(text != expected);
        }
        assert_eq!(answers(&conversation).len(), expected.len(), "{length}");
    }
    assert!(unknown > 0, "no beginning contains a start without an end");
}

/// Writes the records of conversations for the fuzz target `conversation`: `--ignored`.
#[test]
#[ignore = "it writes files"]
fn write_the_corpus() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/conversation");
    std::fs::create_dir_all(folder).expect("the folder can be created");
    let records = finished();
    for length in 1..=records.len() {
        let path = format!("{folder}/{length}");
        std::fs::write(path, records[..length].join(&b'\n')).expect("the folder can be written");
    }
}
