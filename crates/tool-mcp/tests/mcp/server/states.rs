//! States that every session of a server needs, and tools of a container without the container.

use serde_json::json;
use tokio::net::TcpListener;
use tool_mcp::{ServeError, Server};
use tool_runtime::toolbox::{NeedsSessionState, States};
use tool_runtime::{Toolbox, plugin_container, tool};

use crate::wire::Wire;

struct User(String);

/// Greets the user.
#[tool]
fn greet(#[tool(state)] user: &User) -> String {
    format!("Hello, {}!", user.0)
}

fn toolbox() -> Toolbox<NeedsSessionState> {
    Toolbox::builder().require_session_state::<User>().tool(GreetTool).build().expect("the tool is valid")
}

async fn served_at_once(server: tool_mcp::server::Http) -> Result<(), String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    server.serve(listener, async {}).await.map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_server_without_a_declared_state_does_not_start() {
    let (input, output) = tokio::io::split(tokio::io::duplex(64).0);
    let error = Server::new(toolbox()).serve_streams(input, output).await.expect_err("there is no user");
    assert!(matches!(&error, ServeError::MissingState(missing) if missing.names[0].ends_with("User")), "{error}");
    assert!(error.to_string().contains("Server::states"), "{error}");

    let named = |token: &str| (token == "secret").then(|| "Ada".to_owned());
    for http in [Server::new(toolbox()).http(), Server::new(toolbox()).http().verify_bearer(named)] {
        let error = served_at_once(http).await.expect_err("there is no user");
        assert!(error.contains("User") && error.contains("Server::states"), "{error}");
    }
    // The states of users with names are created when the users come.
    let states = |user: Option<&str>| user.map_or_else(States::new, |name| States::new().with(User(name.to_owned())));
    assert_eq!(served_at_once(Server::new(toolbox()).states(states).http().verify_bearer(named)).await, Ok(()));
    assert!(served_at_once(Server::new(toolbox()).states(states).http()).await.is_err());
}

#[tokio::test]
async fn a_server_with_the_declared_states_starts() {
    let server = Server::new(toolbox()).states(|_| States::new().with(User("Ada".into())));
    let mut wire = Wire::initialize(server, "2025-11-25", json!({})).await;
    let answer = wire.request("tools/call", json!({"name": "greet", "arguments": {}})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "Hello, Ada!");
}

struct Math;

/// Arithmetic on numbers.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn increment(
        &self,
        /// A number.
        number: u8,
    ) -> u16 {
        u16::from(number) + 1
    }
}

#[tokio::test]
async fn methods_are_listed_without_their_container_and_without_call_tool() {
    let toolbox = Toolbox::builder().tools(Math).build().expect("the tool is valid");
    for mut wire in [
        Wire::initialize(Server::new(toolbox.clone()), "2025-11-25", json!({})).await,
        Wire::stateless(Server::new(toolbox), json!({})),
    ] {
        let list = wire.request("tools/list", json!({})).await;
        let names: Vec<_> =
            list["result"]["tools"].as_array().expect("a list").iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["increment"]);
        let answer = wire.request("tools/call", json!({"name": "increment", "arguments": {"number": 41}})).await;
        assert_eq!(answer["result"]["content"][0]["text"], "42");
    }
}
