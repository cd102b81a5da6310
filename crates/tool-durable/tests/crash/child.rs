//! The child process: it drives the conversation, and kills itself at a write of its log.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tool_chat::conversation::{TurnEnd, TurnLimits};
use tool_durable::store::{Log, OpenedLog, Store, StoreError, StoreFuture};
use tool_durable::{ConversationSetup, DurableConversation, DurableConversations, DurableError, FileStore};
use tool_runtime::hook::HostArguments;

use crate::script::Script;
use crate::script::compare::without_pause;
use crate::script::tools;

/// A store that counts its writes, and kills the process at one of them.
struct KillingStore {
    inner: FileStore,
    kill: Kill,
    writes: Arc<AtomicUsize>,
}

#[derive(Clone, Copy)]
struct Kill {
    write: usize,
    is_after: bool,
}

impl Kill {
    fn parse(text: &str) -> Self {
        let (when, write) = text.split_once(' ').unwrap_or((text, "0"));
        Self { write: write.parse().expect("a number"), is_after: when == "after" }
    }
}

impl Store for KillingStore {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let mut opened = self.inner.open(conversation).await?;
            let (kill, writes) = (self.kill, Arc::clone(&self.writes));
            opened.log = Box::new(KillingLog { inner: opened.log, kill, writes });
            Ok(opened)
        })
    }
}

struct KillingLog {
    inner: Box<dyn Log>,
    kill: Kill,
    writes: Arc<AtomicUsize>,
}

impl KillingLog {
    fn write(&mut self, is_append: bool, records: &[Vec<u8>]) -> StoreFuture<'_, ()> {
        let write = self.writes.fetch_add(1, Ordering::Relaxed) + 1;
        let is_due = write == self.kill.write;
        let is_after = self.kill.is_after;
        let records = records.to_vec();
        Box::pin(async move {
            if is_due && !is_after {
                die();
            }
            if is_append {
                self.inner.append(&records).await?;
            } else {
                self.inner.replace(&records).await?;
            }
            if is_due {
                die();
            }
            Ok(())
        })
    }
}

impl Log for KillingLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.write(true, records)
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.write(false, records)
    }
}

/// Kills this process as the system would: nothing is flushed, and no destructor runs.
fn die() -> ! {
    let _ = Command::new("kill").args(["-KILL", &std::process::id().to_string()]).status();
    loop {
        std::thread::park();
    }
}

async fn drive(conversation: &mut DurableConversation) -> Result<TurnEnd, DurableError> {
    let mut end = if conversation.run_state().turn_count() == 0 {
        conversation.ask("Do all of it.").await?
    } else {
        conversation.resume().await?
    };
    while let TurnEnd::Deferred { call_ids } = &end {
        for call_id in call_ids {
            conversation.approve(call_id, HostArguments::new()).await?;
        }
        end = conversation.resume().await?;
    }
    Ok(end)
}

#[test]
#[ignore = "a child process of another test"]
fn drives_a_conversation() {
    let Ok(folder) = std::env::var("TOOL_DURABLE_FOLDER") else { return };
    let folder = PathBuf::from(folder);
    let kill = Kill::parse(&std::env::var("TOOL_DURABLE_KILL").expect("the parent sets it"));
    let toolbox = tools::toolbox(folder.join("ran"));
    let writes = Arc::new(AtomicUsize::new(0));
    let inner = FileStore::new(folder.join("store")).expect("the folder can be created");
    let durable = DurableConversations::new(KillingStore { inner, kill, writes: Arc::clone(&writes) });
    let mut limits = TurnLimits::default();
    (limits.steps, limits.calls) = (None, None);
    let setup = ConversationSetup::new(&toolbox, Script).limits(limits);
    let conversation = pollster::block_on(async {
        let mut conversation = loop {
            match durable.open("conversation", setup.clone()).await {
                Err(DurableError::Store(StoreError::Busy { .. })) => std::thread::sleep(Duration::from_millis(1)),
                opened => break opened?,
            }
        };
        let end = drive(&mut conversation).await?;
        assert_eq!(end.text(), Some("That is all."));
        Ok::<_, DurableError>(conversation)
    });
    let conversation = conversation.expect("the store works");
    let calls = conversation.transcript().calls();
    let answers: Vec<(String, String)> =
        calls.map(|call| (call.outcome.call_id().to_owned(), without_pause(&call.outcome.to_text()))).collect();
    std::fs::write(folder.join("writes"), writes.load(Ordering::Relaxed).to_string())
        .expect("the folder can be written");
    let text = serde_json::to_string(&answers).expect("texts are JSON");
    std::fs::write(folder.join("result.json"), text).expect("the folder can be written");
}
