//! Tests that the tools of the `files` example never leave their directory, and reveal nothing about other files.

use std::fs;
use std::path::{Path, PathBuf};

use examples::files::Files;
use serde_json::{Value, json};
use tool_runtime::{Session, Toolbox};

/// Returns a directory for one test, with a file outside of the root.
fn directory(test: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("files").join(test);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("inside/notes")).expect("the target directory can be written");
    fs::write(place.join("secret.txt"), "the secret").expect("the target directory can be written");
    fs::write(place.join("inside/notes/todo.txt"), "one\ntwo\n").expect("the target directory can be written");
    place
}

fn session(place: &Path) -> Session {
    let files = Files::open(place.join("inside")).expect("the directory is there");
    let session = Toolbox::builder().container(files).no_throttle().build().expect("the toolbox is valid").session();
    assert!(pollster::block_on(session.call("call_0", "Files", "")).is_ok());
    session
}

/// Returns the answers of all three tools to a path.
fn answers(session: &Session, path: &str) -> Vec<String> {
    let call = |(name, arguments): (&str, Value)| {
        pollster::block_on(session.call("call_1", name, &arguments)).to_text().into_owned()
    };
    let calls = [
        ("read", json!({"path": path})),
        ("list", json!({"path": path})),
        ("grep", json!({"path": path, "text": "e"})),
    ];
    calls.into_iter().map(call).collect()
}

/// Asserts that every tool reports that a path leads outside, and reveals nothing else.
fn leads_out(session: &Session, path: &str) {
    for text in answers(session, path) {
        assert!(text.contains("leads out of the directory"), "{path}: {text}");
        assert!(!text.contains("the secret"), "{path}: {text}");
    }
}

#[test]
fn a_path_below_the_directory_can_be_written_in_any_way() {
    let session = session(&directory("below"));
    for path in ["notes/todo.txt", "./notes//todo.txt", "notes/../notes/todo.txt"] {
        assert_eq!(answers(&session, path)[0], "one\ntwo", "{path}");
    }
    assert_eq!(answers(&session, "notes/..")[1], r#"["notes/"]"#);
}

#[test]
fn parent_and_absolute_paths_do_not_lead_outside() {
    let place = directory("dots");
    let session = session(&place);
    let absolute = place.join("secret.txt").display().to_string();
    let detour = place.join("inside/../secret.txt").display().to_string();
    for path in ["..", "../secret.txt", "notes/../../secret.txt", "./../inside/../secret.txt", "/", &absolute, &detour]
    {
        leads_out(&session, path);
    }
}

#[test]
fn missing_and_existing_files_outside_get_the_same_answer() {
    let session = session(&directory("elsewhere"));
    for path in ["../secret.txt", "../nothing.txt", "../../../nothing", "/nothing"] {
        leads_out(&session, path);
    }
}

#[test]
fn other_separators_and_nul_are_names_that_do_not_exist() {
    let session = session(&directory("names"));
    for path in [
        "..\\secret.txt",
        "notes\\..\\..\\secret.txt",
        "\\\\server\\share",
        "secret.txt\0",
        "notes/\0/../todo.txt",
        "%2e%2e/secret.txt",
    ] {
        for text in answers(&session, path) {
            assert!(text.contains(r#""error_type":"tool_error""#), "{path:?}: {text}");
            assert!(!text.contains("the secret"), "{path:?}: {text}");
        }
    }
}

#[test]
fn a_path_of_any_length_gets_a_short_answer() {
    let session = session(&directory("long"));
    for path in ["x".repeat(1 << 20), "../".repeat(1 << 18), "notes/../".repeat(1 << 10)] {
        for text in answers(&session, &path) {
            assert!(text.len() <= 4096, "{} bytes", text.len());
        }
    }
}

#[test]
fn a_directory_cannot_be_read_as_text() {
    let session = session(&directory("folder"));
    let found = answers(&session, "notes");
    assert!(found[0].contains("notes is a directory; call list to see what is in it"), "{}", found[0]);
    assert_eq!(found[1], r#"["todo.txt"]"#);
}

#[cfg(unix)]
#[test]
fn links_do_not_lead_outside() {
    use std::os::unix::fs::symlink;

    let place = directory("links");
    let inside = place.join("inside");
    let link = |to: &str, name: &str| symlink(to, inside.join(name)).expect("a link can be made");
    link("../secret.txt", "file");
    link("..", "folder");
    link("/", "root");
    link("../nothing.txt", "dangling");
    link("loop", "loop");
    link("notes/todo.txt", "allowed");
    let session = session(&place);
    for path in [
        "file",
        "folder",
        "folder/secret.txt",
        "folder/nothing",
        "root/etc/passwd",
        "dangling",
        "loop",
        "notes/../folder/inside",
    ] {
        leads_out(&session, path);
    }
    assert_eq!(answers(&session, "allowed")[0], "one\ntwo");
    // The list reveals nothing about the target of a link that leads outside, not even whether the target is a directory.
    assert_eq!(answers(&session, ".")[1], r#"["allowed","dangling","file","folder","loop","notes/","root"]"#);
}

#[cfg(unix)]
#[test]
fn special_files_are_not_opened() {
    let place = directory("socket");
    // A socket is used instead of a pipe, because the standard library can create sockets.
    let _listening = std::os::unix::net::UnixListener::bind(place.join("inside/s")).expect("a socket can be made");
    assert!(answers(&session(&place), "s")[0].contains("s is no file"));
}
