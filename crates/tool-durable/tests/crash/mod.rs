//! A conversation of 40 steps whose process is killed. It ends like an undisturbed conversation, and nothing runs twice.
//!
//! The test starts itself as a child process that drives the conversation. It kills the child process before or after the nth write of its
//! log, or at a random moment. A second child continues the conversation. By default, the test checks a sample of the moments. To check
//! every write and 300 random moments, use `TOOL_DURABLE_CRASHES=all cargo test -p tool-durable --test all crash::`.

mod child;
mod faults;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use crate::script::compare::{Result, compare};
use crate::script::tools::Ran;

/// A moment at which a process is killed.
#[derive(Clone, Copy, Debug)]
enum Killed {
    Never,
    BeforeWrite(usize),
    AfterWrite(usize),
    /// Before a write, of which a part is added to the file afterwards.
    Torn(usize),
    After(Duration),
}

fn start(folder: &Path, killed: Killed) -> Child {
    let kill = match killed {
        Killed::Never | Killed::After(_) => "never".to_owned(),
        Killed::BeforeWrite(write) | Killed::Torn(write) => format!("before {write}"),
        Killed::AfterWrite(write) => format!("after {write}"),
    };
    let mut child = Command::new(std::env::current_exe().expect("the test is a file"));
    started(&mut child, folder, &kill).spawn().expect("the test can start itself")
}

fn started<'c>(command: &'c mut Command, folder: &Path, kill: &str) -> &'c mut Command {
    command
        .args(["crash::child::drives_a_conversation", "--exact", "--ignored", "--nocapture"])
        .env("TOOL_DURABLE_FOLDER", folder)
        .env("TOOL_DURABLE_KILL", kill)
        .stdout(Stdio::null())
}

/// Runs a child. Returns `true` if the child was not killed.
fn run(folder: &Path, killed: Killed) -> bool {
    let mut child = start(folder, killed);
    if let Killed::After(time) = killed {
        std::thread::sleep(time);
        let _ = child.kill();
    }
    let has_ended = child.wait().expect("the child was started").success();
    if let (Killed::Torn(_), false) = (killed, has_ended) {
        let log = folder.join("store/c-conversation.log");
        let mut bytes = fs::read(&log).unwrap_or_default();
        bytes.extend(b"\x40\x00\x00\x00 a part of a frame");
        if log.exists() {
            fs::write(&log, bytes).expect("the log can be written");
        }
    }
    has_ended
}

fn result(folder: &Path) -> Result {
    let text = fs::read_to_string(folder.join("result.json")).expect("the conversation has ended");
    let ran = fs::read_to_string(folder.join("ran")).expect("tools have run");
    Result {
        answers: serde_json::from_str(&text).expect("the child writes JSON"),
        ran: ran.lines().map(Ran::parse).collect(),
    }
}

/// Returns the number of writes of the last child.
fn writes(folder: &Path) -> usize {
    fs::read_to_string(folder.join("writes")).map_or(0, |text| text.trim().parse().expect("a number"))
}

/// A folder that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tool-durable-crash-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the folder can be created");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Compares a conversation that was killed once with an undisturbed one. Returns the number of calls with an unknown effect.
fn check(undisturbed: &Result, killed: Killed) -> usize {
    let folder = Folder::new(&format!("{killed:?}").replace(['(', ')', '.'], "-"));
    if run(&folder.0, killed) {
        // `true` if the moment came after the end. Calls that end at the same moment share a write, so the number of writes varies a
        // little.
        let is_late = match killed {
            Killed::BeforeWrite(write) | Killed::AfterWrite(write) | Killed::Torn(write) => writes(&folder.0) < write,
            Killed::Never | Killed::After(_) => true,
        };
        assert!(is_late, "{killed:?} has not killed the child");
    } else {
        assert!(run(&folder.0, Killed::Never), "{killed:?}: the second child has failed");
    }
    let found = result(&folder.0);
    compare(undisturbed, &found, 1, &format!("{killed:?}"))
}

/// Returns the course and the number of writes of a conversation that nothing disturbs.
fn undisturbed(name: &str) -> (Result, usize) {
    let folder = Folder::new(name);
    assert!(run(&folder.0, Killed::Never));
    (result(&folder.0), writes(&folder.0))
}

#[test]
fn a_killed_conversation_ends_like_an_undisturbed_one() {
    let (undisturbed, writes) = undisturbed("undisturbed");
    let texts: String = undisturbed.answers.iter().map(|(_, text)| text.as_str()).collect();
    for expected in ["expanded", "denied", "tool_error", "throttled", "paid", "deployed"] {
        assert!(texts.contains(expected), "the script leads to no {expected}");
    }
    assert!(!texts.contains("effect_unknown"));

    assert!(writes > 100, "only {writes} writes");
    let mut moments = Vec::new();
    for write in 1..=writes {
        moments.extend([Killed::BeforeWrite(write), Killed::AfterWrite(write), Killed::Torn(write)]);
    }
    let is_all = std::env::var("TOOL_DURABLE_CRASHES").is_ok_and(|value| value == "all");
    let random = if is_all { 300 } else { 6 };
    if !is_all {
        // A sample of about 14 moments. It contains each kind, unless the step is a multiple of three.
        moments = moments.into_iter().step_by(writes * 3 / 14 + 1).collect();
    }
    let mut seed = 7_u64;
    for _ in 0..random {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        moments.push(Killed::After(Duration::from_micros(seed >> 48)));
    }
    let count = moments.len();
    // Several children run at once, because they wait for the disk most of the time.
    let next = Mutex::new(moments.into_iter());
    let unknown: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let take = || next.lock().expect("a moment was taken").next();
                    std::iter::from_fn(take).map(|killed| check(&undisturbed, killed)).sum::<usize>()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("every check holds")).sum()
    });
    println!("{count} crashes, {unknown} calls with an unknown effect, {writes} writes");
    assert!(!is_all || unknown > 0, "no call was interrupted");
}
