//! Several servers behind one endpoint, and results that are kept for several clients.

use tokio::process::Command;
use tool_proxy::Servers;

use super::*;

/// A server of all revisions with the tool `get`, whose result is the first argument of the script.
const SERVER: &str = r#"
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}' ;;
    *server/discover*) result='{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}' ;;
    *tools/list*) result='{"tools":[{"name":"get","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}],"ttlMs":0,"cacheScope":"private"}' ;;
    *tools/call*) result='{"content":[{"type":"text","text":"'"$1"'"}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

/// A proxy in front of the servers `a` and `b`.
struct Group {
    address: SocketAddr,
    proxy: Arc<ProxyHttp>,
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
    /// The session of a revision until 2025-11-25.
    session: Option<String>,
}

impl Group {
    async fn new(build: impl FnOnce(ProxyBuilder) -> ProxyBuilder) -> Self {
        let proxy = Arc::new(build(Proxy::builder()).build_http().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = |text: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", SERVER, "sh", text]);
            command
        };
        let servers = Servers::new().add("a", server("one")).add("b", server("two"));
        let (stop, stopped) = oneshot::channel::<()>();
        let running = Arc::clone(&proxy);
        let task = tokio::spawn(async move { running.serve(listener, servers, async { drop(stopped.await) }).await });
        Self { address, proxy, stop, task, session: None }
    }

    /// Begins a session of protocol version 2025-11-25.
    async fn begin(&mut self) {
        let reply = within(post(self.address, &[], &initialize())).await;
        assert_eq!(reply.json()["result"]["serverInfo"]["title"], "a, b", "{}", reply.body);
        self.session = reply.header("mcp-session-id").map(str::to_owned);
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let headers = [("Mcp-Session-Id", self.session.as_deref().unwrap())];
        assert_eq!(within(post(self.address, &headers, ready)).await.status, 202);
    }

    /// Sends a request in the session, or of protocol version 2026-07-28, and returns its result.
    async fn ask(&self, id: u64, method: &str, params: Value) -> Value {
        let answer = match &self.session {
            None => post_modern(self.address, &json!(id), method, params).await.json(),
            Some(session) => {
                let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
                within(post(self.address, &[("Mcp-Session-Id", session)], &body)).await.json()
            }
        };
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    async fn names(&self, id: u64) -> Vec<String> {
        let list = self.ask(id, "tools/list", json!({})).await;
        list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    async fn call(&self, id: u64, tool: &str, arguments: Value) -> String {
        let result = self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments})).await;
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
    }

    async fn end(self) {
        let _ = self.stop.send(());
        within(self.task).await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn two_servers_are_used_by_clients_of_both_kinds_of_revisions() {
    let mut group = Group::new(ProxyBuilder::no_throttle).await;
    for is_modern in [true, false] {
        if !is_modern {
            group.begin().await;
        }
        assert_eq!(group.names(1).await, ["a_get", "b_get"], "{is_modern}");
        assert_eq!(group.call(2, "b_get", json!({"n": "5"})).await, "two");
        assert_eq!(group.call(3, "a_get", json!({})).await, "one");
        assert!(group.call(4, "a_get", json!({"n": "x"})).await.contains("a_get was not run"));
    }
    let discovered = post_modern(group.address, &json!(5), "server/discover", json!({})).await.json();
    assert_eq!(discovered["result"]["supportedVersions"], json!(["2026-07-28"]), "{discovered}");
    let report = group.proxy.report();
    let counts = |tool: &str| (report.tools[tool].calls, report.tools[tool].repaired, report.tools[tool].rejected);
    assert_eq!((counts("a_get"), counts("b_get")), ((4, 0, 2), (2, 2, 0)));
    group.end().await;
}

#[tokio::test]
async fn the_tools_of_each_server_are_a_container() {
    let grouped = |proxy: ProxyBuilder| proxy.container("first", "A.", ["a_*"]).container("second", "B.", ["b_*"]);
    let mut group = Group::new(|proxy| grouped(proxy).no_throttle()).await;
    assert_eq!(group.names(1).await, ["first", "second", "call_tool"]);
    assert!(group.call(2, "first", json!({})).await.contains("a_get"));
    assert_eq!(group.call(3, "a_get", json!({})).await, "one");
    assert_eq!(group.call(4, "call_tool", json!({"tool": "b_get", "arguments": {}})).await, "two");
    assert_eq!(group.names(5).await, ["first", "second", "call_tool"]);
    group.begin().await;
    assert_eq!(group.names(1).await, ["first", "second"]);
    assert!(group.call(2, "b_get", json!({})).await.contains("container_not_expanded"));
    assert!(group.call(3, "second", json!({})).await.contains("b_get"));
    assert_eq!(group.names(4).await, ["first", "second", "b_get"]);
    assert_eq!(group.call(5, "b_get", json!({})).await, "two");
    group.end().await;
}

/// Calls `search` with a long result. Returns the shown beginning.
async fn long(address: SocketAddr, server: &mut Toy) -> String {
    let id = json!(1);
    let ask = post_modern(address, &id, "tools/call", json!({"name": "search", "arguments": {"query": 1}}));
    let serve = async {
        let call = server.message().await;
        server.answer(&call, &"secret ".repeat(1_000)).await;
    };
    let (reply, ()) = tokio::join!(ask, serve);
    reply.json()["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_client_cannot_guess_the_kept_results_of_another_one() {
    let keeping = |proxy: ProxyBuilder| proxy.keep_results(100_000).result_bytes(1_024).no_throttle();
    for is_grouped in [false, true] {
        let build = |proxy: ProxyBuilder| {
            let proxy = keeping(proxy);
            if is_grouped { proxy.container("all", "All.", ["*"]) } else { proxy }
        };
        let mut rig = Rig::built(build, |proxy| proxy).await;
        let read = |handle: &str| {
            let params = json!({"name": "read_result", "arguments": {"handle": handle}});
            let (address, id) = (rig.address, json!(2));
            async move { post_modern(address, &id, "tools/call", params).await.json()["result"].clone() }
        };
        let (server, shown) = {
            let id = json!(0);
            let begin = post_modern(rig.address, &id, "tools/list", json!({}));
            let serve = async {
                let mut server = within(rig.servers.recv()).await.expect("a server");
                server.list().await;
                server
            };
            let (_, mut server) = tokio::join!(begin, serve);
            let shown = long(rig.address, &mut server).await;
            (server, shown)
        };
        let (_, handle) = shown.split_once("{\"handle\":\"").unwrap();
        let (handle, _) = handle.split_once('"').unwrap();
        for guess in ["result_1", "result_1_", "result_1_0", "1"] {
            let result = read(guess).await;
            assert_eq!(result["isError"], true, "{guess}: {result}");
            assert!(!result.to_string().contains("secret ") && !result.to_string().contains(handle), "{result}");
        }
        assert!(read(handle).await["content"][0]["text"].as_str().unwrap().starts_with("secret "));
        drop(server);
        rig.end().await;
    }
}
