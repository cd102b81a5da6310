//! Configuration files, with their values or the messages about their mistakes.

use super::*;
use crate::remote::Secret;

fn messages(text: &str) -> Vec<String> {
    let mut mistakes = Config::read(text).expect_err("mistakes");
    mistakes.sort();
    mistakes.iter().map(|mistake| mistake.message("proxy.toml")).collect()
}

#[test]
fn every_mistake_is_reported_with_its_line() {
    let text = r#"
comand = ["a"]
repair = "loss less"
throttle = 3
result_bytes = 10
deny = ["a", 1]
time_limit = "10"
read_only = "yes"
redact = "token"
[tools]
x = 1
[tools.search]
throttle = "poling"
same_error = true
rate = { calls = 0, windw = "1s" }
[servers."a b"]
command = []
prefx = "a_"
[servers.b]
command = ["b"]
prefix = "b."
env = { TOKEN = 1234 }
"#;
    assert_eq!(
        messages(text),
        [
            "proxy.toml:2: comand: unknown key; did you mean \"command\"?",
            "proxy.toml:3: repair: expected \"strict\", \"lossless\", \"words\" or \"assisted\", found \"loss less\"; did you mean \"lossless\"?",
            "proxy.toml:4: throttle: expected \"default\", \"strict\" or \"off\", found 3",
            "proxy.toml:5: result_bytes: expected a whole number of at least 256, found 10",
            "proxy.toml:6: deny: expected a text that is not empty, found 1",
            "proxy.toml:7: time_limit: expected a time such as \"500ms\", \"10s\" or \"2m\", found \"10\"",
            "proxy.toml:8: read_only: expected true or false, found \"yes\"",
            "proxy.toml:9: redact: expected a list of texts, found \"token\"",
            "proxy.toml:11: tools.x: expected a table, found 1",
            "proxy.toml:13: tools.search.throttle: expected \"polling\" or \"unlimited\", found \"poling\"; did you mean \"polling\"?",
            "proxy.toml:14: tools.search.same_error: expected a whole number of at least 1, or false, found true",
            "proxy.toml:15: tools.search.rate.calls: expected a whole number of at least 1, found 0",
            "proxy.toml:15: tools.search.rate.windw: unknown key; did you mean \"window\"?",
            "proxy.toml:16: servers.a b: the `command` that starts the server is missing, or its `url`",
            "proxy.toml:16: servers.a b: the name of a server consists of letters, digits, `_` and `-`",
            "proxy.toml:18: servers.a b.prefx: unknown key; did you mean \"prefix\"?",
            "proxy.toml:21: servers.b.prefix: expected letters, digits, `_` and `-`, or an empty text, found \"b.\"",
            "proxy.toml:22: servers.b.env.TOKEN: expected a text in quotes",
        ]
    );
}

#[test]
fn the_file_of_the_guide_has_every_key() -> Result<(), Box<dyn std::error::Error>> {
    let guide = include_str!("../../docs/proxy-settings.md");
    let (_, rest) = guide.split_once("```toml\n").ok_or("no file")?;
    let (file, rest) = rest.split_once("```").ok_or("no end")?;
    let config = Config::read(file).map_err(|mistakes| format!("{mistakes:?}"))?;
    // `servers` stands instead of `command`, so it has a file of its own.
    let (_, rest) = rest.split_once("```toml\n").ok_or("no file with servers")?;
    let (servers, _) = rest.split_once("```").ok_or("no end")?;
    assert_eq!(Config::read(servers).map_err(|mistakes| format!("{mistakes:?}"))?.servers.len(), 4);
    assert_eq!((config.tools.len(), config.result_bytes), (1, Some(20_000)));
    // The message about an unknown key lists the known ones.
    let message = messages("zzzzzzzzzzzz = 1").concat();
    let (_, known) = message.split_once("known keys are ").ok_or("no list")?;
    for key in known.split(", ") {
        let forms = [format!("\n{key} = "), format!("[{key}]"), format!("[{key}.")];
        let has = |text: &str| forms.iter().any(|form| text.contains(form));
        assert!(file.starts_with(key) || has(file) || has(servers), "{key}");
    }
    Ok(())
}

#[test]
fn one_command_and_several_servers_exclude_each_other() {
    let text = "command = [\"a\"]\n[servers.b]\ncommand = [\"b\"]\n";
    assert_eq!(messages(text), ["proxy.toml:2: servers: give either `command` or `servers`"]);
}

#[test]
fn a_server_has_a_command_a_prefix_an_environment_and_a_folder() {
    let text = "[servers.b]\ncommand = [\"b\", \"-x\"]\nprefix = \"\"\ncwd = \"data\"\nenv = { KEY = \"1\" }\n";
    let config = Config::read(text).expect("no mistakes");
    let reached = Reached::Command {
        command: vec!["b".to_owned(), "-x".to_owned()],
        environment: vec![("KEY".to_owned(), "1".to_owned())],
        folder: Some(PathBuf::from("data")),
    };
    let server = Server { prefix: Some(String::new()), reached };
    assert_eq!(config.servers, [("b".to_owned(), server)]);
}

#[test]
fn text_that_is_not_toml_is_reported_with_its_line() {
    for (text, line) in
        [("a = \n", 1), ("\n[tools\n", 2), ("repair = \"a\"\nrepair = \"b\"\n", 2), ("\u{feff}x = 1 2", 1)]
    {
        let messages = messages(text);
        assert!(messages[0].starts_with(&format!("proxy.toml:{line}: ")), "{messages:?}");
    }
}

#[test]
fn durations_have_units() {
    for (text, expected) in [
        ("500ms", Some(500)),
        ("10s", Some(10_000)),
        ("2m", Some(120_000)),
        ("1h", Some(3_600_000)),
        ("0s", None),
        ("s", None),
        ("-1s", None),
        ("1.5s", None),
        ("99999999999999999h", None),
        ("1000h", None),
    ] {
        let config = Config::read(&format!("time_limit = \"{text}\"")).ok();
        let limit = config.and_then(|config| config.time_limit);
        assert_eq!(limit, expected.map(Duration::from_millis), "{text}");
    }
}

#[test]
fn a_server_has_a_url_with_a_token_headers_and_certificates() {
    let text = r#"
[servers.a]
url = "https://a.example.com/mcp"
token_env = "A_TOKEN"
headers = { X-Team = "b" }
header_env = { X-Key = "A_KEY" }
ca_file = "roots.pem"

[servers.b]
url = "https://b.example.com/mcp"
token_file = "token"
"#;
    let mut servers = Config::read(text).expect("no mistakes").servers;
    assert_eq!(servers[0].1.paths(), [&PathBuf::from("roots.pem")]);
    assert_eq!(servers[1].1.paths(), [&PathBuf::from("token")]);
    let remote = Remote {
        token: Some(Secret::Environment("A_TOKEN".to_owned())),
        headers: vec![("X-Team".to_owned(), "b".to_owned())],
        header_env: vec![("X-Key".to_owned(), "A_KEY".to_owned())],
        ca_file: Some(PathBuf::from("roots.pem")),
        ..Remote::new("https://a.example.com/mcp".to_owned())
    };
    assert_eq!(servers[0].1, Server { prefix: None, reached: Reached::Remote(remote.clone()) });
    let top = text.lines().skip(2).take(5).collect::<Vec<_>>().join("\n");
    assert_eq!(Config::read(&top).expect("no mistakes").remote, Some(remote));
}

#[test]
fn settings_of_a_url_and_of_a_command_exclude_each_other() {
    for (text, expected) in [
        ("url = \"a\"\ncommand = [\"b\"]\n", "proxy.toml:1: url: give either `command` or `url`"),
        ("url = \"a\"\n[servers.b]\nurl = \"b\"\n", "proxy.toml:2: servers: give either `url` or `servers`"),
        ("token_env = \"A\"\n", "proxy.toml:1: token_env: the `url` is missing"),
        (
            "url = \"a\"\ntoken_env = \"A\"\ntoken_file = \"a\"\n",
            "proxy.toml:3: token_file: give either `token_env` or `token_file`",
        ),
        (
            "[servers.b]\nurl = \"b\"\ncwd = \"c\"\n",
            "proxy.toml:3: servers.b.cwd: a server with a `url` is not started",
        ),
    ] {
        assert_eq!(messages(text), [expected]);
    }
}
