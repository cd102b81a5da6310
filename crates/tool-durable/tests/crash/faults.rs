//! Files that cannot grow, as on a full disk, read-only folders, and several processes on one conversation.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tool_durable::FileStore;
use tool_durable::store::Store;

use super::{Folder, Killed, result, run, start, started, undisturbed};
use crate::script::compare::compare;

/// The system writes a part of a record and then rejects the rest. The first child ends with an error that names the file. The second one
/// has space again, and loses and repeats nothing.
#[test]
fn a_conversation_continues_after_the_disk_was_full() {
    let (undisturbed, _) = undisturbed("enough");
    let (mut failed, mut unknown) = (0, 0);
    for blocks in [16, 17, 23, 40, 61, 80, 99, 130, 180] {
        let folder = Folder::new(&format!("full-{blocks}"));
        let mut shell = Command::new("sh");
        // A process that ignores this signal gets an error instead.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script]).arg(std::env::current_exe().expect("the test is a file"));
        let child = started(&mut shell, &folder.0, "never").stderr(Stdio::piped()).spawn().expect("there is a shell");
        let output = child.wait_with_output().expect("the child was started");
        if !output.status.success() {
            failed += 1;
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(error.contains("c-conversation.log") && error.contains("File too large"), "{blocks}: {error}");
            assert!(run(&folder.0, Killed::Never), "{blocks}: the second child has failed");
        }
        unknown += compare(&undisturbed, &result(&folder.0), 1, &format!("{blocks} blocks"));
    }
    assert!(failed >= 5, "only {failed} children had no space");
    println!("{failed} full disks, {unknown} calls with an unknown effect");
}

/// Returns a command that runs a script of the shell, which can mount folders that only the script sees.
#[cfg(target_os = "linux")]
fn isolated() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c"]);
    command
}

#[cfg(target_os = "linux")]
fn can_mount() -> bool {
    let can_mount = isolated().arg("true").status().is_ok_and(|status| status.success());
    if !can_mount {
        println!("not checked: this system does not let the test mount a folder");
    }
    can_mount
}

/// The part of the next test that runs in another process, with a folder of 64 KiB.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a child process of another test"]
fn child_with_a_small_disk() {
    let Ok(folder) = std::env::var("TOOL_DURABLE_FOLDER") else { return };
    let folder = Path::new(&folder);
    fs::write(folder.join("other"), vec![0; 32 << 10]).expect("there is space");
    let store = FileStore::new(folder).expect("the folder exists");
    let mut opened = pollster::block_on(store.open("a")).expect("it is new");
    let (record, mut kept) = ([vec![b'x'; 1_000]], 0);
    let error = loop {
        match pollster::block_on(opened.log.append(&record)) {
            Ok(()) => kept += 1,
            Err(error) => break error.to_string(),
        }
        assert!(kept < 64, "the disk never gets full");
    };
    assert!(error.contains("c-a.log: No space left on device"), "{error}");
    drop(opened);
    let mut opened = pollster::block_on(store.open("a")).expect("the log can be read");
    assert_eq!(opened.records.len(), kept);
    pollster::block_on(opened.log.append(&record)).expect_err("the disk is still full");
    fs::remove_file(folder.join("other")).expect("the file exists");
    pollster::block_on(opened.log.append(&record)).expect("there is space again");
    drop(opened);
    let found = pollster::block_on(store.open("a")).expect("the log can be read").records;
    assert_eq!(found, vec![record[0].clone(); kept + 1]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_keeps_its_records_while_the_disk_is_full() {
    if !can_mount() {
        return;
    }
    let folder = Folder::new("small");
    let mut shell = isolated();
    shell.arg("mount -t tmpfs -o size=64k small \"$TOOL_DURABLE_FOLDER\" && exec \"$0\" \"$@\"");
    shell.arg(std::env::current_exe().expect("the test is a file"));
    shell.args(["crash::faults::child_with_a_small_disk", "--exact", "--ignored", "--nocapture"]);
    let output = shell.env("TOOL_DURABLE_FOLDER", &folder.0).output().expect("there is a shell");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the child has not run");
}

/// On a read-only file system, the child ends with an error that names a file. It runs no tool and changes no file. The next child can write
/// again, and loses and repeats nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_conversation_continues_after_the_folder_was_read_only() {
    if !can_mount() {
        return;
    }
    let (undisturbed, writes) = undisturbed("writable");
    let mut unknown = 0;
    for write in [1, 2, 9, writes / 2] {
        let folder = Folder::new(&format!("read-only-{write}"));
        assert!(!run(&folder.0, Killed::BeforeWrite(write)), "the child was killed");
        let before = contents(&folder.0);
        let script = "mount --bind \"$TOOL_DURABLE_FOLDER/store\" \"$TOOL_DURABLE_FOLDER/store\" && \
            mount -o remount,ro,bind \"$TOOL_DURABLE_FOLDER/store\" && exec \"$0\" \"$@\"";
        let mut shell = isolated();
        shell.arg(script).arg(std::env::current_exe().expect("the test is a file"));
        let child = started(&mut shell, &folder.0, "never").stderr(Stdio::piped()).spawn().expect("there is a shell");
        let output = child.wait_with_output().expect("the child was started");
        let error = String::from_utf8_lossy(&output.stderr);
        let names_the_file = error.contains("c-conversation.") && error.contains("Read-only file system");
        assert!(!output.status.success() && names_the_file, "{write}: {error}");
        assert_eq!(contents(&folder.0), before, "{write}: nothing has changed");
        assert!(run(&folder.0, Killed::Never), "{write}: the last child has failed");
        unknown += compare(&undisturbed, &result(&folder.0), 1, &format!("read-only from write {write}"));
    }
    println!("4 read-only folders, {unknown} calls with an unknown effect");
}

/// Returns the log of the conversation, and the runs of its tools.
#[cfg(target_os = "linux")]
fn contents(folder: &Path) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    (fs::read(folder.join("store/c-conversation.log")).ok(), fs::read(folder.join("ran")).ok())
}

/// Three processes want to continue one conversation, and the first of them is killed. One after the other gets it.
#[test]
fn processes_on_one_conversation_take_turns() {
    let (undisturbed, _) = undisturbed("alone");
    for round in 0..4_u32 {
        let folder = Folder::new(&format!("turns-{round}"));
        let mut children: Vec<_> = (0..3).map(|_| start(&folder.0, Killed::Never)).collect();
        std::thread::sleep(Duration::from_millis(40) * round);
        // The child may have ended already.
        let _ = children[0].kill();
        for (number, child) in children.iter_mut().enumerate() {
            let status = child.wait().expect("the child was started");
            assert!(number == 0 || status.success(), "{round}: child {number} has failed");
        }
        compare(&undisturbed, &result(&folder.0), 1, &format!("round {round}"));
    }
}
