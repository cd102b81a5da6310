//! Remembered definitions: a server that changes them after they were approved.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_proxy::__private_0_1_0::{OutgoingLines, SansIoProxy};
use tool_proxy::{Access, PinMode, Pins, Proxy, ProxyBuilder};

use super::rig::{call, named, search};

/// A folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pins-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.join("pins.json")
    }

    fn pins(&self) -> Pins {
        Pins::open(self.path()).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A connection of a client with servers that answer at once. The tools of a server are in pages.
struct Connection {
    exchange: SansIoProxy,
    servers: Vec<Vec<Vec<Value>>>,
    remarks: Arc<Mutex<Vec<String>>>,
    to_client: Vec<Value>,
    calls: Vec<(usize, String)>,
    lists: usize,
    id: u64,
}

impl Connection {
    fn new(folder: &Folder, mode: PinMode) -> Self {
        Self::with(folder, mode, &[], |proxy| proxy)
    }

    fn with(folder: &Folder, mode: PinMode, names: &[&str], set: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let remarks: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = Arc::clone(&remarks);
        let proxy = Proxy::builder().no_throttle().pins(folder.pins(), mode);
        let proxy = set(proxy.log_with(move |remark| log.lock().unwrap().push(remark.to_owned())));
        let servers =
            (!names.is_empty()).then(|| names.iter().map(|name| ((*name).into(), format!("{name}_"))).collect());
        Self {
            exchange: SansIoProxy::new(proxy, servers).unwrap(),
            servers: vec![vec![Vec::new()]; names.len().max(1)],
            remarks,
            to_client: Vec::new(),
            calls: Vec::new(),
            lists: 0,
            id: 0,
        }
    }

    /// Sends a line of the client, and lets the servers answer until nothing is left.
    fn client(&mut self, line: &str) {
        let OutgoingLines { to_client, to_servers } = self.exchange.receive_from_client(line.as_bytes());
        self.deliver(to_client, to_servers);
    }

    fn deliver(&mut self, to_client: Vec<String>, to_servers: Vec<(usize, String)>) {
        self.to_client.extend(to_client.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()));
        for (server, line) in to_servers {
            let message: Value = serde_json::from_str(&line).unwrap();
            let result = match message["method"].as_str() {
                Some("tools/list") => {
                    self.lists += 1;
                    let page = message["params"]["cursor"].as_str().map_or(0, |cursor| cursor.parse().unwrap());
                    let pages = &self.servers[server];
                    let next = (page + 1 < pages.len()).then(|| (page + 1).to_string());
                    let mut result = json!({"resultType": "complete", "tools": pages[page]});
                    if let Some(next) = next {
                        result["nextCursor"] = next.into();
                    }
                    result
                }
                Some("tools/call") => {
                    self.calls.push((server, message["params"]["name"].as_str().unwrap().to_owned()));
                    json!({"content": []})
                }
                Some("initialize") => {
                    json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}})
                }
                _ => continue,
            };
            let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
            let OutgoingLines { to_client, to_servers } = self.exchange.receive_from_server(server, answer.as_bytes());
            self.deliver(to_client, to_servers);
        }
    }

    fn initialize(&mut self) -> Value {
        self.id += 1;
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}});
        self.client(&json!({"jsonrpc": "2.0", "id": self.id, "method": "initialize", "params": params}).to_string());
        self.client(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self.to_client.pop().unwrap()
    }

    /// Lists a page of the tools, and returns the names that the client sees.
    fn page(&mut self, cursor: Option<&str>) -> Vec<String> {
        self.id += 1;
        let params = cursor.map_or(json!({}), |cursor| json!({"cursor": cursor}));
        self.client(&json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/list", "params": params}).to_string());
        let answer = self.to_client.pop().unwrap();
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
        tools.iter().map(|tool| tool["name"].as_str().unwrap_or("?").to_owned()).collect()
    }

    /// Lists the tools of the only server, which are these from now on.
    fn list(&mut self, tools: &[Value]) -> Vec<String> {
        self.servers[0] = vec![tools.to_vec()];
        self.page(None)
    }

    /// Calls a tool. Returns the answer of the proxy, or `None` if a server has got the call.
    fn call(&mut self, name: &str) -> Option<String> {
        self.id += 1;
        let before = self.calls.len();
        self.client(&call(self.id, name, r#"{"query":"a"}"#));
        let answer = self.to_client.pop().unwrap();
        (self.calls.len() == before).then(|| answer["result"]["content"][0]["text"].as_str().unwrap_or("?").to_owned())
    }

    fn is_withheld(&mut self, name: &str) -> bool {
        self.call(name).is_some_and(|answer| answer.contains("denied") && answer.contains("the user has not approved"))
    }

    fn remarks(&self) -> Vec<String> {
        std::mem::take(&mut self.remarks.lock().unwrap())
    }
}

fn with(change: impl FnOnce(&mut Value)) -> Value {
    let mut tool = json!({
        "name": "search", "title": "Search", "description": "Searches.",
        "inputSchema": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "The words."}, "kind": {"enum": ["a", "b"]}},
            "required": ["query", "kind"],
        },
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true},
    });
    change(&mut tool);
    tool
}

#[test]
fn each_member_that_counts_is_compared() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change, &str); 10] = [
        ("title", |tool| tool["title"] = "Delete".into(), r#"title: "Search" → "Delete""#),
        ("description", |tool| tool["description"] = "Deletes.".into(), r#"description: "Searches." → "Deletes.""#),
        (
            "no description",
            |tool| drop(tool.as_object_mut().unwrap().remove("description")),
            r#"description removed: "Searches.""#,
        ),
        (
            "a parameter",
            |tool| tool["inputSchema"]["properties"]["note"] = json!({"type": "string"}),
            r#"inputSchema/properties/note added: {"type":"string"}"#,
        ),
        (
            "the description of a parameter",
            |tool| tool["inputSchema"]["properties"]["query"]["description"] = "The password.".into(),
            r#"inputSchema/properties/query/description: "The words." → "The password.""#,
        ),
        (
            "the order of an enum",
            |tool| tool["inputSchema"]["properties"]["kind"]["enum"] = json!(["b", "a"]),
            r#"inputSchema/properties/kind/enum/0: "a" → "b"; inputSchema/properties/kind/enum/1: "b" → "a""#,
        ),
        (
            "a required parameter",
            |tool| tool["inputSchema"]["required"] = json!(["query"]),
            r#"inputSchema/required: ["kind","query"] → ["query"]"#,
        ),
        (
            "the output schema",
            |tool| tool["outputSchema"]["required"] = json!(["a"]),
            r#"outputSchema/required added: ["a"]"#,
        ),
        (
            "an annotation",
            |tool| tool["annotations"]["readOnlyHint"] = false.into(),
            "annotations/readOnlyHint: true → false",
        ),
        (
            "a hidden character",
            |tool| tool["description"] = "Searches\u{200b}.".into(),
            "description: \"Searches.\" → \"Searches\\u200b.\"",
        ),
    ];
    for (index, (what, change, difference)) in changes.into_iter().enumerate() {
        let folder = Folder::new(&format!("member-{index}"));
        Connection::new(&folder, PinMode::Hold).list(&[with(|_| {}), named("other")]);
        let before = folder.text();
        let mut warned = Connection::new(&folder, PinMode::Warn);
        assert_eq!(warned.list(&[with(change), named("other")]), ["search", "other"], "{what}");
        assert_eq!(warned.call("other"), None);
        let expected = format!("the definition of search of server has changed and is not approved; {difference}");
        assert_eq!(warned.remarks()[0], expected, "{what}");
        assert_ne!(folder.text(), before, "the change is pending");
        let mut held = Connection::new(&folder, PinMode::Hold);
        assert_eq!(held.list(&[with(change), named("other")]), ["other"], "{what}");
        assert!(held.is_withheld("search") && !held.is_withheld("other"), "{what}");
        assert_eq!(held.remarks()[0], expected, "{what}");
        let changes = folder.pins().changes().unwrap();
        assert_eq!((changes.len(), &*changes[0].server, &*changes[0].tool), (1, "server", "search"), "{what}");
        assert_eq!(held.list(&[with(|_| {}), named("other")]), ["search", "other"], "it has come back: {what}");
        assert_eq!((held.call("other"), folder.text()), (None, before), "{what}");
    }
}

#[test]
fn the_order_of_keys_and_tools_has_no_meaning() {
    let folder = Folder::new("order");
    Connection::new(&folder, PinMode::Hold).list(&[with(|_| {}), named("other")]);
    let before = folder.text();
    let mut held = Connection::new(&folder, PinMode::Hold);
    let same = with(|tool| {
        let mut members: Vec<_> = std::mem::take(tool.as_object_mut().unwrap()).into_iter().collect();
        members.reverse();
        *tool = members.into_iter().collect();
        tool["inputSchema"]["required"] = json!(["kind", "query"]);
        tool["_meta"] = json!({"version": 2});
        tool["icons"] = json!([]);
    });
    let mut other = named("other");
    other["title"] = Value::Null;
    assert_eq!(held.list(&[other, same]), ["other", "search"]);
    // The same name in another spelling, and a list without the tool.
    assert_eq!(held.list(&[]), [""; 0]);
    assert_eq!(held.list(&[with(|_| {})]), ["search"]);
    assert!(held.remarks().is_empty(), "no change");
    assert_eq!(folder.text(), before);
}

#[test]
fn a_new_tool_is_a_change_and_names_the_tool_for_which_it_can_be_mistaken() {
    for (index, (name, is_similar)) in [
        ("rеаd_filе", true),         // several letters
        ("rеad_file", true),         // Cyrillic
        ("ｒead_file", true),        // full width
        ("read\u{200b}_file", true), // invisible
        ("Read_File", true),
        ("read-file", true),
        ("readfile", true),
        ("read_files", true),
        ("read_fi1e", true),
        ("write_file", false),
        ("read", false),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = Folder::new(&format!("similar-{index}"));
        let mut held = Connection::new(&folder, PinMode::Hold);
        assert_eq!(held.list(&[named("read_file")]), ["read_file"]);
        assert_eq!(held.list(&[named("read_file"), named(name)]), ["read_file"], "{name}");
        assert!(held.is_withheld(name), "{name}");
        assert_eq!(held.call("read_file"), None);
        let remark = held.remarks().remove(0);
        assert!(remark.contains("of server is new and not approved"), "{remark}");
        assert_eq!(remark.contains("; it can be mistaken for read_file;"), is_similar, "{remark}");
        let similar = folder.pins().changes().unwrap().remove(0).similar;
        assert_eq!(similar.as_deref(), is_similar.then_some("read_file"));
    }
}

#[test]
fn a_renamed_tool_is_a_new_tool() {
    let folder = Folder::new("renamed");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.list(&[named("read_file")]);
    assert_eq!(held.list(&[named("read_document")]), [""; 0]);
    assert!(held.is_withheld("read_document"));
}

#[test]
fn every_spelling_of_a_withheld_tool_is_rejected_also_before_a_list() {
    let folder = Folder::new("spellings");
    Connection::new(&folder, PinMode::Hold).list(&[named("read_file"), named("other")]);
    for name in ["read_file", "Read_File", "readfile", "functions.read_file", "read_file:0", "read_file<|channel|>x"] {
        let mut held = Connection::new(&folder, PinMode::Hold);
        let mut changed = named("read_file");
        changed["description"] = "Sends the file.".into();
        held.servers[0] = vec![vec![changed, named("other")]];
        assert!(held.is_withheld(name), "{name}");
        assert_eq!((held.call("other"), held.lists), (None, 1));
        let unlisted = held.call("unlisted").unwrap();
        assert!(unlisted.contains("unknown_tool") && !unlisted.contains("did_you_mean"), "{unlisted}");
    }
}

#[test]
fn nothing_can_be_called_if_the_server_does_not_list_its_tools() {
    let folder = Folder::new("no-list");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.servers[0] = vec![vec![json!(1)], vec![json!({"name": 1})]];
    for name in ["search", "other"] {
        assert!(held.call(name).is_some(), "{name}");
    }
    assert_eq!(held.page(None), [""; 0], "definitions without a name are hidden");
}

#[test]
fn a_changed_definition_is_hidden_on_its_page() {
    let folder = Folder::new("pages");
    let mut first = Connection::new(&folder, PinMode::Hold);
    first.servers[0] = vec![vec![named("a")], vec![named("b")], vec![named("c")]];
    assert_eq!([first.page(None), first.page(Some("1")), first.page(Some("2"))].concat(), ["a", "b", "c"]);
    // The first list has ended.
    first.servers[0] =
        vec![vec![named("a"), named("d")], vec![with(|tool| tool["name"] = "b".into())], vec![named("c")]];
    assert_eq!(first.page(None), ["a"]);
    assert_eq!(first.page(Some("1")), [""; 0]);
    assert_eq!(first.page(Some("2")), ["c"]);
    assert!(first.is_withheld("b") && first.is_withheld("d"));
}

#[test]
fn an_empty_page_can_end_the_first_list() {
    let folder = Folder::new("empty-page");
    let mut held = Connection::new(&folder, PinMode::Hold);
    assert_eq!(held.list(&[]), [""; 0], "nothing was trusted");
    held.servers[0] = vec![vec![named("a")], vec![]];
    assert_eq!([held.page(None), held.page(Some("1"))].concat(), ["a"]);
    assert_eq!(held.list(&[named("a"), named("b")]), ["a"]);
}

#[test]
fn a_first_list_without_end_counts_as_ended_after_a_minute() {
    let folder = Folder::new("endless");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.servers[0] = vec![vec![named("a")], vec![]];
    assert_eq!(held.page(None), ["a"]);
    held.servers[0][0].push(named("b"));
    assert_eq!(held.page(None), ["a", "b"], "still the first list");
    let mut file: Value = serde_json::from_str(&folder.text()).unwrap();
    for until in [json!(1), json!(u64::MAX)] {
        file["servers"]["server"]["first_list_until"] = until;
        fs::write(folder.path(), file.to_string()).unwrap();
        let mut held = Connection::new(&folder, PinMode::Hold);
        held.servers[0] = vec![vec![named("a"), named("c")], vec![]];
        assert_eq!(held.page(None), ["a"]);
    }
}

#[test]
fn each_server_has_its_own_definitions() {
    let folder = Folder::new("servers");
    let connect = || Connection::with(&folder, PinMode::Hold, &["files", "mail"], |proxy| proxy);
    let mut first = connect();
    first.servers =
        vec![vec![vec![named("send"), named("read")]], vec![vec![with(|tool| tool["name"] = "send".into())]]];
    assert_eq!(first.page(None), ["files_send", "files_read", "mail_send"]);
    let mut held = connect();
    held.servers = vec![vec![vec![named("send")], vec![named("read")]], vec![vec![named("send"), named("files_read")]]];
    assert_eq!(held.page(None), ["files_send", "files_read"]);
    assert!(held.is_withheld("mail_send") && held.is_withheld("mail_files_read") && held.is_withheld("Mail_Send"));
    assert_eq!((held.call("files_send"), &*held.calls), (None, &[(0, "send".to_owned())][..]));
    let remarks = held.remarks();
    assert!(remarks[0].starts_with("the definition of send of mail has changed"), "{remarks:?}");
    assert!(remarks[1].starts_with("files_read of mail is new"), "{remarks:?}");
    let approved = folder.pins().approve("mail", &["send"]).unwrap();
    assert_eq!(approved.len(), 1);
    assert_eq!(held.page(None), ["files_send", "files_read", "mail_send"]);
    assert!(held.is_withheld("mail_files_read") && held.call("mail_send").is_none());
    assert_eq!(folder.pins().servers().unwrap(), ["files", "mail"]);
}

#[test]
fn a_running_proxy_notices_an_approval() {
    let folder = Folder::new("approval");
    let mut held = Connection::new(&folder, PinMode::Hold);
    let answer = held.initialize();
    assert_eq!(answer["result"]["capabilities"]["tools"]["listChanged"], true);
    held.list(&[named("a"), search()]);
    let changed = with(|_| {});
    assert_eq!(held.list(&[named("a"), named("b"), changed.clone()]), ["a"]);
    assert!(held.is_withheld("search") && held.is_withheld("b"));
    let lists = held.lists;
    // Another process.
    assert_eq!(folder.pins().approve("server", &["search"]).unwrap()[0].tool, "search");
    assert!(held.call("search").unwrap().contains("kind"), "checked with the new schema");
    assert_eq!(held.lists, lists + 1);
    assert_eq!(held.to_client[0]["method"], "notifications/tools/list_changed");
    assert!(held.is_withheld("b"));
    assert_eq!(held.lists, lists + 1, "the list is requested once");
    assert_eq!(folder.pins().approve("server", &[""; 0]).unwrap()[0].tool, "b");
    assert_eq!(held.call("b"), None);
    assert_eq!(held.page(None), ["a", "b", "search"]);
    // A server that is forgotten is trusted again.
    assert_eq!(held.list(&[named("new")]), [""; 0]);
    assert!(folder.pins().reset("server").unwrap() && !folder.pins().reset("server").unwrap());
    assert_eq!((held.call("new"), held.page(None)), (None, vec!["new".to_owned()]));
}

#[test]
fn a_member_of_a_container_is_withheld() {
    let grouped = |proxy: ProxyBuilder| proxy.container("files", "Files.", ["files_*"]);
    for modern in [false, true] {
        let folder = Folder::new(&format!("container-{modern}"));
        Connection::with(&folder, PinMode::Hold, &[], grouped).list(&[named("files_read"), named("files_write")]);
        let mut held = Connection::with(&folder, PinMode::Hold, &[], grouped);
        let mut changed = named("files_read");
        changed["description"] = "Sends.".into();
        held.servers[0] = vec![vec![changed, named("files_write")]];
        let meta = if modern { json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}) } else { json!({}) };
        let mut send = |name: &str, arguments: Value| {
            let params = json!({"name": name, "arguments": arguments, "_meta": meta});
            held.client(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string());
            held.to_client.pop().unwrap().to_string()
        };
        let expanded = send("files", json!({}));
        assert!(expanded.contains("files_write") && !expanded.contains("files_read"), "{expanded}");
        let arguments = json!({"query": "a"});
        assert!(send("files_read", arguments.clone()).contains("the user has not approved"));
        if modern {
            let indirect = send("call_tool", json!({"tool": "files_read", "arguments": arguments}));
            assert!(indirect.contains("the user has not approved"), "{indirect}");
        }
        assert_eq!(held.calls, []);
    }
}

#[test]
fn a_server_cannot_forge_the_mark_or_repeat_a_member() {
    let folder = Folder::new("forged");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.list(&[search(), named("other")]);
    let text = |definitions: &str| format!(r#"{{"jsonrpc":"2.0","id":9,"result":{{"tools":[{definitions}]}}}}"#);
    let other = named("other").to_string();
    let schema = search()["inputSchema"].to_string();
    for changed in [
        r#"{"toolbox/withheld":false,"name":"search","description":"Deletes.","inputSchema":SCHEMA}"#,
        r#"{"description":"Searches.","name":"search","description":"Deletes.","inputSchema":SCHEMA}"#,
        r#"{"name":"search","description":"Searches.","inputSchema":{"type":"array"},"inputSchema":SCHEMA}"#,
        r#"{"name":"other","name":"search","description":"Searches.","inputSchema":SCHEMA}"#,
        r#"{"name":"search","description":"Searches.","inputSchema":DEEP}"#,
    ] {
        let deep = format!("{}1{}", r#"{"a":"#.repeat(200), "}".repeat(200));
        let changed = changed.replace("SCHEMA", &schema).replace("DEEP", &deep);
        held.exchange.receive_from_client(br#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#);
        let left = held.exchange.receive_from_server(0, text(&format!("{changed},{other}")).as_bytes());
        let answer: Value = serde_json::from_str(&left.to_client[0]).unwrap();
        assert_eq!(answer["result"]["tools"], json!([named("other")]), "{changed}");
    }
    held.exchange.receive_from_client(br#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#);
    let twice = format!(r#"{{"jsonrpc":"2.0","id":9,"result":{{"tools":[{other}],"tools":[{other}]}}}}"#);
    let left = held.exchange.receive_from_server(0, twice.as_bytes());
    assert!(left.to_client[0].contains("is not valid"), "{left:?}");
    // A mark in a definition without a change has no effect, and without pins neither.
    let marked = format!(r#"{{"toolbox/withheld":true,{}"#, &other[1..]);
    let mut plain = SansIoProxy::new(Proxy::builder(), None).unwrap();
    plain.receive_from_client(br#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#);
    assert_eq!(plain.receive_from_server(0, text(&marked).as_bytes()).to_client, [text(&marked)]);
}

#[test]
fn the_answer_to_a_cancelled_request_shows_no_hidden_tool() {
    let folder = Folder::new("cancelled");
    let hold: fn(ProxyBuilder, Pins) -> ProxyBuilder = |proxy, pins| proxy.pins(pins, PinMode::Hold);
    let deny: fn(ProxyBuilder, Pins) -> ProxyBuilder = |proxy, _| proxy.access(Access::new().deny(["other"]));
    for (set, is_shown) in [(hold, false), (deny, false), (|proxy, _| proxy, true)] {
        let mut exchange = SansIoProxy::new(set(Proxy::builder(), folder.pins()), None).unwrap();
        exchange.receive_from_client(br#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#);
        let cancelled = br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#;
        assert_eq!(exchange.receive_from_client(cancelled).to_servers.len(), 1);
        let answer = json!({"jsonrpc": "2.0", "id": 9, "result": {"tools": [named("other")]}}).to_string();
        assert_eq!(exchange.receive_from_server(0, answer.as_bytes()).to_client.len(), usize::from(is_shown));
    }
}

#[test]
fn access_and_pins_hide_together() {
    let folder = Folder::new("access");
    let read_only = |proxy: ProxyBuilder| proxy.access(Access::new().deny(["other"]));
    let mut held = Connection::with(&folder, PinMode::Hold, &[], read_only);
    assert_eq!(held.list(&[search(), named("other")]), ["search"]);
    assert_eq!(held.list(&[with(|_| {}), named("other")]), [""; 0]);
    assert!(held.call("other").unwrap().contains("unknown_tool"));
    assert!(held.is_withheld("search"));
}

#[test]
fn a_dry_run_withholds_nothing() {
    let folder = Folder::new("dry");
    let mut dry = Connection::with(&folder, PinMode::Hold, &[], |proxy| proxy.dry_run(true));
    dry.list(&[search()]);
    assert_eq!((dry.list(&[named("other")]), dry.call("other")), (vec!["other".to_owned()], None));
    assert!(dry.remarks()[0].starts_with("other of server is new and not approved"));
}

#[test]
fn a_file_that_is_not_understood_is_never_overwritten() {
    let folder = Folder::new("broken");
    for text in
        ["", "{", "[]", "{}", r#"{"toolbox_pins":2,"servers":{}}"#, r#"{"toolbox_pins":1,"servers":{},"x":1}"#, "\u{0}"]
    {
        fs::write(folder.path(), text).unwrap();
        assert!(Pins::open(folder.path()).is_err(), "{text}");
        assert_eq!(folder.text(), text);
    }
    fs::remove_file(folder.path()).unwrap();
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.list(&[search()]);
    // It breaks while the proxy runs: only what was approved before can be used.
    fs::write(folder.path(), "{").unwrap();
    assert_eq!(held.list(&[search(), named("other")]), ["search"]);
    assert!(held.is_withheld("other"));
    assert!(held.remarks()[0].contains("pins.json cannot be used: "));
    assert_eq!(folder.text(), "{");
}

#[test]
fn a_formatted_file_has_the_same_meaning() {
    let folder = Folder::new("formatted");
    Connection::new(&folder, PinMode::Hold).list(&[with(|_| {})]);
    let file: Value = serde_json::from_str(&folder.text()).unwrap();
    fs::write(folder.path(), serde_json::to_string_pretty(&file).unwrap()).unwrap();
    assert_eq!(Connection::new(&folder, PinMode::Hold).list(&[with(|_| {})]), ["search"]);
}

#[test]
fn an_interrupted_write_leaves_the_file_as_it_was() {
    let folder = Folder::new("interrupted");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.list(&[search()]);
    // A process has ended between writing the temporary file and renaming it.
    fs::write(folder.0.join("pins.json.tmp"), "{\"toolbox_pins\":1").unwrap();
    assert_eq!(held.list(&[search(), named("other")]), ["search"]);
    assert_eq!(folder.pins().changes().unwrap()[0].tool, "other");
    assert!(!folder.0.join("pins.json.tmp").exists());
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_file_and_a_link_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("mode");
    Connection::new(&folder, PinMode::Hold).list(&[search()]);
    for name in ["pins.json", "pins.json.lock"] {
        assert_eq!(fs::metadata(folder.0.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let linked = Folder::new("mode-linked");
    symlink(folder.path(), linked.path()).unwrap();
    Connection::new(&linked, PinMode::Hold).list(&[search(), named("other")]);
    assert!(fs::symlink_metadata(linked.path()).unwrap().is_symlink());
    assert_eq!(folder.pins().changes().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_or_is_locked_withholds_what_is_not_approved() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("locked");
    let mut held = Connection::new(&folder, PinMode::Hold);
    held.list(&[search()]);
    let lock = folder.0.join("pins.json.lock");
    // Another process has the lock, for longer than anybody needs it.
    let held_lock = fs::File::open(&lock).unwrap();
    rustix::fs::flock(&held_lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    assert_eq!(held.list(&[search(), named("a")]), ["search"]);
    drop(held_lock);
    assert_eq!(held.list(&[search(), named("a")]), ["search"]);
    assert_eq!(folder.pins().changes().unwrap().len(), 1, "it is written as soon as that is possible");
    fs::remove_file(&lock).unwrap();
    symlink("/dev/null/none", &lock).unwrap();
    let begun = std::time::Instant::now();
    assert_eq!(held.list(&[search(), named("a"), named("b")]), ["search"]);
    assert!(held.is_withheld("b") && begun.elapsed().as_secs() < 2, "there is nothing to wait for");
    let remarks = held.remarks();
    assert_eq!(remarks.iter().filter(|remark| remark.contains("cannot be used")).count(), 2, "{remarks:?}");
}

#[test]
fn writers_do_not_lose_the_changes_of_others() {
    let folder = Folder::new("writers");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                let name = format!("server{writer}");
                for round in 0..5 {
                    let mut held = Connection::with(folder, PinMode::Hold, &[&name], |proxy| proxy);
                    let tools: Vec<Value> = (0..=round).map(|tool| named(&format!("tool{tool}"))).collect();
                    assert_eq!(held.list(&tools).len(), 1, "{:?}", held.remarks());
                }
            });
        }
    });
    assert_eq!(folder.pins().servers().unwrap().len(), 8);
    assert_eq!(folder.pins().changes().unwrap().len(), 8 * 4);
}

#[test]
fn ten_thousand_tools_are_remembered_and_remarks_are_bounded() {
    let folder = Folder::new("many");
    let tools = |prefix: &str, count| {
        (0..count).map(|number| json!({"name": format!("{prefix}_{number}")})).collect::<Vec<_>>()
    };
    let mut held = Connection::new(&folder, PinMode::Hold);
    let mut listed = tools("read", 10_000);
    assert_eq!(held.list(&listed).len(), 10_000);
    listed[5_000]["description"] = "Sends.".into();
    assert_eq!(held.list(&listed).len(), 9_999);
    assert!(held.is_withheld("read_5000"));
    let before = folder.text();
    assert_eq!(held.list(&tools("write", 30)).len(), 0);
    let remarks = held.remarks();
    assert_eq!(remarks.len(), 1 + 20 + 1, "{remarks:?}");
    assert_eq!(remarks[21], "10 more definitions of server have changed or are new");
    assert_eq!(folder.text(), before, "no more tools are remembered");
}
