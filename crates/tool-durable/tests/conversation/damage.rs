//! Logs whose last record was cut off or damaged: whatever the record was, no call runs twice that must not.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use tool_chat::conversation::TurnEnd;
use tool_durable::store::{Log, OpenedLog, Store, StoreError, StoreFuture};
use tool_durable::{
    ConversationSetup, DurableConversation, DurableConversations, DurableError, FileStore, ListenerEvent,
};
use tool_runtime::hook::HostArguments;

use super::{Steps, World, answers, runs, toolbox};

const STEPS: Steps = Steps(&[&[("a", "pay"), ("b", "look")], &[("later c", "pay"), ("d", "pay")]]);

/// The log between two writes, and the calls that ran before the second one.
struct Moment {
    log: Vec<u8>,
    ran: Vec<String>,
}

type Moments = Arc<Mutex<Vec<Moment>>>;

/// A store that keeps the log before each write.
struct Watched {
    inner: FileStore,
    world: World,
    moments: Moments,
}

struct WatchedLog {
    inner: Box<dyn Log>,
    file: PathBuf,
    world: World,
    moments: Moments,
}

impl Store for Watched {
    fn open<'a>(&'a self, conversation: &'a str) -> StoreFuture<'a, OpenedLog> {
        Box::pin(async move {
            let mut opened = self.inner.open(conversation).await?;
            let file = self.inner.folder().join("c-c.log");
            let (world, moments) = (Arc::clone(&self.world), Arc::clone(&self.moments));
            opened.log = Box::new(WatchedLog { inner: opened.log, file, world, moments });
            Ok(opened)
        })
    }
}

impl Log for WatchedLog {
    fn append<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        let log = std::fs::read(&self.file).expect("the conversation has begun");
        self.moments.lock().expect("no test panics").push(Moment { log, ran: runs(&self.world) });
        self.inner.append(records)
    }

    fn replace<'a>(&'a mut self, records: &'a [Vec<u8>]) -> StoreFuture<'a, ()> {
        self.inner.replace(records)
    }
}

/// Begins or continues a conversation, and approves its deferred calls.
async fn go_on(conversation: &mut DurableConversation) -> Result<TurnEnd, DurableError> {
    let is_new = conversation.run_state().turn_count() == 0;
    let mut end = if is_new { conversation.ask("Go.").await? } else { conversation.resume().await? };
    while let TurnEnd::Deferred { call_ids } = &end {
        for call_id in call_ids {
            conversation.approve(call_id, HostArguments::new()).await?;
        }
        end = conversation.resume().await?;
    }
    Ok(end)
}

/// Returns the log of a conversation at all moments.
fn moments(folder: &PathBuf) -> Vec<Moment> {
    let (world, moments) = (World::default(), Moments::default());
    let inner = FileStore::new(folder).expect("the folder can be created");
    let durable =
        DurableConversations::new(Watched { inner, world: Arc::clone(&world), moments: Arc::clone(&moments) });
    let setup = ConversationSetup::new(&toolbox(&world), STEPS);
    let mut conversation = pollster::block_on(durable.open("c", setup)).expect("it is new");
    assert_eq!(pollster::block_on(go_on(&mut conversation)).expect("nothing fails").text(), Some("Done."));
    drop(conversation);
    let mut moments = std::mem::take(&mut *moments.lock().expect("no test panics"));
    let log = std::fs::read(folder.join("c-c.log")).expect("the conversation has ended");
    moments.push(Moment { log, ran: runs(&world) });
    moments
}

/// The result of opening a log and continuing its conversation.
struct Continued {
    ran: Vec<String>,
    events: Vec<String>,
    answers: Vec<String>,
}

struct Restarts {
    durable: DurableConversations,
    file: PathBuf,
}

impl Restarts {
    /// Continues a conversation with another log. `ran` are the calls that ran before.
    fn from(&self, log: &[u8], ran: &[String]) -> Result<Continued, DurableError> {
        std::fs::write(&self.file, log).expect("the folder can be written");
        let (world, events): (World, Arc<Mutex<Vec<String>>>) = (Arc::new(Mutex::new(ran.to_vec())), Arc::default());
        let seen = Arc::clone(&events);
        let setup = ConversationSetup::new(&toolbox(&world), STEPS).on_event(move |event: &ListenerEvent<'_>| {
            seen.lock().expect("no listener panics").push(format!("{event:?}"));
        });
        let mut conversation = pollster::block_on(self.durable.open("c", setup))?;
        let end = pollster::block_on(go_on(&mut conversation));
        // A waiting call that may have run is answered when the host approves it.
        let end = match end {
            Err(DurableError::NotDeferred { .. }) => pollster::block_on(conversation.resume()),
            end => end,
        };
        assert_eq!(end?.text(), Some("Done."));
        let events = std::mem::take(&mut *events.lock().expect("no listener panics"));
        Ok(Continued { ran: runs(&world), events, answers: answers(&conversation) })
    }
}

fn restarts(name: &str) -> (Restarts, Vec<Moment>) {
    let folder = std::env::temp_dir().join(format!("tool-durable-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let moments = moments(&folder);
    let durable = DurableConversations::new(FileStore::new(&folder).expect("the folder exists"));
    (Restarts { durable, file: folder.join("c-c.log") }, moments)
}

fn count(ran: &[String], id: &str) -> usize {
    ran.iter().filter(|ran| *ran == id).count()
}

/// Whatever bit of the last record is wrong, the host learns about it, and no call of a tool that is neither `idempotent` nor `read_only`
/// runs again.
#[test]
fn a_damaged_last_record_never_lets_a_call_run_twice() {
    let (restarts, moments) = restarts("flips");
    let (mut flips, mut unknown) = (0, 0);
    for (before, moment) in moments.iter().zip(&moments[1..]) {
        let begin = before.log.len();
        // A short record is changed at each bit, and a long one at some bits of each part.
        let step = if moment.log.len() - begin < 160 { 1 } else { 61 };
        for bit in (begin * 8..moment.log.len() * 8).step_by(step) {
            let mut log = moment.log.clone();
            log[bit / 8] ^= 1 << (bit % 8);
            let Continued { ran, events, answers } = restarts.from(&log, &moment.ran).expect("the end is left out");
            let damaged = format!("DamagedEnd {{ offset: {begin}, bytes: {} }}", log.len() - begin);
            assert_eq!(events[0], damaged, "bit {bit}");
            for id in ["a", "later c", "d"] {
                assert!(count(&ran, id) <= 1, "bit {bit}: {id} ran twice");
            }
            for (id, answer) in ["a", "b", "later c", "d"].into_iter().zip(&answers) {
                let is_unknown = answer.contains("effect_unknown");
                assert!(is_unknown && id != "b" || count(&ran, id) > 0, "bit {bit}: {id} is lost: {answer}");
                unknown += usize::from(is_unknown);
            }
            flips += 1;
        }
    }
    assert!(flips > 2_000 && unknown > flips / 2, "{flips} flips, {unknown} calls whose effect is unknown");
}

/// An answer of the host for one waiting call does not hide that another one may have run.
#[test]
fn an_answer_of_the_host_leaves_no_doubtful_call_behind() {
    let folder = std::env::temp_dir().join(format!("tool-durable-doubt-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let durable = DurableConversations::new(FileStore::new(&folder).expect("the folder can be created"));
    let world = World::default();
    let setup = || ConversationSetup::new(&toolbox(&world), Steps(&[&[("later a", "pay"), ("later b", "pay")]]));
    let opened = || pollster::block_on(durable.open("c", setup())).expect("the log can be read");
    let mut conversation = opened();
    pollster::block_on(conversation.ask("Go.")).expect("nothing fails");
    let file = folder.join("c-c.log");
    let before = std::fs::read(&file).expect("the conversation has begun").len();
    pollster::block_on(conversation.approve("later b", HostArguments::new())).expect("the call waits");
    drop(conversation);
    // The record of the start is the last one, and damaged.
    let mut log = std::fs::read(&file).expect("it exists");
    let start: [u8; 4] = log[before..before + 4].try_into().expect("four bytes");
    log.truncate(before + 12 + usize::try_from(u32::from_le_bytes(start)).expect("it is short"));
    log[before + 20] ^= 1;
    std::fs::write(&file, log).expect("the folder can be written");

    pollster::block_on(opened().complete("later a", "by hand")).expect("the call waits");
    let mut conversation = opened();
    let approved = pollster::block_on(conversation.approve("later b", HostArguments::new()));
    assert!(matches!(approved, Err(DurableError::NotDeferred { .. })), "{approved:?}");
    assert_eq!(pollster::block_on(conversation.resume()).expect("nothing fails").text(), Some("Done."));
    let answers = answers(&conversation);
    assert!(answers[0] == "by hand" && answers[1].contains("effect_unknown"), "{answers:?}");
    assert_eq!(runs(&world), ["later b"]);
}

/// The damage is reported again until other records have replaced it.
#[test]
fn damage_that_nobody_has_repaired_is_reported_again() {
    let (restarts, moments) = restarts("again");
    let mut log = moments.last().expect("the conversation has records").log.clone();
    let last = log.len() - 1;
    log[last] ^= 1;
    std::fs::write(&restarts.file, &log).expect("the folder can be written");
    for _ in 0..3 {
        let opened = pollster::block_on(
            FileStore::new(restarts.file.parent().expect("it has a folder")).expect("it exists").open("c"),
        );
        assert!(opened.expect("the end is left out").damaged_at.is_some());
    }
    assert_eq!(std::fs::read(&restarts.file).expect("it exists"), log);
}

/// A record that was cut off or not written was never reported as kept, so its calls have not run.
#[test]
fn a_torn_last_record_is_reported_and_its_calls_run() {
    let (restarts, moments) = restarts("cuts");
    let mut cuts = 0;
    for (before, moment) in moments.iter().zip(&moments[1..]) {
        let begin = before.log.len();
        let step = if moment.log.len() - begin < 160 { 1 } else { 61 };
        for length in (begin..moment.log.len()).step_by(step) {
            let mut zeros = moment.log[..length].to_vec();
            zeros.resize(moment.log.len(), 0);
            let hole = length == begin;
            for log in [&moment.log[..length], &zeros].into_iter().take(1 + usize::from(hole)) {
                // The calls of the record have not started.
                let Continued { ran, events, answers } = restarts.from(log, &before.ran).expect("the end is left out");
                let torn = format!("TornEnd {{ bytes: {} }}", log.len() - begin);
                assert_eq!(events.first() == Some(&torn), log.len() > begin, "{length}: {events:?}");
                for (id, answer) in ["a", "later c", "d"].into_iter().zip([&answers[0], &answers[2], &answers[3]]) {
                    let is_unknown = answer.contains("effect_unknown");
                    assert_eq!(count(&ran, id), 1, "{length}: {id}: {answer}");
                    // Only calls whose start is in an earlier record count as started.
                    assert!(!is_unknown || count(&before.ran, id) == 1, "{length}: {id}: {answer}");
                }
                cuts += 1;
            }
        }
    }
    assert!(cuts > 300, "{cuts} cuts");
}

/// The first record is synced before the file gets its name, so no crash cuts it off, and a conversation never starts over in silence.
#[test]
fn a_damaged_first_record_is_an_error() {
    let (restarts, moments) = restarts("first");
    let log = &moments[0].log;
    for length in 0..log.len() {
        let error = restarts.from(&log[..length], &[]).map(drop).expect_err("the first record is cut off");
        let offset = if length < 16 { 0 } else { 16 };
        assert!(
            matches!(error, DurableError::Store(StoreError::Damaged { offset: found, .. }) if found == offset),
            "{length}: {error}"
        );
        assert!(error.to_string().ends_with(&format!(
            "is damaged at byte {offset}; only a damaged end can be left out, so the file was not changed"
        )));
        assert_eq!(std::fs::read(&restarts.file).expect("it exists"), log[..length]);
    }
}
