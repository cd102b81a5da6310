//! Texts of files with servers. The tests of the command are in `tests/install`.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::command::{Place, server_name};
use super::entry::Entry;
use super::file::SettingsFile;
use super::host::Form;

const JSON: Form = Form::Json("mcpServers");
const TOML: Form = Form::Toml("mcp_servers");

fn entry() -> Entry {
    Entry {
        command: "/bin/toolbox".to_owned(),
        args: ["proxy", "--", "a \"b\" \\ ü\n"].map(str::to_owned).to_vec(),
        env: vec![("PATH".to_owned(), "/bin".to_owned())],
        has_type: false,
    }
}

fn servers() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,6}|\\PC{0,3}".prop_map(Value::from),
    ];
    let tree = leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"\\\\]{0,3}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    (prop::collection::btree_map("[a-m]{1,3}", tree.clone(), 0..4), tree)
        .prop_map(|(servers, other)| json!({"a": other, "mcpServers": servers, "z": [1, {}]}))
}

proptest! {
    #[test]
    fn removing_is_the_inverse_of_adding(document in servers(), is_pretty: bool, windows: bool, mark: bool) {
        let mut text = if is_pretty { format!("{document:#}\n") } else { document.to_string() };
        if windows {
            text = text.replace('\n', "\r\n");
        }
        if mark {
            text.insert(0, '\u{feff}');
        }
        let added = JSON.added(&text, "new", &entry()).expect("the text is understood");
        let mut expected = document;
        expected["mcpServers"]["new"] =
            json!({"command": entry().command, "args": entry().args, "env": {"PATH": "/bin"}});
        let read: Value = serde_json::from_str(added.trim_start_matches('\u{feff}')).expect("the text is JSON");
        prop_assert_eq!(read, expected);
        prop_assert_eq!(JSON.added(&added, "new", &entry()), Ok(added.clone()), "twice is once");
        if text.contains("\r\n") {
            prop_assert_eq!(added.matches('\n').count(), added.matches("\r\n").count());
        }
        prop_assert_eq!(JSON.removed(&added, "new"), Ok(text));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\]\",:a# =.\n\\\\\u{feff}é]{0,30}") {
        for form in [JSON, TOML] {
            for text in [text.clone(), format!("{{\"mcpServers\":{text}}}"), format!("[mcp_servers.a]\n{text}")] {
                let _ = form.servers(&text);
                let _ = form.removed(&text, "a");
                if let Ok(added) = form.added(&text, "a", &entry()) {
                    prop_assert!(form.servers(&added).is_ok_and(|servers| servers.iter().any(|(name, _)| name == "a")), "{}", added);
                }
            }
        }
    }
}

#[test]
fn members_of_a_server_that_the_user_has_added_stay() {
    let text = r#"{"mcpServers": {"a": {"command": "/old/toolbox", "disabled": true, "args": ["proxy"], "env": {"KEY": "1"}}}}"#;
    let added = JSON.added(text, "a", &entry()).expect("the text is understood");
    let read: Value = serde_json::from_str(&added).expect("the text is JSON");
    let expected = json!({"command": entry().command, "disabled": true, "args": entry().args, "env": {"KEY": "1", "PATH": "/bin"}});
    assert_eq!(read["mcpServers"]["a"], expected);
}

#[test]
fn toml_keeps_comments_and_unknown_keys() {
    let text = "# top\nmodel = 'x' # why\n\n[mcp_servers.a] # about a\ncommand = \"npx\"\nfuture = 1.50\n\n[mcp_servers.a.env]\nK = \"1\"\n\n[other]\nlist = [ 1,\n  2 ] # odd\n# end\n";
    for text in
        [text.to_owned(), text.replace('\n', "\r\n"), format!("\u{feff}{text}"), String::new(), "[other]\n".to_owned()]
    {
        let added = TOML.added(&text, "new", &entry()).expect("the text is understood");
        for line in text.lines() {
            assert!(added.contains(line), "{line:?} is not in {added}");
        }
        assert_eq!(TOML.added(&added, "new", &entry()), Ok(added.clone()), "twice is once");
        assert_eq!(TOML.removed(&added, "new"), Ok(text));
    }
}

#[test]
fn other_forms_of_tables_are_changed_too() {
    for text in [
        "mcp_servers = {}\n",
        "mcp_servers = { a = { command = \"c\" } }\n",
        "mcp_servers.a.command = \"c\"\n",
        "[mcp_servers]\na = { command = \"c\" }\n[x]\n",
        "[mcp_servers.new]\ncommand = \"/x/toolbox\" # mine\nargs = [\"proxy\"]\n",
    ] {
        let added = TOML.added(text, "new", &entry()).expect("the text is understood");
        let read: toml::Table = added.parse().expect("the text is TOML");
        assert_eq!(read["mcp_servers"]["new"]["args"].as_array().map(Vec::len), Some(3), "{added}");
        assert_eq!(added.contains("# mine"), text.contains("# mine"), "{added}");
    }
}

#[test]
fn texts_that_are_not_understood_are_errors() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (form, text, reason) in [
        (JSON, "{\"a\": 1, // why\n}".to_owned(), "comments"),
        (JSON, "{\"mcpServers\": {\"a\": {},}}".to_owned(), "commas"),
        (JSON, "[]".to_owned(), "invalid type"),
        (JSON, "{\"mcpServers\": []}".to_owned(), "not an object"),
        (JSON, "{\"mcpServers\": {\"new\": 1}}".to_owned(), "not an object"),
        (JSON, "{\"mcpServers\": {}, \"mcp\\u0053ervers\": {}}".to_owned(), "more than once"),
        (JSON, "{\"mcpServers\": {\"new\": {}, \"new\": {}}}".to_owned(), "more than once"),
        (JSON, "{\"a\": 1".to_owned(), "EOF"),
        (TOML, "a = 1\na = 2\n".to_owned(), "duplicate"),
        (TOML, "mcp_servers = 1\n".to_owned(), "not a table"),
        (TOML, format!("a = {deep}\n"), "not valid TOML"),
    ] {
        let error = form.added(&text, "new", &entry()).expect_err(&text);
        assert!(error.contains(reason), "{error}");
    }
    // Depth is no obstacle in JSON, where only three levels are read.
    let added = JSON.added(&format!("{{\"a\": {deep}}}"), "new", &entry());
    assert!(added.is_ok_and(|added| added.contains(&deep)));
}

/// anthropics/claude-code#65463: many processes wrote one file, and a server disappeared without an error.
#[test]
fn changes_of_several_processes_are_not_lost() {
    let folder = std::env::temp_dir().join(format!("toolbox-writers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("mcp.json");
    std::fs::write(&path, "").expect("a file");
    let add = &|line: String| {
        // A writer that comes too late gets an error, and tries again.
        while !SettingsFile::read(&path).is_ok_and(|file| file.write(&format!("{}{line}\n", file.text())).is_ok()) {}
    };
    std::thread::scope(|scope| {
        for writer in 0..8 {
            scope.spawn(move || (0..20).for_each(|number| add(format!("{writer} {number}"))));
        }
    });
    let text = std::fs::read_to_string(&path).expect("the file is read");
    assert_eq!(text.lines().collect::<std::collections::BTreeSet<_>>().len(), 8 * 20, "{text}");
    let others = std::fs::read_dir(&folder).expect("a folder").filter_map(Result::ok);
    let mut others = others.filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp"));
    assert!(others.next().is_none(), "no temporary file stays");
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn programs_of_windows_are_found_with_their_extension() {
    let folder = std::env::temp_dir().join(format!("toolbox-windows-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["npx", "npx.cmd", "npx.ps1", "tool.exe"] {
        std::fs::write(folder.join(name), "").expect("a file");
    }
    let place = Place {
        folder: folder.clone(),
        path: Some(folder.to_string_lossy().into_owned()),
        extensions: [".exe", ".cmd"].map(str::to_owned).to_vec(),
    };
    let mut notes = Vec::new();
    let resolve = |word: &str, notes: &mut Vec<String>| super::resolve(&[word.to_owned()], &place, notes);
    let found = resolve("npx", &mut notes).expect("npx is found");
    assert_eq!(found, (vec![folder.join("npx.cmd").to_string_lossy().into_owned()], true));
    assert!(resolve("tool", &mut notes).is_ok_and(|(words, _)| words[0].ends_with("tool.exe")));
    assert!(resolve("absent", &mut notes).is_err());
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn a_server_is_named_after_its_package() {
    for (command, name) in [
        ("npx -y @modelcontextprotocol/server-filesystem@1.0 /srv", "server-filesystem"),
        ("uvx mcp-server-time==2.0 --local-timezone=UTC", "mcp-server-time"),
        ("uvx --from x[cli]>=1 x", "x"),
        ("python3.12 -m weather", "weather"),
        ("/opt/node /srv/weather/dist/index.js", "weather"),
        ("node ./index.js", "server"),
        ("C:\\Programs\\my.server.exe --x", "my"),
        ("docker run -i mcp/time", "docker"),
        ("npx", "npx"),
        ("wetter-größe", "wetter-gr--e"),
    ] {
        let words: Vec<_> = command.split(' ').map(str::to_owned).collect();
        assert_eq!(server_name(&words), name, "{command}");
    }
}
