use tool_runtime::tool;

struct Database;

/// Waits.
#[tool]
fn wait(#[tool(state)] database: Database) {
    //~ Database ~ write `&Database`
    let _ = database;
}

fn main() {}
