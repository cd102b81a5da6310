use tool_runtime::tool;

/// Queries a table.
#[tool]
fn query(
    /// Of any size.
    #[tool(mcp_header = "Share")]
    share: f64,
    //~ f64 ~ a header has a text, an integer or a boolean: take a type of this kind, or remove `mcp_header`
    /// The tables.
    #[tool(mcp_header = "Tables")]
    tables: Vec<String>,
    //~ Vec ~ a header has a text, an integer or a boolean
    /// The number of rows.
    #[tool(mcp_header = "Rows")]
    rows: Option<u64>,
    //~ Option ~ the integers of a header have at most 53 bits
) {
    let _ = (share, tables, rows);
}

fn main() {}
