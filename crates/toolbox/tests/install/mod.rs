//! Tests of `toolbox install` and `toolbox uninstall` as a process, in a temporary home. Each kind of failure was reported by users of similar commands:
//! python-sdk#478, defang#1391, agentmap#19, hermes-agent#54343, moshi-skill#17, codex#45432, session-knowledge#17, maxmsp-mcp#3.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

type Checked = Result<(), Box<dyn Error>>;

/// A home directory that is deleted after the test, with a program `npx` in `bin`.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("home-{name}"));
        let _ = fs::remove_dir_all(&home);
        for folder in ["bin", "work", ".cursor", ".gemini", ".codex", ".config/Claude", ".config/Code/User"] {
            fs::create_dir_all(home.join(folder))?;
        }
        fs::write(home.join("bin/npx"), "#!/bin/sh\n")?;
        fs::set_permissions(home.join("bin/npx"), PermissionsExt::from_mode(0o755))?;
        fs::write(home.join("work/server.js"), "")?;
        Ok(Self(home))
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
        command.args(arguments).current_dir(self.0.join("work")).env_clear();
        Ok(command.env("HOME", &self.0).env("PATH", self.0.join("bin")).output()?)
    }

    /// Installs a server and returns the output.
    fn install(&self, host: &str, options: &[&str]) -> Result<String, Box<dyn Error>> {
        let output =
            self.run(&[&["install", host], options, &["--", "npx", "-y", "@scope/server-files", "."]].concat())?;
        assert!(output.status.success(), "{output:?}");
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Installs a server, which has to fail, and returns the error. No file changes.
    fn fails(&self, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let before = self.files()?;
        let output = self.run(arguments)?;
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(self.files()?, before);
        Ok(String::from_utf8(output.stderr)?)
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    fn json(&self, file: &str) -> Result<Value, Box<dyn Error>> {
        Ok(serde_json::from_str(&fs::read_to_string(self.path(file))?)?)
    }

    /// Returns all files with their contents.
    fn files(&self) -> Result<BTreeMap<PathBuf, Vec<u8>>, Box<dyn Error>> {
        let (mut files, mut open) = (BTreeMap::new(), vec![self.0.clone()]);
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder)? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    open.push(entry.path());
                } else if entry.metadata()?.is_file() {
                    files.insert(entry.path(), fs::read(entry.path())?);
                }
            }
        }
        Ok(files)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The hosts with the file and the member of their servers.
const HOSTS: [(&str, &str, &str); 5] = [
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", "mcpServers"),
    ("claude-code", ".claude.json", "mcpServers"),
    ("cursor", ".cursor/mcp.json", "mcpServers"),
    ("vscode", ".config/Code/User/mcp.json", "servers"),
    ("gemini", ".gemini/settings.json", "mcpServers"),
];

#[test]
fn the_entry_has_absolute_paths() -> Checked {
    let home = Home::new("hosts")?;
    let (npx, work, bin) = (home.path("bin/npx"), home.path("work"), home.path("bin"));
    for (host, file, key) in HOSTS {
        home.install(host, &[])?;
        let entry = &home.json(file)?[key]["server-files"];
        assert_eq!(entry["command"], env!("CARGO_BIN_EXE_toolbox"));
        assert_eq!(entry["args"], json!(["proxy", "--", npx, "-y", "@scope/server-files", work]));
        assert_eq!(entry["env"], json!({"PATH": bin}));
        let mode = fs::metadata(home.path(file))?.permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "a new file can contain keys");
        let output = home.run(&["uninstall", host])?;
        assert!(output.status.success(), "{output:?}");
        assert_eq!(home.json(file)?, json!({key: {}}));
    }
    home.install("codex", &["--name", "files", "--env", "KEY=a=b"])?;
    let read: toml_edit::DocumentMut = fs::read_to_string(home.path(".codex/config.toml"))?.parse()?;
    let entry = &read["mcp_servers"]["files"];
    assert_eq!(entry["args"][2].as_str(), npx.to_str());
    assert_eq!(entry["env"]["KEY"].as_str(), Some("a=b"));
    Ok(())
}

#[test]
fn the_installed_command_runs() -> Checked {
    let home = Home::new("runs")?;
    fs::write(home.path("bin/npx"), "#!/bin/sh\necho \"$2 in $PATH\" >&2\nexit 7\n")?;
    home.install("cursor", &["--env", "A=1"])?;
    let entry = &home.json(".cursor/mcp.json")?["mcpServers"]["server-files"];
    let words: Vec<&str> = entry["args"].as_array().ok_or("no list")?.iter().filter_map(Value::as_str).collect();
    let mut command = Command::new(entry["command"].as_str().ok_or("no command")?);
    // A host for the desktop starts it in another folder and without the PATH of the shell.
    command.args(words).current_dir("/").env_clear().env("PATH", entry["env"]["PATH"].as_str().ok_or("no PATH")?);
    let output = command.stdin(std::process::Stdio::null()).output()?;
    let expected = format!("@scope/server-files in {}", home.path("bin").display());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&expected), "{output:?}");
    Ok(())
}

#[cfg(feature = "remote")]
#[test]
fn a_server_behind_a_url_is_an_entry_too() -> Checked {
    let home = Home::new("url")?;
    for (url, name) in [
        ("https://mcp.example.com/v1/mcp", "example"),
        ("https://weather.example.com:8443", "weather"),
        ("http://127.0.0.1:8000/mcp", "127-0-0-1-8000"),
        ("http://[::1]/mcp", "1"),
        ("https://mcp/", "server"),
    ] {
        let output = home.run(&["install", "cursor", "--url", url, "--token-env", "TOKEN"])?;
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout)?;
        assert!(printed.contains("Note: Cursor has to start the proxy with the variable TOKEN"), "{printed}");
        let entry = &home.json(".cursor/mcp.json")?["mcpServers"][name];
        assert_eq!(entry["args"], json!(["proxy", "--url", url, "--token-env", "TOKEN"]));
        assert!(home.run(&["uninstall", "cursor", name])?.status.success());
    }
    let output =
        home.run(&["install", "cursor", "--url", "https://a.example", "--token-env", "TOKEN", "--env", "TOKEN=s"])?;
    assert!(!String::from_utf8(output.stdout)?.contains("Note:"));
    assert_eq!(home.json(".cursor/mcp.json")?["mcpServers"]["a"]["env"], json!({"TOKEN": "s"}));
    let error = home.fails(&["install", "cursor", "--url", "https://user:s3cret@a.example"])?;
    assert!(error.contains("a user name or a password") && !error.contains("s3cret"), "{error}");
    home.fails(&["install", "cursor", "--url", "https://a.example", "--", "npx"])?;
    home.fails(&["install", "cursor"])?;
    Ok(())
}

#[test]
fn other_members_keep_their_bytes_and_the_file_its_permissions() -> Checked {
    let home = Home::new("bytes")?;
    let file = home.path(".claude.json");
    let before = "{\r\n\t\"z\": 1.50,\r\n\t\"mcpServers\": {\r\n\t\t\"other\": {\"command\": \"x\"}\r\n\t},\r\n\t\"a\": \"\\u00e9\"\r\n}";
    fs::write(&file, before)?;
    fs::set_permissions(&file, PermissionsExt::from_mode(0o640))?;
    let printed = home.install("claude-code", &[])?;
    let after = fs::read_to_string(&file)?;
    let (start, end) = (before.find("\r\n\t},").ok_or("no end")?, "\r\n\t},\r\n\t\"a\": \"\\u00e9\"\r\n}");
    assert!(after.starts_with(&before[..start]) && after.ends_with(end), "{after}");
    assert!(!after.replace("\r\n", "").contains('\n'), "{after}");
    let backup = home.path(".claude.json.backup");
    assert!(printed.contains(&backup.display().to_string()), "{printed}");
    assert_eq!(fs::read_to_string(&backup)?, before);
    for file in [&file, &backup] {
        assert_eq!(fs::metadata(file)?.permissions().mode() & 0o777, 0o640);
    }
    assert!(home.install("claude-code", &[])?.contains("already"));
    assert!(home.run(&["uninstall", "claude-code", "server-files"])?.status.success());
    assert_eq!(fs::read_to_string(&file)?, before);
    let leftovers =
        fs::read_dir(&home.0)?.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().ends_with(".tmp")));
    assert_eq!(leftovers.count(), 0);
    Ok(())
}

#[test]
fn a_file_that_is_not_understood_stays() -> Checked {
    let home = Home::new("broken")?;
    let file = home.path(".gemini/settings.json");
    let deep = "[".repeat(200_000);
    for (text, reason) in [
        ("{\"a\": 1, // why\n\"mcpServers\": {}}", "comments"),
        ("{\"mcpServers\": {\"a\": {}},}", "commas"),
        ("not JSON", "not plain JSON"),
        ("[1]", "invalid type"),
        ("{\"mcpServers\": null}", "not an object"),
        ("{\"mcpServers\": {}, \"mcpServers\": {}}", "more than once"),
        ("{\"mcpServers\": {\"server-files\": {\"url\": \"http://x\"}}}", "another server"),
        (deep.as_str(), "EOF"),
    ] {
        fs::write(&file, text)?;
        let error = home.fails(&["install", "gemini", "--", "npx", "@scope/server-files"])?;
        assert!(error.contains(reason) && error.contains("settings.json"), "{error}");
    }
    fs::write(&file, b"{\"a\": \"\xff\"}")?;
    assert!(home.fails(&["install", "gemini", "--", "npx", "x"])?.contains("UTF-8"));
    fs::write(home.path(".codex/config.toml"), "a = [1,\n")?;
    assert!(home.fails(&["install", "codex", "--", "npx", "x"])?.contains("not valid TOML"));
    // The entry is printed, so that the user can add it.
    let output = home.run(&["install", "codex", "--", "npx", "x"])?;
    assert!(String::from_utf8(output.stdout)?.contains("[mcp_servers.x]"));
    Ok(())
}

#[test]
fn a_server_of_somebody_else_is_replaced_only_on_request() -> Checked {
    let home = Home::new("replace")?;
    let file = home.path(".cursor/mcp.json");
    fs::write(
        &file,
        r#"{"mcpServers": {"a": {"url": "http://x"}, "b": {"command": "/x/toolbox", "args": ["lint"]}}}"#,
    )?;
    for name in ["a", "b"] {
        assert!(home.fails(&["install", "cursor", "--name", name, "--", "npx", "x"])?.contains("--replace"));
        assert!(home.fails(&["uninstall", "cursor", name])?.contains("is not a server that"));
    }
    assert!(home.fails(&["uninstall", "cursor"])?.contains("no server that"));
    home.install("cursor", &["--name", "a", "--replace"])?;
    let entry = &home.json(".cursor/mcp.json")?["mcpServers"]["a"];
    assert!(entry["url"].is_null() && entry["args"][0] == "proxy", "{entry}");
    home.install("cursor", &[])?;
    assert!(home.fails(&["uninstall", "cursor"])?.contains("several"));
    Ok(())
}

#[test]
fn a_link_stays_a_link() -> Checked {
    let home = Home::new("link")?;
    fs::create_dir(home.path("dotfiles"))?;
    fs::write(home.path("dotfiles/mcp.json"), "{}")?;
    symlink("../dotfiles/mcp.json", home.path(".cursor/mcp.json"))?;
    home.install("cursor", &[])?;
    assert!(fs::symlink_metadata(home.path(".cursor/mcp.json"))?.is_symlink());
    assert!(home.json("dotfiles/mcp.json")?["mcpServers"]["server-files"].is_object());
    symlink("absent", home.path(".gemini/settings.json"))?;
    assert!(home.fails(&["install", "gemini", "--", "npx", "x"])?.contains("link"));
    symlink(".claude.json", home.path(".claude.json"))?;
    assert!(home.fails(&["install", "claude-code", "--", "npx", "x"])?.contains("link"));
    Ok(())
}

#[test]
fn only_a_small_writable_file_is_changed() -> Checked {
    let home = Home::new("kinds")?;
    let file = home.path(".cursor/mcp.json");
    fs::write(&file, "{}")?;
    fs::set_permissions(&file, PermissionsExt::from_mode(0o444))?;
    assert!(home.fails(&["install", "cursor", "--", "npx", "x"])?.contains("read-only"));
    fs::create_dir(home.path(".gemini/settings.json"))?;
    assert!(home.fails(&["install", "gemini", "--", "npx", "x"])?.contains("not a file"));
    let pipe = home.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status()?.success());
    let pipe = pipe.to_string_lossy();
    assert!(home.fails(&["install", "cursor", "--file", &pipe, "--", "npx", "x"])?.contains("not a file"));
    let large = home.path("large.json");
    fs::File::create(&large)?.set_len((64 << 20) + 1)?;
    let output = home.run(&["install", "cursor", "--file", &large.to_string_lossy(), "--", "npx", "x"])?;
    assert!(String::from_utf8(output.stderr)?.contains("more than 64 MiB"));
    fs::write(&large, format!("{{\"history\": {:?}}}", "x".repeat(20 << 20)))?;
    home.install("claude-code", &["--file", &large.to_string_lossy()])?;
    Ok(())
}

#[test]
fn a_dry_run_and_wrong_commands_change_nothing() -> Checked {
    let home = Home::new("dry")?;
    let before = home.files()?;
    let printed = home.install("vscode", &["--dry-run"])?;
    assert!(printed.contains("would be added") && printed.contains("\"servers\""), "{printed}");
    assert_eq!(home.files()?, before);
    for (arguments, reason) in [
        (&["install", "cursor", "--", "absent", "x"][..], "not a program in PATH"),
        (&["install", "cursor", "--", "./server.js"], "is not a program"),
        (&["install", "cursor", "--name", "a b", "--", "npx"], "not a name"),
        (&["install", "cursor", "--env", "ABSENT", "--", "npx"], "no variable ABSENT"),
        (&["install", "cursor", "--config", "absent.toml", "--", "npx"], "does not exist"),
        (&["install", "cursor", "--file", "absent/mcp.json", "--", "npx"], "neither the file"),
        (&["install", "cursor"], "COMMAND"),
        (&["install", "emacs", "--", "npx"], "claude-desktop"),
    ] {
        let error = home.fails(arguments)?;
        assert!(error.contains(reason), "{error}");
    }
    Ok(())
}

#[test]
fn paths_in_arguments_become_absolute() -> Checked {
    let home = Home::new("paths")?;
    fs::create_dir(home.path("work/server"))?;
    let output =
        home.run(&["install", "cursor", "--", "../bin/npx", "server.js", "server", "--root=..", "-m", "x/y"])?;
    let printed = String::from_utf8(output.stdout)?;
    assert!(output.status.success() && printed.contains("write ./server"), "{printed}");
    let servers = &home.json(".cursor/mcp.json")?["mcpServers"];
    let words = servers["server"]["args"].as_array().ok_or("no list")?;
    let work = home.path("work").display().to_string();
    let root = format!("--root={work}/..");
    let script = format!("{work}/server.js");
    let program = format!("{work}/../bin/npx");
    let expected = ["proxy", "--", &program, &script, "server", &root, "-m", "x/y"];
    assert_eq!(words.iter().filter_map(Value::as_str).collect::<Vec<_>>(), expected);
    assert!(servers["server"]["env"].is_null(), "the program was not looked up in PATH");
    Ok(())
}
