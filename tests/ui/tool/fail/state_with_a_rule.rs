use tool_runtime::tool;

/// Waits.
#[tool]
fn wait(#[tool(state, rename = "db")] database: &String) {
    //~ "db" ~ the model never sees state or context: remove `rename`
    let _ = database;
}

fn main() {}
