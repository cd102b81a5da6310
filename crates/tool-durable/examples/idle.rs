//! Creates many conversations in a folder, and measures how long it takes to list them and to resume one of them: `cargo run --release -p
//! tool-durable --example idle -- 100000 [FOLDER]`. The folder must not exist, and is removed at the end.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tool_chat::model::{ChatModel, Request, Response, ResponseFuture, ToolCall};
use tool_durable::{ConversationSetup, DurableConversations, FileStore};
use tool_runtime::{Toolbox, tool};

/// The number of conversations that are resumed.
const RESUMED: usize = 1_000;
/// The number of conversations in the small store, for comparison.
const FEW: usize = 100;
/// The number of conversations in a page of the list.
const PAGE: usize = 1_000;
const THREADS: usize = 16;

/// Looks an order up.
#[tool(read_only)]
fn look_up(
    /// The number of the order.
    order: u32,
) -> String {
    format!("Order {order} was shipped on Friday.")
}

/// A model that makes one call and then answers.
#[derive(Clone)]
struct Clerk;

impl ChatModel for Clerk {
    fn complete<'a>(&'a self, request: Request<'a>) -> ResponseFuture<'a> {
        let is_first = request.messages.len() < 3;
        let call = is_first.then(|| ToolCall::new("call_1", "look_up", r#"{"order": 7}"#));
        let text = if is_first { "" } else { "It was shipped on Friday." };
        Box::pin(async move { Ok(Response::from_text(text).with_calls(call)) })
    }
}

type Failed = Box<dyn Error + Send + Sync>;

fn create(
    durable: &DurableConversations,
    setup: &ConversationSetup,
    numbers: impl Iterator<Item = usize>,
) -> Result<(), Failed> {
    for number in numbers {
        pollster::block_on(async {
            let mut conversation = durable.open(&format!("order {number}"), setup.clone()).await?;
            conversation.ask("Where is order 7?").await.map(drop)
        })?;
    }
    Ok(())
}

/// Opens and resumes a conversation, and returns the time that this takes.
fn resume(durable: &DurableConversations, setup: &ConversationSetup, number: usize) -> Result<Duration, Failed> {
    let id = format!("order {number}");
    let begun = Instant::now();
    let end = pollster::block_on(async { durable.open(&id, setup.clone()).await?.resume().await })?;
    let time = begun.elapsed();
    assert!(end.text().is_some(), "the turn has ended");
    Ok(time)
}

/// Returns the most memory that the process has used so far, in MB.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1_000)
}

/// Creates the conversations.
fn fill(durable: &DurableConversations, setup: &ConversationSetup, count: usize) -> Result<Duration, Failed> {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let create = |first| create(durable, setup, (first..count).step_by(THREADS));
        let threads: Vec<_> = (0..THREADS).map(|first| scope.spawn(move || create(first))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread has panicked".into())))
    })?;
    Ok(begun.elapsed())
}

/// Lists all conversations. Returns their number and the time for a page.
fn list(durable: &DurableConversations) -> Result<(usize, Duration), Failed> {
    let (begun, mut found, mut last, mut pages) = (Instant::now(), 0, None, 0_u32);
    loop {
        let page = pollster::block_on(durable.list(last.as_deref(), PAGE))?;
        let Some(listed) = page.last() else { break };
        last = Some(listed.id.clone());
        found += page.len();
        pages += 1;
    }
    Ok((found, begun.elapsed() / pages.max(1)))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(Ok(100_000), |count| count.parse())?;
    let folder = arguments.next().map_or_else(|| std::env::temp_dir().join("tool-durable-idle"), PathBuf::from);
    std::fs::create_dir(&folder)?;
    let setup = ConversationSetup::new(&Toolbox::builder().tool(LookUpTool).build()?, Clerk);
    let few = DurableConversations::new(FileStore::new(folder.join("few"))?);
    let many = DurableConversations::new(FileStore::new(folder.join("many"))?);
    fill(&few, &setup, FEW)?;
    let before = memory().unwrap_or_default();
    println!("{count} conversations are created in {:.1?}", fill(&many, &setup, count)?);
    let (found, page) = list(&many)?;
    assert_eq!(found, count, "every conversation is listed once");
    println!("listing {PAGE} of them takes {page:.0?}");
    println!("memory: {before} MB before, at most {} MB afterwards", memory().unwrap_or_default());
    // The two are measured in turns, so that other work on the machine concerns both.
    let (mut of_few, mut of_many) = (Vec::with_capacity(RESUMED), Vec::with_capacity(RESUMED));
    for number in 0..RESUMED {
        of_few.push(resume(&few, &setup, number % FEW)?);
        // The conversations are far apart, and each is resumed once if there are enough.
        of_many.push(resume(&many, &setup, number * 7_919 % count)?);
    }
    let (few, many) = (median(of_few), median(of_many));
    println!("resuming one of {FEW} takes {few:.0?}, and one of {count} takes {many:.0?}");
    println!("ratio: {:.2}", many.as_secs_f64() / few.as_secs_f64());
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
