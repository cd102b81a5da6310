//! A comparison of the cost of a call: our server, and a server written directly with rmcp. Both have the same tool and the same client,
//! over a stream in memory.
//!
//! `cost ours 1000` or `cost plain 1000` makes a thousand calls. The test `cost` counts the allocations per call.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;
use tool_mcp::{Server, rmcp};
use tool_runtime::{Toolbox, tool};

#[derive(Serialize)]
struct Report {
    city: String,
    days: u8,
}

/// Forecasts the weather.
#[tool]
fn forecast(
    /// The city.
    city: String,
    /// The number of days.
    days: u8,
) -> Report {
    Report { city, days }
}

#[derive(Deserialize)]
struct Arguments {
    city: String,
    days: u8,
}

/// A server with the same tool, written with rmcp alone. It decodes the arguments, calls the function and encodes the result. It does not
/// check or repair anything, and has no throttle.
struct Plain;

impl ServerHandler for Plain {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = Tool::new("forecast", "Forecasts the weather.", rmcp::model::JsonObject::new());
        Ok(ListToolsResult::with_all_items(vec![tool]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = serde_json::Value::Object(request.arguments.unwrap_or_default());
        let invalid = |error: serde_json::Error| ErrorData::invalid_params(error.to_string(), None);
        let Arguments { city, days } = serde_json::from_value(arguments).map_err(invalid)?;
        let report = serde_json::to_value(Report { city, days }).map_err(invalid)?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(report.to_string())]);
        result.structured_content = Some(report);
        Ok(result.into())
    }
}

/// The client of a server, with the runtime that runs both.
pub(crate) struct Driven {
    runtime: Runtime,
    write: WriteHalf<DuplexStream>,
    read: BufReader<ReadHalf<DuplexStream>>,
    line: String,
    calls: usize,
}

const INITIALIZE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":"#,
    r#"{"name":"cost","version":"0"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n"
);

impl Driven {
    /// Connects to our server (`ours`) or to the server that is written with rmcp alone.
    pub(crate) fn connect(is_ours: bool) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (near, far) = tokio::io::duplex(1 << 16);
        let (input, output) = tokio::io::split(far);
        if is_ours {
            let toolbox = Toolbox::builder().tool(ForecastTool).build().map_err(std::io::Error::other)?;
            runtime.spawn(Server::new(toolbox).serve_streams(input, output));
        } else {
            runtime.spawn(async {
                Ok::<_, rmcp::RmcpError>(rmcp::serve_server(Plain, (input, output)).await?.waiting().await)
            });
        }
        let (read, write) = tokio::io::split(near);
        let mut driven = Self { runtime, write, read: BufReader::new(read), line: String::new(), calls: 0 };
        driven.exchange(INITIALIZE)?;
        Ok(driven)
    }

    fn exchange(&mut self, lines: &str) -> std::io::Result<()> {
        self.line.clear();
        let exchange = async {
            self.write.write_all(lines.as_bytes()).await?;
            self.read.read_line(&mut self.line).await
        };
        self.runtime.block_on(exchange).map(drop)
    }

    /// Makes calls with different arguments, one after the other, and returns the last answer.
    pub(crate) fn call(&mut self, calls: usize) -> std::io::Result<&str> {
        for _ in 0..calls {
            self.calls += 1;
            let (id, days) = (self.calls, self.calls % 200);
            let call = format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"forecast\",\"arguments\":{{\"city\":\"Oslo {id}\",\"days\":{days}}}}}}}\n"
            );
            self.exchange(&call)?;
        }
        Ok(&self.line)
    }
}

#[allow(dead_code, reason = "the test `cost` includes this file")]
fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let is_ours = arguments.next().as_deref() == Some("ours");
    let calls = arguments.next().and_then(|calls| calls.parse().ok()).unwrap_or(1_000);
    println!("{}", Driven::connect(is_ours)?.call(calls)?.trim_end());
    Ok(())
}
