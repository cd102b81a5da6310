//! Types whose values the protocol allows in a header.

use serde::Deserialize;
use tool_runtime::{Dialect, ToolInput, Toolbox, tool};

#[derive(Deserialize, ToolInput)]
enum Region {
    /// The west.
    West,
    East,
}

#[derive(Deserialize, ToolInput)]
struct Tenant(#[tool(length(max = 20))] String);

/// Queries a table.
#[tool]
fn query(
    /// The region.
    #[tool(mcp_header = "Region")]
    region: Region,
    /// The tenant.
    #[tool(mcp_header = "Tenant-Name", rename = "for")]
    tenant: Option<Tenant>,
    /// The number of rows.
    #[tool(mcp_header = "Rows", range(max = 1_000_000))]
    rows: Option<u64>,
    /// Any offset.
    #[tool(mcp_header = "offset", default = 0)]
    offset: i32,
    /// Only counts.
    #[tool(mcp_header = "x!", default = false)]
    counts: bool,
) {
    let _ = (region, tenant, rows, offset, counts);
}

#[test]
fn the_names_of_headers_are_in_the_definition() {
    let session = Toolbox::builder().tool(QueryTool).build().expect("one tool").session();
    let definition = session.definitions_in(Dialect::MCP).to_value().to_string();
    for name in ["Region", "Tenant-Name", "Rows", "offset", "x!"] {
        assert!(definition.contains(&format!("\"x-mcp-header\":\"{name}\"")), "{definition}");
    }
}
