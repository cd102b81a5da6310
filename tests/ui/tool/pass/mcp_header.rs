//! Types whose values the protocol allows in a header.

use serde::Deserialize;
use tool_runtime::{ToolInput, tool};

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
    /// Where.
    #[tool(mcp_header = "Region")]
    region: Region,
    /// For whom.
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

fn main() {}
