//! rmcp: the router of an MCP server, called in the same way as the server's handler calls it. The transport is not part of the call.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, CallToolResponse, NumberOrString};
use rmcp::service::{Peer, RequestContext, RoleServer, serve_directly};
use rmcp::{ServerHandler, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Side;
use crate::weather::{Unit, check, forecast};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// City, without the country.
    city: String,
    /// Days from today.
    #[schemars(range(min = 1, max = 14))]
    days: u8,
    /// Unit of the temperature.
    unit: Unit,
}

#[derive(Clone)]
struct Server;

#[tool_router]
impl Server {
    /// Returns the weather forecast.
    #[tool]
    fn get_weather(&self, Parameters(Arguments { city, days, unit }): Parameters<Arguments>) -> Result<String, String> {
        check(days)?;
        Ok(forecast(&city, days, unit))
    }
}

impl ServerHandler for Server {}

/// A router, and the peer that each call of it needs.
pub struct Rmcp {
    router: ToolRouter<Server>,
    peer: Peer<RoleServer>,
    _runtime: tokio::runtime::Runtime,
}

impl Rmcp {
    /// Creates the router, and a server for its peer, to which nobody sends messages.
    #[must_use]
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let peer = runtime.block_on(async {
            let (_, transport) = tokio::io::duplex(64);
            serve_directly(Server, transport, None).peer().clone()
        });
        Self { router: Server::tool_router(), peer, _runtime: runtime }
    }
}

impl Default for Rmcp {
    fn default() -> Self {
        Self::new()
    }
}

impl Side for Rmcp {
    fn name(&self) -> &'static str {
        "rmcp 3.11.0, router"
    }

    fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        // The transport of a server parses the whole message, so text that is not valid JSON never reaches the router.
        let arguments = match serde_json::from_str(arguments) {
            Ok(serde_json::Value::Object(arguments)) => arguments,
            Ok(_) => return Err("the message is not a request: `arguments` is not an object".to_owned()),
            Err(error) => return Err(format!("the message is not a request: {error}")),
        };
        let parameters = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
        let context = ToolCallContext::new(
            &Server,
            parameters,
            RequestContext::new(NumberOrString::Number(1), self.peer.clone()),
        );
        match pollster::block_on(self.router.call(context)) {
            Ok(CallToolResponse::Complete(result)) => {
                let text: Vec<_> =
                    result.content.iter().filter_map(|block| block.as_text().map(|text| text.text.clone())).collect();
                if result.is_error == Some(true) { Err(text.join("\n")) } else { Ok(text.join("\n")) }
            }
            Ok(_) => Err("no result".to_owned()),
            Err(error) => Err(error.message.into_owned()),
        }
    }
}
