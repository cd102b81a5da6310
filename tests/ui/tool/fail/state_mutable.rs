use tool_runtime::tool;

struct Database;

/// Waits.
#[tool]
fn wait(#[tool(state)] database: &mut Database) {
    //~ &mut Database ~ concurrent calls share this value: write `&Database`, and keep mutable data in a `Mutex` or an atomic
    let _ = database;
}

fn main() {}
