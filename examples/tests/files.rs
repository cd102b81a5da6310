//! The directory of the `files` example is not left, whatever a path looks like, and nobody learns what exists elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use examples::files::Files;
use serde_json::{Value, json};
use tool_runtime::{Session, Toolbox};

/// A directory with a file beside it, for one test.
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
    let session = Toolbox::builder().container(files).no_throttle().build().expect("the toolbox is sound").session();
    assert!(pollster::block_on(session.call("call_0", "Files", "")).is_ok());
    session
}

/// What the model is told when all three tools are given a path.
fn told(session: &Session, path: &str) -> Vec<String> {
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

/// Whether every tool says that a path leads out, and says nothing of what is there.
fn leads_out(session: &Session, path: &str) {
    for text in told(session, path) {
        assert!(text.contains("leads out of the directory"), "{path}: {text}");
        assert!(!text.contains("the secret"), "{path}: {text}");
    }
}

#[test]
fn a_path_below_the_directory_is_read_however_it_is_written() {
    let session = session(&directory("below"));
    for path in ["notes/todo.txt", "./notes//todo.txt", "notes/../notes/todo.txt"] {
        assert_eq!(told(&session, path)[0], "one\ntwo", "{path}");
    }
    assert_eq!(told(&session, "notes/..")[1], r#"["notes/"]"#);
}

#[test]
fn neither_two_dots_nor_an_absolute_path_leads_out() {
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
fn what_does_not_exist_elsewhere_is_answered_like_what_does() {
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
        for text in told(&session, path) {
            assert!(text.contains(r#""error_type":"tool_error""#), "{path:?}: {text}");
            assert!(!text.contains("the secret"), "{path:?}: {text}");
        }
    }
}

#[test]
fn a_path_of_any_length_is_answered_in_few_words() {
    let session = session(&directory("long"));
    for path in ["x".repeat(1 << 20), "../".repeat(1 << 18), "notes/../".repeat(1 << 10)] {
        for text in told(&session, &path) {
            assert!(text.len() <= 4096, "{} bytes", text.len());
        }
    }
}

#[test]
fn a_directory_is_no_text() {
    let session = session(&directory("folder"));
    let told = told(&session, "notes");
    assert!(told[0].contains("notes is a directory; call list to see what is in it"), "{}", told[0]);
    assert_eq!(told[1], r#"["todo.txt"]"#);
}

#[cfg(unix)]
#[test]
fn a_link_leads_nowhere_but_below_the_directory() {
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
    assert_eq!(told(&session, "allowed")[0], "one\ntwo");
    // Nothing is told of where a link leads that leads out, not even whether a directory is there.
    assert_eq!(told(&session, ".")[1], r#"["allowed","dangling","file","folder","loop","notes/","root"]"#);
}

#[cfg(unix)]
#[test]
fn what_is_neither_file_nor_directory_is_not_opened() {
    let place = directory("socket");
    // A socket stands for a pipe: it is no file either, and the standard library can make one.
    let _listening = std::os::unix::net::UnixListener::bind(place.join("inside/s")).expect("a socket can be made");
    assert!(told(&session(&place), "s")[0].contains("s is no file"));
}
