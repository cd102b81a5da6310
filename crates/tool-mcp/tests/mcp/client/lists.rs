//! The tools of a server: names, schemas, descriptions, and definitions that cannot be offered.

use std::collections::HashSet;
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tool_runtime::failure::FailureKind;
use tool_runtime::tool::Tool;
use tool_runtime::{Dialect, Toolbox};

use super::script::{Reply, Script, list, session, text, tool};

fn names(server: &tool_mcp::client::RemoteServer) -> Vec<String> {
    server.tools().iter().map(|tool| tool.spec().name.to_string()).collect()
}

fn echoing(tools: Vec<Value>) -> Script {
    Script::new(move |method, params| match method {
        "tools/list" => list(&tools),
        _ => text(params["name"].as_str().unwrap()),
    })
}

#[tokio::test]
async fn the_container_has_the_tools_and_the_instructions_of_the_server() {
    let server = echoing(vec![tool("read"), tool("write")]).connect().await.unwrap();
    assert_eq!(server.protocol_version().as_deref(), Some("2025-11-25"));
    let session = Toolbox::builder().container(server.container()).build().unwrap().session();
    let definitions = session.definitions_in(Dialect::MCP).to_string();
    assert!(definitions.contains(r#""name":"MCP_files""#) && definitions.contains("Reads files."), "{definitions}");
    let outcome = session.call("call_1", "MCP_files", "").await;
    assert!(outcome.to_text().contains("Paths are relative."), "{}", outcome.to_text());
    let outcome = session.call("call_2", "files__write", "{}").await;
    assert_eq!(outcome.to_text(), "write");
}

#[tokio::test]
async fn the_host_can_choose_the_prefix_and_the_container_name() {
    let server = echoing(vec![tool("read")]).connect().prefix("").container_name("Files").await.unwrap();
    assert_eq!(names(&server), ["read"]);
    assert_eq!(server.container().spec().name, "Files");
}

#[tokio::test]
async fn a_definition_of_the_server_is_shown_unchanged() {
    let drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
    let definition = |draft: &str| {
        json!({
            "name": "read", "title": "Read", "description": "Reads a file.",
            "inputSchema": {
                "$schema": draft, "type": "object", "properties": {"path": {"type": "string"}, "at": {"$ref": "#/$defs/line"}},
                "required": ["path"], "$defs": {"line": {"type": "integer", "minimum": 1}}, "additionalProperties": false,
            },
            "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
            "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false},
            "icons": [{"src": "https://example.com/a.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}],
            "_meta": {"com.example/tier": 2},
        })
    };
    for draft in drafts {
        let server = echoing(vec![definition(draft)]).connect().prefix("").await.unwrap();
        assert_eq!(server.skipped_tools(), []);
        let shown: Value = serde_json::from_str(&session(&server).definitions_in(Dialect::MCP).to_string()).unwrap();
        assert_eq!(shown[0], definition(draft));
        let keys: Vec<_> = shown[0]["inputSchema"]["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["path", "at"], "the order of the properties is that of the server");
    }
}

#[tokio::test]
async fn a_bad_definition_does_not_affect_the_others() {
    let with = |name: &str, schema: Value| json!({"name": name, "inputSchema": schema});
    let script = echoing(vec![
        tool("first"),
        json!({"name": "no_schema"}),
        with("a_list", json!([])),
        with("remote", json!({"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/a.json"}}})),
        with("dialect", json!({"$schema": "https://example.com/dialect", "type": "object"})),
        with("no_type", json!({"type": "object", "properties": {"a": {"type": "int"}}})),
        json!({"name": "output", "inputSchema": {}, "outputSchema": {"type": "int"}}),
        json!({"inputSchema": {}}),
        json!("tool"),
        with("large", json!({"type": "object", "description": "x".repeat(300_000)})),
        tool("first"),
        json!({"name": "last", "description": "long ".repeat(1_000), "inputSchema": {"type": "object"}}),
    ]);
    let server = script.connect().await.unwrap();
    assert_eq!(names(&server), ["files__first", "files__last"]);
    let left_out = server.skipped_tools();
    let reasons: Vec<_> = left_out.iter().map(|tool| (&*tool.name, &*tool.reason)).collect();
    let expected = [
        ("no_schema", "the definition is not valid: missing field `inputSchema`"),
        ("a_list", "the definition is not valid: invalid type: sequence, expected a map"),
        ("", "the definition is not valid: missing field `name`"),
        ("", "the definition is not valid: invalid type: string \"tool\", expected struct Tool"),
        ("large", "the definition has 300065 bytes, and at most 262144 are allowed"),
        (
            "remote",
            "#/properties/a/$ref: `$ref` leads to \"http://127.0.0.1:9/a.json\", which is another document; schemas are not fetched",
        ),
        (
            "dialect",
            "#/$schema: the dialect \"https://example.com/dialect\" is not known; the known dialects are 2020-12, 2019-09, draft-07, draft-06 and draft-04",
        ),
        ("no_type", "#/properties/a/type: \"int\" is not a type"),
        ("output", "#/type: \"int\" is not a type"),
        ("first", "another tool of the server has the same name"),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(session(&server).call("call_1", "files__last", "{}").await.to_text(), "last");
}

#[tokio::test]
async fn odd_names_are_offered_under_names_that_providers_accept() {
    let long = "x".repeat(500);
    let listed = ["", "read file", "read/file", "read.file", "lire_é", "読む", &long, "a\u{202e}b", "1", "read file"];
    let script = echoing(listed.iter().map(|name| tool(name)).collect());
    let server = script.connect().await.unwrap();
    let left_out: Vec<_> = server.skipped_tools().into_iter().map(|left| (left.name, left.reason)).collect();
    let twice = "another tool of the server has the same name".to_owned();
    assert_eq!(left_out, [(String::new(), "the tool has no name".to_owned()), ("read file".to_owned(), twice)]);
    let names = names(&server);
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), listed.len() - 2);
    let session = session(&server);
    for (name, original) in names.iter().zip(&listed[1..]) {
        let is_portable = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        assert!(is_portable && name.len() <= 64, "{name}");
        assert_eq!(session.call("call_1", name, "{}").await.to_text(), *original, "the server's own name is called");
    }
}

#[tokio::test]
async fn ten_thousand_tools_are_offered_if_the_host_wants_them() {
    let many: Vec<_> = (0..10_000).map(|number| tool(&format!("tool_{number}"))).collect();
    let server = echoing(many).connect().max_tools(10_000).await.unwrap();
    assert_eq!((server.tools().len(), server.skipped_tools().len()), (10_000, 0));
    let session = Toolbox::builder().container(server.container()).build().unwrap().session();
    assert!(session.call("call_1", "MCP_files", "").await.is_ok());
    assert_eq!(session.call("call_2", "files__tool_9999", "{}").await.to_text(), "tool_9999");
    assert!(!server.refresh().await.unwrap(), "nothing has changed");
}

/// If references were fetched, a server could choose where the host sends requests.
#[tokio::test]
async fn references_to_other_documents_are_never_fetched() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a.json", listener.local_addr().unwrap());
    let fetched = tokio::spawn(async move { listener.accept().await.map(drop) });
    let a = |keyword: &str, target: &str| json!({"type": "object", "properties": {"a": {keyword: target}}});
    let draft_07 = |mut schema: Value| {
        schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        schema
    };
    let remote = [
        a("$ref", &url),
        draft_07(a("$ref", &format!("{url}#/definitions/a"))),
        a("$dynamicRef", &url),
        json!({"$schema": url, "type": "object"}),
        json!({"$id": url, "type": "object", "properties": {"a": {"$ref": "b.json"}}}),
        json!({"type": "object", "allOf": [{"not": {"$ref": url}}]}),
    ];
    let tools = remote
        .iter()
        .enumerate()
        .map(|(number, schema)| json!({"name": format!("tool_{number}"), "inputSchema": schema}));
    let output = json!({"name": "output", "inputSchema": {"type": "object"}, "outputSchema": a("$ref", &url)});
    let server = echoing(tools.chain([output, tool("last")]).collect()).connect().await.unwrap();
    assert_eq!(names(&server), ["files__last"], "{:?}", server.skipped_tools());
    assert_eq!(server.skipped_tools().len(), remote.len() + 1);
    assert_eq!(session(&server).call("call_1", "files__last", r#"{"a": 1}"#).await.to_text(), "last");
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!fetched.is_finished(), "something was fetched");
}

/// `items` is a list of schemas in draft-07, and `prefixItems` in 2020-12; each is ignored in the other dialect.
#[tokio::test]
async fn arguments_are_checked_by_the_dialect_of_the_schema() {
    let pair = |draft: &str, keyword: &str| {
        json!({"name": keyword, "inputSchema": {
            "$schema": draft, "type": "object",
            "properties": {"pair": {"type": "array", keyword: [{"type": "integer"}, {"type": "string"}]}},
        }})
    };
    let drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
    let script = echoing(vec![pair(drafts[0], "items"), pair(drafts[1], "prefixItems")]);
    let server = script.connect().await.unwrap();
    let session = session(&server);
    for keyword in ["items", "prefixItems"] {
        let name = format!("files__{keyword}");
        let outcome = session.call("call_1", &name, r#"{"pair": [1, "a"]}"#).await;
        assert_eq!(outcome.to_text(), keyword);
        let outcome = session.call("call_2", &name, r#"{"pair": [[], "a"]}"#).await;
        assert_eq!(outcome.failure().unwrap().kind(), FailureKind::InvalidCall, "{}", outcome.to_text());
    }
    assert_eq!(script.received("tools/call").len(), 2);
}

#[tokio::test]
async fn lists_are_bounded() {
    let many: Vec<_> = (0..10_000).map(|number| tool(&format!("tool_{number}"))).collect();
    let server = echoing(many).connect().await.unwrap();
    assert_eq!(server.tools().len(), 1_000);
    assert_eq!(server.skipped_tools()[0].reason, "the server has more than 1000 tools");

    // The server sends pages without end. They are empty or not, and the cursors are new or always the same.
    for tools in [vec![], vec![tool("read")]] {
        for is_new in [false, true] {
            let tools = tools.clone();
            let script = Script::new(move |_, params| {
                let cursor = params["cursor"].as_str().unwrap_or_default();
                let next = if is_new { format!("{cursor}x") } else { "x".to_owned() };
                Reply::Result(json!({"tools": tools, "nextCursor": next}))
            });
            let server = script.connect().max_tools(50).await.unwrap();
            assert!(server.tools().len() <= 1 && server.skipped_tools().len() <= 2_000);
        }
    }
}

#[tokio::test]
async fn all_definitions_together_are_bounded() {
    let script = Script::new(|_, params| {
        let page: usize = params["cursor"].as_str().unwrap_or("0").parse().unwrap();
        let large = |number: usize| json!({"name": format!("tool_{number}"), "inputSchema": {"type": "object", "description": "x".repeat(200_000)}});
        let tools: Vec<_> = (page * 20..(page + 1) * 20).map(large).collect();
        Reply::Result(json!({"tools": tools, "nextCursor": (page < 4).then(|| (page + 1).to_string())}))
    });
    let server = script.connect().await.unwrap();
    assert_eq!((server.tools().len(), server.skipped_tools().len()), (83, 17));
    assert_eq!(server.skipped_tools()[0].reason, "the definitions of the server have more than 16777216 bytes");
}

#[tokio::test]
async fn pages_are_followed() {
    let script = Script::new(|_, params| match params["cursor"].as_str() {
        None => Reply::Result(json!({"tools": [tool("a")], "nextCursor": "2"})),
        Some(_) => list(&[tool("b")]),
    });
    assert_eq!(names(&script.connect().await.unwrap()), ["files__a", "files__b"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_listed_tool_can_be_called_or_is_left_out(
        listed in proptest::collection::vec(".{0,10}|[a-z._ -]{0,90}|read|MCP_files|\u{202e}\0", 1..8),
        prefix in "files|my.files|",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let calls: Result<(), TestCaseError> = runtime.block_on(async {
            let script = echoing(listed.iter().map(|name| tool(name)).collect());
            let server = script.connect().prefix(prefix).await.unwrap();
            prop_assert_eq!(server.tools().len() + server.skipped_tools().len(), listed.len());
            let session = Toolbox::builder().container(server.container()).build().map_err(|error| TestCaseError::fail(error.to_string()))?.session();
            assert!(session.call("call_0", "MCP_files", "").await.is_ok());
            for tool in server.tools() {
                let name = tool.spec().name.clone();
                prop_assert!(name.len() <= 64);
                let outcome = session.call("call_1", &name, "{}").await;
                prop_assert!(outcome.is_ok() && listed.contains(&outcome.to_text().into_owned()), "{}", outcome.to_text());
            }
            Ok(())
        });
        calls?;
    }
}
