use tool_runtime::tool;

/// Queries a table.
#[tool]
fn query(
    /// Where.
    #[tool(mcp_header = "the region")]
    //~ "the region" ~ the name of a header has letters, digits and some of
    region: String,
    /// For whom.
    #[tool(mcp_header = "Tenant")]
    tenant: String,
    /// For whom else.
    #[tool(mcp_header = "TENANT")]
    //~ "TENANT" ~ another parameter has the header "TENANT"
    other: String,
    /// The key.
    #[tool(mcp_header = "Key", sensitive)]
    //~ sensitive ~ a header is visible to every proxy: remove `sensitive` or `mcp_header`
    key: String,
    /// The mode.
    #[tool(mcp_header = "Mode", hidden)]
    //~ hidden ~ a client cannot send the header of a parameter that it does not see
    mode: Option<String>,
    /// The table.
    #[tool(mcp_header = "Table", schemars)]
    //~ schemars ~ a header needs a text, an integer or a boolean, and the type
    table: String,
    #[tool(host, mcp_header = "Owner")]
    //~ "Owner" ~ the model never sees a value of the host: remove `mcp_header`
    owner: String,
    #[tool(state, mcp_header = "State")]
    //~ "State" ~ the model never sees state or context: remove `mcp_header`
    state: &u8,
) {
    let _ = (region, tenant, other, key, mode, table, owner, state);
}

fn main() {}
