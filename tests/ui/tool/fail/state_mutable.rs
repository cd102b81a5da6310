use tool_runtime::tool;

struct Database;

/// Waits.
#[tool]
fn wait(#[tool(state)] database: &mut Database) {
    //~ &mut Database ~ write `&Database`, and keep what changes in a `Mutex`
    let _ = database;
}

fn main() {}
