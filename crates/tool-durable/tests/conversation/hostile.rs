//! Hostile and unusual values: results of any depth, ids of any form, ciphers that fail, conversations that are too large to be compacted,
//! and threads that want the same conversation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tool_chat::conversation::TurnEnd;
use tool_durable::store::{Log, OpenedLog, Store, StoreError, StoreFuture};
use tool_durable::{ConversationSetup, DurableConversations, DurableError, FileStore, InMemoryStore};
use tool_runtime::hook::{HostArguments, ProposedCall, Verdict};
use tool_runtime::session::{Cipher, CipherError};
use tool_runtime::{CallContext, Toolbox, tool};

use super::{PAID, Steps, World, answers, open, ran, runs, toolbox};

/// More levels than serde reads.
const DEPTH: usize = 300;

fn nested() -> Value {
    (0..DEPTH).fold(Value::from("deep"), |inner, _| Value::from(vec![inner]))
}

/// Returns a result with many levels.
#[tool]
fn deep(#[tool(context)] cx: &CallContext) -> Value {
    ran(cx);
    nested()
}

#[test]
fn results_of_any_depth_survive_a_restart() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let hook =
        |call: &ProposedCall<'_>| if call.call_id().starts_with("later") { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().tool(DeepTool).state(Arc::clone(&world)).before_call(hook);
    let toolbox = builder.build().expect("the registration is valid");
    let durable = DurableConversations::new(store);
    let setup = ConversationSetup::new(&toolbox, Steps(&[&[("a", "deep"), ("later b", "deep"), ("later c", "deep")]]));
    let mut conversation = pollster::block_on(durable.open("c", setup.clone())).expect("it is new");
    let end = pollster::block_on(conversation.ask("Go.")).expect("nothing fails");
    assert!(matches!(end, TurnEnd::Deferred { .. }), "{end:?}");
    drop(conversation);
    let mut conversation = pollster::block_on(durable.open("c", setup.clone())).expect("the log can be read");
    let values = HostArguments::new().with("unused", nested());
    pollster::block_on(async {
        conversation.approve("later b", values).await?;
        conversation.complete("later c", nested()).await?;
        conversation.resume().await
    })
    .expect("nothing fails");
    let before = answers(&conversation);
    drop(conversation);
    let conversation = pollster::block_on(durable.open("c", setup)).expect("the log can be read");
    assert_eq!(answers(&conversation), before);
    let text = nested().to_string();
    assert_eq!((before, runs(&world)), (vec![text; 3], vec!["a".to_owned(), "later b".to_owned()]));
}

#[test]
fn a_record_with_10_000_levels_is_rejected() {
    let (store, world) = (InMemoryStore::new(), World::default());
    for begin in [r#"{"session":"#, r#"{"conversation":{"run":"#, r#"{"run":{"answered":"#] {
        for level in ["[", r#"{"a":"#] {
            let mut opened = pollster::block_on(store.open("c")).expect("nobody has it open");
            let record = begin.to_owned() + &level.repeat(10_000);
            pollster::block_on(opened.log.replace(&[record.into_bytes()])).expect("nothing fails");
            drop(opened);
            let setup = ConversationSetup::new(&toolbox(&world), PAID);
            let error = pollster::block_on(DurableConversations::new(store.clone()).open("c", setup))
                .expect_err("it is damaged");
            assert!(matches!(error, DurableError::Unreadable { number: 0, .. }), "{error}");
        }
    }
}

#[test]
fn ids_of_any_form_stay_in_the_folder() {
    let outer = std::env::temp_dir().join(format!("tool-durable-ids-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&outer);
    let durable = DurableConversations::new(FileStore::new(outer.join("inner")).expect("the folder can be created"));
    let world = World::default();
    let mut ids = ["", "\0", "\0a", ".", "..", "../c", "../../c", "/c", "C:\\c", "c-%2e", "a\nb", "\u{202e}c", "con"];
    ids.sort_unstable();
    for id in ids {
        let setup = ConversationSetup::new(&toolbox(&world), PAID);
        let mut conversation = pollster::block_on(durable.open(id, setup)).expect("the conversation is new");
        assert_eq!(
            pollster::block_on(conversation.ask("Pay.")).expect("nothing fails").text(),
            Some("Done."),
            "{id:?}"
        );
    }
    let listed = pollster::block_on(durable.list(None, 100)).expect("the folder can be read");
    assert_eq!(listed.into_iter().map(|listed| listed.id).collect::<Vec<_>>(), ids);
    let long = pollster::block_on(durable.open(&"x".repeat(10_000), ConversationSetup::new(&toolbox(&world), PAID)));
    assert!(matches!(long, Err(DurableError::Store(StoreError::IdTooLong { bytes: 10_002, .. }))));
    assert_eq!(std::fs::read_dir(&outer).expect("it exists").count(), 1, "nothing is outside of the folder");
    std::fs::remove_dir_all(&outer).expect("it exists");
}

/// A cipher that fails on demand.
#[derive(Clone, Default)]
struct Failing(Arc<AtomicBool>);

impl Failing {
    fn apply(&self, bytes: &[u8]) -> Result<Vec<u8>, CipherError> {
        if self.0.load(Ordering::Relaxed) {
            return Err("the key is not available".into());
        }
        Ok(bytes.iter().rev().copied().collect())
    }
}

impl Cipher for Failing {
    fn seal(&self, plain: &[u8]) -> Result<Vec<u8>, CipherError> {
        self.apply(plain)
    }

    fn open(&self, sealed: &[u8]) -> Result<Vec<u8>, CipherError> {
        self.apply(sealed)
    }
}

/// Opens the door.
#[tool]
fn unlock(
    #[tool(context)] cx: &CallContext,
    /// The PIN.
    #[tool(sensitive, default = "4711")]
    pin: String,
) -> String {
    ran(cx);
    format!("{} digits", pin.len())
}

#[test]
fn a_cipher_that_fails_stops_the_conversation_and_repeats_nothing() {
    let (store, world, cipher) = (InMemoryStore::new(), World::default(), Failing::default());
    let hook =
        |call: &ProposedCall<'_>| if call.call_id().starts_with("later") { Verdict::Defer } else { Verdict::Run };
    let builder = Toolbox::builder().tool(UnlockTool).state(Arc::clone(&world)).before_call(hook);
    let toolbox = builder.build().expect("the registration is valid");
    let durable = DurableConversations::new(store);
    let setup = ConversationSetup::new(&toolbox, Steps(&[&[("later a", "unlock")], &[("b", "unlock")]]));
    let setup = setup.sensitive_cipher(cipher.clone());
    let fails = |fails: bool| cipher.0.store(fails, Ordering::Relaxed);
    let reopened = || pollster::block_on(durable.open("c", setup.clone()));

    let mut conversation = reopened().expect("it is new");
    fails(true);
    let error = pollster::block_on(conversation.ask("Go.")).expect_err("the session cannot be saved");
    assert!(matches!(error, DurableError::Snapshot(_)) && !error.to_string().contains("4711"), "{error}");
    let error = pollster::block_on(conversation.resume()).expect_err("it has failed");
    assert!(matches!(error, DurableError::Interrupted), "{error}");
    drop(conversation);

    fails(false);
    let mut conversation = reopened().expect("the log can be read");
    let is_new = conversation.run_state().turn_count() == 0;
    let end =
        pollster::block_on(async { if is_new { conversation.ask("Go.").await } else { conversation.resume().await } });
    assert!(matches!(end, Ok(TurnEnd::Deferred { .. })), "{end:?}");
    drop(conversation);
    fails(true);
    let error = reopened().expect_err("the session cannot be decrypted");
    assert!(matches!(error, DurableError::Restore(_)), "{error}");
    fails(false);

    // The cipher fails after the approved call has run, so its end cannot be recorded.
    let mut conversation = reopened().expect("the log can be read");
    fails(true);
    assert!(pollster::block_on(conversation.approve("later a", HostArguments::new())).is_err());
    drop(conversation);
    fails(false);
    let mut conversation = reopened().expect("the log can be read");
    let end = pollster::block_on(conversation.resume()).expect("nothing fails");
    assert_eq!((end.text(), runs(&world)), (Some("Done."), vec!["later a".to_owned(), "b".to_owned()]));
    assert!(answers(&conversation)[0].contains("effect_unknown"), "{:?}", answers(&conversation));
}

/// A store whose logs cannot be replaced once they have records, because the conversation is too large for one record.
struct Small(InMemoryStore);

struct SmallLog {
    inner: Box<dyn Log>,
    is_new: bool,
}

impl Store for Small {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let mut opened = self.0.open(conversation).await?;
            let is_new = opened.records.is_empty();
            opened.log = Box::new(SmallLog { inner: opened.log, is_new });
            Ok(opened)
        })
    }
}

impl Log for SmallLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.inner.append(records)
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        if std::mem::take(&mut self.is_new) {
            return self.inner.replace(records);
        }
        Box::pin(async { Err(StoreError::TooLarge { bytes: 2, max: 1 }) })
    }
}

#[test]
fn a_conversation_that_cannot_be_compacted_goes_on() {
    let (store, world) = (InMemoryStore::new(), World::default());
    let durable = DurableConversations::new(Small(store));
    for _ in 0..3 {
        let mut conversation = open(&durable, &world, Steps(&[]));
        for _ in 0..50 {
            pollster::block_on(conversation.ask("x".repeat(4_000))).expect("the log can still be appended to");
        }
    }
    assert_eq!(open(&durable, &world, Steps(&[])).run_state().turn_count(), 150);
}

#[test]
fn of_many_threads_one_at_a_time_resumes_a_conversation() {
    let folder = std::env::temp_dir().join(format!("tool-durable-threads-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    for store in [Arc::new(InMemoryStore::new()) as Arc<dyn Store>, Arc::new(FileStore::new(&folder).expect("created"))]
    {
        let (durable, world) = (DurableConversations::new(store), World::default());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let setup = ConversationSetup::new(&toolbox(&world), PAID);
                        let end = pollster::block_on(async {
                            let mut conversation = durable.open("c", setup).await?;
                            if conversation.run_state().turn_count() == 0 {
                                conversation.ask("Pay.").await
                            } else {
                                conversation.resume().await
                            }
                        });
                        match end {
                            Ok(end) => assert_eq!(end.text(), Some("Done.")),
                            Err(error) => {
                                assert!(matches!(error, DurableError::Store(StoreError::Busy { .. })), "{error}");
                                std::thread::yield_now();
                            }
                        }
                    }
                });
            }
        });
        assert_eq!(runs(&world), ["a", "b", "c"]);
    }
    std::fs::remove_dir_all(&folder).expect("it exists");
}

/// A link in the folder could lead to the log of another conversation, or to any other file.
#[cfg(unix)]
#[test]
fn links_in_the_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outer = std::env::temp_dir().join(format!("tool-durable-links-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&outer);
    let (folder, world) = (outer.join("inner"), World::default());
    let durable = DurableConversations::new(FileStore::new(&folder).expect("the folder can be created"));
    drop(open(&durable, &world, PAID));
    let other = outer.join("other");
    std::fs::write(&other, "not a log").expect("the folder can be written");
    for (id, name, target) in [
        ("twin", "c-twin.log", &folder.join("c-c.log")),
        ("loop", "c-loop.log", &folder.join("c-loop.log")),
        ("lock", "c-lock.lock", &folder.join("c-c.lock")),
    ] {
        symlink(target, folder.join(name)).expect("the folder can be written");
        let setup = ConversationSetup::new(&toolbox(&world), PAID);
        let error = pollster::block_on(durable.open(id, setup)).expect_err("a link is rejected");
        assert!(matches!(error, DurableError::Store(StoreError::Io { .. } | StoreError::Busy { .. })), "{error}");
    }
    // The name of the file that replaces a log.
    symlink(&other, folder.join("c-new.log.new")).expect("the folder can be written");
    let setup = ConversationSetup::new(&toolbox(&world), PAID);
    pollster::block_on(durable.open("new", setup)).expect("the link is replaced");
    assert_eq!(std::fs::read_to_string(&other).expect("it exists"), "not a log");
    std::fs::remove_dir_all(&outer).expect("it exists");
}
